/**
 * Lower bounds on ε after a fixed number of draws, for the 22 mechanisms of the DP-Sniper suite: pairs searched, 95%
 * confidence, median over seeds on which nothing was chosen. Draws and seeds decide everything, so the table is the same on
 * every machine.
 *
 * Usage: `deno task bench bounds [--draws N] [--seeds N] [--from SEED] [--rows NAME,…]`
 */
import { suite } from "../../fixtures/judge/mutants/suite.ts";
import { audit } from "../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { median } from "../median.ts";
import { option } from "../option.ts";

const maxDraws = Number(option("draws") ?? 1e6),
  seeds = Number(option("seeds") ?? 5),
  from = Number(option("from") ?? 4001);
const at = Deno.args.indexOf("--rows");
const wanted = at < 0 ? undefined : Deno.args[at + 1]!.split(",");

console.log(`| mechanism | median | least | most |\n| --- | --- | --- | --- |`);
for (const { mechanism, bits } of suite) {
  const { name } = mechanism;
  if (wanted !== undefined && !wanted.includes(name)) continue;
  const bounds: number[] = [];
  for (let seed = from; seed < from + seeds; seed++) {
    const source = new SeededSource(seed).split(`bounds ${name}`);
    const { epsilonLowerBound } = await audit(mechanismSubject(mechanism, { source }), {
      alpha: 0.05,
      seed,
      maxDraws,
      effort: "thorough",
      shrink: false,
      bits: bits ?? false,
    });
    bounds.push(epsilonLowerBound);
  }
  bounds.sort((a, b) => a - b);
  const middle = median(bounds);
  const shown = [middle, bounds[0]!, bounds.at(-1)!].map((bound) =>
    (Math.floor(bound * 1e4) / 1e4).toFixed(4)
  );
  console.log(`| ${[name, ...shown].join(" | ")} |`);
}
console.log(
  `\n${maxDraws.toLocaleString("en-US")} draws an audit, seeds ${from} to ${
    from + seeds - 1
  }, α = 0.05`,
);
