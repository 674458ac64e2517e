import fc from "fast-check";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { fitKMeans, type KMeansOptions } from "../../../lib/papers/sulq/k_means.ts";
import { seedingCells } from "../../../lib/papers/sulq/k_means_seeding.ts";
import { kMeansMechanism } from "../../papers/sulq/k_means_mechanism.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import {
  dimensions,
  NOT_A_COUNT,
  NOT_OF_ROWS,
  NOT_POSITIVE,
  relationOf,
  rhos,
  rowRelations,
} from "../draws.ts";
import { type Box, neighbours, pointsOf } from "../neighbours.ts";
import { firstStep, gaussianDeviation, ScriptedSource } from "../scripted_source.ts";
import { rhoOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** What k-means is told, in plain values. */
interface Clustering {
  readonly relation: "replace-one" | "add-remove-one";
  readonly columns: number;
  readonly clusters: number;
  readonly rounds: number;
  readonly rho: number;
  /** The side of the box, and where it begins. */
  readonly side: number;
  readonly least: number;
  /** Of the centres to begin with; null: found privately. */
  readonly start: number | null;
}

type Points = Dataset<readonly number[]>;
type Clusterer = Mechanism<readonly number[], number[]>;

const boxOf = ({ columns, side, least }: Clustering): Box => ({
  lower: new Array<number>(columns).fill(least),
  upper: new Array<number>(columns).fill(least + side),
});

function optionsOf(clustering: Clustering): KMeansOptions {
  const { relation, clusters, rounds, rho, start } = clustering;
  const bounds = boxOf(clustering);
  const source = new SeededSource(start ?? 0);
  const points = pointsOf(bounds, { min: 1, max: 1 });
  return {
    clusters,
    rounds,
    rho,
    bounds,
    relation: relationOf(relation),
    ...(start === null
      ? {}
      : { start: Array.from({ length: clusters }, () => points.row(source)) }),
  };
}

/** Noise below 10⁻⁴ of a row, which does not count. */
const ALL_BUT_EXACT = 1e9;

/** Counts and sums of one round for every centre, in sides of the box around its middle. */
function sumsOf(clustering: Clustering, data: Points): number[] {
  const { columns, clusters, side, least } = clustering;
  const fixed = { ...clustering, start: clustering.start ?? 0 };
  const exact = kMeansMechanism({ ...optionsOf(fixed), rounds: 1, rho: ALL_BUT_EXACT });
  const output = exact.sample(data, new ScriptedSource());
  return Array.from({ length: clusters }, (_, k) => {
    const count = output[clusters * columns + k]!;
    const centre = output.slice(k * columns, (k + 1) * columns);
    return [count, ...centre.map((at) => ((at - least) / side - 0.5) * count)];
  }).flat();
}

/** Points times coordinates times rounds that a search may look at again and again. */
const MOST_WORK = 40_000;

/** The deviation of the noise on the first count and, where they can be seen, on its sums. */
function deviations(mechanism: Clusterer, clustering: Clustering): number[] {
  const { columns, clusters, rounds, side } = clustering;
  const width = clusters * (columns + 1);
  const firstCount = clusters * columns;
  const none: Points = clustering.relation === "replace-one" ? [boxOf(clustering).lower] : [];
  /** `answer`: of those of the last round. */
  const step = (data: Points, answer: number, coordinate: number, unit: number): number => {
    const zeros = new ScriptedSource();
    const at = mechanism.sample(data, zeros)[coordinate]!;
    const place = zeros.drawn - 3 * (width - answer);
    const first = firstStep((word) =>
      mechanism.sample(data, new ScriptedSource({ [place]: word }))[coordinate]! - at
    );
    return gaussianDeviation({ ...first!, step: first!.step * unit });
  };
  const ofCounts = step(none, 0, firstCount, 1);
  const rows = Math.ceil(4 * ofCounts) + 10;
  if (rows * columns * clusters * rounds > MOST_WORK) return [ofCounts];
  // Points enough for their centre to move, in the middle, so that noise does not leave the box.
  const { lower, upper } = boxOf(clustering);
  const middle = lower.map((value, j) => (value + upper[j]!) / 2);
  const many = new Array<readonly number[]>(rows).fill(middle);
  const counts = mechanism.sample(many, new ScriptedSource()).slice(firstCount);
  const k = counts.indexOf(Math.max(...counts));
  return [ofCounts, step(many, k * (columns + 1) + 1, k * columns, counts[k]! / side)];
}

/**
 * Releases times the squared move of a round's sums, over twice the variance drawn. Those for the first centres are histograms of the same records;
 * tests/papers/sulq/k_means_seeding_test.ts searches for what a row moves in them.
 */
function share(
  { options, mechanism, left, right }: Case<Clustering, readonly number[], number[]>,
): number {
  const [one, other] = [sumsOf(options, left), sumsOf(options, right)];
  const squares = one.reduce((sum, value, i) => sum + (value - other[i]!) ** 2, 0);
  const deviation = Math.min(...deviations(mechanism, options));
  const isSeeded = options.start === null && options.clusters > 1;
  const releases = options.rounds + (isSeeded ? seedingCells(options.columns).length : 0);
  return releases * squares / (2 * deviation ** 2) / rhoOf(mechanism.claim);
}

/** k-means: one sweep, of all options. */
export const kMeansSweeps: readonly Sweep[] = [
  sweep({
    name: "fitKMeans()",
    covers: ["fitKMeans", "sampleKMeans", "kMeansClaim", "kMeansCalibration"],
    options: fc.record<Clustering>({
      relation: rowRelations,
      columns: dimensions(),
      clusters: fc.integer({ min: 1, max: 6 }),
      rounds: fc.integer({ min: 1, max: 6 }),
      rho: rhos,
      side: fc.constantFrom(1, 1e-3, 1e6, 2),
      least: fc.constantFrom(0, -0.5, 3, -1),
      start: fc.option(fc.nat(1000)),
    }).map((clustering) =>
      // Cells of many columns are many numbers to draw.
      clustering.start === null
        ? { ...clustering, columns: Math.min(8, clustering.columns) }
        : clustering
    ),
    make: (clustering) => kMeansMechanism(optionsOf(clustering)),
    pair: (clustering, source) =>
      neighbours<readonly number[]>(source, {
        relation: clustering.relation,
        rows: pointsOf(boxOf(clustering), {
          min: clustering.relation === "replace-one" ? 1 : 0,
          max: 20,
        }),
      }),
    share,
    // Centres are doubles of the box, and noise below 10⁻⁴ of a row moves them.
    tolerance: 1e-5,
    attained: 0.99,
    shape: (output, { options }) => {
      const { columns, clusters, side, least } = options;
      const centres = output.slice(0, clusters * columns);
      return output.length === clusters * (columns + 1) && output.every(Number.isFinite) &&
        centres.every((at) => at >= least - 1e-9 * side && at <= least + side * (1 + 1e-9));
    },
    badOptions: {
      clusters: [0, -1, 1.5, NaN],
      rounds: NOT_A_COUNT,
      rho: NOT_POSITIVE,
      side: [0, -1, NaN],
      relation: NOT_OF_ROWS,
    },
    badData: ({ columns }) => [[new Array(columns).fill(NaN)], [new Array(columns + 1).fill(0)]],
    release: (clustering, data, spending) =>
      fitKMeans(denseRows(data, { columnCount: clustering.columns }), {
        ...optionsOf(clustering),
        ...spending,
      }),
  }),
];
