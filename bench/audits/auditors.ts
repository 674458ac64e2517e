/**
 * The auditor's benchmark, as Markdown tables: 95% lower bounds on ε for the 22 mechanisms of the
 * DP-Sniper suite, pairs searched, beside DP-Sniper's best published 90% bound; and the throughput of a whole audit.
 *
 * Usage: `deno task bench auditors [--seed N] [--jobs N] [--rows NAME,…] [--seconds S] [--only bounds|throughput]`.
 */
import { suite } from "../../fixtures/judge/mutants/all.ts";
import type { Mutant } from "../../fixtures/judge/mutants/mutant.ts";
import { audit } from "../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { pairOf } from "../../lib/core/relations/relation.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import type { RowRequest, RowResult } from "./auditors_row.ts";
import { type BoundTarget, boundTargets } from "./auditors_targets.ts";
import { record } from "../history.ts";
import { median } from "../median.ts";
import { option } from "../option.ts";

const seed = Number(option("seed") ?? 1);
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
