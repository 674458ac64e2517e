import { assert, assertEquals } from "@std/assert";
import { approximate, gaussian, pure, renyi, zcdp } from "../../../../lib/core/claim.ts";
import { replaceOne as relation } from "../../../../lib/core/relation.ts";
import { keepsClaim, muUp } from "../../../../lib/exact/alignment/keeps_claim.ts";
import { gaussianDelta } from "../../../../lib/numeric/gaussian_delta.ts";
import { compare, multiply, rational } from "../../../../lib/numeric/rational.ts";

const none = rational(0);

// Mutants: a claim that is missed by one unit in the last place; Gaussian noise that is forgotten; μ for μ².
Deno.test("keepsClaim() takes what follows, and nothing more", () => {
  const pureLoss = { epsilon: rational(1, 2), muSquared: none };
  const normal = { epsilon: none, muSquared: rational(1, 4) };
  const both = { epsilon: rational(1, 2), muSquared: rational(1, 4) };
  const less = (value: number): number => value * (1 - 2 ** -52);
  assert(keepsClaim(pure({ epsilon: 0.5, relation }), pureLoss));
  assert(!keepsClaim(pure({ epsilon: less(0.5), relation }), pureLoss));
  for (const loss of [normal, both]) assert(!keepsClaim(pure({ epsilon: 50, relation }), loss));
  assert(keepsClaim(gaussian({ mu: 0.5, relation }), normal));
  assert(!keepsClaim(gaussian({ mu: less(0.5), relation }), normal));
  for (const loss of [pureLoss, both]) assert(!keepsClaim(gaussian({ mu: 50, relation }), loss));
  assert(keepsClaim(zcdp({ rho: 0.125, relation }), normal));
  assert(!keepsClaim(zcdp({ rho: less(0.125), relation }), normal));
  assert(keepsClaim(zcdp({ rho: 0.125, relation }), pureLoss));
  assert(!keepsClaim(zcdp({ rho: less(0.125), relation }), pureLoss));
  assert(!keepsClaim(zcdp({ rho: 50, relation }), both));
  assert(keepsClaim(renyi({ order: 4, epsilon: 0.5, relation }), normal));
  assert(!keepsClaim(renyi({ order: 4, epsilon: less(0.5), relation }), normal));
  assert(keepsClaim(approximate({ epsilon: 0.5, delta: 1e-9, relation }), pureLoss));
  assert(!keepsClaim(approximate({ epsilon: 0.4, delta: 1e-9, relation }), pureLoss));
  for (const [loss, spent] of [[normal, 0], [both, 0.5]] as const) {
    const delta = gaussianDelta(0.5, 1 - spent);
    assert(keepsClaim(approximate({ epsilon: 1, delta: delta * (1 + 1e-9), relation }), loss));
    assert(!keepsClaim(approximate({ epsilon: 1, delta: delta * (1 - 1e-9), relation }), loss));
  }
  assert(!keepsClaim(approximate({ epsilon: 0.4, delta: 0.9, relation }), both));
});

Deno.test("muUp() is at least μ, and near it", () => {
  for (let k = 1; k < 200; k++) {
    const square = rational(k, 7), mu = muUp(square);
    assert(compare(multiply(rational(mu), rational(mu)), square) >= 0, `${k}`);
    assert(mu <= Math.sqrt(k / 7) * (1 + 1e-15));
  }
  assertEquals(muUp(none), 0);
});
