import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { addRemoveOne, changeEach, replaceOne } from "../../../mod.ts";
import {
  AssertionError,
  assertSensitivity,
  type SensitivityReport,
} from "../../../lib/judge/testing/mod.ts";

const numbers = { rows: { type: "number", min: 0, max: 10 }, size: { min: 1, max: 6 } } as const;
const sum = (rows: readonly number[]): number => rows.reduce((total, row) => total + row, 0);

Deno.test("assertSensitivity() reaches a bound that is tight", () => {
  const report = assertSensitivity(sum, { bound: 10, domain: numbers, relation: replaceOne });
  assertAlmostEquals(report.largest, 10, 1e-12);
  assertEquals(report.pairsTried, 2000);
});

Deno.test("assertSensitivity() throws with a small pair when the bound is too low", () => {
  const error = assertThrows(
    () => assertSensitivity(sum, { bound: 9.99, domain: numbers, relation: replaceOne }),
    AssertionError,
    "at most 9.99 is claimed",
  );
  const { pair, largest } = error.report as SensitivityReport<number>;
  assertEquals(Math.abs(sum(pair.left) - sum(pair.right)), largest);
  assertEquals(pair.left.length, 1);
});

Deno.test("assertSensitivity() finds pairs away from the corners of the domain", () => {
  // Counts rows in (6, 6.5), ten times as much when there are two: the bound 1 holds at all corners.
  const crowd = (rows: readonly number[]): number => {
    const inside = rows.filter((row) => row > 6 && row < 6.5).length;
    return inside < 2 ? inside : 10 * inside;
  };
  const error = assertThrows(
    () => assertSensitivity(crowd, { bound: 1, domain: numbers, relation: replaceOne }),
    AssertionError,
  );
  const { largest, pair } = error.report as SensitivityReport;
  assert(largest >= 10);
  assertEquals(pair.left.length, 2);
});

Deno.test("assertSensitivity() measures vectors in the norm asked for", () => {
  const both = (rows: readonly number[]): number[] => [sum(rows), -sum(rows)];
  const options = { domain: numbers, relation: addRemoveOne };
  const largest = (bound: number, norm: "l1" | "l2" | "max"): number =>
    assertSensitivity(both, { ...options, bound, norm }).largest;
  assertAlmostEquals(largest(20, "l1"), 20, 1e-9);
  assertAlmostEquals(largest(10, "max"), 10, 1e-9);
  assertAlmostEquals(largest(10 * Math.SQRT2, "l2"), 10 * Math.SQRT2, 1e-9);
  assertThrows(
    () => assertSensitivity(both, { ...options, bound: 19, norm: "l1" }),
    AssertionError,
  );
  assertThrows(() => assertSensitivity(both, { ...options, bound: 20 }), RangeError, "norm must");
});

Deno.test("assertSensitivity() takes vectors of other lengths and NaN for infinite changes", () => {
  const options = { bound: 1e300, domain: numbers, norm: "l1" } as const;
  assertThrows(
    () =>
      assertSensitivity((rows) => [...rows as number[]], { ...options, relation: addRemoveOne }),
    AssertionError,
    "Infinity",
  );
  assertThrows(
    () => assertSensitivity(() => NaN, { ...options, relation: replaceOne }),
    AssertionError,
  );
});

Deno.test("assertSensitivity() follows other relations", () => {
  const options = {
    domain: { ...numbers, size: { min: 3, max: 3 } },
    relation: changeEach({ by: 1 }),
  };
  assertAlmostEquals(assertSensitivity(sum, { ...options, bound: 3 }).largest, 3, 1e-9);
  assertThrows(() => assertSensitivity(sum, { ...options, bound: 2.9 }), AssertionError);
});

Deno.test("assertSensitivity() refuses when the domain holds no neighbours", () => {
  const domain = { rows: { type: "category", values: ["a"] }, size: { min: 2, max: 2 } } as const;
  assertThrows(
    () => assertSensitivity(() => 0, { bound: 1, domain, relation: replaceOne }),
    RangeError,
    "two neighbours",
  );
});

const bits = { rows: { type: "boolean" }, size: { min: 1, max: 4 } } as const;
const trues = (data: readonly unknown[]): number => data.filter((row) => row === true).length;

Deno.test("assertSensitivity() takes a relation by its name, and a pair in place of a domain", () => {
  const searched = assertSensitivity(trues, { bound: 1, domain: bits, relation: "replace-one" });
  assertEquals([searched.largest, searched.pair.relation], [1, replaceOne]);
  const pair = { left: [true, false], right: [false, false] };
  const given = assertSensitivity(trues, { bound: 1, relation: "replace-one", pair });
  assertEquals([given.largest, given.pairsTried], [1, 1]);
  const error = assertThrows(
    () => assertSensitivity(trues, { bound: 0.5, relation: "replace-one", pair }),
    AssertionError,
    "changes by 1",
  );
  assert(error.message.includes("[true,false]"));
});

Deno.test("assertSensitivity() refuses unknown options, relations, norms, rows and pairs", () => {
  const right = { bound: 1, domain: bits, relation: "replace-one" };
  const wrong: [Record<string, unknown>, string][] = [
    [{ ...right, sensitivity: 1 }, "sensitivity"],
    [{ ...right, relation: "replace" }, "relation must be a relation, or the name of one"],
    [{ ...right, relation: undefined }, "relation must be given"],
    [{ ...right, norm: "l3" }, "norm must be one of l1, l2, max: current value is l3"],
    [
      { ...right, domain: { rows: { type: "bool" }, size: { min: 1, max: 2 } } },
      "domain.rows.type",
    ],
    [{ ...right, domain: { ...bits, size: { min: 0, max: 0 } } }, "domain.size"],
    [{ bound: 1, relation: "replace-one" }, "domain must be given, or a pair"],
    [{ ...right, pair: { left: [true], right: [true, true] } }, "Cannot make a pair"],
    [{ ...right, bound: -1 }, "bound"],
    [{ ...right, tolerance: -1 }, "tolerance"],
    [{ ...right, pairs: 0 }, "pairs"],
  ];
  for (const [options, message] of wrong) {
    assertThrows(() => assertSensitivity(trues, options as never), RangeError, message);
  }
});
