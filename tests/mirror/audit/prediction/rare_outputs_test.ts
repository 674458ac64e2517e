import { assert, assertEquals } from "@std/assert";
import { RareOutputs } from "../../../../lib/audit/prediction/rare_outputs.ts";
import { type Outputs, packOutputs } from "../../../../lib/audit/subjects/outputs.ts";
import { Thrown } from "../../../../lib/audit/subjects/subject.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const valuesOf = (values: readonly unknown[]): Outputs => ({ kind: "values", values });
const none = valuesOf([]);

/** Outputs with rare ones of several kinds among them, the same for equal seeds. */
function outputs(seed: number, count: number): unknown[] {
  const source = new SeededSource(seed);
  return Array.from({ length: count }, () => {
    const u = source.uniform();
    const usual = [source.uniform(), Math.floor(3 * source.uniform())];
    if (u < 0.0005) return new Thrown("no answer");
    if (u < 0.001) return [...usual, 1];
    if (u < 0.0015) return [NaN, 1];
    if (u < 0.002) return [1e5 * u, 1];
    if (u < 0.0025) return [0.125, 1];
    return usual;
  });
}

/** Hits of each cell of a batch, by place. */
function hitsOf(found: RareOutputs, left: Outputs, right: Outputs): Map<number, number[]> {
  const { hits } = found.observe(left, right, 2);
  return new Map(hits.map(({ cell, left, right }) => [cell, [left, right]]));
}

// Mutants: a batch whose own outputs decide which cells they are in; a cell that depends on the side, or on other outputs of its side.
Deno.test("RareOutputs finds each output in the same cell, whichever side it is on and whatever is beside it", () => {
  const all = outputs(2, 12_000);
  const learned = (): RareOutputs => {
    const found = new RareOutputs();
    for (let k = 0; k < 8; k++) {
      found.observe(packOutputs(outputs(10 + k, 2000)), valuesOf(outputs(20 + k, 2000)), 4000);
    }
    return found;
  };
  const one = (values: unknown[], label: 0 | 1): string => {
    const packed = packOutputs(values);
    const hits = label === 0 ? hitsOf(learned(), packed, none) : hitsOf(learned(), none, packed);
    return JSON.stringify([...hits].map(([cell, counts]) => [cell, counts[label]]).sort());
  };
  assert(one(all, 0).length > 20);
  assertEquals(one(all, 0), one(all, 1));
  assertEquals(one(all, 0), one(all.toReversed(), 0));
  // The sum over outputs that are looked at alone, as blocks where they are rows of numbers.
  const alone = new Map<number, number>();
  const isUsual = (value: unknown): boolean =>
    Array.isArray(value) && value.length === 2 && value[0] < 1 && value[0] !== 0.125;
  const rare = all.filter((value) => !isUsual(value)).slice(0, 40);
  for (const value of rare) {
    for (const [cell, [left]] of hitsOf(learned(), packOutputs([value]), none)) {
      alone.set(cell, (alone.get(cell) ?? 0) + left!);
    }
  }
  const together = hitsOf(learned(), valuesOf(rare), none);
  assertEquals(
    [...alone].sort(),
    [...together].map(([cell, [left]]) => [cell, left] as const).sort() as [number, number][],
  );
  assert(alone.size >= 4, JSON.stringify([[...alone], rare.length]));
});

Deno.test("RareOutputs names what rare outputs have in common, and counts them from when they are known", () => {
  const found = new RareOutputs(), source = new SeededSource(5);
  const usual = (count: number): number[] => Array.from({ length: count }, () => source.uniform());
  for (let k = 0; k < 60; k++) {
    const rare = k < 10 ? [] : [0.5, 700];
    found.observe(packOutputs(usual(500)), packOutputs([...usual(500), ...rare]), 1002);
  }
  const named = new Map(found.named.map(({ conditions, left, right }) => [
    conditions.map(({ feature, operator, value }) => `${feature} ${operator} ${value}`).join(
      " and ",
    ),
    [left.hits, right.hits],
  ]));
  assertEquals(named.get("output = 0.5")?.[0], 0);
  assert(named.get("output = 0.5")![1]! >= 46);
  const [far] = [...named].filter(([name]) => /^output > \d/.test(name));
  assert(far !== undefined && far[1]![0] === 0 && far[1]![1]! >= 46, JSON.stringify([...named]));
});
