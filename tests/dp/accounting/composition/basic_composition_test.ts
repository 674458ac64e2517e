import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { basicComposition } from "../../../../lib/dp/accounting/composition/basic_composition.ts";
import { parameters } from "../arbitraries.ts";

// Mutants: adding doubles, and rounding up each time; reading 0.1 as the double, which is above one tenth.
Deno.test("basicComposition() is the exact sum of decimals, rounded up once", () => {
  const tenths = Array.from({ length: 10 }, () => ({ epsilon: 0.1, delta: 2 ** -20 }));
  assertEquals(basicComposition(tenths), { epsilon: 1, delta: 10 * 2 ** -20 });
});

// Mutant: starting the sum anywhere but at 0.
Deno.test("basicComposition() keeps a mechanism when composed with nothing", () => {
  fc.assert(
    fc.property(parameters, (part) => {
      assertEquals(basicComposition([part]), part);
      assertEquals(basicComposition([part, { epsilon: 0 }]), part);
    }),
    { seed: 11 },
  );
  assertEquals(basicComposition([]), { epsilon: 0, delta: 0 });
});

// Mutant: rounding to nearest.
Deno.test("basicComposition() is monotone and never below the sum when parts are added", () => {
  fc.assert(
    fc.property(fc.array(parameters, { minLength: 1, maxLength: 8 }), (parts) => {
      const all = basicComposition(parts), fewer = basicComposition(parts.slice(1));
      assert(all.epsilon >= fewer.epsilon && all.delta >= fewer.delta);
      const sum = parts.reduce((total, { epsilon }) => total + epsilon, 0);
      assert(all.epsilon >= sum * (1 - 1e-15 * parts.length));
      assert(all.epsilon <= sum * (1 + 1e-15 * parts.length));
    }),
    { seed: 12 },
  );
});

Deno.test("basicComposition() promises nothing more once δ is 1", () => {
  assertEquals(basicComposition([{ epsilon: 1, delta: 0.75 }, { epsilon: 1, delta: 0.75 }]), {
    epsilon: 2,
    delta: 1,
  });
});
