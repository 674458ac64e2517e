import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { rational, toNumber } from "../../../../lib/numeric/rational.ts";
import {
  type Affine,
  constant,
  formKey,
  hasNoise,
  minus,
  normalised,
  part,
  plus,
  substitute,
  times,
  variable,
} from "../../../../lib/exact/alignment/affine.ts";

const names = ["", "n0", "x0", "c1"];
const forms: fc.Arbitrary<Affine> = fc.array(fc.integer({ min: -3, max: 3 }), {
  minLength: 4,
  maxLength: 4,
})
  .map((values) =>
    new Map(
      values.flatMap((value, i) => value === 0 ? [] : [[names[i]!, rational(value, 2)] as const]),
    )
  );
const at = (form: Affine): number =>
  [...form].reduce(
    (sum, [name, value]) => sum + toNumber(value) * ({ "": 1, n0: 3, x0: -5, c1: 7 })[name]!,
    0,
  );

// Mutants: a coefficient of 0 that stays; a factor that is left out; the sign of a negative first coefficient lost.
Deno.test("forms add, scale and take each other in as their values do", () => {
  fc.assert(
    fc.property(forms, forms, fc.integer({ min: -3, max: 3 }), (f, g, k) => {
      assertEquals(at(plus(f, g, rational(k))), at(f) + k * at(g));
      assertEquals(at(minus(f, g)), at(f) - at(g));
      assertEquals(minus(f, f).size, 0);
      assertEquals(at(times(rational(k), f)), k * at(f));
      const moved = substitute(f, new Map([["n0", plus(variable("n0"), g)]]));
      assertEquals(at(moved), at(f) + toNumber(f.get("n0") ?? rational(0)) * at(g));
      assertEquals(at(part(f, true)) + at(part(f, false)), at(f));
      assertEquals(hasNoise(f), f.has("n0"));
    }),
    { seed: 1, numRuns: 200 },
  );
});

Deno.test("formKey() of normalised forms is the same for positive multiples, and for no others", () => {
  const key = (form: Affine): string => formKey(normalised(form));
  fc.assert(
    fc.property(forms, fc.integer({ min: 1, max: 5 }), (f, k) => {
      assertEquals(
        key(times(rational(k), f)),
        [...f.keys()].some((name) => name) ? key(f) : key(times(rational(k), f)),
      );
      if ([...f.keys()].some((name) => name)) assert(key(times(rational(-k), f)) !== key(f));
    }),
    { seed: 2, numRuns: 200 },
  );
  assert(key(variable("x0")) !== key(plus(variable("x0"), constant(rational(1)))));
});
