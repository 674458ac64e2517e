import { assert, assertThrows } from "@std/assert";
import { fourierPlan } from "../../../lib/numeric/fft.ts";

/** Numbers that look arbitrary: the fractional parts of multiples of the golden ratio. */
function arbitrary(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, i) => ((i + 1) * 0.6180339887498949) % 1 - 0.4);
}

function bitReversed(index: number, size: number): number {
  let reversed = 0;
  for (let bit = 1; bit < size; bit <<= 1) reversed = (reversed << 1) | (index & bit ? 1 : 0);
  return reversed;
}

// Mutants: a wrong root of unity in any octant; natural instead of bit-reversed order.
Deno.test("forward() is the defining sum within its stated error when the size is a power of two", () => {
  for (const size of [1, 2, 4, 8, 64, 512]) {
    const input = arbitrary(size);
    const total = input.reduce((sum, value) => sum + Math.abs(value), 0);
    const plan = fourierPlan(size), real = input.slice(), imaginary = new Float64Array(size);
    plan.forward(real, imaginary);
    for (let k = 0; k < size; k++) {
      let re = 0, im = 0;
      for (let j = 0; j < size; j++) {
        const angle = (-2 * Math.PI * ((j * k) % size)) / size;
        re += input[j]! * Math.cos(angle);
        im += input[j]! * Math.sin(angle);
      }
      const at = bitReversed(k, size);
      // The direct sum is itself off by less than 1e-15 for each term.
      const error = (plan.relativeError + 1e-15) * total + 1e-15;
      assert(Math.hypot(real[at]! - re, imaginary[at]! - im) <= error);
    }
  }
});

// Mutant: leaving out the factor 1/size.
Deno.test("inverse() undoes forward() within the stated error when the size is large", () => {
  const size = 2 ** 14, plan = fourierPlan(size);
  const input = arbitrary(size), real = input.slice(), imaginary = new Float64Array(size);
  plan.forward(real, imaginary);
  plan.inverse(real, imaginary);
  const total = input.reduce((sum, value) => sum + Math.abs(value), 0);
  for (let i = 0; i < size; i++) {
    assert(Math.abs(real[i]! - input[i]!) <= 2 * plan.relativeError * total);
    assert(Math.abs(real[i]! - input[i]!) <= 1e-13);
  }
});

Deno.test("fourierPlan() throws when the size is not a power of two", () => {
  for (const size of [0, 3, -4, 2.5, NaN]) {
    assertThrows(() => fourierPlan(size), RangeError, "size must be a power of two");
  }
});
