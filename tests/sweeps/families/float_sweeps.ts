import fc from "fast-check";
import { floatGaussianMechanism } from "../../../lib/dp/mechanisms/float_gaussian_mechanism.ts";
import { floatLaplaceMechanism } from "../../../lib/dp/mechanisms/float_laplace_mechanism.ts";
import { floatSphericalLaplace } from "../../../lib/dp/mechanisms/float_spherical_laplace.ts";
import { snapping } from "../../../lib/dp/mechanisms/snapping.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { deltas, epsilons, NOT_A_COUNT, NOT_POSITIVE, relationOf } from "../draws.ts";
import {
  queries,
  type Query,
  sensitivityOf,
  sharesPair,
  valueOf,
  vectorOf,
  vectorPair,
  vectorQueries,
} from "../numeric_queries.ts";
import { densityShare, distributionShare, epsilonOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** Draws whose mean shows the scale within a tenth: 6 deviations of 1/60. */
const DRAWS = 3600;
const NOISE_SHOWN = 1.1;

/** The mean distance of draws from a value. */
function meanDistance(
  { mechanism, left, source }: {
    mechanism: { sampleMany?: (data: never, count: number, source: SeededSource) => Float64Array };
    left: unknown;
    source: SeededSource;
  },
  center: readonly number[],
): number {
  const draws = mechanism.sampleMany!(left as never, DRAWS, source), d = center.length;
  let total = 0;
  for (let i = 0; i < DRAWS; i++) {
    total += Math.hypot(...center.map((value, j) => draws[i * d + j]! - value));
  }
  return total / DRAWS;
}

const plain = fc.tuple(queries, epsilons).map(([query, epsilon]) => ({
  ...query,
  // Beyond 2⁵³ sensitivities no double could hold the value and the noise.
  offset: Math.min(query.offset, 100),
  epsilon,
}));

const parts = (query: Query) => ({
  query: valueOf(query),
  sensitivity: sensitivityOf(query),
  relation: relationOf(query.relation),
});

/** Densities are smooth: rounding of the query's value moves the loss by a part in 10¹⁰. */
const tolerance = 1e-7;

type Pure = Query & { readonly epsilon: number };

function laplaceShare(drawn: Case<Pure, number, number>): number {
  const { mechanism, left, right, options } = drawn;
  const [one, other] = [valueOf(options)(left), valueOf(options)(right)];
  const shown = Math.abs(one - other) / meanDistance(drawn, [one]) / epsilonOf(mechanism.claim);
  return Math.max(densityShare(mechanism, { left, right }, [one, other]), shown / NOISE_SHOWN);
}

/** Doubles as they come, and the snapping mechanism that mends them. */
export const floatSweeps: readonly Sweep[] = [
  sweep({
    name: "floatLaplaceMechanism()",
    covers: ["floatLaplaceMechanism"],
    options: plain,
    make: (query: Pure) =>
      floatLaplaceMechanism<number>({ ...parts(query), epsilon: query.epsilon }),
    pair: sharesPair,
    share: laplaceShare,
    tolerance,
    attained: 1 - 1e-5,
    shape: Number.isFinite,
    badOptions: { epsilon: NOT_POSITIVE, power: [NaN, 5000] },
  }),
  sweep({
    name: "floatGaussianMechanism()",
    covers: ["floatGaussianMechanism"],
    options: fc.tuple(plain, deltas).map(([query, delta]) => ({ ...query, delta })),
    make: (query) =>
      floatGaussianMechanism<number>({
        ...parts(query),
        epsilon: query.epsilon,
        delta: query.delta,
      }),
    pair: sharesPair,
    share: (drawn) => {
      const { mechanism, left, right, options } = drawn;
      const { claim } = mechanism;
      if (claim.kind !== "approximate") throw new Error(`The claim is ${claim.kind}`);
      const [one, other] = [valueOf(options)(left), valueOf(options)(right)];
      const shift = Math.abs(one - other);
      if (shift === 0) return 0;
      // Mean distance of normal noise: deviation·√(2/π).
      const shown = meanDistance(drawn, [one]) * Math.sqrt(Math.PI / 2) * NOISE_SHOWN;
      // The density falls by d²/(2σ²) at a distance d.
      const fall = mechanism.logDensity!(one, left) - mechanism.logDensity!(one + shown, left);
      const deviation = shown / Math.sqrt(2 * fall);
      for (const also of mechanism.alsoKeeps ?? []) {
        if (also.kind === "gaussian" && !(shift / deviation <= also.mu * (1 + tolerance))) {
          return Infinity;
        }
      }
      return Math.max(
        gaussianDelta(shift / deviation, claim.epsilon),
        gaussianDelta(shift / shown, claim.epsilon),
      ) / claim.delta;
    },
    tolerance: 1e-4,
    attained: 0.99,
    shape: Number.isFinite,
    badOptions: { epsilon: NOT_POSITIVE, delta: [0, 1, -1, NaN], power: [NaN, 5000] },
  }),
  sweep({
    name: "floatSphericalLaplace()",
    covers: ["floatSphericalLaplace"],
    options: fc.tuple(vectorQueries, epsilons).map(([query, epsilon]) => ({ ...query, epsilon })),
    make: (query) => {
      const moved = query.kind === "dense" ? query.dimension : 2;
      return floatSphericalLaplace<readonly number[]>({
        query: vectorOf(query, { reach: Math.sqrt(1 / moved) }),
        dimension: query.dimension,
        epsilon: query.epsilon,
        sensitivity: sensitivityOf(query),
        relation: relationOf(query.relation),
      });
    },
    pair: vectorPair,
    share: (drawn) => {
      const { mechanism, left, right, options } = drawn;
      const moved = options.kind === "dense" ? options.dimension : 2;
      const query = vectorOf(options, { reach: Math.sqrt(1 / moved) });
      const [one, other] = [query(left), query(right)];
      return densityShare(mechanism, { left, right }, [one, other]);
    },
    tolerance: 1e-5,
    attained: 0.99,
    shape: (output, { options }) =>
      output.length === options.dimension && output.every(Number.isFinite),
    badOptions: { epsilon: NOT_POSITIVE, dimension: NOT_A_COUNT, power: [NaN, 5000] },
  }),
  sweep({
    name: "snapping()",
    covers: ["snapping"],
    options: fc.tuple(plain, fc.integer({ min: 1, max: 1000 })).map(([query, scales]) => ({
      ...query,
      bound: (1 + scales) * sensitivityOf(query) / query.epsilon,
    })),
    make: (query) =>
      snapping<number>({ ...parts(query), epsilon: query.epsilon, bound: query.bound }),
    pair: sharesPair,
    share: (drawn) => distributionShare(drawn.mechanism, drawn),
    tolerance: 1e-5,
    attained: 0.9,
    shape: (output, { options }) => Math.abs(output) <= options.bound * (1 + 1e-15),
    badOptions: { epsilon: NOT_POSITIVE, bound: NOT_POSITIVE, power: [NaN, 5000] },
  }),
];
