/**
 * The auditor's benchmark, as Markdown tables: 95% lower bounds on ε for the 22 mechanisms of the
 * DP-Sniper suite, pairs searched, beside DP-Sniper's best published 90% bound; the draws it takes to
 * refute, median over seeds; and the throughput of a whole audit.
 *
 * Usage: `deno task bench auditors [--seed N] [--seeds N] [--from SEED] [--jobs N]
 * [--rows NAME,…] [--seconds S] [--only bounds|draws|throughput]`.
 */
import { suite } from "../../fixtures/judge/mutants/all.ts";
import type { Mutant } from "../../fixtures/judge/mutants/mutant.ts";
import { audit } from "../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { pure } from "../../lib/core/claims/claim.ts";
import { type Pair, pairOf } from "../../lib/core/relations/relation.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import type { RowRequest, RowResult } from "./auditors_row.ts";
import { type BoundTarget, boundTargets, drawTargets } from "./auditors_targets.ts";
import { record } from "../history.ts";
import { drawsWithKnownOdds } from "../limit/known_odds.ts";
import { limitOfDraws } from "../limit/limit.ts";
import { worstPair } from "../limit/rows.ts";
import { median } from "../median.ts";
import { option } from "../option.ts";

const seed = Number(option("seed") ?? 1);
const seeds = Number(option("seeds") ?? 20);
/** The first seed of the draws to refute: nothing was chosen on these seeds. */
const from = Number(option("from") ?? 4001);
const jobs = Number(option("jobs") ?? 2);
const wanted = option("rows")?.split(",");
const isWanted = ({ name }: { name: string }): boolean => wanted?.includes(name) ?? true;

function mutantNamed(name: string): Mutant {
  return suite.find(({ mechanism }) => mechanism.name === name)!;
}

/** One row in a worker of its own. */
function auditRow(request: RowRequest): Promise<RowResult> {
  const worker = new Worker(new URL("./auditors_row.ts", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = reject;
    worker.postMessage(request);
  });
}

