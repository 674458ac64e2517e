/**
 * Prints the two tables of the auditor's benchmark: 95% lower bounds on ε for the 22 mechanisms of the
 * DP-Sniper suite, pairs searched, beside DP-Sniper's best published 90% bound; and the draws it takes
 * to refute (median over seeds). Usage: `deno task bench:auditors [--seed N] [--rows NAME,…]
 * [--seconds S] [--only bounds|draws] [--jobs N]`.
 */
import { audit } from "../lib/audit/audit.ts";
import { mechanismSubject } from "../lib/audit/subjects/mechanism_subject.ts";
import { SeededSource } from "../lib/random/seeded_source.ts";
import { approximate, pure } from "../lib/core/claim.ts";
import { suite } from "../fixtures/mutants/all.ts";
import { boundTargets, drawTargets } from "./auditors_targets.ts";

/** One row of the bounds table. */
interface Bound {
  readonly name: string;
  readonly bound: number;
  readonly seconds: number;
  readonly draws: number;
  readonly pairs: number;
  readonly left: unknown;
  readonly right: unknown;
}

async function boundOf(
  name: string,
  { seed, seconds }: { seed: number; seconds: number },
): Promise<Bound> {
  const { mechanism, bits } = suite.find((mutant) => mutant.mechanism.name === name)!;
  const subject = mechanismSubject(mechanism, { source: new SeededSource(seed).split(name) });
  const report = await audit(subject, {
    claim: pure({
      ...mechanism.claim,
      epsilon: "epsilon" in mechanism.claim ? mechanism.claim.epsilon : 0.1,
    }),
    alpha: 0.05,
    seed,
    maxSeconds: seconds,
    fullBudget: true,
    shrink: false,
    bits: bits ?? false,
  });
  return {
    name,
    bound: report.epsilonLowerBound,
    seconds: report.seconds,
    draws: report.draws,
    pairs: report.pairsTried,
    left: report.pair?.left,
    right: report.pair?.right,
  };
}

async function drawsToRefute(
  name: string,
  { seed, cap }: { seed: number; cap: number },
): Promise<number> {
  const { mechanism } = suite.find((mutant) => mutant.mechanism.name === name)!;
  const target = drawTargets.find((row) => row.name === name)!;
  const subject = mechanismSubject(mechanism, {
    source: new SeededSource(seed).split(`draws ${name}`),
  });
  const report = await audit(subject, {
    claim: pure({ epsilon: target.claim, relation: mechanism.claim.relation }),
    alpha: 0.05,
    seed,
    maxDraws: cap,
    shrink: false,
  });
  return report.verdict === "refuted" ? report.draws : Infinity;
}

void approximate;
const option = (name: string): string | undefined => {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? undefined : Deno.args[at + 1];
};
const seed = Number(option("seed") ?? 1);
const rows = option("rows")?.split(",");
const only = option("only");

if (only !== "draws") {
  for (const target of boundTargets.filter(({ name }) => rows?.includes(name) ?? true)) {
    const row = await boundOf(target.name, {
      seed,
      seconds: Number(option("seconds") ?? target.seconds),
    });
    console.log(
      row.name.padEnd(20),
      String(target.sniper).padEnd(8),
      String(target.atLeast).padEnd(8),
      row.bound.toFixed(5).padEnd(9),
      (target.atMost !== undefined ? row.bound <= target.atMost : row.bound >= target.atLeast)
        ? "ok "
        : "NOT",
      `${row.seconds.toFixed(1)} s`,
      `${(row.draws / 1e6).toFixed(1)}M`,
      row.pairs,
      JSON.stringify(row.left),
      JSON.stringify(row.right),
    );
  }
}
if (only !== "bounds") {
  const seeds = Number(option("seeds") ?? 20);
  for (const target of drawTargets.filter(({ name }) => rows?.includes(name) ?? true)) {
    const draws: number[] = [];
    for (let k = 1; k <= seeds; k++) {
      draws.push(await drawsToRefute(target.name, { seed: k, cap: 10 * target.atMost }));
    }
    draws.sort((a, b) => a - b);
    const median = (draws[Math.floor((seeds - 1) / 2)]! + draws[Math.floor(seeds / 2)]!) / 2;
    console.log(
      target.name.padEnd(20),
      target.atMost,
      median,
      median <= target.atMost ? "ok " : "NOT",
      draws[0],
      draws.at(-1),
    );
  }
}
