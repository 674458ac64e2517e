import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { proveRatios } from "../../../proofs/tools/enumerate.ts";
import { multiplyPolynomials, type Polynomial } from "../../../lib/judge/exact/polynomial.ts";
import { monomial, subtractPolynomials } from "../../../proofs/tools/polynomials.ts";

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

// Mutants: inequalities proved from t = 2 on; a witness that is not where the inequality breaks.
Deno.test("proveRatios() refutes a ratio that is too large between t = 1.25 and 1.5 alone, and shows it there", () => {
  // left₀ = 2·right₀ − 16(t − 1.25)(t − 1.5), with totals of 1000(1 + t²) on both sides.
  const left = [[10n, 44n, 24n], [990n, -44n, 976n]], right = [[20n, 0n, 20n], [980n, 0n, 980n]];
  const pair = { name: "narrow", left, right };
  const { holds, witness } = proveRatios([pair], { bound: [2n] });
  assert(!holds && witness !== undefined);
  assertEquals([witness.pair, witness.output], ["narrow", 0]);
  assert(witness.t! > 1.25 && witness.t! < 1.5);
  assert(witness.loss > Math.LN2 && witness.loss < Math.LN2 + 0.01);
  assert(proveRatios([pair], { bound: [3n] }).holds);
});

Deno.test("proveRatios() of equal laws is not tight at all, and shows the first of several witnesses", () => {
  const same = { name: "same", left: [[1n, 1n], [2n]], right: [[1n, 1n], [2n]] };
  const { holds, tightness } = proveRatios([same], { bound: monomial(1, 1) });
  assert(holds);
  assertAlmostEquals(tightness, 0, 1e-12);
  const wide = (name: string): typeof same => ({ ...same, name, right: [[2n], [1n, 1n, 1n]] });
  const { witness } = proveRatios([wide("one"), wide("two")], { bound: [1n] });
  assertEquals(witness!.pair.startsWith("one"), true);
});

Deno.test("proveRatios() has no witness where the bound holds, and one without t where no simple one is found", () => {
  assert(!("witness" in proveRatios([survey], { bound: monomial(1, 1) })));
  // 2·right₀ − left₀ is negative within 2⁻⁴⁰ of 1 + 129/2¹⁴ alone, and totals are equal.
  const at = (2n ** 14n + 129n) * 2n ** 26n;
  const gap = multiplyPolynomials([1n - at, 2n ** 40n], [-1n - at, 2n ** 40n]);
  const even = (size: bigint): Polynomial => [size, 0n, size];
  const right = even(2n ** 82n), left = subtractPolynomials(even(2n ** 83n), gap);
  const other = (own: Polynomial): Polynomial => subtractPolynomials(even(2n ** 85n), own);
  const { holds, witness } = proveRatios([{
    name: "hidden",
    left: [left, other(left)],
    right: [right, other(right)],
  }], { bound: [2n] });
  assertEquals([holds, witness], [false, { pair: "hidden", output: 0, t: undefined, loss: NaN }]);
});

Deno.test("proveRatios() measures tightness from t = 1.001 to 1000, and not where no side has an output", () => {
  // ln of the ratio over ln of the bound falls with t, or rises.
  const falling = { name: "falling", left: [[2n], [0n, 1n]], right: [[1n], [1n, 1n]] };
  assertAlmostEquals(
    proveRatios([falling], { bound: monomial(1, 9) }).tightness,
    Math.LN2 / (9 * Math.log(1.001)),
    1e-9,
  );
  const rising = { name: "rising", left: [[0n, 1n], [1n]], right: [[1n], [0n, 1n]] };
  assertAlmostEquals(
    proveRatios([rising], { bound: [5000n] }).tightness,
    Math.log(1000) / Math.log(5000),
    1e-12,
  );
  const lacking = { name: "lacking", left: [[1n], []], right: [[1n], []] };
  assertEquals(proveRatios([lacking], { bound: [3n] }), {
    holds: true,
    inequalities: 4,
    tightness: 0,
  });
});
