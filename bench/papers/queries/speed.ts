import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { answerQueries } from "../../../lib/papers/queries/answer_queries.ts";
import { type BoxQuery, rangeQuery } from "../../../lib/papers/queries/box_query.ts";
import { finiteDomain, histogramOf } from "../../../lib/papers/queries/finite_domain.ts";
import { type MwemOptions, sampleMwem } from "../../../lib/papers/queries/mwem.ts";
import { mwemErrorBound } from "../../../lib/papers/queries/mwem_error_bound.ts";
import { sampleKMeans } from "../../../lib/papers/sulq/k_means.ts";
import { integerLaplace } from "../../../lib/dp/mechanisms/geometric.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { randomInteger } from "../../../lib/core/random/random_integer.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { markdownTable } from "./markdown.ts";

/** Random boxes: a range in each of the two attributes. */
function randomRanges(
  source: SeededSource,
  { side, count }: { side: number; count: number },
): BoxQuery[] {
  const domain = finiteDomain({ shape: [side, side] });
  const ends = (): [number, number] => {
    const a = randomInteger(source, { below: side }), b = randomInteger(source, { below: side });
    return [Math.min(a, b), Math.max(a, b)];
  };
  return Array.from({ length: count }, () => rangeQuery(domain, { 0: ends(), 1: ends() }));
}

/** The largest and the mean absolute error. */
function errors(estimates: ArrayLike<number>, truth: Float64Array): [string, string] {
  let most = 0, sum = 0;
  truth.forEach((answer, i) => {
    const error = Math.abs(estimates[i]! - answer);
    most = Math.max(most, error);
    sum += error;
  });
  return [most.toFixed(0), (sum / truth.length).toFixed(0)];
}

const SIZE = 100_000, EPSILON = 1, ROUNDS = 20, COUNT = 2000;

/** MWEM on large domains: errors and seconds; and seconds of k-means on a million points. */
export function speed(source: SeededSource): void {
  for (const side of [256, 1024]) ranges(source, side);
  const values = floatNormal(source, new Float64Array(2_000_000), { scale: 1 });
  for (let i = 0; i < values.length; i++) values[i]! += 3 * ((i >> 1) % 5);
  const points = denseRows(values, { columnCount: 2 });
  const start = performance.now();
  sampleKMeans(source, {
    points,
    clusters: 5,
    rounds: 10,
    rho: 0.5,
    bounds: { lower: [-4, -4], upper: [16, 16] },
    relation: replaceOne,
  });
  const seconds = (performance.now() - start) / 1000;
  console.log(`SuLQ k-means, 1,000,000 points, d = 2, k = 5, 10 rounds: ${seconds.toFixed(2)} s\n`);
}

function ranges(source: SeededSource, side: number): void {
  const domain = finiteDomain({ shape: [side, side] });
  const queries = randomRanges(source, { side, count: COUNT });
  const noise = floatNormal(source, new Float64Array(2 * SIZE));
  const code = (x: number): number =>
    Math.max(0, Math.min(side - 1, Math.floor(side * (0.5 + x / 8))));
  const rows = Uint32Array.from(
    { length: SIZE },
    (_, i) => code(noise[2 * i]!) * side + code(noise[2 * i]! + 0.5 * noise[2 * i + 1]!),
  );
  const truth = answerQueries(histogramOf(domain, rows), { domain, queries });
  const shared = { domain, queries, rounds: ROUNDS, epsilon: EPSILON, relation: replaceOne, rows };
  const run = (name: string, more: Partial<MwemOptions>): string[] => {
    const start = performance.now();
    const { histogram } = sampleMwem(source, { ...shared, ...more });
    const seconds = (performance.now() - start) / 1000;
    return [
      name,
      ...errors(answerQueries(histogram, { domain, queries }), truth),
      seconds.toFixed(2),
    ];
  };
  const uniform = new Float64Array(domain.size).fill(SIZE / domain.size);
  const plain = integerLaplace<never>({
    query: () => Array.from(truth),
    dimension: COUNT,
    sensitivity: COUNT,
    epsilon: EPSILON,
    relation: replaceOne,
  });
  const { error } = mwemErrorBound({
    size: SIZE,
    cells: domain.size,
    queries: COUNT,
    rounds: ROUNDS,
    epsilon: EPSILON,
  });
  console.log(
    `## MWEM: ${domain.size} cells, ${COUNT} ranges, n = ${SIZE}, ε = ${EPSILON}, T = ${ROUNDS}\n`,
  );
  console.log(markdownTable(["", "largest error", "mean error", "seconds"], [
    run("MWEM, average", {}),
    run("MWEM, last", { output: "last" }),
    ...(side === 256 ? [run("MWEM, last, 10 replays", { output: "last", replays: 10 })] : []),
    ["uniform", ...errors(answerQueries(uniform, { domain, queries }), truth), ""],
    ["plain Laplace", ...errors(plain.sample([], source), truth), ""],
    ["Theorem 2.2", error.toFixed(0), "", ""],
  ]));
}
