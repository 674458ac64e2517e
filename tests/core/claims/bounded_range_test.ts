import { assert, assertEquals } from "@std/assert";
import {
  alsoConcentrated,
  alsoOfBoundedRange,
  boundedRangeRho,
} from "../../../lib/core/claims/bounded_range.ts";
import { zcdp } from "../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../lib/core/relations/relation.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";

// Mutants: a factor left out, or rounded to nearest.
Deno.test("boundedRangeRho() is at least ε²/8, and more by two roundings at most", () => {
  for (let k = 0; k < 400; k++) {
    const epsilon = Math.exp(k / 20 - 12), rho = boundedRangeRho(epsilon);
    const exact = rational(epsilon), upper = rational(rho);
    const eighth = exact.numerator ** 2n * upper.denominator;
    const own = 8n * upper.numerator * exact.denominator ** 2n;
    assert(own >= eighth, `${epsilon}`);
    assert(own * 10n ** 15n <= eighth * (10n ** 15n + 1n), `${epsilon}`);
  }
  // ε² underflows: some loss there is.
  assertEquals(boundedRangeRho(1e-200), Number.MIN_VALUE);
});

Deno.test("alsoOfBoundedRange() is one claim, and none where ε² overflows", () => {
  assertEquals(alsoOfBoundedRange({ epsilon: 2, relation }), [
    zcdp({ rho: boundedRangeRho(2), relation }),
  ]);
  assertEquals(alsoOfBoundedRange({ epsilon: 1e200, relation }), []);
});

Deno.test("alsoConcentrated() is the claim of ρ, of the least ρ for 0, and none for an infinite one", () => {
  for (const rho of [1e-300, 0.3, 1e300]) {
    assertEquals(alsoConcentrated({ rho, relation }), [zcdp({ rho, relation })]);
  }
  assertEquals(alsoConcentrated({ rho: 0, relation }), [zcdp({ rho: Number.MIN_VALUE, relation })]);
  assertEquals(alsoConcentrated({ rho: Infinity, relation }), []);
});
