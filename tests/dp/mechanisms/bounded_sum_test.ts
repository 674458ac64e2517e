import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import { boundedMean, boundedSum } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { count } from "../../../lib/dp/mechanisms/count.ts";
import { exactSum, minusSum, plusInteger } from "../../../lib/dp/mechanisms/exact_sum.ts";
import { multiply, rational, subtract } from "../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const BOUNDS = [[-2, 3], [-3, 2], [1, 4], [-5, -1], [0, 2], [-4, 0]] as const;

// Mutants: the sensitivity of the other relation; an end of the bounds, or its sign, left out.
Deno.test("boundedSum() loses exactly ε at the worst rows, under either relation and any bounds", () => {
  const epsilon = 0.75, granularity = 1;
  for (const [lower, upper] of BOUNDS) {
    const worst = (
      relation: Relation,
      left: readonly number[],
      right: readonly number[],
    ): number => {
      const { logDensity } = boundedSum({
        bounds: { lower, upper },
        epsilon,
        granularity,
        relation,
      });
      return Math.max(...Array.from({ length: 81 }, (_, k) => {
        const output = k - 40;
        return Math.abs(logDensity!(output, left) - logDensity!(output, right));
      }));
    };
    // Rows beyond the bounds count as the bounds.
    assertAlmostEquals(worst(replaceOne, [1, lower - 9], [1, upper + 9]), epsilon, 1e-9);
    const ends = [lower, upper].map((end) => worst(addRemoveOne, [1, end], [1]));
    assertAlmostEquals(Math.max(...ends), epsilon, 1e-9);
  }
});

/** P(k) of the discrete Laplace law, ∝ e^(−|k|/scale). */
function laplaceMass(k: number, scale: number): number {
  return Math.tanh(1 / (2 * scale)) * Math.exp(-Math.abs(k) / scale);
}

/** The law of a bounded mean from its definition: noise on the sum, in steps, and on the size. */
function meanLaw(
  rows: readonly number[],
  { lower, upper, epsilon, removed, granularity = 1 }: {
    lower: number;
    upper: number;
    epsilon: number;
    removed: boolean;
    granularity?: number;
  },
): Map<number, number> {
  const inSteps = (row: number): number =>
    Math.round(Math.min(upper, Math.max(lower, row)) / granularity);
  const least = inSteps(lower), most = inSteps(upper);
  const centre = removed ? Math.round((least + most) / 2) : 0;
  const move = removed ? Math.max(most - centre, centre - least) : most - least;
  const share = removed ? epsilon / 2 : epsilon;
  const law = new Map<number, number>();
  const sum = rows.reduce((sum, row) => sum + inSteps(row) - centre, 0);
  for (let a = -120; a <= 120; a++) {
    for (let b = removed ? -60 : 0; b <= (removed ? 60 : 0); b++) {
      const mass = laplaceMass(a, move / share) * (removed ? laplaceMass(b, 1 / share) : 1);
      const mean = (centre + (sum + a) / Math.max(1, rows.length + b)) * granularity;
      const output = Math.min(upper, Math.max(lower, mean)) + 0;
      law.set(output, (law.get(output) ?? 0) + mass);
    }
  }
  return law;
}

// Mutants: the noise of the other relation; half the noise; sums not centred; a size without its noise.
Deno.test("boundedMean() has the law of its definition, in its densities and in its draws", () => {
  const epsilon = 3, granularity = 1, count = 4000;
  for (const [k, [lower, upper]] of BOUNDS.entries()) {
    for (const relation of [replaceOne, addRemoveOne]) {
      const mechanism = boundedMean({ bounds: { lower, upper }, epsilon, granularity, relation });
      for (const rows of [[lower], [upper + 5, lower, 1], [0, upper, upper, lower - 1]]) {
        const removed = relation === addRemoveOne;
        const law = meanLaw(rows, { lower, upper, epsilon, removed });
        let total = 0;
        for (const [output, mass] of law) {
          total += mass;
          if (mass > 1e-9) {
            assertAlmostEquals(Math.exp(mechanism.logDensity!(output, rows)) / mass, 1, 1e-6);
          }
        }
        assertAlmostEquals(total, 1, 1e-9);
        assertEquals(mechanism.logDensity!(lower + 0.123456, rows), -Infinity);
        const drawn = mechanism.sampleMany!(rows, count, new SeededSource(1514).split(k));
        for (const output of drawn) assert(law.has(output), `${output} cannot be drawn`);
        for (const end of [lower, upper]) {
          const mass = law.get(end)!;
          const share = drawn.filter((output) => output === end).length / count;
          // |z| ≤ 5.5 in 72 comparisons: false alarm 3e-6.
          assertAlmostEquals(share, mass, 5.5 * Math.sqrt(mass * (1 - mass) / count));
        }
      }
    }
  }
});

