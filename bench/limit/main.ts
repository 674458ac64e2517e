/**
 * The table of the limit: 22 programs that break their claims, the draws that audits take to refute them, the pair given and searched, and
 * the draws that bets take where the odds of every output are known, beside the least that any test needs. Medians over seeds,
 * infinite where half of the audits refute nothing, and multiples of the limit with 95% intervals of the bootstrap.
 *
 * Usage: `deno task bench limit [--seeds N] [--from SEED] [--alpha A] [--rows PATTERN] [--only known,given,searched] [--watched] [--answers]`;
 * with `--watched` noise is watched before a search, as `dpcheck audit --module` does, and with `--answers` it is randomised response among more
 * and more answers.
 */
import { audit } from "../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { pairOf } from "../../lib/core/relations/relation.ts";
import { median } from "../median.ts";
import { option } from "../option.ts";
import { drawsWithKnownOdds } from "./known_odds.ts";
import { limitOfDraws } from "./limit.ts";
import { suspectedOf } from "./suspected_of.ts";
import { type LimitRow, limitRows, randomisedResponse } from "./rows.ts";

const seeds = Number(option("seeds") ?? 20), from = Number(option("from") ?? 9001);
const alpha = Number(option("alpha") ?? 0.01);
const wanted = new RegExp(option("rows") ?? "");
const isWatched = Deno.args.includes("--watched");
const only = (option("only") ?? "known,given,searched").split(",");

/** Draws of an audit; infinite where it refutes nothing. */
async function drawsToRefute(row: LimitRow, seed: number, isGiven: boolean): Promise<number> {
  const { mechanism, claim, pair, maxDraws } = row;
  const source = new SeededSource(seed).split(`draws ${row.name}`);
  const { verdict, draws } = await audit(mechanismSubject(mechanism, { source }), {
    claim,
    ...(isGiven ? { pair: pairOf(claim.relation, pair) } : {}),
    ...(!isGiven && isWatched ? { suspected: await suspectedOf(row, seed) } : {}),
    alpha,
    seed,
    maxDraws,
    shrink: false,
  });
  return verdict === "refuted" ? draws : Infinity;
}

/** Resamples of a bootstrap, and the share of medians beyond each end of its interval. */
const RESAMPLES = 2000, BEYOND = 0.025;

/** Returns the ends of the 95% interval of a median, by percentiles of the bootstrap. */
function intervalOf(draws: readonly number[]): [low: number, high: number] {
  const source = new SeededSource(from).split("bootstrap");
  const medians = Array.from(
    { length: RESAMPLES },
    () => median(draws.map(() => draws[Math.floor(source.uniform() * draws.length)]!)),
  ).sort((a, b) => a - b);
  return [medians[BEYOND * RESAMPLES]!, medians[(1 - BEYOND) * RESAMPLES - 1]!];
}

async function printRow(row: LimitRow): Promise<void> {
  const laws = row.laws(), { claim } = row;
  const { epsilon, delta = 0 } = claim as { epsilon: number; delta?: number };
  const limit = limitOfDraws(laws, { epsilon, delta }, alpha);
  const cells: string[] = [];
  for (const kind of ["known", "given", "searched"]) {
    if (!only.includes(kind)) {
      cells.push("");
      continue;
    }
    const draws: number[] = [];
    for (let seed = from; seed < from + seeds; seed++) {
      draws.push(
        kind === "known"
          ? drawsWithKnownOdds(laws, { claim, alpha, seed })
          : await drawsToRefute(row, seed, kind === "given"),
      );
    }
    const [low, high] = intervalOf(draws).map((end) => (end / limit).toFixed(2));
    const middle = median(draws), missed = draws.filter((one) => one === Infinity).length;
    cells.push(
      `${Number(middle.toFixed(1))} (${(middle / limit).toFixed(2)}, ${low} to ${high}${
        missed === 0 ? "" : `; ${missed} missed`
      })`,
    );
  }
  console.log(`| ${[row.name, Number(limit.toPrecision(4)), ...cells].join(" | ")} |`);
}

console.log(`α = ${alpha}, seeds ${from} to ${from + seeds - 1}, medians (times the limit)\n`);
console.log("| program | limit | odds known | pair given | pair searched |");
console.log("| --- | ---: | ---: | ---: | ---: |");
const rows = Deno.args.includes("--answers")
  ? [10, 100, 1000, 10_000].map((answers) => () => randomisedResponse(answers))
  : limitRows;
for (const rowOf of rows) {
  const row = rowOf();
  if (wanted.test(row.name)) await printRow(row);
}
