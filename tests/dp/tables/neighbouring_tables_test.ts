import { assert, assertEquals } from "@std/assert";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import { randomInteger } from "../../../lib/core/random/random_integer.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { type Asked, askedOf, type Request } from "../../../lib/dp/tables/ask.ts";
import type { Row } from "../../../lib/dp/schema/cells.ts";
import { combinedKeys, ONE_GROUP } from "../../../lib/dp/tables/keys.ts";
import { checkSchema } from "../../../lib/dp/tables/schema.ts";
import { longTest } from "../../long.ts";

const source = new SeededSource("neighbouring tables");
const below = (most: number): number => randomInteger(source, { below: most });
const one = <T>(values: readonly T[]): T => values[below(values.length)]!;

/** Cells that are in order, and cells that are not. */
const PERSONS = ["p", "q", 1, "1", "", null, {}, NaN];
const GROUPS = ["a", "b", "", "__proto__", 0, "c", undefined, [], Symbol.iterator];
const NUMBERS = [
  0,
  -0,
  1,
  0.1,
  3,
  -3,
  1e308,
  -Infinity,
  NaN,
  null,
  "0.5",
  "x",
  "1e999",
  10n ** 30n,
];

const rowOf = (person: unknown): Row =>
  below(40) === 0 && person === undefined
    ? null as never
    : { who: person === undefined ? one(PERSONS) : person, g: one(GROUPS), x: one(NUMBERS) };

const rowsOf = (most: number, person?: unknown): Row[] =>
  Array.from({ length: below(most) }, () => rowOf(person));

/** One list within the other, in any places. */
function mixedIn(rows: readonly Row[], more: readonly Row[]): Row[] {
  const mixed = [...rows];
  for (const row of more) mixed.splice(below(mixed.length + 1), 0, row);
  return mixed;
}

/** The totals of all measures, read with one choice of rows of persons. */
function totalsOf({ open, totals }: Asked, rows: readonly Row[], key: number): number[][] {
  const reader = open({ uint32: () => key } as never);
  for (const row of rows) reader.take(row);
  reader.end();
  return totals.map((total) => [...total]);
}

/** Largest share of the sensitivity that noise is scaled to, by question, relation and unit, by which totals of two neighbours differ. */
function largestShares(rounds: number): Map<string, number> {
  const shares = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const ofPersons = below(2) === 0, isAdded = below(2) === 0;
    const lower = one([0, -1, -5, 0.3, -1e100, 10]);
    const upper = lower + one([1, 5, 0.1, 2e100]);
    const missing = below(3) === 0 ? { missing: lower } : {};
    const schema = checkSchema({
      columns: {
        g: { type: "category", values: ["a", "b", "", "__proto__", 0] },
        x: { type: "number", lower, upper: upper > lower ? upper : lower + 1e100, ...missing },
      },
      unit: ofPersons ? { person: "who" } : "row",
      relation: isAdded ? addRemoveOne : replaceOne,
      rowCountIsPublic: !ofPersons && !isAdded && below(2) === 0,
      budget: { epsilon: 1 },
    });
    const bounds = ofPersons
      ? { groups: 1 + below(3), rows: 1 + below(3) }
      : { groups: 1, rows: 1 };
    const others = rowsOf(12),
      left = isAdded ? [] : ofPersons ? rowsOf(9, "z") : [rowOf(undefined)];
    const right = ofPersons ? rowsOf(9, one(["z", "y"])) : [rowOf(undefined)];
    if (isAdded && ofPersons && right.length === 0) continue;
    const pair = ofPersons
      ? [mixedIn(others, left), mixedIn(others, right)]
      : [[...others, ...left], [...others, ...right]];
    const keys = one([ONE_GROUP, combinedKeys(schema, ["g"], {})]), key = source.uint32();
    const requests: readonly Request[] = [
      { what: "count" },
      ...(["sum", "mean", "variance"] as const).map((what) => ({ what, column: "x" })),
    ];
    for (const request of requests) {
      for (const cost of [{ epsilon: one([0.1, 1, 100]) }, { rho: one([0.01, 1]) }]) {
        const asked = askedOf({ schema, bounds }, keys, { ...request, cost });
        const [a, b] = pair.map((rows) => totalsOf(asked, rows, key)) as [number[][], number[][]];
        asked.noisy.forEach(({ mechanism }, i) => {
          const moved = a[i]!.map((total, k) => Math.abs(total - b[i]![k]!));
          const size = "epsilon" in cost
            ? moved.reduce((sum, each) => sum + each, 0)
            : Math.hypot(...moved);
          const name = [request.what, i, ...Object.keys(cost), isAdded, ofPersons].join(" ");
          const share = size / mechanism.grid.sensitivityInSteps;
          shares.set(name, Math.max(shares.get(name) ?? 0, share));
        });
      }
    }
  }
  return shares;
}

// Mutants: noise for one group where a row that is replaced is in two; for one row of a person; for units that change groups alone.
function checkShares(rounds: number): void {
  const shares = largestShares(rounds);
  const above = [...shares].filter(([, share]) => share > 1 + 1e-12);
  assertEquals(above, []);
  // A search that never comes near the sensitivity shows nothing.
  const near = [...shares.values()].filter((share) => share > 0.6).length;
  assert(near > 0.8 * shares.size, `${near} of ${shares.size}`);
}

Deno.test("totals of neighbouring tables differ by what noise is scaled to, at most", () => {
  checkShares(1500);
});

longTest("totals of many neighbouring tables differ by what noise is scaled to, at most", () => {
  checkShares(200_000);
});
