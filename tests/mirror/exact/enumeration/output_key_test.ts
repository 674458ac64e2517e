import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { outputKey } from "../../../../lib/exact/enumeration/output_key.ts";
import { requireOutputKeys } from "../../../../proofs/checks/path_refusals.ts";

// Mutants: −0 and 0 as one; a text that reads as a number; keys in the order in which they were written.
Deno.test("outputKey() is the same for equal outputs only, and refuses what cannot be compared", () => {
  requireOutputKeys();
});

// Mutant: an order of names that depends on how the object was written.
Deno.test("outputKey() of an object does not depend on the order of its names", () => {
  const names = fc.uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 14 });
  fc.assert(
    fc.property(names, fc.infiniteStream(fc.nat()), (names, lots) => {
      const place = new Map(names.map((name) => [name, lots.next().value]));
      const other = names.toSorted((a, b) => place.get(a)! - place.get(b)!);
      const of = (order: readonly string[]): string =>
        outputKey(Object.fromEntries(order.map((name) => [name, place.get(name)])));
      assertEquals(of(other), of(names));
    }),
    { seed: 2614, numRuns: 200 },
  );
});
