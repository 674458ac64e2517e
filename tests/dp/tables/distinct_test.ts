import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { preparedDistinct } from "../../../lib/dp/tables/distinct.ts";
import { largestMatching } from "../../../lib/dp/tables/matching.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { table } from "../../../lib/dp/tables/mod.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { neighbours, reading, viewOf } from "./tables_of_rows.ts";

type Rule = (valuesOf: readonly (readonly number[])[], most: number) => number;

const VALUES = 3;
/** What a person may have: every set of three values. */
const SETS = Array.from(
  { length: 2 ** VALUES },
  (_, bits) =>
    Array.from({ length: VALUES }, (_, value) => value).filter((value) => bits >> value & 1),
);

const matched: Rule = (valuesOf, most) => largestMatching(valuesOf, { valueCount: VALUES, most });

/** Each value counts for the first person who has it, and of each person at most so many. */
const first: Rule = (valuesOf, most) => {
  const seen = new Set<number>();
  return valuesOf.reduce((sum, values) => {
    const own = values.filter((value) => !seen.has(value));
    for (const value of own) seen.add(value);
    return sum + Math.min(own.length, most);
  }, 0);
};

/** By trying everything: of each person every choice of at most so many values. */
const tried: Rule = (valuesOf, most) => {
  const best = (person: number, used: number): number => {
    if (person === valuesOf.length) return 0;
    return Math.max(
      ...SETS.filter((chosen) =>
        chosen.length <= most &&
        chosen.every((value) => valuesOf[person]!.includes(value) && !(used >> value & 1))
      )
        .map((chosen) =>
          chosen.length + best(person + 1, chosen.reduce((bits, value) => bits | 1 << value, used))
        ),
    );
  };
  return best(0, 0);
};

/** The most that one person moves a rule by: added to any three others, at any place. */
function moved(rule: Rule, most: number): number {
  let largest = 0;
  for (const a of SETS) {
    for (const b of SETS) {
      for (const c of SETS) {
        const without = rule([a, b, c], most);
        for (const one of SETS) {
          for (const people of [[one, a, b, c], [a, one, b, c], [a, b, one, c], [a, b, c, one]]) {
            largest = Math.max(largest, Math.abs(rule(people, most) - without));
          }
        }
      }
    }
  }
  return largest;
}

Deno.test("no person moves the largest matching by more than their values, and counting values for whom has them first is moved by more", () => {
  assertEquals([1, 2, 3].map((most) => moved(matched, most)), [1, 2, 3]);
  // Three with a value each count three; one who comes first and has all of them leaves one.
  assertEquals(moved(first, 1), 2);
});

Deno.test("largestMatching() is the largest that trying everything finds", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...SETS), { maxLength: 5 }),
      fc.integer({ min: 1, max: 3 }),
      (valuesOf, most) => {
        assertEquals(matched(valuesOf, most), tried(valuesOf, most));
      },
    ),
    { numRuns: 2000, seed: 3 },
  );
  // Long chains: each person but the last has two values, and each but the first only the one that another took.
  const chain = Array.from({ length: 2000 }, (_, i) => i === 0 ? [0] : [i - 1, i]).reverse();
  assertEquals(largestMatching(chain, { valueCount: 2000, most: 1 }), 2000);
});

Deno.test("distinct() moves between neighbours by what its noise is scaled to, and sometimes by all of it", async () => {
  const attained = new Map<string, number>();
  await fc.assert(
    fc.property(neighbours, fc.integer({ min: 1, max: 3 }), (pair, values) => {
      const byPerson = pair.schema.unit !== "row", most = byPerson ? values : 1;
      const [left, right] = [pair.left, pair.right].map((rows) => {
        const asked = preparedDistinct(viewOf(pair), "group", { epsilon: 1, values: most });
        return reading(asked, rows, new SeededSource(0)).total[0]!;
      });
      const change = Math.abs(left! - right!);
      assert(change <= most);
      const key = `${byPerson} ${pair.schema.relation.name} ${most}`;
      attained.set(key, Math.max(attained.get(key) ?? 0, change / most));
    }),
    { numRuns: 3000, seed: 4 },
  );
  assertEquals([...attained.values()], new Array(8).fill(1));
});

Deno.test("distinct() counts values of rows, and values that persons can stand for", async () => {
  const rows = ["ax", "ay", "az", "by", "c"].map(([who, what]) => ({ who, what }));
  const columns = { what: { type: "text" } } as const,
    budget = { epsilon: 1e9 },
    relation = replaceOne;
  const persons = table(rows, { columns, unit: { person: "who" }, relation, budget });
  const value = async (values: number): Promise<number> =>
    (await persons.distinct("what", { epsilon: 1e6, values })).rows[0]!.value;
  assertEquals([await value(1), await value(2), await value(3)], [2, 3, 3]);
  const byRow = table(rows, { columns, unit: "row", relation, budget });
  assertEquals((await byRow.distinct("what", { epsilon: 1e6 })).rows[0]!.value, 3);
});
