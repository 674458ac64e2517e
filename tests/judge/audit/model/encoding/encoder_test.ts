import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { encoderOf } from "../../../../../lib/judge/audit/model/encoding/encoder.ts";
import { packOutputs } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { Thrown } from "../../../../../lib/judge/audit/kernel/subject.ts";

const leaf = fc.oneof(
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("a", "b", "3 and 4", ""),
  fc.constantFrom(new Thrown("broken"), new Thrown("a")),
);
const anyOutput = fc.oneof(
  { weight: 2, arbitrary: leaf },
  fc.array(fc.double(), { minLength: 2, maxLength: 3 }),
  fc.array(fc.double(), { minLength: 2, maxLength: 3 }).map((row) => Float64Array.from(row)),
  fc.array(leaf, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("a", "b", "c"), leaf, { maxKeys: 3 }),
);
/** Batches that pack into blocks are likely too. */
const batch = fc.oneof(
  fc.array(anyOutput, { minLength: 1, maxLength: 6 }),
  fc.array(fc.double(), { minLength: 1, maxLength: 6 }),
  fc.array(fc.tuple(fc.double(), fc.double()), { minLength: 1, maxLength: 6 }),
);

// A bet on a batch is a product over its outputs only if each is encoded on its own. Mutant: typed
// arrays are recognised in blocks but not among other outputs.
Deno.test("encode() encodes an output in the same way whatever the rest of its batch", () => {
  fc.assert(
    fc.property(fc.array(batch, { minLength: 1, maxLength: 3 }), batch, (before, outputs) => {
      const encoder = encoderOf(before.map(packOutputs));
      const width = encoder.columns.length;
      const together = encoder.encode(packOutputs(outputs));
      const apart = outputs.map((output) => encoder.encode(packOutputs([output])));
      assertEquals(together.length, outputs.length * width);
      apart.forEach((row, i) =>
        assertEquals(together.slice(i * width, (i + 1) * width), row.slice(), `output ${i}`)
      );
    }),
    { seed: 1, numRuns: 2000 },
  );
});
