import { assert, assertEquals, assertThrows } from "@std/assert";
import type { DiscreteLaw } from "../../../lib/core/discrete_law.ts";
import { replaceOne } from "../../../lib/core/relation.ts";
import type { Source } from "../../../lib/core/source.ts";
import { paddedBlocks } from "../../../lib/mechanisms/padded_blocks.ts";
import { randomisedResponse } from "../../../lib/mechanisms/randomised_response.ts";
import { rappor } from "../../../lib/mechanisms/rappor.ts";
import { staircase } from "../../../lib/mechanisms/staircase.ts";
import { unaryEncoding } from "../../../lib/mechanisms/unary_encoding.ts";
import { kAryRandomisedResponse } from "../../../lib/mechanisms/randomised_response.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";

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

Deno.test("paddedBlocks() makes blocks of 1 to 64 numbers, and none of other widths", () => {
  const prepare = (data: readonly number[]) => ({
    length: data.length,
    fill: (rows: Float64Array): void => void rows.fill(1),
  });
  for (const most of [1, 64]) {
    assertEquals(paddedBlocks<number>({ name: "ones", most, prepare }).width, most);
  }
  for (const most of [0, -1, 0.5, 1.5, 65, NaN, Infinity, undefined]) {
    assertEquals(
      paddedBlocks<number>({ name: "ones", most, prepare }),
      {},
    );
  }
});

// Mutants: a magnitude that is drawn although the source enumerates, one law for another, a sign that is not asked for.
Deno.test("staircase() asks a source that enumerates for its stair, its part, its place and its sign", () => {
  const laws: DiscreteLaw[] = [], answers = [3, 1, 0, 1];
  const none = (): never => {
    throw new Error("the staircase drew a word from a source that enumerates");
  };
  const source: Source = {
    kind: "seeded",
    uint32: none,
    uniform: none,
    fillUint32: none,
    split: none,
    branch: (law) => (laws.push(law), answers[laws.length - 1]!),
  };
  const mechanism = staircase<number>({
    query: (data) => data[0]!,
    epsilon: 2,
    sensitivity: 5,
    granularity: 1,
    relation: replaceOne,
  });
  // Treads are 2 of 5 steps long: the third stair, its lower part, the first place, below the truth.
  assertEquals(mechanism.sample([100], source), 100 - (3 * 5 + 2));
  const rate = { numerator: 2n, denominator: 1n }, zero = { numerator: 0n, denominator: 1n };
  assertEquals(laws, [
    { kind: "geometric", rate },
    {
      kind: "choice",
      weights: [{ exponent: zero, multiplicity: 2n }, { exponent: rate, multiplicity: 3n }],
    },
    { kind: "uniform", below: 3n },
    { kind: "uniform", below: 2n },
  ]);
});
