import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { approximate, gaussian, pure } from "../../../../lib/core/mod.ts";
import { asserted } from "../../../../lib/core/relations/relation.ts";
import { tradeOff } from "../../../../lib/core/claims/trade_off/trade_off.ts";
import { logBinomialTail } from "../../../../lib/core/numeric/binomial_tail.ts";
import { normalTail } from "../../../../lib/core/numeric/normal_tail.ts";
import { binomialGuessTail } from "../../../../lib/judge/audit/one_run/binomial_guess_tail.ts";
import {
  type Guesses,
  isTailPossible,
} from "../../../../lib/judge/audit/one_run/trade_off_tail.ts";

/** The largest tail that the recursion allows. */
function largestTail(tradeOff: (u: number) => number, guesses: Guesses): number {
  let low = 0, high = 1;
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (isTailPossible(middle, { ...guesses, tradeOff })) low = middle;
    else high = middle;
  }
  return high;
}

const binomial = (k: number, n: number, p: number): number => Math.exp(logBinomialTail(k, n, p));

// Mutants: q = 1/(1 + e^ε); a tail from right + 1.
Deno.test("randomised response attains the pure bound", () => {
  for (const [m, epsilon] of [[1, 1], [5, 0.3], [40, 2]] as const) {
    for (let right = 0; right <= m; right++) {
      const bound = binomialGuessTail({
        epsilon,
        delta: 0,
        right,
        guesses: m,
        canaries: m,
        sides: 2,
      });
      const exact = binomial(right, m, Math.exp(epsilon) / (1 + Math.exp(epsilon)));
      assertAlmostEquals(bound, exact, 1e-7);
      assert(bound >= exact * (1 - 1e-9));
    }
  }
});

// Mutants: δ in place of 2mδ and no second term; the trade-off function of ε alone.
Deno.test("a mechanism that tells all with probability δ keeps both bounds for (ε, δ)", () => {
  for (const m of [1, 3, 12]) {
    for (const epsilon of [0.1, 1, 3]) {
      for (const delta of [1e-6, 0.01, 0.2]) {
        const q = Math.exp(epsilon) / (1 + Math.exp(epsilon));
        const curve = tradeOff(approximate({ epsilon, delta, relation: asserted }));
        for (let right = 1; right <= m; right++) {
          const guesses: Guesses = { right, guesses: m, canaries: m, sides: 2 };
          const exact = delta + (1 - delta) * binomial(right, m, q);
          const place = `m ${m}, ε ${epsilon}, δ ${delta}, v ${right}: ${exact}`;
          assert(binomialGuessTail({ ...guesses, epsilon, delta }) >= exact * (1 - 1e-9), place);
          assert(isTailPossible(exact * (1 - 1e-9), { ...guesses, tradeOff: curve }), place);
        }
      }
    }
  }
});

/**
 * Randomised response on m coins, but the last answer is right more often where exactly `pivot` of the others are: the failure is spent where it
 * decides. Its least δ at ε, by enumeration of coins and answers, and P(W ≥ pivot + 1).
 */
function pivotal(
  m: number,
  epsilon: number,
  extra: number,
): { delta: number; tail: number; v: number } {
  const q = Math.exp(epsilon) / (1 + Math.exp(epsilon)), pivot = Math.ceil(q * (m - 1));
  const bits = (word: number): number => word.toString(2).replaceAll("0", "").length;
  const last = 1 << (m - 1);
  const chance = (coins: number, answers: number): number => {
    const wrong = coins ^ answers, others = m - 1 - bits(wrong & ~last);
    const p = others === pivot ? q + extra : q;
    return q ** others * (1 - q) ** (m - 1 - others) * (wrong & last ? 1 - p : p);
  };
  let delta = 0, tail = 0;
  for (let flip = 0; flip < m; flip++) {
    let excess = 0;
    for (let answers = 0; answers < 1 << m; answers++) {
      excess += Math.max(0, chance(0, answers) - Math.exp(epsilon) * chance(1 << flip, answers));
    }
    delta = Math.max(delta, excess);
  }
  for (let answers = 0; answers < 1 << m; answers++) {
    if (m - bits(answers) >= pivot + 1) tail += chance(0, answers);
  }
  return { delta, tail, v: pivot + 1 };
}

