import type * as enumerate from "../../../tools/enumerate.ts";
import { monomial } from "../../../tools/polynomials.ts";
import {
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../../../engine/requirement.ts";

/** For signs of polynomials. */
export function requireRatios(proveRatios: typeof enumerate.proveRatios): void {
  const survey = {
    name: "yes, no",
    left: [monomial(1, 1), monomial(1)],
    right: [monomial(1), monomial(1, 1)],
  };
  const proof = proveRatios([survey], { bound: monomial(1, 1) });
  requireEqual([proof.holds, proof.inequalities, "witness" in proof], [true, 4, false]);
  requireNear(proof.tightness, 1);
  const square = {
    name: "squares",
    left: [monomial(1, 2), monomial(1)],
    right: [monomial(1), monomial(1, 2)],
  };
  const refuted = proveRatios([square], { bound: monomial(1, 1) });
  requireEqual(refuted.holds, false);
  requireNear(refuted.tightness, 2);
  requireThat(refuted.witness!.t! > 1, "t of the witness");
  requireNear(refuted.witness!.loss, 2 * Math.log(refuted.witness!.t!));
  const support = proveRatios([{ name: "support", left: [[1n], [1n]], right: [[2n], []] }], {
    bound: monomial(1, 5),
  });
  requireEqual([support.holds, support.tightness], [false, Infinity]);
  // left₀ = 2·right₀ − 16(t − 1.25)(t − 1.5), with totals of 1000(1 + t²) on both sides.
  const narrow = {
    name: "narrow",
    left: [[10n, 44n, 24n], [990n, -44n, 976n]],
    right: [[20n, 0n, 20n], [980n, 0n, 980n]],
  };
  const { holds, witness } = proveRatios([narrow], { bound: [2n] });
  requireEqual([holds, witness!.pair, witness!.output], [false, "narrow", 0]);
  requireThat(witness!.t! > 1.25 && witness!.t! < 1.5, "where it is narrow");
  requireThat(witness!.loss > Math.LN2 && witness!.loss < Math.LN2 + 0.01, "what is lost there");
  requireEqual(proveRatios([narrow], { bound: [3n] }).holds, true);
  const same = { name: "same", left: [[1n, 1n], [2n]], right: [[1n, 1n], [2n]] };
  requireNear(proveRatios([same], { bound: monomial(1, 1) }).tightness, 0, { absolute: 1e-12 });
  const wide = (name: string): typeof same => ({ ...same, name, right: [[2n], [1n, 1n, 1n]] });
  const first = proveRatios([wide("one"), wide("two")], { bound: [1n] }).witness!;
  requireThat(first.pair.startsWith("one"), "the first of two witnesses");
  // ln of the ratio over ln of the bound falls with t, or rises.
  const falling = { name: "falling", left: [[2n], [0n, 1n]], right: [[1n], [1n, 1n]] };
  requireNear(
    proveRatios([falling], { bound: monomial(1, 9) }).tightness,
    Math.LN2 / (9 * Math.log(1.001)),
    { relative: 1e-9 },
  );
  const rising = { name: "rising", left: [[0n, 1n], [1n]], right: [[1n], [0n, 1n]] };
  requireNear(
    proveRatios([rising], { bound: [5000n] }).tightness,
    Math.log(1000) / Math.log(5000),
  );
  const lacking = { name: "lacking", left: [[1n], []], right: [[1n], []] };
  requireEqual(proveRatios([lacking], { bound: [3n] }), {
    holds: true,
    inequalities: 4,
    tightness: 0,
  });
  requireRefused(
    "laws of different lengths",
    () => proveRatios([{ name: "bad", left: [[1n]], right: [[1n], [1n]] }], { bound: [2n] }),
    "same number",
  );
}
