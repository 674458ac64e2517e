import type { Polynomial } from "../../../lib/judge/exact/polynomial.ts";
import { subtractPolynomials } from "../../tools/polynomials.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { discreteLaplace } from "../../../lib/core/random/discrete_laplace.ts";
import type { IntegerNoise } from "../../../lib/core/random/integer_noise.ts";
import { all, atMost, equals, short } from "../../engine/outcome.ts";
import { type Outcome, theorem } from "../../engine/theorem.ts";

/** Noise on the integers by its scale b, and what is said of its variance. */
interface Noise {
  /** The logarithm of P(k), where the scale is b steps. */
  readonly law: (scale: number) => IntegerNoise["logProbability"];
  /** The variance of Laplace noise over b². */
  readonly factor: number;
}

const shipped: Noise["law"] = (scale) => discreteLaplace({ scale: rational(scale) }).logProbability;

/** Scales in steps: from noise that is mostly 0 to a fine grid. */
const SCALES = [0.125, 0.5, 1, 3, 10, 100, 1000];

/** In scales: beyond lies less than e^−50 of each sum. */
const REACH = 60;

/** ∫ x²·e^(−x) dx from 0 on, the variance of Laplace noise over b²: −(x² + 2x + 2)·e^(−x) has this derivative. */
function continuous(factor: number): Outcome {
  const primitive: Polynomial = [2n, 2n, 1n], slope: Polynomial = [2n, 2n];
  const integrand = subtractPolynomials(primitive, slope);
  const isSquare = integrand.length === 3 && integrand[0] === 0n && integrand[1] === 0n &&
    integrand[2] === 1n;
  return equals(factor, {
    value: isSquare ? Number(primitive[0]) : NaN,
    detail: "the density e^(−|x|/b)/(2b)",
    tolerance: 0,
  });
}

/** Mean and variance of the law on the grid, summed, beside 2q/(1 − q)² = 1/(2·sinh²(1/(2b))), b in steps. */
function onGrid({ law, factor }: Noise, scale: number): Outcome[] {
  const logProbability = law(scale);
  let mean = 0, variance = 0, total = 0;
  // The smallest terms come first.
  for (let k = Math.ceil(REACH * scale) + 5; k >= 0; k--) {
    const right = Math.exp(logProbability(k));
    const left = k === 0 ? 0 : Math.exp(logProbability(-k));
    total += right + left;
    mean += k * (right - left);
    variance += k * k * (right + left);
  }
  const exact = factor / (4 * Math.sinh(1 / (2 * scale)) ** 2);
  // With a step of 1/b the variance is between b²·factor·(1 − 1/(12b²)) and b²·factor: x²/sinh²x ≥ 1 − x²/3.
  const limit = factor * scale * scale;
  const witness = `scale ${scale} steps: mean ${short(mean)}, variance ${short(variance)}, not ${
    short(exact)
  }`;
  return [
    equals(1, { value: total, detail: "total", tolerance: 1e-12 }),
    atMost(1e-12, { value: Math.abs(mean) / scale, detail: "mean", witness }),
    atMost(1e-11, { value: Math.abs(variance / exact - 1), detail: "variance", witness }),
    atMost(1, { value: variance / limit, detail: "limit from above", witness }),
    atMost(1, {
      value: (1 - 1 / (12 * scale * scale)) * limit / variance,
      detail: "limit from below",
      witness,
    }),
  ];
}

/** The law that the exact sampler states, cut off where |k| exceeds `reach` scales and normalised. */
const cutOff = (reach: number): Noise["law"] => (scale) => {
  const whole = discreteLaplace({ scale: rational(scale) }), most = Math.floor(reach * scale);
  const inside = Math.log1p(-2 * Math.exp(whole.logUpperTail(most + 1)));
  return (value) => Math.abs(value) > most ? -Infinity : whole.logProbability(value) - inside;
};

/** Mean and variance, of the law on real numbers and of the one that the exact samplers draw. */
export const laplaceMoments = theorem<Noise>({
  id: "mechanisms/laplace_moments",
  statement:
    "Laplace noise of scale b has mean 0 and variance 2b²; on a grid of step g it has mean 0 and " +
    "variance g²/(2·sinh²(g/(2b))), which is at most 2b² and at least 2b² − g²/6.",
  citation: "Dwork, Roth 2014, Definition 3.2; Ghosh, Roughgarden, Sundararajan 2012",
  source: "Haußmann’s slides, Laplace distribution",
  remember: () =>
    `At ε = 1 and sensitivity 1 the standard deviation is √2 = ${short(Math.SQRT2)}, not 1.`,
  kind: "sampled",
  checked:
    `real numbers: a primitive, in whole numbers; grid: the law that discreteLaplace() states, summed over all outputs within ${REACH} scales, for b of ${
      SCALES.join(", ")
    } steps`,
  subject: { law: shipped, factor: 2 },
  check: (noise) =>
    all(
      [continuous(noise.factor), ...SCALES.flatMap((scale) => onGrid(noise, scale))],
      `the density, and ${SCALES.length} scales on the grid`,
    ),
  mutants: {
    "variance b²": { law: shipped, factor: 1 },
    "b for the standard deviation": { law: (scale) => shipped(scale / Math.SQRT2), factor: 2 },
    "one side": {
      law: (scale) => (value) =>
        value < 0 ? -Infinity : -value / scale + Math.log(-Math.expm1(-1 / scale)),
      factor: 2,
    },
    "cut off at 12b": { law: cutOff(12), factor: 2 },
  },
});
