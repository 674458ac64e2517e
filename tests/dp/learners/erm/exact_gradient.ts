import type { Problem } from "../../../../lib/dp/learners/erm/solver/problem.ts";
import type { InMemory } from "../../../../lib/dp/learners/erm/solver/visit_rows.ts";

/** A problem whose rows are in memory. */
export type MemoryProblem = InMemory<Problem>;

/** Doubles are whole multiples of 2⁻¹⁰⁷⁴. */
const SCALE = 1074n;

/** x·2¹⁰⁷⁴. */
function whole(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0), fraction = bits & 0xfffffffffffffn;
  const exponent = (bits >> 52n) & 0x7ffn;
  const size = exponent === 0n ? fraction : (fraction | 1n << 52n) << (exponent - 1n);
  return value < 0 ? -size : size;
}

/**
 * The norm of the gradient at high + low of a problem with the Huber hinge of half-width h and ½‖f‖², without
 * any rounding but the last: integers for doubles, dense rows only.
 */
export function exactHuberGradientNorm(
  { rows, signs, lambda, quadratic, linear }: MemoryProblem,
  { high, low, h }: { high: Float64Array; low?: Float64Array | undefined; h: number },
): number {
  if (rows.kind !== "dense") throw new TypeError("rows must be dense");
  const { rowCount: n, columnCount: d } = rows;
  const weights = Array.from(high, (value, j) => whole(value) + whole(low?.[j] ?? 0));
  const one = 1n << (2n * SCALE), width = whole(h) << SCALE;
  // n·2h times the gradient, in units of 2^(−4·1074).
  const sums = new Array<bigint>(d).fill(0n);
  for (let i = 0; i < n; i++) {
    const x = Array.from({ length: d }, (_, j) => whole(rows.values[i * d + j]!));
    const sign = BigInt(signs[i]!);
    let margin = 0n;
    for (let j = 0; j < d; j++) margin += sign * x[j]! * weights[j]!;
    let slope = margin - one - width;
    if (slope > 0n) slope = 0n;
    if (slope < -2n * width) slope = -2n * width;
    for (let j = 0; j < d; j++) sums[j]! += (sign * slope * x[j]!) << SCALE;
  }
  const factor = BigInt(n) * 2n * whole(h);
  let square = 0n;
  for (let j = 0; j < d; j++) {
    const others = (whole(lambda) + whole(quadratic)) * weights[j]! +
      (whole(linear?.[j] ?? 0) << SCALE);
    square += (sums[j]! + ((factor * others) << SCALE)) ** 2n;
  }
  return toNumber(root(square), 4n * SCALE) / toNumber(factor, SCALE);
}

/** The integer square root, rounded down. */
function root(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt(Math.ceil(value.toString(16).length * 2) + 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** value·2^(−bits), to the precision of doubles. */
function toNumber(value: bigint, bits: bigint): number {
  const extra = BigInt(Math.max(0, value.toString(16).length * 4 - 64));
  return Number(value >> extra) * 2 ** Number(extra - bits > -1000n ? extra - bits : -1000n) *
    2 ** Number(extra - bits > -1000n ? 0n : extra - bits + 1000n);
}

/** a·b as a double and what it loses (Dekker). */
function product(a: number, b: number): [number, number] {
  const upper = (x: number): number => (2 ** 27 + 1) * x - ((2 ** 27 + 1) * x - x);
  const p = a * b, aUpper = upper(a), aLower = a - aUpper, bUpper = upper(b), bLower = b - bUpper;
  return [p, aLower * bLower - (((p - aUpper * bUpper) - aLower * bUpper) - aUpper * bLower)];
}

/** A sum of doubles in twice their precision. */
class LongSum {
  #sum = 0;
  #rest = 0;
  add(term: number): void {
    const next = this.#sum + term, taken = next - this.#sum;
    this.#rest += (this.#sum - (next - taken)) + (term - taken);
    this.#sum = next;
  }
  addProduct(a: number, b: number): void {
    const [value, lost] = product(a, b);
    this.add(value);
    this.#rest += lost;
  }
  get value(): number {
    return this.#sum + this.#rest;
  }
}

/**
 * The norm of the gradient of a problem of dense rows with ½‖f‖², with sums and products in twice the precision of
 * doubles and slopes as `slope` gives them: right to about 1e-15 of the longest row.
 */
export function longGradientNorm(
  { rows, signs, lambda, quadratic, linear, loss }: MemoryProblem,
  weights: Float64Array,
): number {
  if (rows.kind !== "dense") throw new TypeError("rows must be dense");
  const { rowCount: n, columnCount: d, values } = rows;
  const sums = Array.from({ length: d }, () => new LongSum());
  for (let i = 0; i < n; i++) {
    const margin = new LongSum();
    for (let j = 0; j < d; j++) margin.addProduct(values[i * d + j]!, weights[j]!);
    const slope = signs[i]! * loss.slope(signs[i]! * margin.value);
    for (let j = 0; j < d; j++) sums[j]!.addProduct(slope, values[i * d + j]!);
  }
  return Math.hypot(...sums.map((sum, j) => {
    const total = new LongSum();
    total.add(sum.value / n);
    total.addProduct(lambda, weights[j]!);
    total.addProduct(quadratic, weights[j]!);
    total.add(linear?.[j] ?? 0);
    return total.value;
  }));
}
