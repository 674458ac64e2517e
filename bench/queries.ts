/**
 * MWEM: seconds, and the error of its estimates beside plain Laplace and the theorem's bound. With data,
 * also MWEM, subsample and aggregate, the generic learner and the reusable holdout beside their
 * non-private versions on columns of Adult.
 *
 *     deno run --allow-read bench/queries.ts [--data DIR] [--seed N] [--runs N]
 *
 * DIR holds adult/adult.data.gz.
 *
 * @module
 */
import { Command } from "commander";
import { replaceOne } from "../lib/core/relation.ts";
import { answerQueries } from "../lib/learners/queries/answer_queries.ts";
import { type BoxQuery, rangeQuery } from "../lib/learners/queries/box_query.ts";
import { finiteDomain, histogramOf } from "../lib/learners/queries/finite_domain.ts";
import { type MwemOptions, sampleMwem } from "../lib/learners/queries/mwem.ts";
import { mwemErrorBound } from "../lib/learners/queries/mwem_error_bound.ts";
import { integerLaplace } from "../lib/mechanisms/geometric.ts";
import { floatNormal } from "../lib/random/float_normal.ts";
import { randomInteger } from "../lib/random/random_integer.ts";
import { SeededSource } from "../lib/random/seeded_source.ts";
import { compareOnAdult } from "./queries_adult.ts";

const options = new Command().option("--seed <n>", "seed of data and noise", "2012")
  .option("--data <dir>", "directory of the data sets")
  .option("--runs <n>", "runs on Adult", "5")
  .parse([Deno.execPath(), "queries", ...Deno.args]).opts();
const source = new SeededSource(Number(options.seed));

/** Random boxes: a range in each of the two attributes. */
function randomRanges(side: number, count: number): BoxQuery[] {
  const domain = finiteDomain({ shape: [side, side] });
  const ends = (): [number, number] => {
    const a = randomInteger(source, { below: side }), b = randomInteger(source, { below: side });
    return [Math.min(a, b), Math.max(a, b)];
  };
  return Array.from({ length: count }, () => rangeQuery(domain, { 0: ends(), 1: ends() }));
}

/** The largest and the mean absolute error. */
function errors(estimates: ArrayLike<number>, truth: Float64Array): string {
  let most = 0, sum = 0;
  truth.forEach((answer, i) => {
    const error = Math.abs(estimates[i]! - answer);
    most = Math.max(most, error);
    sum += error;
  });
  return `largest ${most.toFixed(0).padStart(6)}  mean ${
    (sum / truth.length).toFixed(1).padStart(8)
  }`;
}

const size = 100_000, epsilon = 1, rounds = 20, count = 2000;
for (const side of [256, 1024]) {
  const domain = finiteDomain({ shape: [side, side] });
  const queries = randomRanges(side, count);
  const noise = floatNormal(source, new Float64Array(2 * size));
  const code = (x: number): number =>
    Math.max(0, Math.min(side - 1, Math.floor(side * (0.5 + x / 8))));
  const rows = Uint32Array.from(
    { length: size },
    (_, i) => code(noise[2 * i]!) * side + code(noise[2 * i]! + 0.5 * noise[2 * i + 1]!),
  );
  const truth = answerQueries(histogramOf(domain, rows), { domain, queries });
  console.log(`${domain.size} cells, ${count} ranges, n = ${size}, ε = ${epsilon}, T = ${rounds}`);
  const run = (name: string, more: Partial<MwemOptions>): void => {
    const start = performance.now();
    const shared = { domain, queries, rounds, epsilon, relation: replaceOne, rows };
    const { histogram } = sampleMwem(source, { ...shared, ...more });
    const seconds = (performance.now() - start) / 1000;
    const reached = errors(answerQueries(histogram, { domain, queries }), truth);
    console.log(`  ${name.padEnd(28)} ${reached}  ${seconds.toFixed(2)} s`);
  };
  run("MWEM, average", {});
  run("MWEM, last", { output: "last" });
  if (side === 256) run("MWEM, last, 10 replays", { output: "last", replays: 10 });
  const uniform = new Float64Array(domain.size).fill(size / domain.size);
  console.log(
    `  ${"uniform".padEnd(28)} ${errors(answerQueries(uniform, { domain, queries }), truth)}`,
  );
  const plain = integerLaplace<never>({
    query: () => Array.from(truth),
    dimension: count,
    sensitivity: count,
    epsilon,
    relation: replaceOne,
  });
  console.log(`  ${"plain Laplace".padEnd(28)} ${errors(plain.sample([], source), truth)}`);
  const bound = mwemErrorBound({ size, cells: domain.size, queries: count, rounds, epsilon });
  console.log(`  ${"Theorem 2.2".padEnd(28)} largest ${bound.error.toFixed(0).padStart(6)}`);
}

if (options.data !== undefined) {
  await compareOnAdult(options.data, { seed: Number(options.seed), runs: Number(options.runs) });
}
