import type { Spendable } from "../../../core/mechanism/budget.ts";
import { type Claim, claimsNothing, describeClaim } from "../../../core/claims/claim.ts";
import { type FilterOptions, type PrivacyFilter, privacyFilter } from "./privacy_filter.ts";

/** A limit on privacy loss that releases spend from before they draw anything. */
export interface Budget extends Spendable {
  /** Claim that all spent claims together must satisfy. */
  readonly limit: Claim;
  /** The largest claim that would still fit, of the kind that adds up; a claim of 0 if nothing is left. */
  readonly remaining: Claim;
  /** Claims spent, in order. Of several claims about one output, only the one that was paid for. */
  readonly ledger: readonly Claim[];
  /** Returns true if `spend` would accept the claim. Never throws. */
  canSpend(claim: Claim, alsoKeeps?: readonly Claim[]): boolean;
  /** Spends on all of the claims or, when together they do not fit, on none. */
  spendAll(claims: readonly Claim[], options?: SpendAllOptions): void;
}

/** Notes that a ledger keeps beside several spends. */
export interface SpendAllOptions {
  /** For each claim, the question that is paid for, in public words. */
  readonly purposes?: readonly string[] | undefined;
}

/**
 * Opens a budget. Mechanisms may be chosen as outputs come in: it is a
 * {@linkcode privacyFilter} with a ledger. Spending happens before anything is drawn, and a refusal
 * leaves everything as it was.
 *
 * Every claim must be about the limit's relation: the same object, or one of this library's by its name. Amounts add up exactly, as decimals: a number counts as
 * the shortest one that reads back as it, so that a limit of 1 affords ten times 0.1. Noise is scaled to the double, which may be above its decimal by a factor of up to 1 + 2⁻⁵³; that of
 * {@linkcode share} and of amounts in text is not.
 *
 * @throws {RangeError} from the limit's options; from `spend`, when the claim does not fit or is about
 * another relation.
 * @throws {TypeError} when no constructor of claims made the limit; from `spend`, when none made the claim, or the
 * limit cannot count claims of that kind.
 *
 * @example
 * ```ts
 * import { pure } from "../../../core/claims/claim.ts";
 * import { replaceOne } from "../../../core/relations/relation.ts";
 * import { openBudget } from "./budget.ts";
 * const budget = openBudget(pure({ epsilon: 1, relation: replaceOne }));
 * budget.spend(pure({ epsilon: 0.4, relation: replaceOne }));
 * budget.remaining; // 0.6-DP
 * ```
 */
export function openBudget(limit: Claim, options: FilterOptions = {}): Budget {
  let filter = privacyFilter(limit, options);
  let ledger: readonly Claim[] = Object.freeze([]);

  function fitted(claims: readonly Claim[]): PrivacyFilter {
    let next = filter;
    for (const claim of claims) {
      const after = next.after(claim);
      if (after === undefined) throw doesNotFit(claim, next.remaining);
      next = after;
    }
    return next;
  }

  function spendAll(offered: readonly Claim[]): void {
    // The caller's code runs in the copying, and may spend, but not from here on: claims are frozen.
    const claims = Array.from(offered);
    const after = fitted(claims);
    // Nothing below throws: filter and ledger change together or not at all.
    filter = after;
    ledger = Object.freeze([...ledger, ...claims]);
  }

  return Object.freeze({
    limit,
    get remaining(): Claim {
      return filter.remaining;
    },
    get ledger(): readonly Claim[] {
      return ledger;
    },
    canSpend(claim: Claim, alsoKeeps: readonly Claim[] = []): boolean {
      try {
        const also = Array.from(alsoKeeps);
        fitted([filter.cheapest(claim, also)]);
        return true;
      } catch {
        return false;
      }
    },
    spend(claim: Claim, alsoKeeps: readonly Claim[] = []): void {
      const also = Array.from(alsoKeeps);
      spendAll([filter.cheapest(claim, also)]);
    },
    spendAll,
  });
}

/** The refusal of a claim where `left` is left of a budget. */
export function doesNotFit(claim: Claim, left: Claim): RangeError {
  return new RangeError(
    "Cannot spend: the claim must fit what is left of the budget, " +
      `${claimsNothing(left) ? "nothing" : describeClaim(left)}: current value is ${
        describeClaim(claim)
      }`,
  );
}
