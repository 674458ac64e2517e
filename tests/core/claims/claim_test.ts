import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  approximate,
  type Claim,
  claimToJSON,
  deltaAt,
  describeClaim,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../lib/core/relations/relation.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";

const epsilons = fc.double({ min: 0, max: 12, noNaN: true });
const positive = fc.double({ min: 1e-3, max: 8, noNaN: true });

/** sup over sets of P(S) − e^ε Q(S) for outputs of the given probabilities: the sum of positive parts. */
function hockeyStick(p: readonly number[], q: readonly number[], epsilon: number): number {
  return p.reduce((sum, value, i) => sum + Math.max(0, value - Math.exp(epsilon) * q[i]!), 0);
}

Deno.test("deltaAt() of a pure claim is the hockey stick of randomised response", () => {
  fc.assert(
    fc.property(positive, epsilons, (claimed, epsilon) => {
      const keep = 1 / (1 + Math.exp(-claimed)), flip = 1 / (1 + Math.exp(claimed));
      const exact = hockeyStick([keep, flip], [flip, keep], epsilon);
      const delta = deltaAt(pure({ epsilon: claimed, relation }), epsilon);
      assertAlmostEquals(delta, exact, 1e-13);
      assertEquals(delta === 0, epsilon >= claimed);
    }),
    { seed: 11 },
  );
});

Deno.test("deltaAt() of an approximate claim is the hockey stick of randomised response that tells all with probability delta", () => {
  fc.assert(
    fc.property(
      positive,
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      epsilons,
      (claimed, delta, epsilon) => {
        const keep = (1 - delta) / (1 + Math.exp(-claimed));
        const flip = (1 - delta) / (1 + Math.exp(claimed));
        const exact = hockeyStick([delta, keep, flip, 0], [0, flip, keep, delta], epsilon);
        const claim = approximate({ epsilon: claimed, delta, relation });
        assertAlmostEquals(deltaAt(claim, epsilon), exact, 1e-13);
      },
    ),
    { seed: 12 },
  );
});

Deno.test("deltaAt() of a pure claim keeps its digits next to the claim and at huge epsilon", () => {
  const gap = 2 ** -40;
  const delta = deltaAt(pure({ epsilon: 1 + gap, relation }), 1);
  const exact = gap / (1 + Math.exp(-1));
  assert(Math.abs(delta - exact) <= 1e-11 * exact);
  assertEquals(deltaAt(pure({ epsilon: 2000, relation }), 1000), 1);
});

Deno.test("deltaAt() of a Gaussian claim is the Gaussian curve", () => {
  assertEquals(deltaAt(gaussian({ mu: 0.7, relation }), 1), gaussianDelta(0.7, 1));
});

Deno.test("deltaAt() of a zCDP or Rényi claim is never below what the Gaussian mechanism needs", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.05, max: 3, noNaN: true }),
      epsilons,
      fc.double({ min: 1.01, max: 100, noNaN: true }),
      (mu, epsilon, order) => {
        const rho = mu * mu / 2;
        const exact = gaussianDelta(mu, epsilon);
        const converted = deltaAt(zcdp({ rho, relation }), epsilon);
        const one = deltaAt(renyi({ order, epsilon: rho * order, relation }), epsilon);
        assert(converted >= exact && one >= exact);
        // The order of the zCDP conversion is the best one.
        assert(converted <= one * (1 + 1e-3));
      },
    ),
    { seed: 13, numRuns: 200 },
  );
});

// Mutants: the step before or the last one left out, another sign or term of the derivative, a grid that ends sooner.
Deno.test("deltaAt() of a zCDP claim is the least of a grid of orders, tiny and huge numbers included", () => {
  const exponents = fc.double({ min: -30, max: 8, noNaN: true });
  const steps = Array.from({ length: 1001 }, (_, k) => 1 + Math.exp((k - 400) / 40));
  fc.assert(
    fc.property(exponents, fc.oneof(fc.constant(-Infinity), exponents), (first, second) => {
      const rho = 10 ** first, epsilon = 10 ** second;
      const of = (order: number): number =>
        deltaAt(renyi({ order, epsilon: rho * order, relation }), epsilon);
      assertEquals(deltaAt(zcdp({ rho, relation }), epsilon), Math.min(...steps.map(of)));
    }),
    {
      seed: 14,
      numRuns: 300,
      endOnFailure: true,
      examples: [[1, -1], [1.021, -Infinity], [-30, -30], [8, -Infinity], [-3, 8]],
    },
  );
});

