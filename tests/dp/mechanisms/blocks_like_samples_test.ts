import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  kAryRandomisedResponse,
  randomisedResponse,
} from "../../../lib/dp/mechanisms/randomised_response.ts";
import { rappor } from "../../../lib/dp/mechanisms/rappor.ts";
import { unaryEncoding } from "../../../lib/dp/mechanisms/unary_encoding.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

// Mutants: a block whose first or last bit is never drawn.
Deno.test("reports of bits in blocks are those of one after the other in the same stream", () => {
  const encoding = unaryEncoding({
    epsilon: 0.1,
    categories: ["a", "b", "c"],
    variant: "optimised",
  });
  const report = rappor({ bits: 8, hashes: 2, forget: 0.9 });
  for (const mechanism of [encoding, report]) {
    const one = new SeededSource(7), many = new SeededSource(7);
    const row = ["b" as const];
    const single = Array.from({ length: 40 }, () => mechanism.sample(row, one)).flat();
    assertEquals([...mechanism.sampleMany!(row, 40, many)], single);
  }
});

// Mutants: rows that are looked up before they are checked.
Deno.test("answers row by row are given to rows that are categories, one or many at a time", () => {
  const domain = { size: { min: 1, max: 3 }, rows: { type: "integer", min: 0, max: 2 } } as const;
  const answers = kAryRandomisedResponse<number>({ epsilon: 1, categories: [0, 1, 2], domain });
  const source = new SeededSource(8);
  for (const row of [3, -1, NaN]) {
    assertThrows(() => answers.sample([0, row], source), RangeError, "rows must be categories");
    assertThrows(
      () => answers.sampleMany!([row], 5, source),
      RangeError,
      "rows must be categories",
    );
  }
  const some = answers.sampleMany!([0, 1], 3, source);
  assertEquals(some.length, 9);
  assertEquals(
    [...some].map(Number.isNaN),
    [2, 5, 8].reduce((all, at) => (all[at] = true, all), Array(9).fill(false)),
  );
  assert(
    randomisedResponse({
      epsilon: 1,
      domain: { size: { min: 1, max: 64 }, rows: { type: "boolean" } },
    }).width === 64,
  );
});
