import { type LossPower, splitMoment } from "./loss_moment.ts";
import type { FiniteLosses } from "./loss_cells.ts";

const UNIT_ROUNDOFF = 2 ** -53;

/** Points at which an integral over a vertical line is summed. */
export interface Contour {
  /** The real part of the line: positive. */
  readonly tilt: number;
  /** Distance of two points on it; the sums repeat at 2π/step nats. */
  readonly step: number;
  /** Number of points, from the real axis upwards. */
  readonly points: number;
}

/** E[e^(s·L); a loss above the edge] of the sum L of all losses, over its whole moment at the tilt. */
export interface CharacteristicValues {
  /** ln of the whole moment at the tilt; what that leaves of it is off by e^±`logError`. */
  readonly logMoment: number;
  /** The masses' weights may be off by this much. */
  readonly logError: number;
  /** Real parts at the contour's points. */
  readonly real: Float64Array;
  /** Imaginary parts. */
  readonly imaginary: Float64Array;
  /** Error bound of each value. */
  readonly error: Float64Array;
}

interface Weighted {
  readonly losses: Float64Array;
  readonly weights: Float64Array;
}

/** Turnings after which they are computed afresh, and the points of each: a value is turned once more at most. */
const FRESH = 32, AT_ONCE = 4;

/**
 * The characteristic function of the tilted losses at frequencies 0, step, 2·step, …: the sum over all
 * losses, each turned by its own angle from one frequency to the next.
 */
function characteristic(
  { losses, weights }: Weighted,
  { step, points }: Contour,
): { real: Float64Array; imaginary: Float64Array } {
  const size = AT_ONCE * Math.ceil(points / AT_ONCE);
  const real = new Float64Array(size), imaginary = new Float64Array(size);
  for (let j = 0; j < losses.length; j++) {
    const loss = losses[j]!, weight = weights[j]!;
    const c1 = Math.cos(step * loss), s1 = Math.sin(step * loss);
    const c2 = Math.cos(2 * step * loss), s2 = Math.sin(2 * step * loss);
    const c3 = Math.cos(3 * step * loss), s3 = Math.sin(3 * step * loss);
    const c4 = Math.cos(4 * step * loss), s4 = Math.sin(4 * step * loss);
    for (let from = 0; from < size; from += FRESH * AT_ONCE) {
      const to = Math.min(size, from + FRESH * AT_ONCE), angle = from * step * loss;
      let re = weight * Math.cos(angle), im = weight * Math.sin(angle);
      for (let k = from; k < to; k += AT_ONCE) {
        real[k]! += re;
        imaginary[k]! += im;
        real[k + 1]! += re * c1 - im * s1;
        imaginary[k + 1]! += re * s1 + im * c1;
        real[k + 2]! += re * c2 - im * s2;
        imaginary[k + 2]! += re * s2 + im * c2;
        real[k + 3]! += re * c3 - im * s3;
        imaginary[k + 3]! += re * s3 + im * c3;
        const turned = re * c4 - im * s4;
        im = re * s4 + im * c4;
        re = turned;
      }
    }
  }
  return { real, imaginary };
}

/** A product of powers, with what its roundings and those of its factors may have done. */
class PowerProduct {
  readonly #logModulus: Float64Array;
  readonly #phase: Float64Array;
  readonly #growth: Float64Array;

  constructor(readonly points: number) {
    this.#logModulus = new Float64Array(points);
    this.#phase = new Float64Array(points);
    this.#growth = new Float64Array(points);
  }

  /** Multiplies the value at point k by (re + i·im)^count, where the base is off by at most `off`. */
  times(
    k: number,
    [re, im]: readonly [number, number],
    { off, count }: { off: number; count: number },
  ): void {
    const modulus = Math.hypot(re, im) + 1e-300, angle = Math.atan2(im, re);
    const log = Math.log(modulus);
    this.#logModulus[k]! += count * log;
    this.#phase[k]! += count * angle;
    this.#growth[k]! += count * (Math.log1p(off / modulus) + 4 * UNIT_ROUNDOFF) +
      8 * UNIT_ROUNDOFF * (count * (Math.abs(log) + Math.abs(angle)) +
          Math.abs(this.#logModulus[k]!) + Math.abs(this.#phase[k]!));
  }

  /** The value at point k and how far it may be off: |a^T − b^T| ≤ (|b| + |a − b|)^T − |b|^T. */
  at(k: number): { re: number; im: number; error: number } {
    const log = this.#logModulus[k]!, phase = this.#phase[k]!, modulus = Math.exp(log);
    const grown = this.#growth[k]! + 8 * UNIT_ROUNDOFF;
    const error = grown < 1 ? modulus * Math.expm1(grown) : Math.exp(log + grown);
    return { re: modulus * Math.cos(phase), im: modulus * Math.sin(phase), error };
  }
}

/** The moments of the sum of all parts on the contour. */
export function characteristicValues(
  parts: readonly LossPower[],
  contour: Contour,
): CharacteristicValues {
  const { tilt, step, points } = contour;
  const all = new PowerProduct(points), below = new PowerProduct(points);
  const whole = parts.some(({ split }) => split.below.losses.length === 0);
  let total = 0, logError = 0;
  for (const { split, count } of parts) {
    const { log } = splitMoment(split, tilt);
    total += count * log;
    const sides = [split.below, split.above].map((side) => weighted(side, { tilt, log }));
    const farthest = Math.max(...sides.map((side) => side.farthest));
    logError += count * UNIT_ROUNDOFF * (820 + 4 * tilt * farthest + 4 * Math.abs(log));
    const [low, high] = sides.map((side) => characteristic(side, contour));
    // Each turning adds at most 4 roundings, each sum one for every term; angles are off likewise.
    const [offLow, offHigh] = sides.map(({ sum, spread, losses }) => (k: number) =>
      UNIT_ROUNDOFF * 1.01 * (2 + sum * (4 * FRESH + losses.length) + 4 * k * step * spread)
    );
    for (let k = 0; k < points; k++) {
      const re = low!.real[k]!, im = low!.imaginary[k]!, off = offLow!(k);
      const sumRe = re + high!.real[k]!, sumIm = im + high!.imaginary[k]!;
      all.times(k, [sumRe, sumIm], { off: off + offHigh!(k), count });
      if (!whole) below.times(k, [re, im], { off, count });
    }
  }
  const real = new Float64Array(points), imaginary = new Float64Array(points);
  const error = new Float64Array(points);
  for (let k = 0; k < points; k++) {
    const first = all.at(k), second = whole ? { re: 0, im: 0, error: 0 } : below.at(k);
    real[k] = first.re - second.re;
    imaginary[k] = first.im - second.im;
    error[k] = first.error + second.error +
      2 * UNIT_ROUNDOFF * (Math.abs(real[k]!) + Math.abs(imaginary[k]!));
  }
  return { logMoment: total, logError, real, imaginary, error };
}

function weighted(
  { losses, masses }: FiniteLosses,
  { tilt, log }: { tilt: number; log: number },
): Weighted & { sum: number; spread: number; farthest: number } {
  const weights = new Float64Array(losses.length);
  let sum = 0, spread = 0, farthest = 0;
  for (let j = 0; j < losses.length; j++) {
    const weight = Math.exp(tilt * losses[j]! + Math.log(masses[j]!) - log);
    weights[j] = weight;
    sum += weight;
    spread += weight * Math.abs(losses[j]!);
    farthest = Math.max(farthest, Math.abs(losses[j]!));
  }
  return { losses, weights, sum, spread, farthest };
}
