import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  perceptronCalibration,
  type PerceptronOptions,
  samplePerceptron,
} from "../../../lib/papers/sulq/perceptron.ts";
import { statisticalQueryCalibration } from "../../../lib/papers/sulq/statistical_queries.ts";
import { normalTail } from "../../../lib/core/numeric/normal_tail.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

// P(|N(0, R)| > nτ) ≤ 2·e^(−(nτ)²/2R), so that all T answers are within nτ with probability 1 − failure (union bound).
Deno.test("statisticalQueryCalibration() has the variance at which the tail bound of all answers is the failure", () => {
  for (
    const [queries, tolerance, failure, rowCount] of [[1, 0.1, 0.05, 1000], [500, 0.01, 1e-6, 20], [
      7,
      2,
      0.9,
      1,
    ]] as const
  ) {
    const { variance, queries: asked } = statisticalQueryCalibration(
      { queries, tolerance, failure },
      { rowCount },
    );
    assertEquals(asked, queries);
    const bound = 2 * queries * Math.exp(-((rowCount * tolerance) ** 2) / (2 * variance));
    assertAlmostEquals(bound, failure, 1e-9 * failure);
    // The tail itself is below the bound.
    assert(2 * queries * normalTail(rowCount * tolerance / Math.sqrt(variance)) <= failure);
  }
});

Deno.test("perceptronCalibration() has at least the variance rounds·Δ²/(2ρ), in fractions, and counts rounds·(d + 1) noises", () => {
  for (const rho of [1e-5, 0.3, 7]) {
    // Four times the squared sensitivity: 5/4 in one column, where a row may come to be wrong, and d in more.
    for (
      const [columnCount, rounds, fourfold] of [
        [1, 1, 5n],
        [2, 7, 8n],
        [4, 10, 16n],
        [200, 33, 800n],
      ] as const
    ) {
      const { queries, variance } = perceptronCalibration({ columnCount, rounds, rho });
      assertEquals(queries, rounds * (columnCount + 1));
      const [v, r] = [rational(variance), rational(rho)];
      const left = 8n * v.numerator * r.numerator;
      const right = BigInt(rounds) * fourfold * v.denominator * r.denominator;
      assert(left >= right && left * 10n ** 13n <= right * (10n ** 13n + 1n));
    }
  }
  for (
    const [wrong, name] of [
      [{ columnCount: 0 }, "columnCount"],
      [{ rounds: 0 }, "rounds"],
      [{ rounds: 0.5 }, "rounds"],
      [{ rho: 0 }, "rho"],
      [{ rho: NaN }, "rho"],
      [{ tolerance: -1 }, "tolerance"],
      [{ tolerance: NaN }, "tolerance"],
    ] as const
  ) {
    const right: PerceptronOptions = { columnCount: 1, rounds: 1, rho: 1 };
    assertThrows(
      () => perceptronCalibration({ ...right, ...wrong }),
      RangeError,
      `Cannot learn privately: ${name}`,
    );
  }
});

// Mutants: features not held to [−1, 1]; labels other than −1 and 1 counted; halves asked wrongly.
Deno.test("samplePerceptron() with next to no noise adds the means of label times held features", () => {
  const options = { columnCount: 2, rounds: 1, rho: 1e9 };
  const data = [
    { features: [0.5, -5], label: 1 },
    { features: [9, 0.25], label: -1 },
    { features: [0.5, -9], label: 1 },
    { features: [1, 1], label: 0 },
    { features: [1, 1], label: 7 },
  ];
  const { weights } = samplePerceptron(new SeededSource(4), { ...options, data });
  // Three rows are wrong at first; held: (½, −1), −(1, ¼), (½, −1).
  assertAlmostEquals(weights[0]!, 0, 1e-3);
  assertAlmostEquals(weights[1]!, -2.25 / 3, 1e-3);
  // The default tolerance is two deviations of the noise: far more than five rows here.
  const noisy = samplePerceptron(new SeededSource(4), { ...options, rho: 1e-4, data });
  assertEquals(noisy.weights, [0, 0]);
});

/** The same rounds without noise, written down anew. */
function noiselessPerceptron(
  data: readonly { features: readonly number[]; label: number }[],
  rounds: number,
): number[] {
  const weights = [0, 0];
  const held = data.filter(({ label }) => Math.abs(label) === 1)
    .map(({ features, label }) => features.map((x) => label * (x > 1 ? 1 : x < -1 ? -1 : x)));
  for (let round = 0; round < rounds; round++) {
    const wrong = held.filter((row) => row[0]! * weights[0]! + row[1]! * weights[1]! <= 0);
    if (wrong.length === 0) break;
    for (const j of [0, 1]) {
      weights[j]! += wrong.reduce((sum, row) => sum + row[j]!, 0) / wrong.length;
    }
  }
  return weights;
}

Deno.test("samplePerceptron() with next to no noise is the perceptron on features held to [-1, 1]", () => {
  const random = new SeededSource(5), draw = (size: number) => size * (2 * random.uniform() - 1);
  for (let run = 0; run < 20; run++) {
    const data = Array.from({ length: 30 }, () => ({
      features: [draw(4), draw(4)],
      label: random.uniform() < 0.5 ? 1 : -1,
    }));
    const { weights } = samplePerceptron(new SeededSource(6), {
      columnCount: 2,
      rounds: 8,
      rho: 5e12,
      tolerance: 0.5,
      data,
    });
    noiselessPerceptron(data, 8).forEach((value, j) =>
      assertAlmostEquals(weights[j]!, value, 1e-4)
    );
  }
});

// Counts of 2⁻³⁰ steps are as exact as the noise is small: the edge of the tolerance is between 3 and 4 wrong rows.
Deno.test("samplePerceptron() stops at the default tolerance of two deviations", () => {
  const rows = (n: number) => Array.from({ length: n }, () => ({ features: [1], label: 1 }));
  const options = { columnCount: 1, rounds: 1 };
  let stopped = 0, moved = 0;
  for (let seed = 0; seed < 200; seed++) {
    // R = (5/4)/(2ρ) = 100: two deviations are 20 rows.
    const at = (n: number): number =>
      samplePerceptron(new SeededSource(seed), { ...options, rho: 0.00625, data: rows(n) })
        .weights[0]!;
    if (at(15) === 0) stopped++;
    if (at(25) !== 0) moved++;
  }
  // P(N > ½) = .31 of either kind: 138 are expected, with a deviation of 6.5.
  assert(Math.abs(stopped - 138) < 33 && Math.abs(moved - 138) < 33, `${stopped} ${moved}`);
});
