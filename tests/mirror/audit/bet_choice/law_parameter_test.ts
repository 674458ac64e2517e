import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  CONCENTRATED_ORDERS,
  parameterOfLaw,
} from "../../../../lib/audit/bet_choice/law_parameter.ts";
import { approximate, gaussian, pure, renyi, zcdp } from "../../../../lib/core/claim.ts";
import { replaceOne as relation } from "../../../../lib/core/relation.ts";
import { normalTail } from "../../../../lib/numeric/normal_tail.ts";

interface Law {
  readonly left: Float64Array;
  readonly right: Float64Array;
}

function bothWays({ left, right }: Law): Law[] {
  return [{ left, right }, { left: right, right: left }];
}

// Mutants: one direction only, or the smaller of both; δ ignored, or taken where there is none; a cell without a probability.
Deno.test("parameterOfLaw() of ε is the largest log ratio of sets, less what δ allows, in either direction", () => {
  const law = { left: Float64Array.of(0.1, 0.4, 0.5), right: Float64Array.of(0.3, 0.3, 0.4) };
  for (const own of bothWays(law)) {
    assertAlmostEquals(parameterOfLaw(own, pure({ epsilon: 0.1, relation })), Math.log(3), 1e-9);
    // On the first cell alone: 0.3 = e^ε·0.1 + 0.05; the other direction would allow ln(0.85/0.7).
    const claim = approximate({ epsilon: 0.1, delta: 0.05, relation });
    assertAlmostEquals(parameterOfLaw(own, claim), Math.log(2.5), 1e-9);
    assertEquals(parameterOfLaw(own, approximate({ epsilon: 1, delta: 0.2, relation })), 0);
  }
  const only = { left: Float64Array.of(0, 1), right: Float64Array.of(0.01, 0.99) };
  for (const own of bothWays(only)) {
    assert(parameterOfLaw(own, pure({ epsilon: 1, relation })) > 1e5);
    // 0.01 in the cell that one side lacks, which e^ε does not make smaller.
    const claim = approximate({ epsilon: 1, delta: 0.02, relation });
    assertEquals(parameterOfLaw(own, claim), 0);
  }
});

// Mutants: the smaller direction; one order in place of the largest; divergences that are not divided by the order.
Deno.test("parameterOfLaw() of Rényi and concentrated claims is the larger divergence, over the order", () => {
  const law = { left: Float64Array.of(0.2, 0.3, 0.5), right: Float64Array.of(0.5, 0.3, 0.2) };
  const skewed = { left: Float64Array.of(0.01, 0.99), right: Float64Array.of(0.2, 0.8) };
  const divergence = (p: Float64Array, q: Float64Array, order: number): number =>
    Math.log(p.reduce((sum, x, i) => sum + x ** order * q[i]! ** (1 - order), 0)) / (order - 1);
  for (const each of [law, skewed]) {
    for (const own of bothWays(each)) {
      for (const order of [1.2, 2, 9]) {
        const both = bothWays(own).map(({ left, right }) => divergence(right, left, order));
        const claim = renyi({ order, epsilon: 1, relation });
        assertAlmostEquals(parameterOfLaw(own, claim), Math.max(...both), 1e-12);
      }
      const orders = CONCENTRATED_ORDERS.flatMap((order) =>
        bothWays(own).map(({ left, right }) => divergence(right, left, order) / order)
      );
      assertAlmostEquals(
        parameterOfLaw(own, zcdp({ rho: 1, relation })),
        Math.max(...orders),
        1e-12,
      );
    }
  }
  // The orders reach from the Kullback-Leibler divergence to the largest loss, without gaps of more than three times.
  const order = [1, ...CONCENTRATED_ORDERS];
  assert(order.every((a, i) => i === 0 || (a > order[i - 1]! && a <= 3 * order[i - 1]!)));
});

// Mutants: cells in another order; sets of no or of all cells; the last set in place of the best.
Deno.test("parameterOfLaw() of μ is the largest distance of normal quantiles, over sets of the largest ratios", () => {
  const cells = (mean: number): Float64Array => {
    const below = [0, ...[-1, -0.3, 0.2, 0.9, 1.4].map((edge) => normalTail(mean - edge)), 1];
    // Not in the order of their ratios.
    return Float64Array.from([3, 0, 5, 1, 4, 2], (i) => below[i + 1]! - below[i]!);
  };
  for (const mu of [0.2, 1, 3]) {
    for (const own of bothWays({ left: cells(0), right: cells(mu) })) {
      assertAlmostEquals(parameterOfLaw(own, gaussian({ mu: 1, relation })), mu, 1e-9);
    }
  }
  const equal = { left: Float64Array.of(0.5, 0.5), right: Float64Array.of(0.5, 0.5) };
  assertAlmostEquals(parameterOfLaw(equal, gaussian({ mu: 1, relation })), 0, 1e-12);
  // Sets of probability 0 or 1 on one side tell no finite μ: they are left out.
  const atom = { left: Float64Array.of(0, 0.5, 0.5), right: Float64Array.of(0.1, 0.4, 0.5) };
  for (const own of bothWays(atom)) {
    assert(Number.isFinite(parameterOfLaw(own, gaussian({ mu: 1, relation }))));
  }
});
