import { assertEquals } from "@std/assert";
import type { Affine } from "../../../../lib/judge/exact/alignment/affine.ts";
import { NoiseLaws } from "../../../../lib/judge/exact/alignment/noise_laws.ts";
import { isShift, muSquaredOf, type Shift } from "../../../../lib/judge/exact/alignment/shift.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { formFrom } from "./form_from.ts";

// Mutant: a bound of Gaussian noise that depends on the data, of which only the constant is counted.
Deno.test("isShift() takes a number alone for the bound on the shift of Gaussian noise", () => {
  const laws = new NoiseLaws();
  const noise = laws.nameOf(0, { kind: "gaussian", variance: rational(4) });
  // 0 ≤ c0 ≤ 3.
  const premises = [formFrom({ c0: 1 }), formFrom({ "": 3, c0: -1 })].map((own) => ({
    form: own,
    strict: false,
  }));
  const shiftOf = (bound: Affine, above: Shift["total"], below: Shift["total"]): Shift => ({
    shift: new Map([[noise, formFrom({ c0: 1 })]]),
    mapped: [],
    supported: [],
    bounds: [{ noise, bound, above, below }],
    epsilon: rational(0),
    total: [],
  });
  const pair = { left: [], right: [], released: [] };
  const one = rational(1), two = rational(2);
  const by3 = shiftOf(formFrom({ "": 3 }), [[1, one]], [[0, one]]);
  assertEquals(isShift(by3, pair, { premises, laws }), true);
  assertEquals(muSquaredOf([by3], laws), rational(9, 4n));
  // It is at least the shift and its opposite, and its constant is 0.
  const byItself = shiftOf(formFrom({ c0: 1 }), [], [[0, two]]);
  assertEquals(isShift(byItself, pair, { premises, laws }), false);
  assertEquals(
    isShift(shiftOf(formFrom({ "": 2 }), [[1, one]], [[0, one]]), pair, { premises, laws }),
    false,
  );
});