Deno.test("deltaAt() of a Rényi claim is attained by no two outputs beyond the bound, and nearly by some", () => {
  // Canonne, Kamath, Steinke 2020, Proposition 12, by brute force over pairs of Bernoulli laws.
  for (
    const [order, bound, epsilon] of [[2, 0.5, 1], [5, 1, 1.5], [1.5, 0.2, 0.3], [
      20,
      2,
      2.5,
    ]] as const
  ) {
    const claimed = deltaAt(renyi({ order, epsilon: bound, relation }), epsilon);
    const divergence = (p: number, q: number): number =>
      Math.log(p ** order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)) /
      (order - 1);
    let largest = 0;
    for (let i = 1; i < 400; i++) {
      const p = (i / 400) ** 4;
      let low = 0, high = p;
      for (let step = 0; step < 60; step++) {
        const q = (low + high) / 2;
        if (divergence(p, q) <= bound) high = q;
        else low = q;
      }
      largest = Math.max(largest, p - Math.exp(epsilon) * high);
    }
    assert(largest <= claimed, `order ${order}: ${largest} above ${claimed}`);
    // A misplaced factor of the conversion would part the two by more than this.
    assert(largest >= 0.3 * claimed, `order ${order}: ${largest} far below ${claimed}`);
  }
});

Deno.test("deltaAt() lies in [0, 1] and falls in epsilon for every kind of claim", () => {
  const claims: Claim[] = [
    pure({ epsilon: 1, relation }),
    approximate({ epsilon: 1, delta: 0.01, relation }),
    zcdp({ rho: 0.5, relation }),
    renyi({ order: 3, epsilon: 1, relation }),
    gaussian({ mu: 1, relation }),
  ];
  for (const claim of claims) {
    let last = 1;
    for (let epsilon = 0; epsilon < 10; epsilon += 0.05) {
      const delta = deltaAt(claim, epsilon);
      assert(delta >= 0 && delta <= last * (1 + 1e-12), `${claim.kind} at ${epsilon}`);
      last = delta;
    }
  }
});

Deno.test("claimToJSON() and describeClaim() name the numbers and the relation", () => {
  const claim = approximate({ epsilon: 1, delta: 1e-6, relation });
  assertEquals(claimToJSON(claim), {
    kind: "approximate",
    epsilon: 1,
    delta: 1e-6,
    relation: "replace-one",
  });
  assertEquals(describeClaim(claim), "(1, 0.000001)-DP");
  assertEquals(describeClaim(pure({ epsilon: 0.1, relation })), "0.1-DP");
  assertEquals(describeClaim(zcdp({ rho: 0.5, relation })), "0.5-zCDP");
  assertEquals(describeClaim(renyi({ order: 2, epsilon: 1, relation })), "(2, 1)-Rényi DP");
  assertEquals(describeClaim(gaussian({ mu: 1, relation })), "1-GDP");
});

// Mutants: ε of approximate() unchecked; the relation unchecked; copies taken for claims.
Deno.test("claims need numbers in range and a relation, and copies of claims are none", () => {
  for (const epsilon of [0, -1, NaN, Infinity]) {
    assertThrows(() => approximate({ epsilon, delta: 0.1, relation }), RangeError);
  }
  for (const none of [undefined, null, {}, { violation: 1 }]) {
    assertThrows(() => pure({ epsilon: 1, relation: none as never }), TypeError, "relation");
  }
  const claim = pure({ epsilon: 1, relation });
  for (const forged of [{ ...claim }, Object.create(claim), null, undefined, 1, "pure"]) {
    assertThrows(() => deltaAt(forged as never, 1), TypeError, "claim must be made by");
  }
});

Deno.test("deltaAt() of (ε, δ)-DP at ε is δ to the last bit", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-6, max: 50, noNaN: true }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (epsilon, delta) => {
        const claim = approximate({ epsilon, delta, relation });
        assertEquals(deltaAt(claim, epsilon), delta);
      },
    ),
    { seed: 1509 },
  );
});

// Mutant: 0 where δ underflows, which promises more than the claim does.
Deno.test("deltaAt() is 0 for no claim that is not pure, however large epsilon is", () => {
  const size = fc.double({ min: -8, max: 8, noNaN: true }).map((power) => 10 ** power);
  const claims = size.chain((x) =>
    fc.constantFrom<Claim>(
      gaussian({ mu: x, relation }),
      zcdp({ rho: x, relation }),
      renyi({ order: 1 + x, epsilon: 1 / x, relation }),
      approximate({ epsilon: x, delta: 1e-300, relation }),
    )
  );
  fc.assert(
    fc.property(claims, size, (claim, epsilon) => {
      const delta = deltaAt(claim, epsilon);
      assert(delta > 0 && delta <= 1, `${claim.kind}: ${delta}`);
    }),
    { seed: 12, numRuns: 1000 },
  );
  assertEquals(deltaAt(gaussian({ mu: 1, relation }), 40), Number.MIN_VALUE);
});
