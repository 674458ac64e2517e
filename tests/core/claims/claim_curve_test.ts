import { assert, assertEquals } from "@std/assert";
import {
  approximate,
  type Claim,
  deltaAt,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../../lib/core/mod.ts";
import { parameterOf, pointsOf, scaledClaim } from "../../../lib/core/claims/claim_curve.ts";
import { replaceOne as relation } from "../../../lib/core/relations/relation.ts";

const CURVES = [
  gaussian({ mu: 1, relation }),
  gaussian({ mu: 6, relation }),
  gaussian({ mu: 0.02, relation }),
  gaussian({ mu: 0.001, relation }),
  zcdp({ rho: 0.5, relation }),
  zcdp({ rho: 30, relation }),
  renyi({ order: 2, epsilon: 1, relation }),
  renyi({ order: 20, epsilon: 0.3, relation }),
];

Deno.test("pointsOf() has, for each δ of a list, the least multiple of 2⁻²⁵ at which the curve is at most that", () => {
  const wanted = [0.5, 0.25, 0.1, 0.03, 0.01, 1e-3, 1e-4];
  for (const claim of CURVES) {
    const points = pointsOf(claim);
    const reached = wanted.filter((delta) => delta < deltaAt(claim, 0));
    assertEquals(points.length, reached.length);
    points.forEach(({ epsilon, delta }, k) => {
      assertEquals(delta, deltaAt(claim, epsilon));
      assert(delta <= reached[k]!, `${claim.kind}: δ is ${delta} at ${epsilon}`);
      // Of 2⁻²⁵ of the power of two above it, beyond 1.
      const unit = 2 ** (Math.max(0, Math.ceil(Math.log2(epsilon))) - 25);
      assert(
        Number.isInteger(epsilon / unit),
        `${claim.kind}: ${epsilon} is no multiple of ${unit}`,
      );
      assert(deltaAt(claim, epsilon - unit) > reached[k]!);
    });
  }
});

Deno.test("pointsOf() is the point at ε = 0 where the curve is lower than every δ of the list", () => {
  const claim = gaussian({ mu: 1e-4, relation });
  assert(deltaAt(claim, 0) < 1e-4);
  assertEquals(pointsOf(claim), [{ epsilon: 0, delta: deltaAt(claim, 0) }]);
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

Deno.test("pointsOf() is the one point of a pure or an approximate claim", () => {
  assertEquals(pointsOf(pure({ epsilon: 2, relation })), [{ epsilon: 2, delta: 0 }]);
  const slack = approximate({ epsilon: 2, delta: 1e-3, relation });
  assertEquals(pointsOf(slack), [{ epsilon: 2, delta: 1e-3 }]);
});
