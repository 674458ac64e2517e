import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { PureClaim } from "../../../lib/core/claims/claim.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { discreteLaplace } from "../../../lib/core/random/discrete_laplace.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { combinedKeys, ONE_GROUP } from "../../../lib/dp/tables/keys.ts";
import { table } from "../../../lib/dp/tables/mod.ts";
import { CellCounts } from "../../../lib/dp/tables/cell_counts.ts";
import { NoisyTree, type TreeShape, treeShape } from "../../../lib/dp/tables/noisy_tree.ts";
import {
  type AskedQuantiles,
  askedQuantiles,
  type QuantileOptions,
} from "../../../lib/dp/tables/quantiles.ts";
import { LONG } from "../../long.ts";
import { neighbours, reading, viewOf } from "./tables_of_rows.ts";

/** Numbers that must be added to and removed from one list to make it the other, whatever their order. */
function edits(left: Float64Array, right: Float64Array): number {
  const counts = new Map<number, number>();
  for (const value of left) counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const value of right) counts.set(value, (counts.get(value) ?? 0) - 1);
  return counts.values().reduce((sum, count) => sum + Math.abs(count), 0);
}

/** How often each number of a list occurs, by a name. */
function countsOf(numbers: Float64Array, name: (number: number) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const number of numbers) counts.set(name(number), (counts.get(name(number)) ?? 0) + 1);
  return counts;
}

/** The changes of weighted counts of all nodes of a tree. */
function changes({ spans, weights }: TreeShape, left: Float64Array, right: Float64Array): number[] {
  return spans.flatMap((span, level) => {
    const name = (cell: number): string => String(Math.floor(cell / span));
    const [a, b] = [countsOf(left, name), countsOf(right, name)];
    return [...new Set([...a.keys(), ...b.keys()])].map((node) =>
      weights[level]! * Math.abs((a.get(node) ?? 0) - (b.get(node) ?? 0))
    );
  });
}

// The exponential mechanism keeps ε′ for one number more or less, or another in its place: its sweeps show it. A tree adds noise that is scaled to what weighted
// counts of nodes change by. Mutants: ε not split among groups of a person, or rows; a row that is left out taken for one that is replaced; weights of one level
// left out of the sensitivity; nodes that a replaced row enters left out.
Deno.test("quantiles pay for all numbers by which neighbouring tables differ, and for no more", () => {
  const attained = new Map<string, number>();
  fc.assert(
    fc.property(
      neighbours,
      fc.boolean(),
      fc.constantFrom("one", "many", "rho"),
      fc.nat(),
      (pair, grouped, way, seed) => {
        const [left, right] = [pair.left, pair.right].map((rows) => {
          const view = viewOf(pair);
          const keys = grouped ? combinedKeys(view.schema, ["group"], {}) : ONE_GROUP;
          const asked = askedQuantiles(view, {
            keys,
            column: "number",
            levels: way === "many" ? [0.25, 0.5, 1] : [0.5],
            ...(way === "rho" ? { rho: 0.5 } : { epsilon: 0.8 }),
            bounds: pair.bounds,
          });
          return reading(asked, rows, new SeededSource(seed));
        });
        const { by } = left!;
        const [cells, others] = [left!, right!].map(({ counts }) =>
          counts.map((each) => each.rows())
        );
        let share: number;
        if (by.kind === "one level") {
          let steps = cells!.reduce((sum, list, i) => sum + edits(list, others![i]!), 0);
          if (by.mechanism.claim.relation === replaceOne) {
            // As many numbers on both sides, so that each that differs is another in its place.
            assertEquals(
              cells!.map(({ length }) => length),
              others!.map(({ length }) => length),
            );
            steps /= 2;
          }
          share = steps * (by.mechanism.claim as PureClaim).epsilon / 0.8;
        } else {
          const moved = cells!.flatMap((list, i) => changes(by.shape, list, others![i]!));
          share = way === "rho"
            ? Math.hypot(...moved) / by.sensitivity.l2
            : moved.reduce((sum, change) => sum + change, 0) / by.sensitivity.l1;
        }
        assert(share <= 1 + 1e-12, `${share}`);
        const key = `${way} ${typeof pair.schema.unit} ${pair.schema.relation.name} ${grouped}`;
        attained.set(key, Math.max(attained.get(key) ?? 0, share));
      },
    ),
    { numRuns: 2000, seed: 9 },
  );
  assertEquals(attained.size, 3 * 2 * 2 * 2);
  assertEquals([...attained].filter(([, share]) => share < 1 - 1e-12), []);
});

