import { assert, assertEquals } from "@std/assert";
import { FeatureValues } from "../../../../lib/audit/encoding/feature_values.ts";
import { conditionOf } from "../../../../lib/audit/partition/middle_condition.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

function thresholdOf(values: readonly number[]): number | undefined {
  return conditionOf(new FeatureValues(Float64Array.from(values)), 1)?.threshold;
}

const repeated = (value: number, times: number): number[] => Array(times).fill(value);

Deno.test("conditionOf() divides a column in the middle, with few digits", () => {
  const source = new SeededSource(32);
  const uniform = Array.from({ length: 20_000 }, () => source.uniform());
  assertEquals(thresholdOf(uniform), 0.5);
  assertEquals(thresholdOf(uniform.map((x) => x - 0.47)), 0);
  assertEquals(thresholdOf(uniform.map((x) => 300 + 1e-4 * x)), 300.00005);
  // A small denormal has no shorter number beside it.
  const tiny = thresholdOf(uniform.map((x) => Math.floor(40 * x) * Number.MIN_VALUE))!;
  assert(tiny >= 17 * Number.MIN_VALUE && tiny < 23 * Number.MIN_VALUE);
});

// Mutants: a repeated middle always above, always below; NaN counted as above.
Deno.test("conditionOf() puts a value that repeats on the side that makes both more even", () => {
  assertEquals(thresholdOf([...repeated(0, 70), ...repeated(5, 30)]), 0);
  const below = thresholdOf([...repeated(-5, 30), ...repeated(0, 60), ...repeated(3, 10)])!;
  assert(below >= -5 && below < 0, `${below}`);
  assertEquals(thresholdOf([...repeated(-1, 50), ...repeated(1, 50)]), 0);
  assertEquals(thresholdOf([...repeated(NaN, 80), ...repeated(1, 20)]), undefined);
  assertEquals(thresholdOf([...repeated(NaN, 80), ...repeated(1, 10), ...repeated(2, 10)]), 1.5);
});

Deno.test("conditionOf() has none for a column that is the same nearly always", () => {
  assertEquals(thresholdOf(repeated(3, 100)), undefined);
  assertEquals(thresholdOf(repeated(NaN, 100)), undefined);
  assertEquals(thresholdOf([...repeated(3, 1000), 4]), undefined);
  assertEquals(thresholdOf([...repeated(3, 1000), 2]), undefined);
});

// Mutant: the share of the values that are present, in place of all.
Deno.test("conditionOf() has none for a column of which nearly all values are missing", () => {
  const half = [...repeated(0, 50), ...repeated(1, 50)];
  assertEquals(thresholdOf([...half, ...repeated(NaN, 9900)]), undefined);
  assert(thresholdOf([...half, ...repeated(NaN, 900)]) !== undefined);
});
