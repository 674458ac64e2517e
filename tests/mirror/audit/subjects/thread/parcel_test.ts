import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import fc from "fast-check";
import type { Outputs } from "../../../../../lib/audit/subjects/outputs.ts";
import { Thrown } from "../../../../../lib/audit/subjects/subject.ts";
import { buffersOf, pack, unpack } from "../../../../../lib/audit/subjects/thread/parcel.ts";

/** The outputs that another thread gets. */
function sent(outputs: Outputs): Outputs {
  const parcel = pack(outputs);
  return unpack(structuredClone(parcel, { transfer: buffersOf(parcel) }));
}

const values = (...values: unknown[]): Outputs => ({ kind: "values", values });

/** Asserts that outputs arrive unchanged, with 0 and -0 different. */
function assertArrives(outputs: Outputs): void {
  const arrived = sent(outputs);
  assertEquals(arrived, outputs);
  const text = (value: unknown): string => JSON.stringify(value, tellZeros) ?? "undefined";
  assertEquals(text(arrived), text(outputs));
}

function tellZeros(_key: string, value: unknown): unknown {
  return Object.is(value, -0) ? "-0" : typeof value === "bigint" ? String(value) : value;
}

// Mutants: what the first value is, all are; the keys of the first record, or their number, for those of all;
// the length of the first list for that of all; codes that wrap at their limit; a list in itself
// that is followed for ever.
Deno.test("unpack() gives what pack() was given", () => {
  const many = Array.from({ length: 600 }, (_, i) => `text ${i % 300}`);
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  const cases = [
    values(),
    values(1, -0, NaN, -Infinity),
    values(1, "1"),
    values("1", 1),
    values(1, null),
    values(true, false, true),
    values("yes", "no", "", "yes"),
    values("1", true, "true", false),
    values(...many),
    values(null, undefined, "null"),
    values(7n, new Date(0)),
    values({ a: 1, b: "x" }, { a: -0, b: "y" }),
    values({ a: 1, b: 2 }, { b: 1, a: 2 }),
    values({ a: 1 }, { a: 1, b: 2 }),
    values({ a: 1, b: 2 }, { a: 1 }),
    values({ a: 1 }, [1], null),
    values({}, {}),
    values({ a: { b: [1, 2] } }, { a: { b: [] } }),
    values([], [true], [false, true]),
    values([1], { length: 1 }),
    values([[1, 2], [3]], [["x"]], []),
    values(JSON.parse('{"__proto__":{"a":1}}')),
    values(cyclic),
    { kind: "block", width: 2, values: Float64Array.of(1, -0, NaN, Infinity) },
  ] as const;
  for (const outputs of cases.slice(0, -2)) assertArrives(outputs);
  for (const outputs of cases.slice(-2)) assertEquals(sent(outputs), outputs);
});

Deno.test("unpack() gives what pack() was given, whatever JSON it is", () => {
  fc.assert(fc.property(fc.array(fc.jsonValue()), (list) => assertArrives(values(...list))));
});

// Mutant: errors arrive as records.
Deno.test("unpack() gives errors back as errors", () => {
  for (const first of ["yes", 1, { message: "x" }, ["x"]]) {
    const outputs = values(first, new Thrown("no convergence"), first, new Thrown("late"));
    const arrived = sent(outputs);
    assertEquals(arrived, outputs);
    assertInstanceOf(arrived.values[3], Thrown);
  }
});

// Mutants: the whole buffer goes along with a part of it; values that have much in common go one by one.
Deno.test("buffersOf() hands over every array of numbers of a parcel, and none of the subject", () => {
  const own = Float64Array.of(1, 2, 3, 4);
  const block = { kind: "block", width: 2, values: own.subarray(2) } as const;
  const cases: readonly [Outputs, number][] = [
    [block, 1],
    [values(1, 2), 1],
    [values(true, false), 1],
    [values([1, 2], [3]), 2],
    [values({ a: 1, b: ["x"] }, { a: 2, b: [] }), 3],
    [values(null), 0],
  ];
  for (const [outputs, count] of cases) {
    const parcel = pack(outputs), buffers = buffersOf(parcel);
    assertEquals([buffers.length, new Set(buffers).size], [count, count]);
    structuredClone(parcel, { transfer: buffers });
    for (const buffer of buffers) assert(buffer.detached);
  }
  assertEquals([...own], [1, 2, 3, 4]);
});

Deno.test("pack() sends no more than it needs", () => {
  const whole = new Float64Array(1000).fill(3);
  const part = pack({ kind: "block", width: 1, values: whole.subarray(10, 12) });
  assert(part.kind === "block" && part.values.buffer.byteLength === 16);
  const outputs = Array.from({ length: 100 }, (_, i) => ({ coin: i % 3 === 0, list: [i, "x"] }));
  const packed = pack(values(...outputs));
  assert(packed.kind === "records");
  assertEquals(packed.fields.map(({ kind }) => kind), ["codes", "lists"]);
});