function countsOfCells(cells: readonly number[]): CellCounts {
  const counts = new CellCounts();
  for (const cell of cells) counts.add(cell);
  counts.settle();
  return counts;
}

// Mutants: equal cells of two blocks counted once, and rows before a block forgotten.
Deno.test("CellCounts counts rows in cells, whatever their order and number", () => {
  const source = new SeededSource(3);
  const cells = Array.from({ length: 200_000 }, (_, i) => source.uint32() % (i < 9 ? 9 : 1000));
  const counts = countsOfCells(cells), sorted = Float64Array.from(cells).sort();
  assertEquals(counts.rows(), sorted);
  for (const cell of [-1, 0, 1, 8, 500, 999, 1000]) {
    assertEquals(counts.below(cell), cells.filter((each) => each < cell).length);
  }
  assertEquals([countsOfCells([]).rows().length, countsOfCells([]).below(7)], [0, 0]);
});

// Mutants: noise of a level not divided by its weight, or by that of another.
Deno.test("a tree divides noise by the weights of counts, and keeps what it drew", () => {
  const shape = treeShape(64), law = discreteLaplace({ scale: rational(1) });
  assertEquals(shape, { spans: [16, 1], weights: [8, 5], top: 4 });
  const tree = new NoisyTree({
    shape,
    // Noise 40 in the last child of each node.
    law: { ...law, fill: (_, out) => out.fill(40, -1) },
    counts: countsOfCells([0, 1, 20, 63]),
    source: new SeededSource(1),
  });
  // Four rows and 40/8.
  assertEquals(tree.size, 9);
  // The first node has 2 rows, and its children 2 and 40/5: each has half a row too much.
  for (const [threshold, cell] of [[0.5, 0], [0.51, 1], [1, 1], [1.01, 15], [2.5, 31]] as const) {
    assertEquals(tree.find("first", (rows) => rows < threshold), cell, `${threshold}`);
  }
});

const rows = Array.from(
  { length: 400 },
  (_, i) => ({ sex: i % 4 === 0 ? "m" : "f", age: i % 100 }),
);
const columns = {
  sex: { type: "category", values: ["f", "m"] },
  age: { type: "number", lower: 0, upper: 128 },
} as const;

/** Quantiles of the ages above, read and ready to be drawn. */
function gathered(
  given: QuantileOptions,
): { asked: AskedQuantiles; source: SeededSource } {
  const schema = { columns, unit: "row", relation: addRemoveOne, budget: { epsilon: 1 } } as const,
    bounds = { groups: 1, rows: 1 };
  const view = viewOf({ schema, bounds });
  const asked = askedQuantiles(view, { ...given, keys: ONE_GROUP, column: "age", bounds });
  const source = new SeededSource("quantiles");
  return { asked: reading(asked, rows, source), source };
}

