/**
 * Lower bounds by draws for claims of every kind: N(0, 1) against N(1, 1), the pair given, the whole budget spent, α = 0.01.
 * Figures are the bound divided by the truth, in the claim's own parameter: the median, the least and the most over seeds.
 *
 * Usage: `deno task bench claims [--draws N] [--seeds N] [--from SEED]`
 */
import { audit } from "../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import {
  approximate,
  type Claim,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../lib/core/claims/claim.ts";
import { parameterOf } from "../../lib/core/claims/claim_curve.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import { pairOf, replaceOne as relation } from "../../lib/core/relations/relation.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import { gaussianDelta } from "../../lib/core/numeric/gaussian_delta.ts";
import { floatLaplace } from "../../lib/core/random/float_laplace.ts";
import { floatNormal } from "../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { option } from "../option.ts";

type Fill = (source: Source, out: Float64Array) => Float64Array;

function additive(claim: Claim, fill: Fill): Mechanism<number, number> {
  return {
    name: "additive noise",
    claim,
    width: 1,
    sample: ([x], source) => x! + fill(source, new Float64Array(1))[0]!,
    sampleMany: ([x], count, source) =>
      fill(source, new Float64Array(count)).map((noise) => x! + noise),
  };
}

const rows: readonly (readonly [name: string, claim: Claim, fill: Fill])[] = [
  [
    "Laplace, ε = 1",
    pure({ epsilon: 1, relation }),
    (source, out) => floatLaplace(source, out, { scale: 1 }),
  ],
  ["μ = 1", gaussian({ mu: 1, relation }), floatNormal],
  [
    "(0.5, δ)",
    approximate({ epsilon: 0.5, delta: gaussianDelta(1, 0.5), relation }),
    floatNormal,
  ],
  ["(2, δ)", approximate({ epsilon: 2, delta: gaussianDelta(1, 2), relation }), floatNormal],
  ["ρ = 0.5", zcdp({ rho: 0.5, relation }), floatNormal],
  ["Rényi, order 2", renyi({ order: 2, epsilon: 1, relation }), floatNormal],
];

const maxDraws = Number(option("draws") ?? 2e6),
  seeds = Number(option("seeds") ?? 5),
  from = Number(option("from") ?? 2201);
console.log(`| claim | median | least | most |\n| --- | --- | --- | --- |`);
for (const [name, claim, fill] of rows) {
  const shares: number[] = [];
  for (let seed = from; seed < from + seeds; seed++) {
    const source = new SeededSource(seed).split("normal");
    const report = await audit(mechanismSubject(additive(claim, fill), { source }), {
      claim,
      pair: pairOf(relation, { left: [0], right: [1] }),
      alpha: 0.01,
      seed,
      maxDraws,
      effort: "thorough",
      shrink: false,
    });
    shares.push(report.epsilonLowerBound / parameterOf(claim).value);
  }
  shares.sort((a, b) => a - b);
  const shown = [shares[Math.floor((seeds - 1) / 2)]!, shares[0]!, shares.at(-1)!];
  console.log(`| ${[name, ...shown.map((share) => share.toFixed(4))].join(" | ")} |`);
}
