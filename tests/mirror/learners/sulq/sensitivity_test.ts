import { assert, assertEquals } from "@std/assert";
import { addRemoveOne, replaceOne } from "../../../../lib/core/relation.ts";
import type { LabelledRow } from "../../../../lib/learners/erm/mechanism.ts";
import { denseRows } from "../../../../lib/learners/erm/rows.ts";
import {
  sampleDecisionTree,
  treeCalibration,
} from "../../../../lib/learners/sulq/decision_tree.ts";
import {
  kMeansCalibration,
  type KMeansOptions,
  sampleKMeans,
} from "../../../../lib/learners/sulq/k_means.ts";
import {
  perceptronCalibration,
  samplePerceptron,
} from "../../../../lib/learners/sulq/perceptron.ts";
import { noisySecondMoments } from "../../../../lib/learners/sulq/principal_directions.ts";
import { sampleSulq } from "../../../../lib/learners/sulq/sulq_database.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { silentNoise } from "./silent_noise.ts";

/** A rate so high that counts of 1 are above the noise. */
const PLAIN = 1e9;

function squaredDistance(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, i) => sum + (value - right[i]!) ** 2, 0);
}

/** The true answers of one round of k-means: of every centre the count and the sums, in sides of the box. */
function roundAnswers(
  points: readonly (readonly number[])[],
  options: Omit<KMeansOptions, "rho" | "rounds">,
): number[] {
  const { lower, upper } = options.bounds;
  const { centres, counts } = sampleKMeans(new SeededSource(1), {
    ...options,
    rho: PLAIN,
    rounds: 1,
    points: denseRows(points, { columnCount: lower.length }),
    prepared: silentNoise().prepared,
  });
  return counts.flatMap((count, k) => [
    count,
    ...centres[k]!.map((value, j) =>
      count < 0.5 ? 0 : count * ((value - lower[j]!) / (upper[j]! - lower[j]!) - 0.5)
    ),
  ]);
}

/**
 * The largest squared change of a round's answers over what is charged: corners, axes and dense points, within
 * a cluster (one centre is far from all points) and across (the centres are the two points).
 */
function kMeansShare(
  source: SeededSource,
  { columns, clusters, relation }:
    & { columns: number }
    & Pick<
      KMeansOptions,
      "clusters" | "relation"
    >,
): number {
  const of = (next: (j: number) => number): number[] =>
    Array.from({ length: columns }, (_, j) => next(j));
  const lower = of(() => 20 * source.uniform() - 10);
  const upper = lower.map((least) => least + 0.1 + 5 * source.uniform());
  const bounds = { lower, upper };
  const point = (share: (j: number) => number): number[] =>
    lower.map((least, j) => least + share(j) * (upper[j]! - least));
  const dense = (): number[] => point(() => source.uniform());
  const corner = of(() => Math.round(source.uniform()));
  const axis = Math.floor(source.uniform() * columns);
  const start = dense();
  const moves = [
    [point((j) => corner[j]!), point((j) => 1 - corner[j]!)],
    [point(() => 1), point(() => 0)],
    [dense(), dense()],
    [start, start.map((value, j) => j === axis ? upper[j]! : value)],
    [point((j) => corner[j]!), point((j) => j === axis ? 1 - corner[j]! : corner[j]!)],
  ];
  const rest = [dense(), point(() => 0.5)];
  let most = 0;
  for (const [from, to] of moves) {
    // Two centres coincide, or all but one are in a corner: ties and clusters without a point are seen too.
    const starts = [
      Array.from({ length: clusters }, (_, k) => k === 0 ? point(() => 0.5) : from!),
      Array.from({ length: clusters }, (_, k) => k % 2 === 0 ? from! : to!),
      Array.from({ length: clusters }, () => point(() => 0.5)),
    ];
    for (const start of starts) {
      const shared = { clusters, bounds, relation, start };
      const left = roundAnswers([from!, ...rest], shared);
      const right = roundAnswers(relation === replaceOne ? [to!, ...rest] : rest, shared);
      most = Math.max(most, squaredDistance(left, right));
    }
  }
  const options = { clusters, bounds, relation, rounds: 3, rho: 0.5 };
  return most / (2 * options.rho * kMeansCalibration(options).variance / options.rounds);
}

Deno.test("kMeans() under replace-one charges for rows that move from corner to corner, in 1 to 200 columns", () => {
  const source = new SeededSource(7100);
  for (let columns = 1; columns <= 200; columns++) {
    for (const clusters of [1, 2, 3]) {
      const share = kMeansShare(source, { columns, clusters, relation: replaceOne });
      assert(share <= 1 + 1e-9, `${columns} columns, ${clusters} clusters: ${share}`);
      assert(share >= 0.99, `${columns} columns, ${clusters} clusters: only ${share}`);
    }
  }
});

Deno.test("kMeans() under add-remove-one charges what a row in a corner adds, in 1 to 200 columns", () => {
  const source = new SeededSource(7101);
  for (let columns = 1; columns <= 200; columns++) {
    for (const clusters of [1, 3]) {
      const share = kMeansShare(source, { columns, clusters, relation: addRemoveOne });
      assert(share <= 1 + 1e-9 && share >= 0.99, `${columns} columns, ${clusters}: ${share}`);
    }
  }
});