/** Rows of the first table: all of the budget is spent, whatever is found on the way. */
async function printBounds(): Promise<void> {
  const begun = performance.now();
  const targets = boundTargets.filter(isWanted);
  const secondsOf = (target: BoundTarget): number => Number(option("seconds") ?? target.seconds);
  const results = new Map<BoundTarget, RowResult>();
  const run = async (target: BoundTarget): Promise<void> => {
    const { name, workers = 1 } = target;
    results.set(target, await auditRow({ name, seed, maxSeconds: secondsOf(target), workers }));
  };
  // Rows of several threads one by one; then two rows at a time, one a core, the longest first.
  for (const target of targets.filter(({ workers }) => workers !== undefined)) await run(target);
  const waiting = targets.filter(({ workers }) => workers === undefined)
    .toSorted((a, b) => secondsOf(b) - secondsOf(a));
  await Promise.all(Array.from({ length: jobs }, async () => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      await run(target);
    }
  }));
  console.log(
    "| mechanism | DP-Sniper (90%) | at least | bound (95%) | | seconds | draws | pairs |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
  let reached = 0;
  for (const target of targets) {
    const { bound, seconds, draws, pairsTried } = results.get(target)!;
    const ok = target.atMost === undefined ? bound >= target.atLeast : bound <= target.atMost;
    if (ok) reached++;
    const cells = [
      target.name,
      target.sniper,
      target.atMost === undefined ? target.atLeast : `never above ${target.atMost}`,
      (Math.floor(bound * 1e4) / 1e4).toFixed(4),
      ok ? "reached" : "not reached",
      seconds.toFixed(1),
      `${(draws / 1e6).toFixed(1)} M`,
      pairsTried,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  await record(
    "bounds by seconds",
    targets.map((target) => ({ mechanism: target.name, ...results.get(target)! })),
  );
  const wall = (performance.now() - begun) / 1000;
  console.log(
    `\n${reached} of ${targets.length} rows reached, ${
      wall.toFixed(0)
    } s in all, ${jobs} rows at a time, seed ${seed}\n`,
  );
}

/** The level of the draws to refute. */
const ALPHA = 0.05;

async function drawsToRefute(
  name: string,
  claim: number,
  cap: number,
  own: number,
  pair?: Pair,
): Promise<number> {
  const { mechanism } = mutantNamed(name);
  const source = new SeededSource(own).split(`draws ${name}`);
  const scaled = name === "LaplaceMechanism"
    ? { ...mechanism, ...halfNoise(mechanism) }
    : mechanism;
  const report = await audit(mechanismSubject(scaled, { source }), {
    claim: pure({ epsilon: claim, relation: mechanism.claim.relation }),
    ...(pair && { pair }),
    alpha: ALPHA,
    seed: own,
    maxDraws: cap,
    shrink: false,
  });
  return report.verdict === "refuted" ? report.draws : Infinity;
}

/** The Laplace mechanism with half its noise: what claims 0.1 then loses 0.2. */
function halfNoise(mechanism: Mutant["mechanism"]): Pick<Mutant["mechanism"], "sampleMany"> {
  return {
    sampleMany: (data, count, source) => {
      const center = Number(data[0]);
      return mechanism.sampleMany!(data, count, source).map((y) => center + (y - center) / 2);
    },
  };
}

async function printDraws(): Promise<void> {
  console.log(
    "| mechanism | claim | at most | median draws | | least | most | limit | odds known | pair given |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  const rows: Record<string, unknown>[] = [];
  for (const { name, claim, atMost } of drawTargets.filter(isWanted)) {
    const { pair, laws } = worstPair(name, { epsilon: claim });
    const { relation } = mutantNamed(name).mechanism.claim;
    const draws: number[] = [], ofGiven: number[] = [], ofKnown: number[] = [];
    for (let own = from; own < from + seeds; own++) {
      draws.push(await drawsToRefute(name, claim, 10 * atMost, own));
      ofGiven.push(await drawsToRefute(name, claim, 10 * atMost, own, pairOf(relation, pair)));
      ofKnown.push(drawsWithKnownOdds(laws, {
        claim: pure({ epsilon: claim, relation }),
        alpha: ALPHA,
        seed: own,
      }));
    }
    draws.sort((a, b) => a - b);
    const middle = median(draws);
    rows.push({ mechanism: name, claim, median: middle, least: draws[0], most: draws.at(-1) });
    const shown = name === "LaplaceMechanism" ? "Laplace, true ε 0.2" : name;
    const ok = middle <= atMost ? "reached" : "not reached";
    const limit = limitOfDraws(laws, { epsilon: claim }, ALPHA);
    const timesLimit = (some: readonly number[]): string =>
      `${median(some)} (${(median(some) / limit).toFixed(1)})`;
    const cells = [
      shown,
      claim,
      atMost,
      timesLimit(draws),
      ok,
      draws[0],
      draws.at(-1),
      limit.toFixed(0),
      timesLimit(ofKnown),
      timesLimit(ofGiven),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  await record("draws to refute", rows);
  console.log(
    `\nseeds ${from} to ${
      from + seeds - 1
    }, α = ${ALPHA}, pairs searched; in brackets as multiples of the limit\n`,
  );
}

/** Draws a second of a whole audit of the Laplace mechanism, in this process, on one core. */
async function printThroughput(): Promise<void> {
  const rates: number[] = [];
  const { mechanism } = mutantNamed("LaplaceMechanism");
  const pair = pairOf(mechanism.claim.relation, { left: [0], right: [1] });
  for (let k = 1; k <= 5; k++) {
    const subject = mechanismSubject(mechanism, { source: new SeededSource(k) });
    const { draws, seconds } = await audit(subject, {
      pair,
      seed: k,
      maxDraws: 2e7,
      shrink: false,
    });
    rates.push(draws / seconds);
  }
  console.log(
    `Laplace audit: ${(median(rates) / 1e6).toFixed(1)} million draws a second, median of 5\n`,
  );
}

const only = option("only");
if (only === undefined || only === "throughput") await printThroughput();
if (only === undefined || only === "bounds") await printBounds();
if (only === undefined || only === "draws") await printDraws();
