import { assert, assertEquals } from "@std/assert";
import { approximate, gaussian, renyi, zcdp } from "../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";
import { constant } from "../../../../lib/judge/exact/alignment/affine.ts";
import {
  gaussianDeltaUp,
  keepsClaim,
  leastAmount,
  muUp,
} from "../../../../lib/judge/exact/alignment/keeps_claim.ts";
import type { NoiseLaws } from "../../../../lib/judge/exact/alignment/noise_laws.ts";
import { muSquaredOf, type Shift } from "../../../../lib/judge/exact/alignment/shift.ts";
import { gaussianDelta } from "../../../../lib/core/numeric/gaussian_delta.ts";
import { compare, multiply, rational } from "../../../../lib/core/numeric/rational.ts";

const none = rational(0);

// What follows by fractions is asked in claims_of_noise_test.ts. Mutants: Gaussian noise that is forgotten; μ for μ².
Deno.test("keepsClaim() takes what the law of the noise gives beyond fractions, and nothing more", () => {
  const pureLoss = { epsilon: rational(1, 2), muSquared: none };
  const both = { epsilon: rational(1, 2), muSquared: rational(1, 4) };
  const less = (value: number): number => value * (1 - 2 ** -52);
  // −2Φ⁻¹(1/(1 + √e)) = 0.6238….
  assert(keepsClaim(gaussian({ mu: 0.6239, relation }), pureLoss));
  assert(!keepsClaim(gaussian({ mu: 0.6238, relation }), pureLoss));
  // Half of tanh(1/4); of Laplace noise alone e^−1/2 − 1/2.
  const least = 0.5 * Math.tanh(0.25), moved = { laplace: [0.5], muSquared: 0 };
  assert(keepsClaim(zcdp({ rho: least * (1 + 1e-10), relation }), pureLoss));
  assert(!keepsClaim(zcdp({ rho: less(least), relation }), pureLoss));
  assert(keepsClaim(zcdp({ rho: 0.10654, relation }), { ...pureLoss, moved }));
  assert(!keepsClaim(zcdp({ rho: 0.10653, relation }), { ...pureLoss, moved }));
  assert(
    keepsClaim(zcdp({ rho: 0.25, relation }), { ...both, moved: { ...moved, muSquared: 0.25 } }),
  );
  assert(!keepsClaim(zcdp({ rho: 50, relation }), both));
});

Deno.test("leastAmount() is no more than a claim that the noise keeps exactly", () => {
  const muSquared = rational(1), normal = { epsilon: none, muSquared };
  const loss = { ...normal, moved: { laplace: [], muSquared: 1 } };
  assertEquals(leastAmount(renyi({ order: 3, epsilon: 1.5, relation }), loss), 1.5);
  assertEquals(leastAmount(zcdp({ rho: 0.5, relation }), loss), 0.5);
  assert(leastAmount(zcdp({ rho: 0.4, relation }), loss) >= 0.5);
  assert(leastAmount(zcdp({ rho: 0.6, relation }), loss) < 0.51);
});

Deno.test("muUp() is at least μ where its square is out of the range of doubles", () => {
  // Mutants: 0 for a μ whose square underflows, so that its noise would have no δ; a search that does not end.
  assertEquals([muUp(none), muUp(rational(1, 10n ** 400n))], [0, 2 ** -500]);
  assertEquals(muUp(rational(10n ** 700n)), Infinity);
  const subnormal = rational(1, 10n ** 320n), mu = muUp(subnormal);
  assert(compare(multiply(rational(mu), rational(mu)), subnormal) >= 0);
});

// That 12 digits of δ are good is tested in tests/core/numeric/gaussian_delta_test.ts.
Deno.test("gaussianDeltaUp() is above δ by its eleventh digit, and tells nothing of a huge μ", () => {
  for (
    const [mu, epsilon] of [[1, 1], [0.01, 0.3], [0.05, 0.9], [3, 0.1], [3, 40], [1e-3, 1e-3], [
      1000,
      5e5,
    ]] as const
  ) {
    const raised = gaussianDeltaUp(mu, epsilon) / gaussianDelta(mu, epsilon) - 1;
    assert(Math.abs(raised / 1e-11 - 1) < 1e-3, `${mu} ${epsilon}: ${raised}`);
  }
  assertEquals([gaussianDeltaUp(1000.1, 5e5), gaussianDeltaUp(Infinity, 1)], [1, 1]);
  // Mutants: a δ that underflows is 0, so that Gaussian noise would be (60, 0)-DP.
  for (const [mu, epsilon] of [[1, 60], [1, 1e300], [1e-200, 1]] as const) {
    assert(gaussianDeltaUp(mu, epsilon) > 0);
  }
  const tiny = { epsilon: none, muSquared: rational(1, 10n ** 400n) };
  assert(!keepsClaim(approximate({ epsilon: 1, delta: 0, relation }), tiny));
  const normal = { epsilon: none, muSquared: rational(1) };
  assert(!keepsClaim(approximate({ epsilon: 60, delta: 0, relation }), normal));
});

// One draw of noise may be shifted by several amounts. Mutants: the last one counted, or the least.
Deno.test("muSquaredOf() counts the largest shift of each draw of Gaussian noise, whatever their order", () => {
  const laws = {
    of: (name: string) =>
      name === "n1"
        ? { kind: "laplace", rate: rational(1) }
        : { kind: "gaussian", variance: rational(name === "n0" ? 2 : 5) },
  } as unknown as NoiseLaws;
  const shift = (noise: string, bound: number): Shift =>
    ({ bounds: [{ noise, bound: constant(rational(bound)) }] }) as unknown as Shift;
  for (const order of [[1, 2, 3], [3, 2, 1], [2, 3, 1]]) {
    const shifts = [...order.map((bound) => shift("n0", bound)), shift("n1", 9), shift("n2", 1)];
    assertEquals(muSquaredOf(shifts, laws), rational(47, 10));
  }
});
