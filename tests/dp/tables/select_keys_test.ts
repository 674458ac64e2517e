import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import { expEnclosure } from "../../../lib/core/numeric/exp_enclosure.ts";
import {
  add,
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
} from "../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { table } from "../../../lib/dp/tables/mod.ts";
import {
  askedKeys,
  keyPrice,
  laplaceRule,
  optimalRule,
} from "../../../lib/dp/tables/select_keys.ts";
import { neighbours, reading, viewOf } from "./tables_of_rows.ts";

const BITS = 256;
const one = rational(1);
const least = (left: Rational, right: Rational): boolean =>
  left.numerator * right.denominator <= right.numerator * left.denominator;

/** e^−ε between two fractions. */
function shrinking(epsilon: number): { lower: Rational; upper: Rational } {
  const { lower, upper } = expEnclosure(rational(epsilon), BITS);
  return {
    lower: { numerator: lower, denominator: 1n << BigInt(BITS) },
    upper: { numerator: upper, denominator: 1n << BigInt(BITS) },
  };
}

const prices = fc.record({
  epsilon: fc.double({ min: Math.log(1e-3), max: Math.log(20), noNaN: true }).map(Math.exp),
  delta: fc.double({ min: Math.log(1e-15), max: Math.log(0.5), noNaN: true }).map(Math.exp),
});

// In fractions, with e^−ε enclosed. Mutants: no margin; δ left out of one of the two lines.
Deno.test("the optimal rule keeps (ε, δ) exactly between a number of units and one more, and no larger probability would", () => {
  fc.assert(
    fc.property(prices, ({ epsilon, delta }) => {
      const { probability } = optimalRule({ epsilon, delta }),
        q = shrinking(epsilon).upper,
        d = rational(delta);
      for (let units = 0; units < 60; units++) {
        const [before, after] = [rational(probability(units)), rational(probability(units + 1))];
        // q·(P(n + 1) − δ) ≤ P(n) and q·(1 − P(n) − δ) ≤ 1 − P(n + 1); the other two follow, for it does not fall.
        assert(least(multiply(q, subtract(after, d)), before), `${units}`);
        assert(
          least(multiply(q, subtract(subtract(one, before), d)), subtract(one, after)),
          `${units}`,
        );
        assert(least(before, after));
        const [p, next] = [probability(units), probability(units + 1)];
        const best = Math.min(
          Math.exp(epsilon) * p + delta,
          1 - Math.exp(-epsilon) * (1 - p - delta),
          1,
        );
        assert(next >= best * (1 - 2 ** -40) - 2 ** -45, `${units}`);
      }
    }),
    { numRuns: 300, seed: 5 },
  );
});

// P(X ≥ t) = q^t/(1 + q) for q = e^−ε, t ≥ 1. Mutant: a threshold one lower.
Deno.test("the Laplace rule chooses a key of one unit with a probability of at most δ, and one threshold lower with more", () => {
  fc.assert(
    fc.property(prices, ({ epsilon, delta }) => {
      const { threshold } = laplaceRule({ epsilon, delta }), q = shrinking(epsilon);
      // Of threshold − 1: how far noise must reach for one unit.
      const tail = (t: number, at: "lower" | "upper"): Rational => {
        const { lower, upper } = expEnclosure(multiply(rational(epsilon), rational(t)), BITS + 64);
        const power = {
          numerator: at === "upper" ? upper : lower,
          denominator: 1n << BigInt(BITS + 64),
        };
        return divide(power, add(one, at === "upper" ? q.lower : q.upper));
      };
      assert(least(tail(threshold - 1, "upper"), rational(delta)));
      if (threshold > 2) assert(!least(tail(threshold - 2, "lower"), rational(delta * (1 - 1e-8))));
    }),
    { numRuns: 300, seed: 6 },
  );
});

Deno.test("the optimal rule chooses every number of units at least as often as the Laplace rule", () => {
  fc.assert(
    fc.property(prices, (price) => {
      const optimal = optimalRule(price), laplace = laplaceRule(price);
      for (let units = 0; units < 200; units++) {
        assert(optimal.probability(units) >= laplace.probability(units) * (1 - 1e-9), `${units}`);
      }
    }),
    { numRuns: 200, seed: 7 },
  );
});

