import type { Spendable } from "../../core/mechanism/budget.ts";
import type { Claim } from "../../core/claims/claim.ts";
import { requireClaim } from "../../core/claims/claim_brand.ts";
import type { Dataset } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import { SecureSource } from "../../core/random/secure_source.ts";
import { inOneRelease } from "./evaluated_once.ts";

/** Options of every release. */
export interface ReleaseOptions {
  /** Spent from before anything is drawn. */
  readonly budget: Spendable;
  /** A secure source only. Default: a new one. */
  readonly source?: SecureSource | undefined;
  /** The question that is paid for, in public words, which a ledger keeps. Default: the name of the mechanism. */
  readonly purpose?: string | undefined;
}

/**
 * Releases one output privately. In this order: the data is checked, without randomness; the budget
 * pays for the mechanism's claim, or refuses; the output is drawn from a secure source. Whatever is
 * refused costs nothing, and once the budget has paid it stays paid. A seeded source does not compile.
 *
 * @throws {RangeError} when the data cannot be released or the budget cannot pay; then nothing was
 * drawn.
 * @throws {TypeError} when the source is not secure or no constructor made the claim (for callers without types).
 *
 * @example
 * ```ts
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { pure } from "../../core/claims/claim.ts";
 * import { release } from "./release.ts";
 * import { geometric } from "./geometric.ts";
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * const size = geometric({
 *   query: (rows) => rows.length,
 *   epsilon: 1,
 *   sensitivity: 1,
 *   relation: addRemoveOne,
 * });
 * const budget = openBudget(pure({ epsilon: 1, relation: addRemoveOne }));
 * release(size, ["a", "b"], { budget });
 * ```
 */
export function release<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  data: Dataset<Row>,
  options: ReleaseOptions,
): Output {
  requireKind("release", "mechanism", mechanism, "record");
  requireKind("release", "data", data, "list");
  requireFields("release", options, { purpose: "text?" });
  return spendThen("release", {
    purpose: mechanism.name,
    ...options,
    prepare: () => {
      const { claim, alsoKeeps } = mechanism;
      mechanism.check?.(data);
      return { claim, alsoKeeps, draw: (source) => mechanism.sample(data, source) };
    },
  });
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
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { pure } from "../../core/claims/claim.ts";
 * import { replaceOne as relation } from "../../core/relations/relation.ts";
 * import { spendThen } from "./release.ts";
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
  const { budget, source = new SecureSource(), prepare, purpose } = requireFields(
    "spendThen",
    options,
    {
      prepare: "function",
    },
  );
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
    budget.spend(claim, alsoKeeps, { purpose });
    return draw(source);
  });
}
