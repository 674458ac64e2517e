import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { changeEach } from "../../../lib/core/relations/relation.ts";
import { baseTwoExponential } from "../../../lib/dp/mechanisms/base_two_exponential.ts";
import {
  exponentialMechanism,
  type SelectionOptions,
} from "../../../lib/dp/mechanisms/exponential_mechanism.ts";
import { permuteAndFlip } from "../../../lib/dp/mechanisms/permute_and_flip.ts";
import { reportNoisyMax } from "../../../lib/dp/mechanisms/report_noisy_max.ts";
import { divide, rational, subtract, toNumber } from "../../../lib/core/numeric/rational.ts";
import { floatExponential } from "../../../lib/core/random/float_exponential.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { chiSquarePValue } from "../../core/random/chi_square.ts";
import { exactLog } from "./exact_log.ts";
import { breachOfDraws } from "../../../lib/judge/testing/laws/stated_laws.ts";

type Options = SelectionOptions<number, unknown>;
type Selection = Mechanism<number, unknown>;

const options: Options = {
  candidates: [0, 1, 2],
  utilities: (rows) => rows,
  epsilon: 1,
  sensitivity: 3,
  monotone: false,
  relation: changeEach({ by: 3 }),
};

const FACTORIES: Readonly<Record<string, (options: Options) => Selection>> = {
  exponential: exponentialMechanism,
  flip: permuteAndFlip,
  "base 2": (options) => baseTwoExponential({ ...options, granularity: 0.5, bits: 12 }),
  "noisy max": (options) => reportNoisyMax({ ...options, noise: "laplace", granularity: 0.5 }),
  gumbel: (options) => reportNoisyMax({ ...options, noise: "gumbel" }),
};

const chances = (mechanism: Selection, data: readonly number[]): number[] =>
  mechanism.distribution!(data).map(({ probability }) => probability);

// Mutants: draws at another rate than is stated; a candidate that is always taken; a weight more for the first.
Deno.test("selections draw with the probabilities they state, for any sensitivity, monotone or not", () => {
  for (const [k, make] of Object.values(FACTORIES).entries()) {
    for (const monotone of [false, true]) {
      for (const [j, [epsilon, sensitivity]] of [[1, 1], [0.7, 3], [1.7, 0.5]].entries()) {
        const changed = { epsilon: epsilon!, sensitivity: sensitivity!, monotone };
        const mechanism = make({ ...options, ...changed });
        const source = new SeededSource(1631).split(10 * k + j);
        const data = [0, sensitivity!, 2 * sensitivity!];
        const outputs = Array.from({ length: 6000 }, () => mechanism.sample(data, source));
        assertEquals(
          breachOfDraws(mechanism as Mechanism, { data: data, drawn: outputs }),
          undefined,
        );
        // Twice ε without monotone utilities is ε with them.
        const twice = make({ ...options, ...changed, epsilon: 2 * epsilon!, monotone: false });
        if (monotone) assertEquals(chances(mechanism, data), chances(twice, data));
      }
    }
  }
});

/** P(X = k) of the discrete Laplace law, and P(X < k). */
function laplaceMass(k: number, scale: number): number {
  return Math.tanh(1 / (2 * scale)) * Math.exp(-Math.abs(k) / scale);
}
function laplaceBelow(k: number, scale: number): number {
  const tail = (k: number): number => Math.exp(-k / scale) / (1 + Math.exp(-1 / scale));
  return k > 0 ? 1 - tail(k) : tail(1 - k);
}

// Mutants: noise for another sensitivity; a sum that stops where a far candidate would win; ties to the last.
Deno.test("reportNoisyMax() with Laplace noise has the law of its definition, for far candidates too", () => {
  for (const [epsilon, monotone] of [[1.3, false], [1.3, true], [9, false], [14, true]] as const) {
    const granularity = 0.5, steps = 6;
    const scale = steps * (monotone ? 1 : 2) / epsilon;
    const make = FACTORIES["noisy max"]!({ ...options, epsilon, monotone });
    const far = 0.5 * Math.ceil(150 * scale);
    for (const data of [[0, 1, 2.5], [2, 2, 2], [0, far, 1], [far, 0, 0], [-far, 0.5, far]]) {
      const at = data.map((value) => Math.round(value / granularity));
      const law = chances(make, data);
      at.forEach((own, i) => {
        let sum = 0;
        for (let value = Math.min(...at) - 900; value <= Math.max(...at) + 900; value++) {
          // Candidates before must be below, those after may tie.
          sum += at.reduce(
            (product, other, j) =>
              j === i ? product : product * laplaceBelow(value - other + (j < i ? 0 : 1), scale),
            laplaceMass(value - own, scale),
          );
        }
        assertAlmostEquals(law[i]! / sum, 1, 1e-9, `${i} of ${data} at ${epsilon}`);
      });
    }
  }
});

