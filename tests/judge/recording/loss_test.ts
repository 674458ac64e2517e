import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { approximate, type Claim, gaussian, pure, renyi, zcdp } from "../../../lib/core/mod.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import type { TwoLaws } from "../../../lib/judge/recording/two_laws.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { normalTail, normalTailQuantile } from "../../../lib/core/numeric/normal_tail.ts";
import {
  composed,
  NO_LOSS,
  paidChange,
  parameterOf,
  shareOf,
} from "../../../lib/judge/recording/loss.ts";
import { parameterOfLaws } from "../../../lib/judge/recording/loss_of_outputs.ts";

const relation = replaceOne;

Deno.test("losses with a bound add up for a pure claim, and no normal or bounded noise keeps one", () => {
  const claim = pure({ epsilon: 2, relation });
  assertEquals(parameterOf({ ...NO_LOSS, pure: [0.5, 1] }, claim), 1.5);
  assertEquals(shareOf({ ...NO_LOSS, pure: [0.5, 1] }, claim), 0.75);
  assertEquals(parameterOf({ ...NO_LOSS, muSquared: 0.01 }, claim), Infinity);
  assertEquals(parameterOf({ ...NO_LOSS, delta: 1e-9 }, claim), Infinity);
});

Deno.test("for an approximate claim the least ε is that at which all losses have the claimed δ", () => {
  const claim = approximate({ epsilon: 1, delta: 1e-3, relation });
  const loss = { pure: [0.25], muSquared: 0.16, delta: 4e-4 };
  const epsilon = parameterOf(loss, claim);
  assertAlmostEquals(gaussianDelta(0.4, epsilon - 0.25), 6e-4, 1e-12);
  assertEquals(parameterOf({ ...NO_LOSS, delta: 2e-3 }, claim), Infinity);
});

Deno.test("concentrated, Rényi and Gaussian claims take what their conversions say", () => {
  const loss = { pure: [0.3, 0.4], muSquared: 0.5, delta: 0 };
  // ε-DP is ε²/2-zCDP (Bun, Steinke 2016, Proposition 1.4).
  assertAlmostEquals(parameterOf(loss, zcdp({ rho: 1, relation })), (0.5 + 0.09 + 0.16) / 2);
  assertAlmostEquals(
    parameterOf(loss, renyi({ order: 10, epsilon: 1, relation })),
    10 * 0.5 / 2 + 0.3 + 0.4,
  );
  const mu = parameterOf({ ...NO_LOSS, pure: [0.7] }, gaussian({ mu: 1, relation }));
  assertAlmostEquals(normalTail(mu / 2), 1 / (1 + Math.exp(0.7)), 1e-12);
});

Deno.test("the change that noise pays for costs the whole claim", () => {
  const claims = [
    pure({ epsilon: 0.8, relation }),
    approximate({ epsilon: 0.8, delta: 1e-4, relation }),
    zcdp({ rho: 0.3, relation }),
    renyi({ order: 3, epsilon: 0.4, relation }),
    gaussian({ mu: 0.6, relation }),
  ];
  for (const claim of claims) {
    const change = paidChange("laplace", claim)!;
    assertAlmostEquals(shareOf({ ...NO_LOSS, pure: [change] }, claim), 1, 1e-9);
    const moved = paidChange("normal", claim);
    if (moved === undefined) assertEquals(claim.kind, "pure");
    else assertAlmostEquals(shareOf({ ...NO_LOSS, muSquared: moved ** 2 }, claim), 1, 1e-9);
  }
});

Deno.test("two laws of an output have the least parameter of every kind of claim", () => {
  const both = (own: TwoLaws): TwoLaws[] => [own, { left: own.right, right: own.left }];
  const laws = { left: [0.75, 0.25].map(Math.log), right: [0.25, 0.75].map(Math.log) };
  const of = (claim: Claim): number => parameterOfLaws(both(laws), claim);
  assertAlmostEquals(of(pure({ epsilon: 1, relation })), Math.log(3), 1e-12);
  assertAlmostEquals(
    of(approximate({ epsilon: 1, delta: 0.1, relation })),
    Math.log((0.75 - 0.1) / 0.25),
    1e-9,
  );
  assertAlmostEquals(
    of(renyi({ order: 2, epsilon: 1, relation })),
    Math.log(0.75 ** 2 / 0.25 + 0.25 ** 2 / 0.75),
    1e-12,
  );
  assertAlmostEquals(of(gaussian({ mu: 1, relation })), 2 * normalTailQuantile(0.25), 1e-9);
  // Largest for orders near 1, where it is the relative entropy.
  assertAlmostEquals(of(zcdp({ rho: 1, relation })), Math.log(3) / 2, 0.01);
  const apart = { left: [0, -Infinity], right: [Math.log(0.9), Math.log(0.1)] };
  assertEquals(parameterOfLaws(both(apart), pure({ epsilon: 1, relation })), Infinity);
  assertEquals(parameterOfLaws(both(apart), gaussian({ mu: 1, relation })), Infinity);
  assertEquals(parameterOfLaws(both(apart), approximate({ epsilon: 1, delta: 0.11, relation })), 0);
});

Deno.test("composition adds every part", () => {
  const sum = composed({ pure: [1], muSquared: 2, delta: 3 }, {
    pure: [4],
    muSquared: 5,
    delta: 6,
  });
  assertEquals(sum, { pure: [1, 4], muSquared: 7, delta: 9 });
  assert(composed(NO_LOSS, NO_LOSS).pure.length === 0);
});
