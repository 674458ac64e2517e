import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { proveRatios } from "../../../lib/exact/enumerate.ts";
import { monomial } from "../../../lib/exact/polynomial.ts";

const survey = {
  name: "yes, no",
  left: [monomial(1, 1), monomial(1)],
  right: [monomial(1), monomial(1, 1)],
};

Deno.test("proveRatios() proves randomised response at e^ε and refutes it below", () => {
  const proof = proveRatios([survey], { bound: monomial(1, 1) });
  assert(proof.holds);
  assertEquals(proof.inequalities, 4);
  assertAlmostEquals(proof.tightness, 1, 1e-12);
  // Twice as sharp: t² for a bound of t.
  const sharp = {
    ...survey,
    left: [monomial(1, 2), monomial(1)],
    right: [monomial(1), monomial(1, 2)],
  };
  const refuted = proveRatios([sharp], { bound: monomial(1, 1) });
  assert(!refuted.holds);
  assertAlmostEquals(refuted.tightness, 2, 1e-12);
  assert(refuted.witness!.t! > 1);
  assertAlmostEquals(refuted.witness!.loss, 2 * Math.log(refuted.witness!.t!), 1e-12);
});

Deno.test("proveRatios() finds an output that only one side has", () => {
  const pair = { name: "support", left: [[1n], [1n]], right: [[2n], []] };
  const { holds, tightness } = proveRatios([pair], { bound: monomial(1, 5) });
  assert(!holds);
  assertEquals(tightness, Infinity);
});

Deno.test("proveRatios() refuses laws of different lengths", () => {
  assertThrows(
    () => proveRatios([{ name: "bad", left: [[1n]], right: [[1n], [1n]] }], { bound: [2n] }),
    RangeError,
    "must have the same number of outputs",
  );
});