// Mutants: the factor sides/4 made 1/16; largest probabilities of a binomial halved.
Deno.test("failures that are spent where they decide keep both bounds", () => {
  for (const m of [2, 4, 8]) {
    for (const epsilon of [0.2, 1]) {
      const { delta, tail, v } = pivotal(m, epsilon, 0.01);
      assert(delta > 0 && delta < 0.1, `δ ${delta}`);
      const guesses: Guesses = { right: v, guesses: m, canaries: m, sides: 2 };
      assert(binomialGuessTail({ ...guesses, epsilon, delta }) >= tail, `m ${m}, ε ${epsilon}`);
      const curve = tradeOff(
        approximate({ epsilon, delta: delta * (1 + 1e-9), relation: asserted }),
      );
      assert(
        isTailPossible(tail * (1 - 1e-9), { ...guesses, tradeOff: curve }),
        `m ${m}, ε ${epsilon}`,
      );
    }
  }
});

// Mutants: ρ with the guesses that are right now, not before; H not carried along; N = canaries for one side.
Deno.test("one canary: the recursion allows the best test of the trade-off function, and no more", () => {
  const one: Guesses = { right: 1, guesses: 1, canaries: 1, sides: 2 };
  for (const mu of [0.1, 1, 3]) {
    const curve = tradeOff(gaussian({ mu, relation: asserted }));
    assertAlmostEquals(largestTail(curve, one), normalTail(-mu / 2), 1e-8);
    // Guessed "in" whatever comes out: right half of the time, and no more often.
    assertAlmostEquals(largestTail(curve, { ...one, sides: 1 }), 0.5, 1e-8);
  }
  const curve = tradeOff(pure({ epsilon: 1, relation: asserted }));
  assertAlmostEquals(largestTail(curve, one), Math.E / (1 + Math.E), 1e-8);
});

// Mutant: the margin of the trade-off function that of the sum.
Deno.test("independent Gaussian scores keep the recursion, guessed by the sign or on one side alone", () => {
  for (const mu of [0.3, 1, 2]) {
    const curve = tradeOff(gaussian({ mu, relation: asserted }));
    for (const m of [2, 10, 60]) {
      for (let right = 1; right <= m; right++) {
        const exact = binomial(right, m, normalTail(-mu / 2));
        const guesses: Guesses = { right, guesses: m, canaries: m, sides: 2 };
        assert(
          isTailPossible(exact * (1 - 1e-9), { ...guesses, tradeOff: curve }),
          `μ ${mu}, ${right} of ${m}`,
        );
      }
    }
  }
});

Deno.test("what is impossible stays so for larger tails, more right guesses and smaller parameters", () => {
  for (const [mu, m, guesses] of [[1, 100, 20], [0.5, 1000, 100], [2, 50, 50]] as const) {
    const curve = tradeOff(gaussian({ mu, relation: asserted }));
    const weaker = tradeOff(gaussian({ mu: mu * 1.1, relation: asserted }));
    const tails = Array.from(
      { length: guesses },
      (_, i) => largestTail(curve, { right: i + 1, guesses, canaries: m, sides: 2 }),
    );
    tails.forEach((tail, i) => {
      if (i > 0) assert(tail <= tails[i - 1]! + 1e-9, `${i + 1} of ${guesses}`);
      assert(largestTail(weaker, { right: i + 1, guesses, canaries: m, sides: 2 }) >= tail - 1e-9);
    });
    assert(tails.at(-1)! < 0.2);
  }
  assertEquals(
    isTailPossible(0, { right: 3, guesses: 3, canaries: 3, sides: 2, tradeOff: (u) => u }),
    true,
  );
});
