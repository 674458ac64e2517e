import { requireKnown } from "../../core/text/known_options.ts";
import { type Claim, pure } from "../../core/claims/claim.ts";
import type { Dataset } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { replaceOne } from "../../core/relations/relation.ts";
import { requireFields, requireInteger, requirePositive } from "../../core/numeric/require.ts";
import { integerLaplace } from "../../dp/mechanisms/geometric.ts";
import { gridStep, MOST_COORDINATE, requireReach, toGrid } from "../../dp/mechanisms/grid.ts";

/**
 * The noisy mean of k vectors: each coordinate is brought into ±`bound` and rounded to whole steps, the
 * steps are added as integers, and exact discrete Laplace noise for d coordinates that move by 2·bound
 * each is added to the sums (Dwork, McSherry, Nissim, Smith 2006). ε-DP when one vector is replaced;
 * each coordinate of the mean gets noise of scale 2·bound·d/(k·ε) and is brought into ±`bound` again.
 *
 * @throws {RangeError} when an option is out of range, or at release a vector has not `dimension`
 * finite coordinates, there is none, or there are so many that their sum may be beyond 2⁵¹ steps: more than 2³⁰ with the default granularity.
 *
 * @example
 * ```ts
 * import { clampedVectorMean } from "./clamped_vector_mean.ts";
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { release } from "../../dp/mechanisms/release.ts";
 * const weights = clampedVectorMean({ dimension: 2, bound: 1, epsilon: 1 });
 * release(weights, [[0.5, -0.1], [0.7, 3]], { budget: openBudget(weights.claim) }); // two numbers in [−1, 1]
 * ```
 */
export function clampedVectorMean(
  given: {
    /** d, how many coordinates a vector has. */
    readonly dimension: number;
    /** Coordinates are brought into [−bound, bound]. */
    readonly bound: number;
    /** The step to which each coordinate is rounded: a power of two. Default: about a millionth of the bound. */
    readonly granularity?: number | undefined;
    /** The claim, in nats. */
    readonly epsilon: number;
  },
): Mechanism<readonly number[], number[]> {
  const { dimension, bound, epsilon, ...options } = requireFields("clampedVectorMean", given, {});
  requireKnown("call clampedVectorMean()", given, ["dimension", "bound", "granularity", "epsilon"]);
  const action = "make a clamped mean";
  requirePositive(action, "bound", bound);
  const granularity = gridStep(action, { ...options, sensitivity: bound, scale: bound });
  requireReach(action, "bound", { bound, granularity, most: 2 ** 31 });
  const most = toGrid(action, bound, granularity);
  requireInteger(action, "steps of the granularity in the bound", most, { min: 1 });
  const claim: Claim = pure({ epsilon, relation: replaceOne });
  const sums = integerLaplace<readonly number[]>({
    query: (vectors) => stepSums(vectors, { dimension, bound, granularity }),
    dimension,
    epsilon,
    sensitivity: 2 * most * dimension,
    relation: replaceOne,
  });
  const check = (vectors: Dataset<readonly number[]>): void => {
    // The number of vectors is public, and so is the bound on their sum.
    requireInteger("release a clamped mean", "number of vectors", vectors.length, {
      min: 1,
      max: Math.floor(MOST_COORDINATE / most),
    });
    sums.check(vectors);
  };
  return {
    name: "clamped mean",
    claim,
    width: dimension,
    check,
    sample(vectors, source): number[] {
      check(vectors);
      return sums.sample(vectors, source).map((sum) =>
        Math.min(bound, Math.max(-bound, sum * granularity / vectors.length))
      );
    },
  };
}

function stepSums(
  vectors: Dataset<readonly number[]>,
  { dimension, bound, granularity }: { dimension: number; bound: number; granularity: number },
): number[] {
  const action = "release a clamped mean";
  const sums = new Array<number>(dimension).fill(0);
  for (const vector of vectors) {
    if (vector.length !== dimension) {
      throw new RangeError(
        `Cannot ${action}: vectors must have ${dimension} coordinates: one has not`,
      );
    }
    vector.forEach((value, i) => {
      // toGrid refuses what is not finite; the infinities would otherwise be brought into the bound.
      if (!Number.isFinite(value)) toGrid(action, value, granularity);
      sums[i]! += toGrid(action, Math.max(-bound, Math.min(bound, value)), granularity);
    });
  }
  return sums;
}
