import type { Claim } from "../claims/claim.ts";

/** Notes that a ledger keeps beside a spend. */
export interface SpendOptions {
  /** The question that is paid for, in public words: a ledger shows it to whoever reads it. */
  readonly purpose?: string | undefined;
}

/** Budget that a release spends from. `lib/dp/accounting/budget/budget.ts` implements the one that composes claims. */
export interface Spendable {
  /**
   * Records that a mechanism with this claim is about to run. Of `alsoKeeps`, claims that hold of the same output,
   * and the claim itself one is paid for.
   *
   * @throws {RangeError} when the budget cannot pay for it; then nothing is recorded.
   */
  spend(claim: Claim, alsoKeeps?: readonly Claim[], options?: SpendOptions): void;
}
