/**
 * A radix-2 fast Fourier transform of one size over split real and imaginary parts, in place.
 *
 * `forward` leaves the frequencies in bit-reversed order and `inverse` expects them so: what happens
 * between the two is pointwise, and the two permutations are saved.
 */
interface FourierPlan {
  /** How many complex numbers are transformed. */
  readonly size: number;
  /** x → Σ_j x_j e^(−2πi jk/size), at position bit-reverse(k). */
  forward(real: Float64Array, imaginary: Float64Array): void;
  /** The inverse of `forward`, with its factor 1/size. */
  inverse(real: Float64Array, imaginary: Float64Array): void;
  /**
   * How far any output of `forward` may be off, per unit of Σ|x_j|; the same bounds `inverse` per unit
   * of Σ|X_k|/size. On its way through log₂ size butterflies every term is added once (relative error
   * u = 2⁻⁵³), multiplied once (√5·u normwise: Brent, Percival, Zimmermann 2007) by a root of unity that
   * is itself off by less than 3u: together below 8u a stage.
   */
  readonly relativeError: number;
}

const UNIT_ROUNDOFF = 2 ** -53;

/** e^(−2πi j/size) for j < size/2, each from an angle of at most π/4 so that none loses digits. */
function rootsOfUnity(size: number): { cosines: Float64Array; sines: Float64Array } {
  const half = size / 2;
  const cosines = new Float64Array(Math.max(1, half)), sines = new Float64Array(Math.max(1, half));
  for (let j = 0; j < Math.max(1, half); j++) {
    const eighth = Math.floor((8 * j) / size); // 0 to 3
    if (eighth === 0) {
      const angle = (2 * Math.PI * j) / size;
      cosines[j] = Math.cos(angle);
      sines[j] = -Math.sin(angle);
    } else if (eighth === 3) {
      const angle = (2 * Math.PI * (half - j)) / size;
      cosines[j] = -Math.cos(angle);
      sines[j] = -Math.sin(angle);
    } else {
      const angle = (2 * Math.PI * (j - size / 4)) / size;
      cosines[j] = -Math.sin(angle);
      sines[j] = -Math.cos(angle);
    }
  }
  return { cosines, sines };
}

/**
 * Plans transforms of one size.
 *
 * @throws {RangeError} unless `size` is a power of two.
 *
 * @example
 * ```ts
 * import { fourierPlan } from "./fft.ts";
 * const plan = fourierPlan(4);
 * const real = Float64Array.of(1, 0, 0, 0), imaginary = new Float64Array(4);
 * plan.forward(real, imaginary); // real is [1, 1, 1, 1]
 * ```
 */
export function fourierPlan(size: number): FourierPlan {
  if (!(Number.isSafeInteger(size) && size >= 1 && 2 ** Math.round(Math.log2(size)) === size)) {
    throw new RangeError(
      `Cannot plan a Fourier transform: size must be a power of two: current value is ${size}`,
    );
  }
  const { cosines, sines } = rootsOfUnity(size);
  const stages = Math.round(Math.log2(size));

  function forward(real: Float64Array, imaginary: Float64Array): void {
    for (let half = size >> 1, step = 1; half >= 1; half >>= 1, step <<= 1) {
      for (let start = 0; start < size; start += half << 1) {
        for (let j = 0, k = 0; j < half; j++, k += step) {
          const a = start + j, b = a + half;
          const ar = real[a]!, ai = imaginary[a]!, br = real[b]!, bi = imaginary[b]!;
          const dr = ar - br, di = ai - bi, c = cosines[k]!, s = sines[k]!;
          real[a] = ar + br;
          imaginary[a] = ai + bi;
          real[b] = dr * c - di * s;
          imaginary[b] = dr * s + di * c;
        }
      }
    }
  }

  function inverse(real: Float64Array, imaginary: Float64Array): void {
    for (let half = 1, step = size >> 1; half < size; half <<= 1, step >>= 1) {
      for (let start = 0; start < size; start += half << 1) {
        for (let j = 0, k = 0; j < half; j++, k += step) {
          const a = start + j, b = a + half;
          const c = cosines[k]!, s = -sines[k]!;
          const br = real[b]! * c - imaginary[b]! * s, bi = real[b]! * s + imaginary[b]! * c;
          const ar = real[a]!, ai = imaginary[a]!;
          real[a] = ar + br;
          imaginary[a] = ai + bi;
          real[b] = ar - br;
          imaginary[b] = ai - bi;
        }
      }
    }
    const scale = 1 / size; // a power of two: exact
    for (let i = 0; i < size; i++) {
      real[i]! *= scale;
      imaginary[i]! *= scale;
    }
  }

  return { size, forward, inverse, relativeError: Math.expm1(8 * UNIT_ROUNDOFF * stages) };
}
