import { assert, assertEquals, assertThrows } from "@std/assert";
import { openBudget } from "../../../../lib/dp/accounting/budget/budget.ts";
import { largestRho } from "../../../../lib/dp/accounting/composition/zcdp.ts";
import { describeClaim, zcdp } from "../../../../lib/core/mod.ts";
import { addRemoveOne, replaceOne } from "../../../../lib/core/relations/relation.ts";
import {
  adaptiveMarginals,
  type SyntheticRows,
} from "../../../../lib/dp/learners/synthetic/adaptive_marginals.ts";
import type { CodedRow } from "../../../../lib/dp/learners/synthetic/adaptive_rounds.ts";
import { release } from "../../../../lib/dp/mechanisms/release.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

const shape = [3, 4, 2];
/** The second attribute follows from the first, the third is a coin. */
const rows = Array.from({ length: 3000 }, (_, i) => [i % 3, (i % 3) + 1, (i >> 3) & 1]);

function shareThatFollows({ rows }: SyntheticRows): number {
  return rows.filter(([first, second]) => second === first! + 1).length / rows.length;
}

Deno.test("adaptiveMarginals() finds which attributes depend on each other", () => {
  for (const cost of [{ rho: 0.1 }, { epsilon: 1, delta: 1e-6 }, { epsilon: 1 }]) {
    const made = adaptiveMarginals({ shape, relation: addRemoveOne, ...cost });
    const output = made.sample(rows, new SeededSource(41));
    // Independent columns would agree on a quarter of the rows.
    assert(shareThatFollows(output) > 0.95, `${shareThatFollows(output)}`);
    assert(Math.abs(output.rows.length - 3000) < 50 && output.rows.length > 0);
  }
});

Deno.test("adaptiveMarginals() draws as many rows as it is told, or as are public, and any number from none", () => {
  const options = { shape, relation: replaceOne, rho: 0.5 };
  const drawn = (more: { drawn?: number; rowCount?: number }, data: readonly CodedRow[]): number =>
    adaptiveMarginals({ ...options, ...more }).sample(data, new SeededSource(42)).rows.length;
  assertEquals(drawn({ rowCount: 3000 }, rows), 3000);
  assertEquals(drawn({ drawn: 7 }, rows), 7);
  assertEquals(drawn({ drawn: 0 }, []), 0);
  const two = adaptiveMarginals({ ...options, rho: 1e-3 });
  assert(two.sample([], new SeededSource(43)).rows.every((row) => row.length === 3));
});

Deno.test("adaptiveMarginals() claims ε and δ, keeps the ρ that they stand for, and is charged the cheaper", () => {
  const cost = { epsilon: 1, delta: 1e-6 };
  const made = adaptiveMarginals({ shape, relation: addRemoveOne, ...cost });
  const rho = largestRho(cost);
  assertEquals(made.claim.kind, "approximate");
  assertEquals(made.alsoKeeps, [zcdp({ rho, relation: addRemoveOne })]);
  const budget = openBudget(zcdp({ rho, relation: addRemoveOne }));
  release(made, rows.slice(0, 100), { budget });
  assertEquals(describeClaim(budget.remaining), "0-zCDP");
});

Deno.test("adaptiveMarginals() refuses a public number of rows where it is hidden", () => {
  assertThrows(
    () => adaptiveMarginals({ shape, relation: addRemoveOne, rho: 1, rowCount: 10 }),
    RangeError,
    "rowCount must be left out where rows are added or removed",
  );
});
