import fc from "fast-check";

/** An ε from 0.001 to 3. */
export const epsilons: fc.Arbitrary<number> = fc.double({ min: 1e-3, max: 3, noNaN: true });

/** A slack or δ from 1e-12 to 0.1, evenly by its logarithm. */
export const slacks: fc.Arbitrary<number> = fc.double({ min: -12, max: -1, noNaN: true })
  .map((exponent) => 10 ** exponent);

/** An ε and a small δ, sometimes 0. */
export const parameters: fc.Arbitrary<{ epsilon: number; delta: number }> = fc.record({
  epsilon: epsilons,
  delta: fc.oneof(fc.constant(0), slacks.map((slack) => slack / 10)),
});
