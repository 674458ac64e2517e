import { assertEquals, assertThrows } from "@std/assert";
import { variable } from "../../../../lib/judge/exact/alignment/affine.ts";
import { outputOf } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import {
  NotTraceable,
  type TracedRun,
  tracedValue,
} from "../../../../lib/judge/exact/alignment/traced_value.ts";

const run: TracedRun = {
  isPositive: () => true,
  placeOfLargest: () => 0,
  bound: (form) => form,
  splits: true,
  functionOf: (op) => run.refuse(op),
  refuse(what): never {
    throw new NotTraceable(what);
  },
};
const traced = tracedValue(variable("n0"), run);

// Mutants: places without their depth or their key; keys in the order of the alphabet; a value of any run.
Deno.test("outputOf() tells outputs apart by where noisy values stand in them, and takes those of its run alone", () => {
  const outputs: unknown[] = [
    traced,
    null,
    [traced],
    [null],
    [traced, null],
    [null, traced],
    [[traced], null],
    [null, [traced]],
    [[null, traced]],
    { a: traced, b: null },
    // The order of keys can be seen.
    { b: null, a: traced },
    { a: null, b: traced },
    { a: [traced], b: [null] },
    { a: [null], b: [traced] },
    new Error("n"),
    [new Error("n"), traced],
    [traced, new Error("n")],
  ];
  assertEquals(new Set(outputs.map((each) => outputOf(each, run).label)).size, outputs.length);
  assertEquals(outputOf([traced, { a: traced }], run).released.length, 2);
  assertThrows(
    () => outputOf(Object.assign(new Error("m"), { a: traced }), run),
    Error,
    "Cannot compare outputs",
  );
  assertThrows(() => outputOf([traced], {}), Error, "an earlier call");
});
