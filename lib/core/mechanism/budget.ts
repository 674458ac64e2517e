import type { Claim } from "../claims/claim.ts";

/** Budget that a release spends from. `lib/dp/accounting/budget/budget.ts` implements the one that composes claims. */
export interface Spendable {
  /**
   * Records that a mechanism with this claim is about to run. Of `alsoKeeps`, claims that hold of the same output,
   * and the claim itself one is paid for.
   *
   * @throws {RangeError} when the budget cannot pay for it; then nothing is recorded.
   */
  spend(claim: Claim, alsoKeeps?: readonly Claim[]): void;
}