// Mutant: a count to which noise is added that was divided before.
Deno.test("of a tree nothing is seen but whole numbers with noise, to the last bit", () => {
  const shape = treeShape(2 ** 12), law = discreteLaplace({ scale: rational(1) });
  const sizes = (count: number, noise: number): number[] =>
    [1, 2, 3, 5, 7].map((weight) => {
      const tree = new NoisyTree({
        shape: { ...shape, weights: shape.weights.map(() => weight) },
        law: { ...law, fill: (_, out) => out.fill(0).fill(noise - weight * count, 0, 1) },
        counts: countsOfCells(new Array(count).fill(0)),
        source: new SeededSource(1),
      });
      return tree.size;
    });
  for (let noise = 1; noise < 200; noise++) {
    for (const count of [1, 3, 10, 1000]) assertEquals(sizes(count, noise), sizes(0, noise));
  }
});

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
  const medians = await survey.groupBy("sex").quantiles("age", { levels: [0.5], epsilon: 10 });
  assertEquals(medians.rows.map(({ key }) => key), [["f", "0.5"], ["m", "0.5"]]);
  assert(medians.toString().includes("within"));
  assertEquals(medians.toCSV().split("\n")[0], "sex,level,quantile,within");
});

Deno.test("a median is further off than it says in at most 5% of 1,000 runs", () => {
  const { asked, source } = gathered({ levels: [0.5], epsilon: 0.5 });
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

// Mutants: ends that leave no room for noise, and noise that is drawn anew where a node is read again.
Deno.test("intervals of quantiles miss in at most 5% of runs, and rise with their levels", () => {
  const levels = [0, 0.25, 0.5, 0.9, 1];
  for (const cost of [{ epsilon: 1 }, { rho: 0.5 }]) {
    const { asked, source } = gathered({ levels, ...cost });
    const missed = levels.map(() => 0), runs = LONG ? 10_000 : 200;
    for (let i = 0; i < runs; i++) {
      let last = -Infinity;
      asked.draw(source).rows.forEach(({ value, lower, upper }, k) => {
        assert(lower! <= value && value <= upper! && value >= last, `${lower} ${value} ${upper}`);
        last = value;
        const below = rows.filter(({ age }) => age < lower!).length,
          atMost = rows.filter(({ age }) => age <= upper!).length;
        // No number from lower to upper is the quantile.
        if (below > levels[k]! * 400 || atMost < levels[k]! * 400) missed[k]!++;
      });
    }
    assert(missed.every((count) => count <= 0.05 * runs), `${missed}`);
  }
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

// Mutants: ends of the rank that was asked for; half of the rows that a draw may be off; sides exchanged.
Deno.test("the interval of a median holds it at least as often as it says, however few rows there are", () => {
  for (const relation of [addRemoveOne, replaceOne]) {
    for (const [size, epsilon] of [[2000, 1], [300, 0.5], [6, 1]] as const) {
      const view = viewOf({
        schema: {
          columns: {
            group: { type: "category", values: ["a", "b"] },
            number: { type: "number", lower: 0, upper: 100, step: 1 },
          },
          unit: "row",
          relation,
          budget: { epsilon: 1 },
        },
        bounds: { groups: 1, rows: 1 },
      });
      const asked = askedQuantiles(view, {
        keys: ONE_GROUP,
        column: "number",
        levels: [0.5],
        interval: true,
        epsilon,
        bounds: { groups: 1, rows: 1 },
      });
      const numbers = Array.from({ length: size }, (_, i) => (37 * i) % 83);
      const rows = numbers.map((number) => ({ group: "a", number, person: null }));
      const answers = reading(asked, rows, new SeededSource(0));
      const sorted = numbers.toSorted((a, b) => a - b);
      const truth = [sorted[Math.ceil(size / 2) - 1]!, sorted[Math.floor(size / 2)]!];
      const source = new SeededSource("coverage of medians");
      let hits = 0, narrow = 0;
      for (let run = 0; run < 400; run++) {
        const { lower, upper } = answers.draw(source).rows[0]!;
        if (lower! <= truth[1]! && truth[0]! <= upper!) hits++;
        if (upper! - lower! < 50) narrow++;
      }
      // P(fewer than 365 of 400) is 0.0003 where 95% hold.
      assert(hits >= 365, `${relation.name}, ${size} rows: ${hits}`);
      if (size === 2000) assert(narrow > 200, `${relation.name}, ${size} rows: ${narrow}`);
    }
  }
});
