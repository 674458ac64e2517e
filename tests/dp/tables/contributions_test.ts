import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { BoundedContributions, hashOfText } from "../../../lib/dp/tables/contributions.ts";
import { KeyIndex } from "../../../lib/dp/tables/engine/key_index.ts";

/** How often each value of a row is kept, over many keys. */
function shares(
  rows: readonly (readonly [group: number, value: number])[],
  bounds: { groups: number; rows: number },
): Map<number, number> {
  const source = new SeededSource("contributions"), runs = 4000, counts = new Map<number, number>();
  for (let run = 0; run < runs; run++) {
    const kept = new BoundedContributions({
      bounds,
      width: 1,
      hashOf: () => source.uint32(),
    });
    for (const [group, value] of rows) kept.add(0, group, { groupHash: group, values: [value] });
    kept.forEach((_, { 0: value }) => counts.set(value!, (counts.get(value!) ?? 0) + 1 / runs));
  }
  return counts;
}

// 4,000 runs: a share of a half is off by more than 0.04 with a probability below 1e-6. Mutants: the first that come; groups by how often they come.
Deno.test("BoundedContributions keeps each group, and each row of a group, equally often", () => {
  const even = (counts: Map<number, number>, values: number, share: number): void => {
    assertEquals(counts.size, values);
    for (const each of counts.values()) assert(Math.abs(each - share) < 0.04, `${[...counts]}`);
  };
  // Group 0 has ten rows, the others one.
  const many = [...Array(10).fill([0, 0]), [1, 1], [2, 2], [3, 3], ...Array(10).fill([0, 0])] as [
    number,
    number,
  ][];
  even(shares(many, { groups: 2, rows: 1 }), 4, 1 / 2);
  even(shares([1, 2, 3, 4, 5, 6].map((value) => [0, value]), { groups: 1, rows: 2 }), 6, 1 / 3);
});

/** Halves of a pair that are no texts by themselves, and one that is longer than what is written at once. */
const names = ["", "a", "\ud800", "\ud801", "é".repeat(40_000), "b"];

// Mutants: a hash of the place of a person and not of its text; rows of a group that was dropped kept.
Deno.test("BoundedContributions keeps of many persons what it keeps of each alone, and no more than is allowed", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(5), fc.nat(4), fc.nat(99)), { maxLength: 60 }),
      fc.record({ groups: fc.integer({ min: 1, max: 3 }), rows: fc.integer({ min: 1, max: 3 }) }),
      fc.nat(),
      (rows, bounds, key) => {
        const keptOf = (some: typeof rows): string[] => {
          // Persons have numbers in the order in which they come.
          const index = new KeyIndex();
          const kept = new BoundedContributions({
            bounds,
            width: 2,
            hashOf: (person) => hashOfText(index.textAt(person), key),
          });
          const out: string[] = [];
          for (const [person, group, value] of some) {
            kept.add(index.add(names[person]!), group, {
              groupHash: group,
              values: [person, value],
            });
          }
          kept.forEach((group, { 0: person, 1: value }) => out.push(`${person} ${group} ${value}`));
          return out.sort();
        };
        const all = keptOf(rows);
        const alone = [0, 1, 2, 3, 4, 5].flatMap((person) =>
          keptOf(rows.filter(([who]) => who === person))
        );
        assertEquals(all, alone.sort());
        const pairs = Map.groupBy(all, (line) => line.split(" ").slice(0, 2).join(" "));
        assert([...pairs.values()].every(({ length }) => length <= bounds.rows));
        const groups = Map.groupBy(pairs.keys(), (pair) => pair.split(" ")[0]);
        assert([...groups.values()].every(({ length }) => length <= bounds.groups));
        // All of them where there are no more.
        if (rows.length <= Math.min(bounds.groups, bounds.rows)) {
          assertEquals(all.length, rows.length);
        }
      },
    ),
    { numRuns: 200, seed: 10 },
  );
});
