import type { Claim } from "./claim.ts";

/** What a release spends from: `lib/accounting/budget.ts` has the one that composes claims. */
export interface Spendable {
  /**
   * Records that a mechanism with this claim is about to run.
   *
   * @throws {RangeError} when the budget cannot pay for it; then nothing is recorded.
   */
  spend(claim: Claim): void;
}
