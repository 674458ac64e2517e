import fc from "fast-check";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  analyticGaussian,
  classicalGaussian,
  integerGaussian,
  vectorGaussian,
} from "../../../lib/dp/mechanisms/gaussian.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { deltas, epsilons, NOT_A_COUNT, NOT_POSITIVE, relationOf, rhos, scaled } from "../draws.ts";
import { drawnGaussianShare, drawnStep, moves, noiseless } from "../drawn_noise.ts";
import { neighbours, pointsOf } from "../neighbours.ts";
import {
  granularityOf,
  queries,
  type Query,
  sensitivityOf,
  sharesPair,
  valueOf,
  vectorOf,
  vectorPair,
  vectorQueries,
} from "../numeric_queries.ts";
import { gaussianDeviation } from "../scripted_source.ts";
import { rhoOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** Deviations up to which δ is summed term by term. */
const MOST_SUMMED = 100;

/** The δ at the claim's ε of the law that is drawn, as a share of the claim's. */
function deltaShare(
  { options, mechanism, left, right }: Case<Query, number, number>,
): number {
  const { claim } = mechanism;
  if (claim.kind !== "approximate") throw new Error(`The claim is ${claim.kind}`);
  const step = granularityOf(options);
  const shift = moves(mechanism, { left, right }).sum / step;
  const at = noiseless(mechanism, left)[0]!;
  const logAt = (k: number, data: Dataset<number>): number =>
    mechanism.logDensity!(at + k * step, data);
  const drawn = drawnStep(mechanism, left);
  // The deviation that is drawn, in steps; where noise is too rare to be seen, that of the density.
  const deviation = drawn === undefined
    ? Math.sqrt(0.5 / (logAt(0, left) - logAt(1, left)))
    : gaussianDeviation(drawn) / step * (1 + 1e-6);
  if (shift === 0) return 0;
  for (const also of mechanism.alsoKeeps ?? []) {
    // Concentrated: ‖move‖²/(2σ²), to what the deviation drawn is seen to.
    if (also.kind === "zcdp" && !(shift ** 2 / (2 * deviation ** 2) <= also.rho)) return Infinity;
  }
  if (deviation > MOST_SUMMED) return gaussianDelta(shift / deviation, claim.epsilon) / claim.delta;
  const reach = Math.ceil(12 * deviation) + shift;
  return Math.max(...[1, -1].map((side) => {
    let delta = 0;
    for (let k = -reach; k <= reach; k++) {
      const p = logAt(k, side > 0 ? left : right), q = logAt(k, side > 0 ? right : left);
      const excess = -Math.expm1(claim.epsilon + q - p);
      if (excess > 0) delta += Math.exp(p) * excess;
    }
    return delta / claim.delta;
  }));
}

/** ‖move‖²/(2σ²) over ρ: by the density at a noiseless value, and by what is drawn. */
function rhoShare<Options, Row>(
  { mechanism, left, right }: Case<Options, Row, number[]>,
): number {
  const rho = rhoOf(mechanism.claim);
  const drawn = drawnGaussianShare(mechanism, { left, right }) * (1 - 1e-5);
  // Log-densities are near 1000: what is far below 1 is lost in their rounding.
  if (rho < 1e-3) return drawn;
  const at = noiseless(mechanism, left);
  const loss = mechanism.logDensity!(at, left) - mechanism.logDensity!(at, right);
  return Math.max(drawn, loss / rho * (1 - 1e-8));
}

const approximateQueries = fc.tuple(queries, epsilons, deltas)
  .map(([query, epsilon, delta]) => ({
    ...query,
    fineness: Math.min(query.fineness, 6),
    epsilon,
    delta,
  }));

type Approximate = Query & { readonly epsilon: number; readonly delta: number };

const parts = (query: Approximate) => ({
  query: valueOf(query),
  epsilon: query.epsilon,
  delta: query.delta,
  sensitivity: sensitivityOf(query),
  granularity: granularityOf(query),
  relation: relationOf(query.relation),
});

const onGrid = (output: number, { options }: { options: Query }): boolean =>
  Number.isInteger(output / granularityOf(options));

const NOT_A_DELTA = [0, 1, -0.1, 2, NaN, undefined];

/** Gaussian noise on grids and integers. */
export const gaussianSweeps: readonly Sweep[] = [
  sweep({
    name: "analyticGaussian()",
    covers: ["analyticGaussian"],
    options: approximateQueries,
    make: (query: Approximate) => analyticGaussian<number>(parts(query)),
    pair: sharesPair,
    share: deltaShare,
    // The drawn deviation is seen to a part in 10⁶, and δ may hang on its square times ε.
    tolerance: 1e-3,
    attained: 0.99,
    shape: onGrid,
    badOptions: { epsilon: NOT_POSITIVE, delta: NOT_A_DELTA, fineness: [0.5, NaN] },
  }),
  sweep({
    name: "classicalGaussian()",
    covers: ["classicalGaussian"],
    options: approximateQueries.map((query) => ({
      ...query,
      epsilon: Math.min(query.epsilon, 0.999),
    })),
    make: (query: Approximate) => classicalGaussian<number>(parts(query)),
    pair: sharesPair,
    share: deltaShare,
    tolerance: 1e-3,
    attained: 0.05,
    shape: onGrid,
    badOptions: { epsilon: [...NOT_POSITIVE, 1, 50], delta: NOT_A_DELTA, fineness: [0.5, NaN] },
  }),
  sweep({
    name: "vectorGaussian()",
    covers: ["vectorGaussian"],
    options: fc.tuple(vectorQueries, rhos).map(([query, rho]) => ({ ...query, rho })),
    make: (query) => {
      const moved = query.kind === "dense"
        ? query.dimension
        : query.relation === "replace-one"
        ? 2
        : 1;
      return vectorGaussian<readonly number[]>({
        query: vectorOf(query, { reach: Math.sqrt(1 / moved) }),
        dimension: query.dimension,
        rho: query.rho,
        sensitivity: sensitivityOf(query),
        granularity: granularityOf(query),
        relation: relationOf(query.relation),
      });
    },
    pair: vectorPair,
    share: rhoShare,
    attained: 0.99,
    shape: (output, { options }) =>
      output.length === options.dimension &&
      output.every((value) => onGrid(value, { options })),
    badOptions: { rho: NOT_POSITIVE, dimension: NOT_A_COUNT, fineness: [0.5, NaN] },
  }),
  sweep({
    name: "integerGaussian()",
    covers: ["integerGaussian"],
    options: fc.record({
      dimension: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 200 })),
      most: fc.integer({ min: 1, max: 1000 }),
      rho: scaled({ min: 1e-6, max: 50 }),
    }),
    make: ({ dimension, most, rho }) =>
      integerGaussian<readonly number[]>({
        query: ([row]) => row!.map((value) => Math.floor(Math.min(most, Math.max(0, value)))),
        dimension,
        rho,
        sensitivity: most * Math.sqrt(dimension),
        relation: replaceOne,
      }),
    pair: ({ dimension, most }, source) =>
      neighbours(source, {
        relation: "replace-one",
        rows: pointsOf({
          lower: new Array<number>(dimension).fill(0),
          upper: new Array<number>(dimension).fill(most),
        }, { min: 1, max: 1 }),
      }),
    share: rhoShare,
    attained: 1 - 1e-4,
    shape: (output, { options }) =>
      output.length === options.dimension && output.every(Number.isInteger),
    badOptions: { rho: NOT_POSITIVE, dimension: NOT_A_COUNT, most: [0, -1, NaN, Infinity] },
    badData: ({ dimension }) => [[new Array(dimension).fill(NaN)], [[]]],
  }),
];
