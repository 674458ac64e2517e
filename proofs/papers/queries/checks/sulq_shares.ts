import { addRemoveOne, replaceOne } from "../../../../lib/core/relations/relation.ts";
import type { LabelledRow } from "../../../../lib/dp/learners/erm/mechanism.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import {
  type CategoricalRow,
  sampleDecisionTree,
} from "../../../../lib/papers/sulq/decision_tree.ts";
import {
  type KMeansOptions,
  kMeansSquaredSensitivity,
  sampleKMeans,
} from "../../../../lib/papers/sulq/k_means.ts";
import { samplePerceptron } from "../../../../lib/papers/sulq/perceptron.ts";
import { type SulqNoise, sulqNoise } from "../../../../lib/papers/sulq/sulq_noise.ts";
import type { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** What is charged for T answers, and what is left of the ρ that learners are run with. */
export interface Learning {
  readonly charged: (answers: number) => number;
  /** Charged for a round of k-means in so many columns, when a row is replaced. */
  readonly roundCharged: (columns: number) => number;
  readonly rho: number;
}

/** A rate so high that the noise is negligible. */
export const PLAIN = 1e9;

/** Three clusters in a square. */
export const clusters: KMeansOptions = {
  clusters: 3,
  rounds: 6,
  rho: 0.5,
  bounds: { lower: [0, 0], upper: [1, 1] },
  relation: replaceOne,
  start: [[0.4, 0.3], [0.5, 0.5], [0.6, 0.3]],
};

/** Three attributes of two values. */
export const tree = { attributes: [2, 2, 2], classes: 2, depth: 2, rho: 0.5, relation: replaceOne };

/** A line through the origin of the plane. */
export const halfspace = { columnCount: 2, rounds: 15, rho: 0.5 };

/** No noise, and how many tables and numbers of it were asked for. */
function countedNoise(): { prepared: SulqNoise; tables: () => number; numbers: () => number } {
  let tables = 0, numbers = 0;
  return {
    tables: () => tables,
    numbers: () => numbers,
    prepared: {
      stepsPerUnit: 2 ** 20,
      noise: {
        fill(_source, out): Float64Array {
          tables++;
          numbers += out.length;
          return out.fill(0);
        },
        logProbability: (value) => value === 0 ? 0 : -Infinity,
        logUpperTail: (value) => value <= 0 ? 0 : -Infinity,
      },
    },
  };
}

/** Columns that sensitivities are looked at in: on both sides of d = 4, and as in images. */
const WIDTHS = [1, 2, 3, 4, 5, 8, 20, 60, 200, 784];

/**
 * The largest squared change of one round's answers, over what ρ pays for: a row moves between dense points,
 * along an axis and from corner to corner, within a cluster and across, is replaced or is added.
 */
export function kMeansShare(source: SeededSource, learning: Learning): number {
  let worst = 0;
  for (const columns of WIDTHS) {
    const vector = (next: (j: number) => number): number[] =>
      Array.from({ length: columns }, (_, j) => next(j));
    const bounds = { lower: vector(() => 0), upper: vector(() => 1) };
    const dense = (): number[] => vector(() => source.uniform());
    const corner = vector(() => Math.round(source.uniform())), middle = vector(() => 0.5);
    const opposite = corner.map((value) => 1 - value);
    const moves = [[corner, opposite], [middle, vector((j) => j === 0 ? 1 : 0.5)], [
      dense(),
      dense(),
    ]];
    const rest = [dense(), dense()];
    for (const relation of [replaceOne, addRemoveOne]) {
      const options = { ...clusters, rho: PLAIN, rounds: 1, bounds, relation };
      const answers = (start: number[][], rows: number[][]): number[] => {
        const points = denseRows(rows, { columnCount: columns });
        const { prepared } = countedNoise();
        const { centres, counts } = sampleKMeans(source, { ...options, start, points, prepared });
        return counts.flatMap((count, c) => [
          count,
          ...centres[c]!.map((value) => count < 0.5 ? 0 : count * (value - 0.5)),
        ]);
      };
      const { calibration, claim } = sampleKMeans(source, {
        ...clusters,
        bounds,
        start: [middle, corner, opposite],
        relation,
        points: denseRows([corner]),
      });
      const perRound = 2 * claim.rho * calibration.variance / clusters.rounds;
      const mutated = relation === replaceOne
        ? learning.roundCharged(columns) / kMeansSquaredSensitivity(options)
        : 1;
      const paid = perRound * mutated * learning.charged(clusters.rounds) / clusters.rounds;
      for (const [from, to] of moves) {
        // All points are nearest to the first of equal centres: within a cluster; or each to its own.
        for (const start of [[middle, middle, middle], [middle, from!, to!]]) {
          const left = answers(start, [from!, ...rest]);
          const right = answers(start, relation === replaceOne ? [to!, ...rest] : rest);
          const moved = left.reduce((sum, value, i) => sum + (value - right[i]!) ** 2, 0);
          worst = Math.max(worst, moved / paid);
        }
      }
    }
  }
  return worst;
}

/** The tables that two rows are in, where all rows take one path, over those charged for. */
export function treeShare(source: SeededSource, { charged }: Learning): number {
  return Math.max(...[[1, 1], [3, 2], [3, 5], [10, 4], [40, 40]].map(([count, depth]) => {
    const options = { ...tree, attributes: new Array<number>(count!).fill(2), depth: depth! };
    const { prepared, tables } = countedNoise();
    const row: CategoricalRow = { values: new Array<number>(count!).fill(0), label: 0 };
    const data = new Array<CategoricalRow>(1000).fill(row);
    sampleDecisionTree(source, { ...options, rho: PLAIN, data, prepared });
    const { claim, calibration } = sampleDecisionTree(source, { ...options, data: [row] });
    const { variance, queries } = calibration;
    // Beside the path there is an empty leaf, a table, at every level; two rows change a table by 1.
    const changed = 2 * (tables() - Math.min(depth!, count!));
    return changed / (2 * variance * claim.rho) * queries / charged(queries);
  }));
}

/**
 * The largest squared change of one round's answers, for rows that turn round at a corner or lose their label there,
 * times the rounds that are asked on rows that no plane separates, over what ρ pays for.
 */
export function perceptronShare(source: SeededSource, { charged }: Learning): number {
  return Math.max(...[1, 2, 5, 20].map((columnCount) => {
    const options = { ...halfspace, columnCount };
    const corner = new Array<number>(columnCount).fill(1);
    const [right, left, none] = [1, -1, 0].map((label) =>
      firstAnswers(source, { features: corner, label })
    );
    const squares = Math.max(
      ...[left!, none!].map((other) =>
        right!.reduce((sum, value, i) => sum + (value - other[i]!) ** 2, 0)
      ),
    );
    const { prepared, numbers } = countedNoise();
    const data = [1, -1].flatMap((label) =>
      Array.from({ length: columnCount }, (_, i): LabelledRow => ({
        features: Array.from({ length: columnCount }, (_, j) => i === j ? 1 : 0),
        label,
      }))
    );
    samplePerceptron(source, { ...options, rho: PLAIN, data, prepared });
    const { claim, calibration } = samplePerceptron(source, { ...options, data });
    const { variance, queries } = calibration;
    const rounds = numbers() / (columnCount + 1);
    return rounds * squares / (2 * variance * claim.rho) * queries / charged(queries);
  }));
}

/** The true answers of the first round for this row beside another: the count, and the halved sums. */
function firstAnswers(source: SeededSource, row: LabelledRow): number[] {
  const columnCount = row.features.length;
  const beside = { features: new Array<number>(columnCount).fill(0.25), label: 1 };
  const weights = (tolerance: number): readonly number[] =>
    samplePerceptron(source, {
      columnCount,
      rounds: 1,
      rho: PLAIN,
      tolerance,
      data: [row, beside],
      prepared: countedNoise().prepared,
    }).weights;
  // No update is made where the count is within the tolerance.
  const count = [0.5, 1.5].filter((tolerance) => weights(tolerance)[0] !== 0).length;
  return [count, ...weights(0).map((weight) => weight * count / 2)];
}

/** The largest |ln P/Q| of one answer moved by 1 from its likeliest value, over 1/(2R). */
export function noiseShare(): number {
  return Math.max(...[0.01, 1, 45, 1e6].map((variance) => {
    const { noise, stepsPerUnit } = sulqNoise({ variance });
    return 2 * variance * (noise.logProbability(0) - noise.logProbability(stepsPerUnit));
  }));
}
