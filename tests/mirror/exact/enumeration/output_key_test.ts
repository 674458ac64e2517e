import { assertEquals, assertThrows } from "@std/assert";
import { outputKey } from "../../../../lib/exact/enumeration/output_key.ts";

// Mutants: −0 and 0 as one; a text that reads as a number; keys in the order in which they were written.
Deno.test("outputKey() is the same for equal outputs only", () => {
  const different: unknown[] = [
    0,
    -0,
    NaN,
    Infinity,
    "0",
    "NaN",
    0n,
    null,
    undefined,
    "null",
    true,
    "true",
    [],
    [0],
    ["0"],
    [[0]],
    [0, 0],
    "[0]",
    Float64Array.of(0),
    Uint8Array.of(0),
    {},
    { a: 1 },
    { a: "1" },
    { b: 1 },
    { a: 1, b: 2 },
    new Error("0"),
    new Error("1"),
    'error "0"',
  ];
  assertEquals(new Set(different.map(outputKey)).size, different.length);
  assertEquals(outputKey({ a: 1, b: [NaN] }), outputKey({ b: [NaN], a: 1 }));
  assertEquals(outputKey(new TypeError("x")), outputKey(new Error("x")));
  assertEquals(outputKey(Object.assign(Object.create(null), { a: 1 })), outputKey({ a: 1 }));
});

Deno.test("outputKey() refuses what cannot be compared", () => {
  for (
    const output of [
      () => 0,
      Symbol("x"),
      new Map(),
      new Date(0),
      new DataView(new ArrayBuffer(8)),
      [new Set()],
    ]
  ) {
    assertThrows(() => outputKey(output), TypeError, "JSON");
  }
});
