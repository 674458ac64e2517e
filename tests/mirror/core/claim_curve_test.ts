import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  approximate,
  type Claim,
  deltaAt,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../../lib/core/claim.ts";
import { parameterOf, pointsOf, scaledClaim } from "../../../lib/core/claim_curve.ts";
import { replaceOne as relation } from "../../../lib/core/relation.ts";

const CURVES = [
  gaussian({ mu: 1, relation }),
  gaussian({ mu: 6, relation }),
  gaussian({ mu: 0.02, relation }),
  zcdp({ rho: 0.5, relation }),
  zcdp({ rho: 30, relation }),
  renyi({ order: 2, epsilon: 1, relation }),
  renyi({ order: 20, epsilon: 0.3, relation }),
];

Deno.test("pointsOf() has, for each δ of a geometric list, the least ε at which the curve is below it", () => {
  const wanted = [0.5, 0.25, 0.1, 0.03, 0.01, 1e-3, 1e-4];
  for (const claim of CURVES) {
    const points = pointsOf(claim);
    const reached = wanted.filter((delta) => delta < deltaAt(claim, 0));
    assertEquals(points.length, reached.length);
    points.forEach(({ epsilon, delta }, k) => {
      assertEquals(delta, deltaAt(claim, epsilon));
      assert(delta <= reached[k]!, `${claim.kind}: δ is ${delta} at ${epsilon}`);
      // One part in a million less, and the curve is above it.
      const less = epsilon - 1e-6 * Math.max(1, epsilon);
      assert(less < 0 || deltaAt(claim, less) > reached[k]!);
    });
  }
});

Deno.test("pointsOf() is the point at ε = 0 where the curve is lower than every δ of the list", () => {
  const claim = gaussian({ mu: 1e-4, relation });
  assert(deltaAt(claim, 0) < 1e-4);
  assertEquals(pointsOf(claim), [{ epsilon: 0, delta: deltaAt(claim, 0) }]);
});

Deno.test("pointsOf() leaves out a δ that the curve begins at", () => {
  // Where δ(0) is one of the list, ε = 0 says nothing that a smaller δ does not.
  let mu = 1;
  for (let step = 0.5; step > 1e-17; step /= 2) {
    if (deltaAt(gaussian({ mu, relation }), 0) > 0.25) mu -= step;
    else mu += step;
  }
  const claim = gaussian({ mu, relation });
  assertAlmostEquals(deltaAt(claim, 0), 0.25, 1e-15);
  assert(pointsOf(claim).length <= 6);
});

Deno.test("scaledClaim() changes the parameter that parameterOf() reads, and nothing else", () => {
  const claims: Claim[] = [
    ...CURVES,
    pure({ epsilon: 2, relation }),
    approximate({ epsilon: 2, delta: 1e-3, relation }),
  ];
  for (const claim of claims) {
    const { name, value } = parameterOf(claim);
    const scaled = scaledClaim(claim, 3 * value);
    assertEquals(parameterOf(scaled), { name, value: 3 * value });
    assertEquals({ ...scaled }, { ...claim, [name]: 3 * value });
  }
});
