/**
 * Draws to refute the broken means of DP-Auditorium (Kong, Muñoz Medina, Ribero, Syed 2023) at small claims: the median over seeds, the
 * share of audits that refute nothing, and the published medians of sequential kernel tests (González, Dulce-Rubio, Ramdas, Ribero
 * 2025). α = 0.05; the pair is given, [0] against [0, 0] and [0, 1], or searched among datasets of 1 to 8 values in [0, 1].
 *
 * Usage: `deno task bench few-draws [--seeds N] [--from SEED] [--draws N]`
 */
import { audit } from "../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { approximate, type Claim, pure } from "../../lib/core/claims/claim.ts";
import type { Dataset } from "../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import { addRemoveOne as relation, pairOf } from "../../lib/core/relations/relation.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import { floatLaplace } from "../../lib/core/random/float_laplace.ts";
import { floatNormal } from "../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { drawsWithKnownOdds } from "../limit/known_odds.ts";
import { type Laws, limitOfDraws } from "../limit/limit.ts";
import { lawsOfMean } from "../limit/rows.ts";
import { option } from "../option.ts";

const ALPHA = 0.05, DELTA = 1e-5;
const seeds = Number(option("seeds") ?? 100),
  from = Number(option("from") ?? 2501),
  maxDraws = Number(option("draws") ?? 200_000);

interface Noise {
  readonly claim: (epsilon: number) => Claim;
  /** The scale for a sensitivity of 1. */
  readonly scale: (epsilon: number) => number;
  readonly fill: (source: Source, out: Float64Array) => void;
}

const laplace: Noise = {
  claim: (epsilon) => pure({ epsilon, relation }),
  scale: (epsilon) => 1 / epsilon,
  fill: (source, out) => void floatLaplace(source, out, { scale: 1 }),
};
const gaussian: Noise = {
  claim: (epsilon) => approximate({ epsilon, delta: DELTA, relation }),
  scale: (epsilon) => Math.sqrt(2 * Math.log(1.25 / DELTA)) / epsilon,
  fill: (source, out) => void floatNormal(source, out),
};

/** Outputs from one mean and two standard draws each. */
function broken(
  name: string,
  { claim, fill, output }: {
    readonly claim: Claim;
    readonly fill: Noise["fill"];
    readonly output: (mean: number, size: number, draws: readonly [number, number]) => number;
  },
): Mechanism<number, number> {
  const sampleMany = (data: Dataset<number>, count: number, source: Source): Float64Array => {
    const draws = new Float64Array(2 * count), out = new Float64Array(count);
    fill(source, draws);
    const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
    for (let i = 0; i < count; i++) {
      out[i] = output(mean, data.length, [draws[2 * i]!, draws[2 * i + 1]!]);
    }
    return out;
  };
  return {
    name,
    claim,
    domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 8 } },
    width: 1,
    sample: (data, source) => sampleMany(data, 1, source)[0]!,
    sampleMany,
  };
}

interface Row {
  readonly mechanism: Mechanism<number, number>;
  readonly right: readonly number[];
  readonly published: number;
  /** The laws of the output on the pair that is given. */
  readonly laws: () => Laws;
}

/** The mean with noise scaled by the exact size, and by a noisy size on half of ε. */
function rowsOf(kind: string, noise: Noise, epsilon: number, published: readonly number[]): Row[] {
  const claim = noise.claim(epsilon), { fill } = noise;
  const whole = noise.scale(epsilon), half = noise.scale(epsilon / 2);
  const laws = (byNoisySize: boolean) => (): Laws =>
    lawsOfMean({ isNormal: noise === gaussian, scale: whole, half, byNoisySize });
  return [
    {
      mechanism: broken(`${kind}-1`, {
        claim,
        fill,
        output: (mean, size, [z]) => mean + whole * z / size,
      }),
      right: [0, 0],
      published: published[0]!,
      laws: laws(false),
    },
    {
      mechanism: broken(`${kind}-2`, {
        claim,
        fill,
        output: (mean, size, [z, noiseOfSize]) =>
          mean + Math.max(1e-12, half / (size + half * noiseOfSize)) * z,
      }),
      right: [0, 1],
      published: published[1]!,
      laws: laws(true),
    },
  ];
}

/** Draws of each audit; infinite where nothing is refuted. */
async function drawsToRefute({ mechanism, right }: Row, isGiven: boolean): Promise<number[]> {
  const draws: number[] = [];
  for (let seed = from; seed < from + seeds; seed++) {
    const subject = mechanismSubject(mechanism, { source: new SeededSource(seed) });
    const report = await audit(subject, {
      ...(isGiven ? { pair: pairOf(relation, { left: [0], right }) } : {}),
      alpha: ALPHA,
      maxDraws,
      seed,
      shrink: false,
    });
    draws.push(report.verdict === "refuted" ? report.draws : Infinity);
  }
  return draws.sort((a, b) => a - b);
}

console.log(`α = ${ALPHA}, δ = ${DELTA}, ${seeds} seeds from ${from}, ${maxDraws} draws at most\n`);
console.log(
  "| mean | claim ε | published median | pair given: median (worst) | pair searched: median (worst) | limit | odds known | known / limit | given / limit | searched / limit |",
);
console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
for (const epsilon of [0.01, 0.1]) {
  const isSmall = epsilon === 0.01;
  const rows = [
    ...rowsOf("Laplace", laplace, epsilon, isSmall ? [331, 192] : [920, 770]),
    ...rowsOf("Gaussian", gaussian, epsilon, isSmall ? [264, 1139] : [562, 4776]),
  ];
  for (const row of rows) {
    const cells: string[] = [], ofLimit: string[] = [], laws = row.laws();
    const { claim } = row.mechanism;
    const limit = limitOfDraws(laws, { epsilon, delta: claim.kind === "pure" ? 0 : DELTA }, ALPHA);
    const known = Array.from(
      { length: seeds },
      (_, k) => drawsWithKnownOdds(laws, { claim, alpha: ALPHA, seed: from + k }),
    ).sort((a, b) => a - b)[seeds >> 1]!;
    for (const isGiven of [true, false]) {
      const draws = await drawsToRefute(row, isGiven);
      cells.push(`${draws[seeds >> 1]} (${draws.at(-1)})`);
      ofLimit.push((draws[seeds >> 1]! / limit).toFixed(1));
    }
    console.log(
      `| ${row.mechanism.name} | ${epsilon} | ${row.published} | ${
        [...cells, limit.toFixed(0), known, (known / limit).toFixed(1), ...ofLimit].join(" | ")
      } |`,
    );
  }
}
