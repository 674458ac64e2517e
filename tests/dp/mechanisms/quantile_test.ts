import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Dataset, Domain } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import { quantile } from "../../../lib/dp/mechanisms/quantile.ts";
import { rankDistance } from "../../../lib/dp/mechanisms/rank_distance.ts";
import { rational, subtract, toNumber } from "../../../lib/core/numeric/rational.ts";
import { neighbours } from "../../../lib/judge/testing/arbitraries.ts";
import { KEPT } from "./weakened.ts";

const LEVELS = [0, 0.1, 0.25, 0.5, 0.75, 1];
/** Few values, so that many rows are equal. */
const domain: Domain = { rows: { type: "integer", min: 0, max: 4 }, size: { min: 1, max: 9 } };

const made = (
  { level = 0.5, epsilon = 1, relation = replaceOne, upper = 4 }: {
    level?: number;
    epsilon?: number;
    relation?: Relation;
    upper?: number;
  },
): Mechanism<number, number> =>
  quantile({ level, bounds: { lower: 0, upper }, granularity: 1, epsilon, relation });

/** Ranks by their definition, point by point. */
const rankOf = (y: number, rows: Dataset<number>): { below: number; atMost: number } => ({
  below: rows.filter((row) => row < y).length,
  atMost: rows.filter((row) => row <= y).length,
});

type Distance = typeof rankDistance;

/** The most that a distance moves between neighbours, over all candidates: exact fractions. */
function mostMoved(distance: Distance, level: number, relation: Relation): number {
  const share = rational(level);
  let most = rational(0);
  fc.assert(
    fc.property(neighbours<number>(domain, relation), ({ left, right }) => {
      for (let y = -1; y <= 5; y++) {
        const [a, b] = [left, right].map((rows) =>
          distance(rankOf(y, rows), { level: share, rows: rows.length })
        );
        for (const moved of [subtract(a!, b!), subtract(b!, a!)]) {
          if (subtract(moved, most).numerator > 0n) most = moved;
        }
      }
    }),
    { seed: 120, numRuns: 2000 },
  );
  return toNumber(most);
}

/** As rankDistance, but for rows that are equal to the candidate, which count half. */
const halves: Distance = ({ below, atMost }, { level, rows }) => {
  const apart = subtract(rational(below + atMost), rational(2 * rows * toNumber(level)));
  return apart.numerator < 0n ? subtract(rational(0), apart) : apart;
};

Deno.test("rankDistance() moves by its sensitivity between neighbours and no more", () => {
  for (const level of LEVELS) {
    assertEquals(mostMoved(rankDistance, level, replaceOne), 1);
    assertEquals(mostMoved(rankDistance, level, addRemoveOne), Math.max(level, 1 - level));
  }
  // The same test finds that another distance moves by more.
  assertEquals(mostMoved(halves, 0.5, replaceOne), 2);
});

/** Rows at both ends of wide bounds: nearly all points may gain what one loses. */
const ends: Domain = {
  rows: { type: "category", values: [0, 1, 999, 1000] },
  size: { min: 1, max: 9 },
};

/** The largest |ln P/Q| over all outputs of many neighbours, from the whole law. */
function largestLoss(level: number, relation: Relation, epsilon: number): number {
  const mechanism = made({ level, relation, epsilon, upper: 1000 });
  let most = 0;
  fc.assert(
    fc.property(neighbours<number>(ends, relation), ({ left, right }) => {
      const law = mechanism.distribution!(right);
      mechanism.distribution!(left).forEach(({ probability }, i) => {
        most = Math.max(most, Math.abs(Math.log(probability / law[i]!.probability)));
      });
    }),
    { seed: 121, numRuns: 300 },
  );
  return most;
}

Deno.test("quantile() keeps epsilon at every level under both relations, and not with 15% less noise", () => {
  const epsilon = 0.5;
  for (const relation of [replaceOne, addRemoveOne]) {
    for (const level of LEVELS) {
      const at = `at level ${level} under ${relation.name}`;
      const loss = largestLoss(level, relation, epsilon);
      assert(loss <= epsilon * (1 + 1e-9), `${loss} ${at}`);
      const weak = largestLoss(level, relation, epsilon / KEPT);
      // At levels 0 and 1 all ranks move in one direction, which loses half of ε at most.
      assertEquals(weak > epsilon, level > 0 && level < 1, `${weak} ${at}`);
    }
  }
});

Deno.test("quantile() has the law of its definition and sums to 1", () => {
  const rows = Array.from({ length: 101 }, (_, i) => i);
  const law = made({ level: 0.25, upper: 100 }).distribution!(rows);
  assertAlmostEquals(law.reduce((sum, { probability }) => sum + probability, 0), 1, 1e-12);
  const best = law.reduce((a, b) => a.probability >= b.probability ? a : b);
  assertEquals(best.output, 25);
  const weight = (y: number): number => {
    const { below, atMost } = rankOf(y, rows);
    return Math.exp(-0.5 * Math.max(0, below - 0.25 * 101, 0.25 * 101 - atMost));
  };
  law.forEach(({ output, probability }) =>
    assertAlmostEquals(probability / best.probability, weight(output), 1e-12)
  );
});

Deno.test("quantile() finds a value that most rows share, and is within its bound on ranks", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 40 }),
      fc.constantFrom(...LEVELS),
      fc.constantFrom(replaceOne, addRemoveOne),
      (rows, level, relation) => {
        const epsilon = 1,
          beta = 0.05,
          moved = relation === replaceOne ? 1 : Math.max(level, 1 - level);
        const bound = 2 * moved / epsilon * Math.log(5 / beta);
        let beyond = 0, least = Infinity;
        for (const { output, probability } of made({ level, relation }).distribution!(rows)) {
          const { below, atMost } = rankOf(output, rows);
          const distance = Math.max(0, below - level * rows.length, level * rows.length - atMost);
          least = Math.min(least, distance);
          if (distance > bound) beyond += probability;
        }
        assert(least <= 1e-9);
        assert(beyond <= beta, `${beyond} beyond the bound`);
      },
    ),
    { seed: 122, numRuns: 300 },
  );
  // A hundred equal rows: any other point is 50 rows away.
  const law = made({ upper: 128, epsilon: 0.5 }).distribution!(Array<number>(100).fill(37));
  assert(law.find(({ output }) => output === 37)!.probability > 0.999);
});

// Mutants: densities in other units; the last point of a stretch, or the next; points off the grid.
Deno.test("quantile() has densities that are its distribution, and none beside it", () => {
  const bounds = { lower: -1, upper: 2 }, granularity = 0.25;
  for (const relation of [replaceOne, addRemoveOne]) {
    const mechanism = quantile({ level: 0.3, bounds, granularity, epsilon: 1.2, relation });
    for (const rows of [[], [0], [-1, 2], [0.5, 0.5, 1.75, -1], [-5, 9, 0.3]]) {
      const law = mechanism.distribution!(rows);
      assertEquals(
        law.map(({ output }) => output),
        Array.from({ length: 13 }, (_, k) => -1 + k * granularity),
      );
      let total = 0;
      for (const { output, probability } of law) {
        assertAlmostEquals(Math.exp(mechanism.logDensity!(output, rows)), probability, 1e-15);
        total += probability;
      }
      assertAlmostEquals(total, 1, 1e-12);
      for (const none of [-1.25, 2.25, 0.1, -100, 100]) {
        assertEquals(mechanism.logDensity!(none, rows), -Infinity);
      }
    }
    // Rows beyond the bounds count as the bounds.
    assertEquals(mechanism.distribution!([-5, 9, 9]), mechanism.distribution!([-1, 2, 2]));
  }
});
