import { assert, assertEquals } from "@std/assert";
import { SeededSource } from "../../../lib/random/seeded_source.ts";
import { BoundedContributions } from "../../../lib/tables/contributions.ts";

/** How often each value of a row is kept, over many keys. */
function shares(
  rows: readonly (readonly [group: number, value: number])[],
  bounds: { groups: number; rows: number },
): Map<number, number> {
  const source = new SeededSource("contributions"), runs = 4000, counts = new Map<number, number>();
  for (let run = 0; run < runs; run++) {
    const kept = new BoundedContributions({ bounds, key: source.uint32() });
    for (const [group, value] of rows) kept.add("p", group, { groupHash: group, values: [value] });
    kept.forEach((_, [value]) => counts.set(value!, (counts.get(value!) ?? 0) + 1 / runs));
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