Deno.test("sampleDecisionTree() charges for the tables on one path, for 1 to 12 attributes of any depth", () => {
  for (let count = 1; count <= 12; count++) {
    for (let depth = 0; depth <= count + 1; depth++) {
      for (const values of [2, 3]) {
        const attributes = new Array<number>(count).fill(values);
        const options = { attributes, classes: 2, depth, rho: PLAIN, relation: addRemoveOne };
        const { prepared, tables } = silentNoise();
        const row = { values: new Array<number>(count).fill(0), label: 0 };
        sampleDecisionTree(new SeededSource(1), {
          ...options,
          data: new Array(1000).fill(row),
          prepared,
        });
        // Beside the path there is an empty leaf for every other value, a table each, at every level.
        const path = tables() - Math.min(depth, count) * (values - 1);
        assertEquals(treeCalibration(options).queries, path);
        assertEquals(treeCalibration({ ...options, relation: replaceOne }).queries, 2 * path);
      }
    }
  }
});

/** The true answers of the first round for this row beside two others: the count, and the halved sums. */
function firstAnswers(row: LabelledRow, columnCount: number): number[] {
  const rest = [0.25, 0.125].map((value) => ({
    features: new Array<number>(columnCount).fill(value),
    label: 1,
  }));
  const weights = (tolerance: number): readonly number[] =>
    samplePerceptron(new SeededSource(1), {
      columnCount,
      rounds: 1,
      rho: PLAIN,
      tolerance,
      data: [rest[0]!, row, rest[1]!],
      prepared: silentNoise().prepared,
    }).weights;
  // No update is made where the count is within the tolerance.
  const count = [0.5, 1.5, 2.5].filter((least) => weights(least).some((w) => w !== 0)).length;
  return [count, ...weights(0).map((weight) => weight * count / 2)];
}

// Mutants: d or 1 + d/4 charged alone; rows that throw count as 0 in sums where right rows count as a half.
Deno.test("samplePerceptron() charges for the largest change of a round when any row is replaced by any other", () => {
  const source = new SeededSource(7104);
  for (const columns of [1, 2, 3, 4, 5, 20, 200]) {
    const of = (next: (j: number) => number): number[] =>
      Array.from({ length: columns }, (_, j) => next(j));
    const corner = of(() => source.uniform() < 0.5 ? -1 : 1);
    const features = [
      corner,
      corner.map((value) => -value),
      of((j) => j === 0 ? 1 : 0),
      of(() => 2 * source.uniform() - 1),
      of(() => 1e300 * (source.uniform() - 0.5)),
      of((j) => j === columns - 1 ? NaN : 1),
    ];
    let reads = 0;
    const rows: readonly LabelledRow[] = [
      ...features.flatMap((each) => [1, -1, 0].map((label) => ({ features: each, label }))),
      { features: [], label: 1 },
      null as unknown as LabelledRow,
      { label: 1 } as LabelledRow,
      {
        label: 1,
        get features(): number[] {
          if (++reads > 1) throw new Error("read again");
          return corner;
        },
      },
    ];
    const answers = rows.map((row) => {
      reads = 0;
      return firstAnswers(row, columns);
    });
    const most = Math.max(
      ...answers.flatMap((left) => answers.map((right) => squaredDistance(left, right))),
    );
    const options = { columnCount: columns, rounds: 3, rho: 0.25 };
    const charged = 2 * options.rho * perceptronCalibration(options).variance / options.rounds;
    assert(most <= charged * (1 + 1e-6), `${columns} columns: ${most} of ${charged}`);
    assert(most >= charged * (1 - 1e-6), `${columns} columns: only ${most} of ${charged}`);
  }
});

Deno.test("noisySecondMoments() charges for rows that move from axis to axis, in 1 to 60 columns", () => {
  const source = new SeededSource(7102);
  for (const columns of [1, 2, 3, 7, 20, 60]) {
    const unit = (next: (j: number) => number): number[] => {
      const row = Array.from({ length: columns }, (_, j) => next(j));
      const length = Math.hypot(...row);
      return row.map((value) => 3 * value / length);
    };
    const rows = [
      unit((j) => j === 0 ? 1 : 0),
      unit((j) => j === columns - 1 ? 1 : 0),
      unit(() => 1),
      unit((j) => j % 2 === 0 ? 1 : -1),
      ...[1, 2, 3].map(() => unit(() => source.uniform() - 0.5)),
      new Array<number>(columns).fill(0),
    ];
    for (const relation of [replaceOne, addRemoveOne]) {
      const { sample, grid } = noisySecondMoments({
        columnCount: columns,
        normBound: 3,
        rho: 1e16,
        relation,
      });
      let most = 0;
      for (const from of rows) {
        for (const to of rows) {
          const [left, right] = [
            [from, rows[2]!],
            relation === replaceOne ? [to, rows[2]!] : [rows[2]!],
          ]
            .map((data) => sample(data, source).map((value) => value / 9));
          most = Math.max(most, Math.sqrt(squaredDistance(left!, right!)));
        }
      }
      const charged = grid.sensitivityInSteps * grid.granularity / 9;
      assert(most <= charged && most >= 0.99 * charged, `${columns}: ${most}`);
    }
  }
});

Deno.test("sampleSulq() and sampleKMeans() stop sums at 2^52 steps, where a refusal of one row more would tell", () => {
  const source = new SeededSource(7103);
  const rows = 2 ** 22 + 3, stepsPerUnit = 2 ** 30;
  const { prepared } = silentNoise({ stepsPerUnit });
  const data = new Uint8Array(rows) as unknown as readonly number[];
  const database = sampleSulq(source, {
    data,
    variance: 2 ** -10,
    queries: 1,
    relation: addRemoveOne,
    prepared,
  });
  assertEquals(database.ask(() => 1), 2 ** 22);
  const { counts } = sampleKMeans(source, {
    points: denseRows(new Float64Array(rows), { columnCount: 1 }),
    clusters: 1,
    rounds: 1,
    rho: PLAIN,
    bounds: { lower: [0], upper: [1] },
    relation: addRemoveOne,
    prepared,
  });
  assertEquals(counts, [2 ** 22]);
});
