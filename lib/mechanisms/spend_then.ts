import { requireFields } from "../numeric/require.ts";
import type { Spendable } from "../core/budget.ts";
import type { Claim } from "../core/claim.ts";
import { requireClaim } from "../core/claim_brand.ts";
import { inOneRelease } from "./evaluated_once.ts";
import { SecureSource } from "../random/secure_source.ts";

/** What every release must be given. */
export interface ReleaseOptions {
  /** Spent from before anything is drawn. */
  readonly budget: Spendable;
  /** A secure source only. Default: a new one. */
  readonly source?: SecureSource | undefined;
}

/** A release of which everything is checked, and nothing drawn. */
export interface PreparedRelease<Output> {
  /** Spent from the budget. */
  readonly claim: Claim;
  /** Other claims that hold of it; the budget pays for the cheapest. */
  readonly alsoKeeps?: readonly Claim[] | undefined;
  /** Called once, after the budget has paid. */
  readonly draw: (source: SecureSource) => Output;
}

/**
 * Makes a release, the only way that noise reaches a user: the source must be secure and there must be a budget;
 * `prepare` finds whatever is wrong with options and data, without randomness; the budget pays, or refuses; then the
 * noise is drawn. Whatever is refused costs nothing, and once the budget has paid it stays paid.
 *
 * @throws {TypeError} when the source is not secure, there is no budget, or no constructor made the claim.
 * @throws {RangeError} when the budget cannot pay; and whatever `prepare` throws. Then nothing was drawn.
 *
 * @example
 * ```ts
 * import { openBudget } from "../accounting/budget.ts";
 * import { pure } from "../core/claim.ts";
 * import { replaceOne as relation } from "../core/relation.ts";
 * import { spendThen } from "./spend_then.ts";
 * const budget = openBudget(pure({ epsilon: 2, relation }));
 * const bit = spendThen("flip a coin", {
 *   budget,
 *   prepare: () => ({ claim: pure({ epsilon: 1, relation }), draw: (source) => source.uint32() & 1 }),
 * });
 * ```
 */
export function spendThen<Output>(
  action: string,
  options: ReleaseOptions & {
    /** Called first; may throw, and must not draw. */
    readonly prepare: () => PreparedRelease<Output>;
  },
): Output {
  const { budget, source = new SecureSource(), prepare } = requireFields("spendThen", options, {
    prepare: "function",
  });
  if (!(source instanceof SecureSource)) {
    throw new TypeError(
      `Cannot ${action}: source must be secure, a SecureSource: current value is ${
        (source as { readonly kind?: unknown } | null)?.kind ?? typeof source
      }`,
    );
  }
  if (typeof budget?.spend !== "function") {
    throw new TypeError(
      `Cannot ${action}: budget must be given, as openBudget() makes it: current value is ${
        budget === null ? "null" : typeof budget
      }`,
    );
  }
  return inOneRelease(() => {
    const { claim, alsoKeeps = [], draw } = prepare();
    for (const each of [claim, ...alsoKeeps]) requireClaim(action, each);
    budget.spend(claim, alsoKeeps);
    return draw(source);
  });
}
