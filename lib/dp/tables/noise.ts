import { alsoConcentrated } from "../../core/claims/bounded_range.ts";
import type { Claim } from "../../core/claims/claim.ts";
import { pure, zcdp } from "../../core/claims/claim_of_amounts.ts";
import { requireKnown } from "../../core/text/known_options.ts";
import type { Relation } from "../../core/relations/relation.ts";
import { share } from "../accounting/budget/share.ts";
import { integerGaussian } from "../mechanisms/gaussian.ts";
import { integerLaplace } from "../mechanisms/geometric.ts";
import type { GridMechanism } from "../mechanisms/grid_mechanism.ts";
import type { Amount } from "../../core/numeric/amount.ts";
import { divide, rational } from "../../core/numeric/rational.ts";
import { requireKind } from "../../core/numeric/require.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { discreteGaussian } from "../../core/random/discrete_gaussian.ts";
import { discreteLaplace } from "../../core/random/discrete_laplace.ts";
import type { IntegerNoise } from "../../core/random/integer_noise.ts";

/** Price of an answer: ε with Laplace noise, or ρ with Gaussian noise, which is less where a person is in many groups. */
export type Cost =
  | { readonly epsilon: Amount; readonly rho?: undefined }
  | { readonly rho: Amount; readonly epsilon?: undefined };

/** The price of an answer that is made of equal parts. */
export interface Price {
  readonly claim: Claim;
  /** Other claims that hold of it. */
  readonly alsoKeeps: readonly Claim[];
  /** Price of each part. */
  readonly part: { readonly kind: "epsilon" | "rho"; readonly amount: number };
  readonly relation: Relation;
}

/**
 * The price of so many parts at a cost. @throws {RangeError} unless exactly one of ε and ρ is given.
 *
 * @param beside what options there are beside the cost, which were taken out of it.
 */
export function priceOf(
  action: string,
  cost: Cost,
  { relation, parts, beside = [] }: {
    readonly relation: Relation;
    readonly parts: number;
    readonly beside?: readonly string[];
  },
): Price {
  requireKind(action, "options", cost, "record");
  requireKnown(action, cost, ["epsilon", "rho", ...beside]);
  const { epsilon, rho } = cost;
  if ((epsilon === undefined) === (rho === undefined)) {
    throw new RangeError(
      `Cannot ${action}: epsilon or rho must be given, as in { epsilon: 0.5 }: current values are ${epsilon} and ${rho}`,
    );
  }
  if (rho !== undefined) {
    const claim = zcdp({ rho, relation });
    const amount = share(rho, parts);
    return { claim, alsoKeeps: [], part: { kind: "rho", amount }, relation };
  }
  const claim = pure({ epsilon: epsilon!, relation });
  const amount = share(epsilon!, parts);
  // Each part is (ε/parts)²/2-zCDP.
  const together = roundUp(claim.epsilon ** 2 / (2 * parts), { relativeError: 2 * Number.EPSILON });
  const alsoKeeps = parts === 1 ? [] : alsoConcentrated({ rho: together, relation });
  return { claim, alsoKeeps, part: { kind: "epsilon", amount }, relation };
}

/** Totals with exact noise, and its law. */
export interface NoisyTotals {
  /** Its claim is that of one part. */
  readonly mechanism: GridMechanism<never, number[]>;
  readonly law: IntegerNoise;
}

/** Independent noise for whole totals, scaled to what a unit changes. */
export function noisyTotals(
  totals: Float64Array,
  { price: { part, relation }, sensitivity }: {
    readonly price: Price;
    readonly sensitivity: { readonly l1: number; readonly l2: number };
  },
): NoisyTotals {
  const query = (): readonly number[] => totals as unknown as readonly number[];
  const options = { query, dimension: totals.length, relation };
  if (part.kind === "epsilon") {
    const { amount: epsilon } = part;
    const scale = divide(rational(sensitivity.l1), rational(epsilon));
    return {
      mechanism: integerLaplace<never>({ ...options, epsilon, sensitivity: sensitivity.l1 }),
      law: discreteLaplace({ scale }),
    };
  }
  const mechanism = integerGaussian<never>({
    ...options,
    rho: part.amount,
    sensitivity: sensitivity.l2,
  });
  const variance = rational(mechanism.grid.scaleInSteps ** 2);
  return { mechanism, law: discreteGaussian({ variance }) };
}
