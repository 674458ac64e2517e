import { assert, assertEquals } from "@std/assert";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { seedPairs } from "../../../lib/judge/audit/search/seed_pairs.ts";

// Mutants: the second move among high rows left out; a place in the middle of them left out; one at the centre left to the end.
Deno.test("rows of vectors are set against each other among low rows and high ones first, soon at the centre, and later in the middle", () => {
  const pairs = seedPairs({
    domain: {
      rows: { type: "vector", length: 3, of: { type: "number", min: 0, max: 1 } },
      size: { min: 3, max: 3 },
    },
    relation: replaceOne,
  }).map(({ left, right }) => JSON.stringify([left, right]));
  const low = "[0,0,0]", high = "[1,1,1]", centre = 0.5;
  const placeOf = (left: readonly string[], right: readonly string[]): number =>
    pairs.indexOf(`[[${left}],[${right}]]`);
  assertEquals(placeOf(["[0,1,1]", low, low], ["[1,0,0]", low, low]), 1);
  assertEquals(placeOf(["[0,1,1]", high, high], ["[1,0,0]", high, high]), 2);
  const soon = placeOf([`[0,${centre},${centre}]`, low, low], [`[${centre},0,0]`, low, low]);
  assert(soon > 2 && soon < 10, `${soon}`);
  const later = placeOf([high, "[0,1,1]", high], [high, "[1,0,0]", high]);
  assert(later > soon && later < 50, `${later}`);
});