// Mutants: a part of the sum lost, or counted twice, where doubles end.
Deno.test("exactSum() is the sum of whole numbers, however many and however large", () => {
  const integer = fc.oneof(
    fc.integer({ min: -10, max: 10 }),
    fc.integer({ min: -(2 ** 52), max: 2 ** 52 }),
    fc.constantFrom(2 ** 52, -(2 ** 52), 2 ** 52 - 1),
  );
  fc.assert(
    fc.property(fc.array(integer, { maxLength: 40 }), integer, (integers, other) => {
      const sum = exactSum(integers),
        exact = integers.reduce((sum, each) => sum + BigInt(each), 0n);
      assertEquals(BigInt(sum), exact);
      const small = exact >= -(2n ** 53n) && exact <= 2n ** 53n;
      if (small) assertEquals(typeof sum, "number");
      assertEquals(plusInteger(sum, other), Number(exact + BigInt(other)));
      assertEquals(minusSum(other, sum), Number(BigInt(other) - exact));
    }),
    { seed: 1515, numRuns: 1000 },
  );
});

// Mutants: ends of the bounds in other units, or taken to be on the grid; sizes between whole numbers.
Deno.test("boundedMean() has the law of its definition where bounds are off the grid and sizes large", () => {
  for (
    const [lower, upper, granularity, epsilon] of [
      [-1.375, 2.375, 0.5, 3],
      [0.3, 7.7, 2, 2.9],
      [-2.2, -0.7, 0.25, 5.3],
    ] as const
  ) {
    for (const relation of [replaceOne, addRemoveOne]) {
      const mechanism = boundedMean({ bounds: { lower, upper }, epsilon, granularity, relation });
      const rows = Array.from({ length: 45 }, (_, i) => lower + (upper - lower) * (i % 7) / 6);
      for (const data of [rows.slice(0, 2), rows]) {
        const removed = relation === addRemoveOne;
        const law = meanLaw(data, { lower, upper, epsilon, removed, granularity });
        for (const [output, mass] of law) {
          if (mass < 1e-9) continue;
          assertAlmostEquals(Math.exp(mechanism.logDensity!(output, data)) / mass, 1, 1e-6);
        }
      }
    }
  }
});

// Mutant: ε²/4 to the nearest double.
Deno.test("boundedMean() of a private number of rows claims a ρ that exact fractions do not exceed", () => {
  for (const epsilon of [0.1, 0.3, 0.7, 1.1, 1.3, 1.7, 3.3]) {
    const options = { bounds: { lower: 0, upper: 1 }, granularity: 1, relation: addRemoveOne };
    const [claim] = boundedMean({ ...options, epsilon }).alsoKeeps!;
    assert(claim?.kind === "zcdp");
    const exact = multiply(multiply(rational(epsilon), rational(epsilon)), rational(1, 4));
    assert(subtract(rational(claim.rho), exact).numerator >= 0n);
    assertAlmostEquals(claim.rho / (epsilon ** 2 / 4), 1, 1e-15);
  }
});

Deno.test("boundedMean() has one zero, whatever sign the bounds give theirs", () => {
  const options = { bounds: { lower: -1, upper: -0 }, epsilon: 1, granularity: 1 };
  for (const relation of [replaceOne, addRemoveOne]) {
    const mechanism = boundedMean({ ...options, relation });
    const drawn = mechanism.sampleMany!([0], 100, new SeededSource(1516));
    assert(drawn.includes(0) && !drawn.some((output) => Object.is(output, -0)));
  }
});

Deno.test("count() counts the rows that satisfy its predicate", () => {
  // At ε = 1000 the chance of any noise is below e^−990.
  const positive = count<number>({ where: (row) => row > 0, epsilon: 1000, relation: replaceOne });
  for (const [rows, exact] of [[[], 0], [[-1], 0], [[3, -1, 4, 1], 3]] as const) {
    assertEquals(positive.sample(rows, new SeededSource(1517)), exact);
  }
});
