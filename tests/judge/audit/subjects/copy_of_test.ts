import { assert, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { copyOf } from "../../../../lib/judge/audit/subjects/copy_of.ts";

/** Every object inside a value, itself first. */
function partsOf(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const held = value instanceof Map || value instanceof Set
    ? [...value.values()]
    : Object.values(value);
  return [value, ...(ArrayBuffer.isView(value) ? [] : held.flatMap(partsOf))];
}

const leaf = fc.oneof(
  fc.double(),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.bigInt(),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("tree"), { maxKeys: 4, noNullPrototype: false }),
    fc.float64Array({ maxLength: 4 }),
    fc.uint8Array({ maxLength: 4 }),
    fc.array(tie("tree"), { maxLength: 3 }).map((items) => new Set(items)),
    fc.array(fc.tuple(fc.string(), tie("tree")), { maxLength: 3 }).map((items) => new Map(items)),
    fc.date({ noInvalidDate: true }),
  ),
}));

// Mutants: a shallow copy, rows of a kind that are shared (each branch left out).
Deno.test("copyOf() makes an equal value that shares no part with the original", () => {
  fc.assert(fc.property(fc.array(tree, { maxLength: 5 }), (data) => {
    const copy = copyOf(data);
    assertEquals(copy, data);
    const own = new Set(partsOf(data));
    assert(partsOf(copy).every((part) => !own.has(part)));
  }));
});

Deno.test("copyOf() keeps the methods of rows, whose properties it copies", () => {
  class Row {
    readonly numbers = [1, 2];
    total(): number {
      return this.numbers.reduce((a, b) => a + b, 0);
    }
  }
  const data = [new Row()];
  const [row] = copyOf(data);
  row!.numbers[0] = 10;
  assertEquals([row!.total(), data[0]!.total()], [12, 3]);
  class Secret {
    #secret = 1;
    show(): number {
      return this.#secret;
    }
  }
  assertThrows(() => copyOf([new Secret()])[0]!.show(), TypeError);
});

Deno.test("copyOf() copies a value that holds itself", () => {
  const data: unknown[] = [1];
  data.push(data);
  let copy = copyOf(data), depth = 0;
  while (copy !== data && depth < 200) {
    copy = copy[1] as unknown[];
    depth++;
  }
  assertEquals(depth, 200);
});