/** The numerator of the base of a base-2 mechanism, read off its law. */
function numeratorOf(changed: { epsilon: number; bits: number; monotone?: boolean }): bigint {
  const mechanism = baseTwoExponential({
    ...options,
    candidates: [0, 1],
    sensitivity: 1,
    granularity: 1,
    ...changed,
  });
  const [less, more] = chances(mechanism, [0, 1]);
  return BigInt(Math.round(2 ** changed.bits * less! / more!));
}

// Mutants: the nearest double in place of the next; a bit less.
Deno.test("baseTwoExponential() loses at most its share of ε a step, in exact fractions, and hardly less", () => {
  for (const bits of [1, 20, 48]) {
    for (let k = 1; k <= 400; k++) {
      const monotone = k % 2 === 0, epsilon = bits === 1 ? 2 + k / 50 : 0.37 + k / 40;
      const numerator = numeratorOf({ epsilon, bits, monotone });
      const allowed = divide(rational(epsilon), rational(monotone ? 1 : 2));
      const loss = exactLog(rational(2n ** BigInt(bits), numerator));
      assert(subtract(allowed, loss).numerator >= 0n, `${epsilon} at ${bits} bits`);
      // One less would lose more, but for a quarter that covers the rounding of the exponential.
      if (numerator === 1n) continue;
      const more = exactLog(rational(4n * 2n ** BigInt(bits), 4n * numerator - 5n));
      assert(toNumber(subtract(more, allowed)) >= 0, `${epsilon} at ${bits} bits wastes`);
    }
  }
});

// Mutant: a weight more, or less, for the first.
Deno.test("baseTwoExponential() draws the law of a base of one bit, 1/2", () => {
  const mechanism = baseTwoExponential({
    ...options,
    epsilon: 1.4,
    sensitivity: 1,
    granularity: 1,
    bits: 1,
  });
  const law = chances(mechanism, [0, 1, 2]);
  [1, 2, 4].forEach((weight, i) => assertAlmostEquals(law[i]!, weight / 7, 1e-15));
  const source = new SeededSource(1632);
  const outputs = Array.from({ length: 6000 }, () => mechanism.sample([0, 1, 2], source));
  assertEquals(
    breachOfDraws(mechanism as Mechanism, { data: [0, 1, 2], drawn: outputs }),
    undefined,
  );
});

const small: Options = { ...options, sensitivity: 1, relation: changeEach({ by: 1 }) };

Deno.test("exponentialMechanism() weighs by exp(epsilon u / 2Δ), by exp(epsilon u / Δ) when monotone", () => {
  const weights = [0, 1, 2].map((u) => Math.exp(u / 2));
  const total = weights.reduce((a, b) => a + b);
  chances(exponentialMechanism(small), [0, 1, 2]).forEach((p, i) =>
    assertAlmostEquals(p, weights[i]! / total, 1e-14)
  );
  assertEquals(
    chances(exponentialMechanism({ ...small, monotone: true }), [0, 1, 2]),
    chances(exponentialMechanism({ ...small, epsilon: 2 }), [0, 1, 2]),
  );
});

Deno.test("permuteAndFlip() has the law of noisy max with exponential noise", () => {
  // False-alarm rate 1e-6.
  const data = [0, 1, 2.5], draws = 100_000;
  const noise = floatExponential(new SeededSource(84), new Float64Array(3 * draws), { scale: 2 });
  const counts = [0, 0, 0];
  for (let i = 0; i < draws; i++) {
    const noisy = data.map((utility, j) => utility + noise[3 * i + j]!);
    counts[noisy.indexOf(Math.max(...noisy))]!++;
  }
  const expected = chances(permuteAndFlip(small), data).map((p) => p * draws);
  assert(chiSquarePValue(counts, expected) > 1e-6);
  assertEquals(
    chances(reportNoisyMax({ ...small, noise: "exponential" }), data),
    chances(permuteAndFlip(small), data),
  );
});
