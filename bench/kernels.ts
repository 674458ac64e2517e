/**
 * Nanoseconds a number with the WebAssembly kernels and with the loops of TypeScript that they are compared with, medians of
 * rounds that take turns. Run as `deno task bench kernels`.
 *
 * @module
 */
import { binIndex, countBins } from "../lib/audit/model/encoding/bin_index.ts";
import { DistinctRows } from "../lib/audit/model/encoding/distinct_rows.ts";
import { FeatureValues } from "../lib/audit/model/encoding/feature_values.ts";
import { histogramThresholds } from "../lib/audit/model/encoding/thresholds.ts";
import type { Feature } from "../lib/audit/model/encoding/features.ts";
import { fillExtreme, fillSum } from "../lib/audit/model/encoding/row_statistics.ts";
import { compileCountLeaves } from "../lib/audit/model/partition/count_leaves.ts";
import { growTree } from "../lib/audit/model/partition/grow_tree.ts";
import { scoreOf } from "../lib/audit/model/scores/evaluate_scores.ts";
import { countScoreBins, placeBins, scoreBinsOf } from "../lib/audit/model/scores/score_bins.ts";
import { withoutKernels } from "../lib/numeric/kernels/kernels.ts";
import { rational } from "../lib/numeric/rational.ts";
import { bernoulli } from "../lib/random/bernoulli.ts";
import { fillByBlockInversion } from "../lib/random/block_inversion.ts";
import { blockTable } from "../lib/random/block_table.ts";
import { floatLaplace } from "../lib/random/float_laplace.ts";
import { floatUniform } from "../lib/random/float_uniform.ts";
import { laplaceBlockLaw } from "../lib/random/laplace_block_law.ts";
import { SeededSource } from "../lib/random/seeded_source.ts";
import { sortNumbers } from "../lib/numeric/sort_numbers.ts";
import { median } from "./median.ts";

const ROUNDS = 101, WARM_UP = 60, NUMBERS = 65_536;

const source = new SeededSource(1);
const words = new Uint32Array(NUMBERS), bits = new Uint8Array(NUMBERS);
const out = new Float64Array(NUMBERS);

/** Rows of ten numbers, as the outputs of a histogram or of running sums. */
const WIDTH = 10, ROWS = Math.floor(NUMBERS / WIDTH);
const noise = floatLaplace(source, new Float64Array(NUMBERS), { scale: 10 });
const rows = noise.subarray(0, ROWS * WIDTH);
const labels = Uint8Array.from({ length: ROWS }, () => source.uint32() & 1);
const scoreBins = ([false, true] as const).map((pooled) =>
  scoreBinsOf({ rows, labels, width: WIDTH }, { elements: WIDTH, differences: false, pooled })
);
const weights = Float64Array.from({ length: 17 * WIDTH }, () => source.uniform());
const score = scoreOf({ ...scoreBins[0]!, weights });
const index = binIndex(histogramThresholds(new FeatureValues(noise)));
const laplace = blockTable(laplaceBlockLaw(rational(2n ** 30n)));
const hits = new Float64Array(index.thresholds.length + 2), counts = new Float64Array(34);
const places = new Uint8Array(NUMBERS);
/** Rows of 11 kinds, as the outputs of a sparse vector algorithm that stops at the first answer above. */
const ends = Uint8Array.from({ length: ROWS }, () => source.uint32() % (WIDTH + 1));
const fewRows = Float64Array.from(rows, (_, at) => {
  const place = at % WIDTH, end = ends[Math.floor(at / WIDTH)]!;
  return place > end ? NaN : Number(place === end);
});
const distinct = new DistinctRows(WIDTH);

/** Sorts as many numbers as a sample of a column has, then others. */
function sortInTurns(): void {
  out.set(noise);
  for (let from = 0; from < NUMBERS; from += 4096) sortNumbers(out.subarray(from, from + 4096));
}

/** Counts all rows in the leaves of a tree, grown on labels that say nothing. */
function countTree(leaves: number): () => void {
  const features = Array.from(
    { length: WIDTH },
    (_, index): Feature => ({ kind: "column", index, name: `output[${index}]` }),
  );
  const { partition, counts } = growTree({ rows, labels, width: WIDTH, features }, {
    maxLeaves: leaves,
    minGain: 0,
  });
  const countLeaves = compileCountLeaves(partition, WIDTH);
  return () => countLeaves(rows, 0, counts);
}

/** A kernel by what uses it, with what bounds it. */
const KERNELS: readonly {
  readonly name: string;
  readonly bound: string;
  readonly run: () => unknown;
}[] = [
  { name: "xoshiro128", bound: "arithmetic", run: () => source.fillUint32(words) },
  { name: "uniform", bound: "the words", run: () => floatUniform(source, out) },
  { name: "ziggurat", bound: "loads", run: () => floatLaplace(source, out) },
  {
    name: "bernoulli",
    bound: "the words",
    run: () => bernoulli(source, bits, { probability: 0.3 }),
  },
  {
    name: "block_inversion",
    bound: "loads",
    run: () => fillByBlockInversion(source, out, laplace),
  },
  { name: "bin_index", bound: "loads", run: () => countBins(index, noise, NUMBERS, hits) },
  { name: "distinct_rows", bound: "loads", run: () => distinct.of(fewRows) },
  { name: "additive_score", bound: "arithmetic", run: () => score.fill(rows, WIDTH, 0, ROWS, out) },
  {
    name: "score_bins, places",
    bound: "arithmetic",
    run: () => placeBins(scoreBins[0]!, rows, WIDTH, ROWS, places, ROWS, 0),
  },
  {
    name: "score_bins, counts of half of the rows",
    bound: "arithmetic",
    run: () => countScoreBins(scoreBins[1]!, rows, WIDTH, labels, 0, counts),
  },
  { name: "descent, 8 leaves", bound: "loads", run: countTree(8) },
  { name: "descent, 64 leaves", bound: "loads", run: countTree(64) },
  { name: "descent, 384 leaves", bound: "loads", run: countTree(384) },
  { name: "radix_sort, 4,096 numbers at a time", bound: "loads and stores", run: sortInTurns },
  {
    name: "row_statistics, sum",
    bound: "memory",
    run: () => fillSum(rows, WIDTH, WIDTH, 0, ROWS, out),
  },
  {
    name: "row_statistics, place of the largest",
    bound: "memory",
    run: () => fillExtreme(rows, WIDTH, WIDTH, 0, ROWS, out, 1, true),
  },
];

function nanoseconds(run: () => unknown): number {
  const start = performance.now();
  run();
  return (performance.now() - start) * 1e6 / NUMBERS;
}

console.log("| kernel | bounded by | TypeScript, ns | kernel, ns | times as fast |");
console.log("| --- | --- | ---: | ---: | ---: |");
for (const { name, bound, run } of KERNELS) {
  // Blocks of words that are lent again are in the kernels' memory from the first call on.
  run();
  const reference: number[] = [], kernel: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const times = [withoutKernels(() => nanoseconds(run)), nanoseconds(run)] as const;
    if (round < WARM_UP) continue;
    reference.push(times[0]);
    kernel.push(times[1]);
  }
  const [before, after] = [median(reference), median(kernel)];
  console.log(
    `| ${name} | ${bound} | ${before.toFixed(2)} | ${after.toFixed(2)} | ${
      (before / after).toFixed(2)
    } |`,
  );
}