/** Σ max(0, P(S) − e^ε·Q(S)) over all sets S of keys: the δ that is needed. */
function deltaBetween(left: readonly number[], right: readonly number[], epsilon: number): number {
  let sum = 0;
  for (let set = 0; set < 2 ** left.length; set++) {
    const chance = (of: readonly number[]): number =>
      of.reduce((product, p, i) => product * (set >> i & 1 ? p : 1 - p), 1);
    sum += Math.max(0, chance(left) - Math.exp(epsilon) * chance(right));
  }
  return sum;
}

// Mutants: the price of one key for all; of a person who is replaced that of one who is added; rows counted in place of persons.
Deno.test("selectKeys() keeps (ε, δ) between neighbouring tables, and needs nearly all of δ between some", () => {
  const most = { optimal: 0, laplace: 0 }, delta = 0.05, epsilon = 0.8;
  fc.assert(
    fc.property(
      neighbours,
      fc.constantFrom("optimal" as const, "laplace" as const),
      fc.nat(),
      (pair, rule, seed) => {
        const counted = [pair.left, pair.right].map((rows) => {
          const asked = askedKeys(viewOf(pair), {
            column: "group",
            bounds: pair.bounds,
            epsilon,
            delta,
            rule,
          });
          assertEquals(
            asked.claim,
            { kind: "approximate", epsilon, delta, relation: asked.claim.relation } as never,
          );
          return reading(asked, rows, new SeededSource(seed));
        });
        const keys = [...new Set(counted.flatMap(({ units }) => [...units.keys()]))];
        const [left, right] = counted.map(({ units, rule }) =>
          keys.map((key) => rule.probability(units.get(key) ?? 0))
        );
        const needed = deltaBetween(left!, right!, epsilon);
        assert(needed <= delta * (1 + 1e-9), `${needed}`);
        most[rule] = Math.max(most[rule], needed);
      },
    ),
    { numRuns: 1500, seed: 8 },
  );
  assert(Math.min(most.optimal, most.laplace) > 0.6 * delta, `${JSON.stringify(most)}`);
});

Deno.test("keyPrice() makes two steps of a person who is replaced out of what one may cost", () => {
  fc.assert(fc.property(prices, fc.integer({ min: 1, max: 9 }), ({ epsilon, delta }, groups) => {
    const step = keyPrice({ epsilon, delta }, { groups, addRemove: false });
    assert(2 * groups * step.epsilon <= epsilon);
    assert(groups * step.delta * (1 + Math.exp(groups * step.epsilon)) <= delta);
    const added = keyPrice({ epsilon, delta }, { groups, addRemove: true });
    assert(groups * added.epsilon <= epsilon && groups * added.delta <= delta);
  }));
});

Deno.test("selectKeys() finds keys that many have, and groups by them", async () => {
  const rows = Array.from(
    { length: 3000 },
    (_, i) => ({ city: i % 3 === 0 ? `alone ${i}` : ["Rome", "Oslo"][i % 2] }),
  );
  const survey = table(rows, {
    columns: { city: { type: "text" } },
    unit: "row",
    relation: addRemoveOne,
    budget: { epsilon: 10, delta: 1e-5 },
  });
  for (const rule of ["optimal", "laplace"] as const) {
    // A key that one row has comes in with a probability of 1e-9, and there are a thousand.
    const city = await survey.selectKeys("city", { epsilon: 1, delta: 1e-9, rule });
    assertEquals(city, ["Oslo", "Rome"]);
    const counts = await survey.groupBy("city", { keys: { city } }).count({ epsilon: 2 });
    for (const { value } of counts.rows) assert(Math.abs(value - 1000) < 60);
  }
  assertEquals(
    (await survey.groupBy("city", { keys: { city: [] } }).count({ epsilon: 1 })).rows,
    [],
  );
  await assertRejects(
    () => survey.selectKeys("city", { epsilon: 1, delta: 0, rule: "optimal" }),
    RangeError,
    "delta must be in (0, 1)",
  );
  await assertRejects(
    () => survey.selectKeys("city", { epsilon: 1, delta: 1e-6, rule: "best" as never }),
    RangeError,
    "rule must be",
  );
  const replaced = table(rows, {
    columns: { city: { type: "text" } },
    unit: "row",
    relation: replaceOne,
    budget: { epsilon: 1 },
  });
  await assertRejects(
    () => replaced.selectKeys("city", { epsilon: 1, delta: 1e-9, rule: "optimal" }),
    TypeError,
    "Cannot spend",
  );
});
