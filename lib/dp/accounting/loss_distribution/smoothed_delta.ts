import type { DeltaCurve } from "./delta_curve.ts";
import { characteristicValues, type Contour } from "./contour.ts";
import { logMomentOfSum, logPeak, type LossPower } from "./loss_moment.ts";

const UNIT_ROUNDOFF = 2 ** -53;

/** A contour, and by how much the threshold is smoothed. */
export interface Smoothing extends Contour {
  /** The standard deviation of the normal loss that smooths, in nats. */
  readonly width: number;
}

/**
 * Bounds on E[(1 − e^(ε − L))⁺; a loss above the edge] of the sum L of finitely many losses, as functions of
 * ε: certain for these losses, whatever the smoothing.
 *
 * The function f(y) = (1 − e^−y)⁺ is the contour integral of e^(s·y)/(s(s + 1))/(2πi) along Re s = tilt.
 * With one more Gaussian mechanism of μ = width in the composition the integrand has the factor
 * e^(s(s + 1)·width²/2), which makes it short; δ can only grow. What it grows by, at most
 * width²·n(y)·e^(−y/2) for the normal density n of that width, has a factor of the same kind, and is taken
 * off for the lower bound. The sum over the contour's points in place of the integral adds what lies a
 * multiple of 2π/step nats away, which is not negative: it can stay in the upper bound, and a Chernoff
 * bound on it is taken off the lower one.
 */
export function smoothedBounds(
  parts: readonly LossPower[],
  smoothing: Smoothing,
): DeltaCurve {
  const { tilt, step, points, width } = smoothing;
  const values = characteristicValues(parts, smoothing);
  const square = width * width;
  const reals = new Float64Array(points), imaginaries = new Float64Array(points);
  const lowReals = new Float64Array(points), lowImaginaries = new Float64Array(points);
  const bump = square * Math.exp(square / 8);
  let error = 0, lowError = 0, absolute = 0, lowAbsolute = 0;
  for (let k = 0; k < points; k++) {
    const w = k * step, weight = k === 0 ? 1 : 2;
    // s(s + 1) = a + bi
    const a = tilt * (tilt + 1) - w * w, b = w * (2 * tilt + 1);
    const size = weight * Math.exp(-0.5 * square * w * w);
    const angle = 0.5 * square * b, cos = Math.cos(angle), sin = Math.sin(angle);
    const x = size * (values.real[k]! * cos - values.imaginary[k]! * sin);
    const y = size * (values.real[k]! * sin + values.imaginary[k]! * cos);
    const norm = a * a + b * b;
    const kernelX = a / norm, kernelY = -b / norm;
    reals[k] = x * kernelX - y * kernelY;
    imaginaries[k] = x * kernelY + y * kernelX;
    lowReals[k] = reals[k]! - bump * x;
    lowImaginaries[k] = imaginaries[k]! - bump * y;
    const modulus = Math.hypot(x, y), kernel = 1 / Math.sqrt(norm);
    const own = 1.01 * (size * values.error[k]! +
      modulus * UNIT_ROUNDOFF * (32 + square * w * w + 4 * angle));
    error += own * kernel;
    lowError += own * (kernel + bump);
    absolute += modulus * kernel;
    lowAbsolute += modulus * (kernel + bump);
  }
  // Tail outside the contour: the integrand is below its Gaussian factor, which falls by a ratio.
  const end = points * step,
    tail = Math.exp(-0.5 * square * end * end) /
      -Math.expm1(-square * end * step);
  const left = 2 * tail * 1.01, factor = step / (2 * Math.PI);
  const logScale = values.logMoment + 0.5 * tilt * (tilt + 1) * square;

  function sum(re: Float64Array, im: Float64Array, epsilon: number): number {
    let total = 0;
    for (let k = points - 1; k >= 0; k--) {
      const angle = k * step * epsilon;
      total += re[k]! * Math.cos(angle) + im[k]! * Math.sin(angle);
    }
    return total;
  }

  /** Of turning by ε, of summing, and of the scale. */
  function rounding(epsilon: number): number {
    return UNIT_ROUNDOFF * (16 + points + 4 * end * epsilon);
  }

  function scaleAt(epsilon: number): { scale: number; off: number } {
    const log = logScale - tilt * epsilon;
    const off = values.logError +
      8 * UNIT_ROUNDOFF * (Math.abs(values.logMoment) + tilt * epsilon + tilt * tilt * square);
    return { scale: factor * Math.exp(log), off };
  }

  return {
    upperAt(epsilon): number {
      const { scale, off } = scaleAt(epsilon);
      const slack = error + absolute * rounding(epsilon) + left / (end * end);
      return scale * (Math.max(0, sum(reals, imaginaries, epsilon)) + slack) * Math.exp(off);
    },
    lowerAt(epsilon): number {
      const { scale, off } = scaleAt(epsilon);
      const slack = lowError + lowAbsolute * rounding(epsilon) +
        left * (1 / (end * end) + bump);
      const found = scale * (sum(lowReals, lowImaginaries, epsilon) - slack) * Math.exp(-off);
      return Math.max(0, found - aliased(parts, smoothing, epsilon));
    },
  };
}

/** At least what the sum over the contour adds to the integral. */
export function aliased(
  parts: readonly LossPower[],
  { tilt, step, width }: Smoothing,
  epsilon: number,
): number {
  const period = (2 * Math.PI) / step;
  // Sums that are lower than ε by whole periods count at most 1 each, damped by the tilt.
  const below = Math.exp(logMomentOfSum(parts, 0)) / Math.expm1(tilt * period);
  let above = Infinity;
  // Those that are higher are rare: Chernoff's bound with more tilt.
  for (const more of [0.25, 0.5, 1, 2, 4, 8, 16, 32]) {
    const steeper = tilt + more * 20 / period;
    const log = logMomentOfSum(parts, steeper) + logPeak(steeper) +
      0.5 * steeper * (steeper + 1) * width * width - steeper * epsilon;
    const bound = Math.exp(log) / Math.expm1((steeper - tilt) * period);
    if (bound < above) above = bound;
  }
  // A million runs multiply the roundings of a moment.
  return (below + above) * (1 + 1e-4);
}
