import { approximate, type Claim, pure } from "../../lib/core/claims/claim.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import type { Dataset } from "../../lib/core/relations/dataset.ts";
import { addRemoveOne as relation } from "../../lib/core/relations/relation.ts";
import { floatLaplace } from "../../lib/core/random/float_laplace.ts";
import { floatNormal } from "../../lib/core/random/float_normal.ts";
import { normalTailQuantile } from "../../lib/core/numeric/normal_tail.ts";
import type { Laws } from "./limit.ts";
import { laplace, laplaceQuantile, meanByNoisySize, normal, numbers, scaled } from "./laws.ts";

/** δ of the Gaussian claims. */
const DELTA = 1e-5;

interface Noise {
  readonly claim: (epsilon: number) => Claim;
  /** The scale for a sensitivity of 1. */
  readonly scale: (epsilon: number) => number;
  readonly fill: (source: Source, out: Float64Array) => void;
}

const laplaceNoise: Noise = {
  claim: (epsilon) => pure({ epsilon, relation }),
  scale: (epsilon) => 1 / epsilon,
  fill: (source, out) => void floatLaplace(source, out, { scale: 1 }),
};
const gaussianNoise: Noise = {
  claim: (epsilon) => approximate({ epsilon, delta: DELTA, relation }),
  scale: (epsilon) => Math.sqrt(2 * Math.log(1.25 / DELTA)) / epsilon,
  fill: (source, out) => void floatNormal(source, out),
};

/** A broken mean, with neighbours on which it breaks its claim. */
export interface BrokenMean {
  readonly mechanism: Mechanism<number, number>;
  readonly pair: { readonly left: readonly number[]; readonly right: readonly number[] };
  /** The laws of the output on these. */
  readonly laws: () => Laws;
}

/**
 * The broken means of DP-Auditorium (Kong, Muñoz Medina, Ribero, Syed 2023) among datasets of 1 to 8 values in [0, 1]: noise scaled by
 * the exact size (1), and by a noisy size on half of ε (2).
 */
export function brokenMean(
  { noise, byNoisySize, epsilon }: {
    readonly noise: "Laplace" | "Gaussian";
    readonly byNoisySize: boolean;
    readonly epsilon: number;
  },
): BrokenMean {
  const isNormal = noise === "Gaussian";
  const { claim, fill, scale } = isNormal ? gaussianNoise : laplaceNoise;
  const whole = scale(epsilon), half = scale(epsilon / 2);
  const scaleOf = (size: number, noiseOfSize: number): number =>
    byNoisySize ? Math.max(1e-12, half / (size + half * noiseOfSize)) : whole / size;
  const sampleMany = (data: Dataset<number>, count: number, source: Source): Float64Array => {
    const draws = new Float64Array(2 * count), out = new Float64Array(count);
    fill(source, draws);
    const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
    for (let i = 0; i < count; i++) {
      out[i] = mean + scaleOf(data.length, draws[2 * i + 1]!) * draws[2 * i]!;
    }
    return out;
  };
  return {
    mechanism: {
      name: `${noise}-${byNoisySize ? 2 : 1}, ε = ${epsilon}`,
      claim: claim(epsilon),
      domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 8 } },
      width: 1,
      sample: (data, source) => sampleMany(data, 1, source)[0]!,
      sampleMany,
    },
    pair: { left: [0], right: byNoisySize ? [0, 1] : [0, 0] },
    laws: () => lawsOfMean({ isNormal, scale: whole, half, byNoisySize }),
  };
}

/** The laws of a broken mean on the pair on which it breaks its claim. */
function lawsOfMean(
  { isNormal, scale, half, byNoisySize }: {
    readonly isNormal: boolean;
    /** The noise for a sensitivity of 1 with all of ε, and with half of it. */
    readonly scale: number;
    readonly half: number;
    readonly byNoisySize: boolean;
  },
): Laws {
  const noise = isNormal ? normal : laplace;
  const quantile = isNormal ? normalTailQuantile : laplaceQuantile;
  return byNoisySize
    ? {
      left: meanByNoisySize({ mean: 0, size: 1, half, noise, quantile }),
      right: meanByNoisySize({ mean: 0.5, size: 2, half, noise, quantile }),
    }
    : numbers(scaled(noise, 0, scale), scaled(noise, 0, scale / 2));
}
