import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { addRemoveOne, replaceOne } from "../../../lib/core/relation.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";
import { combinedKeys, ONE_GROUP } from "../../../lib/tables/keys.ts";
import { table } from "../../../lib/tables/mod.ts";
import { askedQuantiles } from "../../../lib/tables/quantiles.ts";
import { neighbours, viewOf } from "./tables_of_rows.ts";

/** Numbers that must be added to and removed from one list to make it the other, whatever their order. */
function edits(left: readonly number[], right: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of left) counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const value of right) counts.set(value, (counts.get(value) ?? 0) - 1);
  return counts.values().reduce((sum, count) => sum + Math.abs(count), 0);
}

// The mechanism itself keeps ε′ for one number more or less, or another in its place: its sweeps show it. Mutants: ε not split among levels, groups
// of a person, or rows; a row that is left out taken for one that is replaced.
Deno.test("quantiles pay for all numbers by which neighbouring tables differ, and for no more", async () => {
  const epsilon = 0.8, levels = [0.25, 0.5, 1], attained = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(neighbours, fc.boolean(), fc.nat(), async (pair, grouped, seed) => {
      const [left, right] = await Promise.all([pair.left, pair.right].map(async (rows) => {
        const view = viewOf(rows, pair);
        const keys = grouped ? combinedKeys(view.schema, ["group"], {}) : ONE_GROUP;
        const asked = askedQuantiles(view, {
          keys,
          column: "number",
          levels,
          epsilon,
          bounds: pair.bounds,
        });
        await asked.gather(new SeededSource(seed));
        return asked;
      }));
      let steps = left!.numbers.reduce(
        (sum, numbers, group) => sum + edits(numbers, right!.numbers[group]!),
        0,
      );
      if (left!.relation === replaceOne) {
        // As many numbers on both sides, so that each that differs is another in its place.
        assertEquals(
          left!.numbers.map(({ length }) => length),
          right!.numbers.map(({ length }) => length),
        );
        steps /= 2;
      }
      const share = steps * levels.length * left!.each / epsilon;
      assert(share <= 1, `${share}`);
      const key = `${typeof pair.schema.unit} ${pair.schema.relation.name} ${
        left!.relation.name
      } ${grouped}`;
      attained.set(key, Math.max(attained.get(key) ?? 0, share));
    }),
    { numRuns: 1500, seed: 9 },
  );
  assertEquals(attained.size, 9);
  assertEquals([...attained].filter(([, share]) => share < 1 - 1e-12), []);
});

const rows = Array.from(
  { length: 400 },
  (_, i) => ({ sex: i % 4 === 0 ? "m" : "f", age: i % 100 }),
);
const columns = {
  sex: { type: "category", values: ["f", "m"] },
  age: { type: "number", lower: 0, upper: 128 },
} as const;

Deno.test("quantiles rise with their levels and are within the rows that they say", async () => {
  const survey = table(rows, {
    columns,
    unit: "row",
    relation: addRemoveOne,
    budget: { epsilon: 1e9 },
  });
  const { rows: answers } = await survey.quantiles("age", {
    levels: [0.9, 0.1, 0.5],
    epsilon: 1e5,
  });
  assertEquals(answers.map(({ key }) => key), [["0.1"], ["0.5"], ["0.9"]]);
  answers.forEach(({ value }, i) =>
    assert(Math.abs(value - [9.5, 49.5, 89.5][i]!) <= 0.5, `${value}`)
  );
  const medians = await survey.groupBy("sex").median("age", { epsilon: 10 });
  assertEquals(medians.rows.map(({ key }) => key), [["f", "0.5"], ["m", "0.5"]]);
  assert(medians.toString().includes("within"));
  assertEquals(medians.toCSV().split("\n")[0], "sex,level,quantile,within");
});

Deno.test("quantiles are further off than they say in at most 5% of 1,000 runs", async () => {
  const schema = { columns, unit: "row", relation: addRemoveOne, budget: { epsilon: 1 } } as const,
    bounds = { groups: 1, rows: 1 };
  const view = viewOf(rows as never, { schema, bounds });
  const asked = askedQuantiles(view, {
    keys: ONE_GROUP,
    column: "age",
    levels: [0.5],
    epsilon: 0.5,
    bounds,
  });
  const source = new SeededSource("within");
  await asked.gather(source);
  let beyond = 0;
  for (let i = 0; i < 1000; i++) {
    const [{ value, within }] = asked.draw(source).rows as never as [
      { value: number; within: number },
    ];
    const below = rows.filter(({ age }) => age < value).length,
      atMost = rows.filter(({ age }) => age <= value).length;
    if (below > 200 + within || atMost < 200 - within) beyond++;
  }
  assert(beyond <= 50, `${beyond}`);
});

Deno.test("quantiles refuse levels and persons without bounds", async () => {
  const survey = table(rows, {
    columns,
    unit: { person: "sex" },
    relation: replaceOne,
    budget: { epsilon: 1 },
  });
  await assertRejects(() => survey.median("age", { epsilon: 1 }), RangeError, "boundContributions");
  const bounded = survey.boundContributions({ groups: 1, rows: 2 });
  await assertRejects(
    () => bounded.quantiles("age", { levels: [2], epsilon: 1 }),
    RangeError,
    "level",
  );
  await assertRejects(
    () => bounded.quantiles("age", { levels: [], epsilon: 1 }),
    RangeError,
    "levels must not be empty",
  );
  await assertRejects(
    () => bounded.quantiles("sex", { levels: [0.5], epsilon: 1 }),
    RangeError,
    "column of numbers",
  );
});
