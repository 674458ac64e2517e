import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { gaussianDelta } from "../../../../../lib/core/numeric/gaussian_delta.ts";
import {
  type ClaimBet,
  logSmallestWealthOf,
  logWealthOf,
  unlessNegative,
} from "../../../../../lib/judge/audit/kernel/betting/claim_bet.ts";
import {
  divergenceBet,
  divergenceLimit,
} from "../../../../../lib/judge/audit/kernel/betting/divergence_bet.ts";
import {
  approximateBet,
  gaussianBet,
} from "../../../../../lib/judge/audit/kernel/betting/event_bet.ts";
import type { LeafLaw } from "../../../../../lib/judge/audit/kernel/betting/leaf_law.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

// Independent of lib/judge/audit: what a law on finitely many cells keeps, straight from the definitions.

function renyiDivergence(p: Float64Array, q: Float64Array, order: number): number {
  let sum = 0;
  p.forEach((x, i) => sum += x ** order * q[i]! ** (1 - order));
  return Math.log(sum) / (order - 1);
}

function excess(p: Float64Array, q: Float64Array, epsilon: number): number {
  let sum = 0;
  p.forEach((x, i) => sum += Math.max(0, x - Math.exp(epsilon) * q[i]!));
  return sum;
}

/** The expectation of a bet's factor in one draw, of a fair coin. */
function expectation(bet: ClaimBet, { left, right }: LeafLaw, parameter: number): number {
  const factors = bet.factorsAt(parameter)!;
  let mean = 0;
  left.forEach((q, i) => {
    mean += 0.5 * (q * factors.left[i]! + right[i]! * factors.right[i]!);
  });
  return mean;
}

function normalised(weights: Float64Array): Float64Array {
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

/** Random laws of `cells` cells that differ a little or much. */
function randomLaw(source: SeededSource, cells: number): LeafLaw {
  const spread = 4 * source.uniform() ** 2;
  const base = Float64Array.from({ length: cells }, () => 0.02 + source.uniform());
  const side = (): Float64Array =>
    normalised(base.map((weight) => weight * Math.exp(spread * (source.uniform() - 0.5))));
  return { left: side(), right: side() };
}

/** Any bet of a family, and the least parameter that a law keeps. */
interface Family {
  readonly name: string;
  readonly random: (source: SeededSource, cells: number) => ClaimBet;
  /** A bet that is exact for this law: every inequality of the proof is an equality. */
  readonly exact: (law: LeafLaw) => ClaimBet;
  readonly parameter: (law: LeafLaw) => number;
}

const DELTA = 0.05, EPSILON = 0.4;

/** The least θ ≥ 0 with `isKept(θ)`. */
function least(isKept: (parameter: number) => boolean): number {
  let low = 0, high = 64;
  for (let step = 0; step < 70; step++) {
    const middle = (low + high) / 2;
    if (isKept(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function divergenceFamily(kind: "renyi" | "zcdp", order: number): Family {
  return {
    name: `${kind} of order ${order}`,
    random: (source, cells) =>
      divergenceBet({
        order,
        ofRight: source.uniform() * 0.1 / (order * Math.exp(order)),
        ofLeft: source.uniform() < 0.3 ? 0 : source.uniform() * 0.1 / (order * Math.exp(order)),
        logRatio: Float64Array.from({ length: cells }, () => 2 * (source.uniform() - 0.5)),
      }, kind),
    exact: ({ left, right }) => {
      const logRatio = right.map((p, i) => Math.log(p / left[i]!));
      const most = logRatio.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
      const stake = 0.1 / (order * Math.exp(order * most));
      return divergenceBet({ order, ofRight: stake, ofLeft: stake, logRatio }, kind);
    },
    parameter: ({ left, right }) =>
      Math.max(renyiDivergence(right, left, order), renyiDivergence(left, right, order)) /
      (kind === "zcdp" ? order : 1),
  };
}

function randomStakes(source: SeededSource, cells: number): {
  onRight: Float64Array;
  onLeft: Float64Array;
} {
  const side = (): Float64Array =>
    Float64Array.from({ length: cells }, () => source.uniform() < 0.5 ? 0 : 0.1 * source.uniform());
  return { onRight: side(), onLeft: side() };
}

function stakesOnExcess({ left, right }: LeafLaw, epsilon: number): {
  onRight: Float64Array;
  onLeft: Float64Array;
} {
  const over = (p: Float64Array, q: Float64Array): Float64Array =>
    p.map((x, i) => x > Math.exp(epsilon) * q[i]! ? 0.01 : 0);
  return { onRight: over(right, left), onLeft: over(left, right) };
}

const families: readonly Family[] = [
  divergenceFamily("renyi", 2),
  divergenceFamily("renyi", 1.3),
  divergenceFamily("renyi", 9),
  divergenceFamily("zcdp", 1.05),
  divergenceFamily("zcdp", 4),
  {
    name: "approximate",
    random: (source, cells) => approximateBet(randomStakes(source, cells), { delta: DELTA }),
    exact: (law) => {
      const epsilon = families[5]!.parameter(law);
      return approximateBet(stakesOnExcess(law, epsilon), { delta: DELTA });
    },
    parameter: ({ left, right }) =>
      least((epsilon) =>
        Math.max(excess(right, left, epsilon), excess(left, right, epsilon)) <= DELTA
      ),
  },
  {
    name: "gaussian",
    random: (source, cells) => gaussianBet(randomStakes(source, cells), { epsilon: EPSILON }),
    exact: (law) => gaussianBet(stakesOnExcess(law, EPSILON), { epsilon: EPSILON }),
    // A bound on μ from one point of the curve: the claim of μ allows no more there.
    parameter: ({ left, right }) => {
      const most = Math.max(excess(right, left, EPSILON), excess(left, right, EPSILON));
      return least((mu) => mu > 0 && gaussianDelta(mu, EPSILON) >= most);
    },
  },
];

// Mutants: 2a in place of 2(a − 1); the powers of the two directions exchanged; e^(a·b) in place of e^((a−1)b); no
// payment for δ, or for one direction only; ρ in place of ρ·a.
for (const { name, random, exact, parameter } of families) {
  Deno.test(`a bet against a ${name} claim has expectation at most 1 under every law that keeps it, and comes close`, () => {
    const source = new SeededSource(2301).split(name);
    let largest = 0, tested = 0;
    for (let trial = 0; trial < 600; trial++) {
      const cells = 2 + Math.floor(5 * source.uniform());
      let law = randomLaw(source, cells);
      const bet = trial % 3 === 0 ? exact(law) : random(source, cells);
      // Uphill among all laws, each against the least parameter that it keeps.
      const meanOf = (own: LeafLaw): number => {
        const kept = parameter(own) * (1 + 1e-12) + 1e-12;
        return bet.factorsAt(kept) === undefined ? 0 : expectation(bet, own, kept);
      };
      let mean = meanOf(law);
      for (let step = 0; step < 15; step++) {
        const move = (side: Float64Array): Float64Array =>
          normalised(side.map((x) => x * Math.exp(0.6 * (source.uniform() - 0.5))));
        const next = { left: move(law.left), right: move(law.right) };
        const other = meanOf(next);
        if (other > mean) [law, mean] = [next, other];
      }
      if (mean === 0) continue;
      tested++;
      assert(mean <= 1 + 1e-9, `${mean} for ${JSON.stringify(law)}`);
      largest = Math.max(largest, mean);
    }
    assert(tested > 400, `${tested} laws`);
    assert(largest > 1 - 1e-6, `largest expectation ${largest}`);
  });

  Deno.test(`the factors of a bet against a ${name} claim fall as the parameter rises, and are never negative`, () => {
    const source = new SeededSource(2302).split(name);
    let ended = 0;
    for (let trial = 0; trial < 200; trial++) {
      const bet = random(source, 4);
      let before = bet.factorsAt(1e-3), parameter = 1e-3;
      for (let step = 0; step < 80; step++) {
        parameter *= 1.3;
        const now = bet.factorsAt(parameter);
        if (now === undefined) {
          // Where one factor is negative for a parameter, one is for every larger one.
          assertEquals(bet.factorsAt(2 * parameter), undefined);
          ended++;
          break;
        }
        for (const side of ["left", "right"] as const) {
          now[side].forEach((factor, i) => {
            assert(factor >= 0);
            if (before !== undefined) assert(factor <= before[side][i]! + 1e-12);
          });
        }
        before = now;
      }
    }
    if (name !== "gaussian") assert(ended > 0, "some parameter is too large for some bet");
  });
}

Deno.test("divergenceBet() of the true ratio has expectation 1 where the divergence is just kept, and above 1 beyond", () => {
  const law = {
    left: Float64Array.of(0.5, 0.3, 0.2),
    right: Float64Array.of(0.2, 0.3, 0.5),
  };
  for (const order of [1.2, 2, 5]) {
    const bet = divergenceBet({
      order,
      ofRight: 3e-4,
      ofLeft: 3e-4,
      logRatio: law.right.map((p, i) => Math.log(p / law.left[i]!)),
    }, "renyi");
    const divergence = renyiDivergence(law.right, law.left, order);
    assertAlmostEquals(expectation(bet, law, divergence), 1, 1e-12);
    assert(expectation(bet, law, 0.9 * divergence) > 1 + 1e-6);
  }
  assertEquals(divergenceLimit(3, { kind: "zcdp", parameter: 0.5 }), 1.5);
  assertEquals(divergenceLimit(3, { kind: "renyi", parameter: 0.5 }), 0.5);
});

Deno.test("logWealthOf() multiplies the factors of single draws, and is −∞ without a bet", () => {
  const bet: ClaimBet = {
    factorsAt: (parameter) =>
      parameter > 1
        ? undefined
        : { left: Float64Array.of(0, 0.5), right: Float64Array.of(2, 1.25) },
  };
  const counts = { left: Float64Array.of(0, 3), right: Float64Array.of(2, 1) };
  assertAlmostEquals(logWealthOf(bet, counts, 1), Math.log(0.5 ** 3 * 4 * 1.25), 1e-12);
  assertEquals(logWealthOf(bet, counts, 1.1), -Infinity);
});

// Mutants: δ paid for whole, in place of its share of the stake; the stake alone in place of the price.
Deno.test("bets against (ε, δ) and μ have expectation 1 where the event has all that the claim allows", () => {
  const bets = (epsilon: number, delta: number, mu: number): readonly [ClaimBet, number][] => {
    const stakes = { onRight: Float64Array.of(0.07, 0), onLeft: new Float64Array(2) };
    return [[approximateBet(stakes, { delta }), epsilon], [gaussianBet(stakes, { epsilon }), mu]];
  };
  for (const mu of [0.3, 1, 2]) {
    for (const epsilon of [0, 0.2, 1]) {
      const delta = gaussianDelta(mu, epsilon);
      for (const q of [0.01, 0.1, 0.2]) {
        const p = Math.exp(epsilon) * q + delta;
        if (p > 1) continue;
        const law = { left: Float64Array.of(q, 1 - q), right: Float64Array.of(p, 1 - p) };
        for (const [bet, parameter] of bets(epsilon, delta, mu)) {
          assertAlmostEquals(expectation(bet, law, parameter), 1, 1e-14);
        }
      }
    }
  }
});

// Mutants: 0 times infinity is no number; no price where μ is 0, by a δ that is no number.
Deno.test("bets without a stake have factor 1, however large the parameter or the ratio", () => {
  const none = { onRight: new Float64Array(2), onLeft: new Float64Array(2) };
  const ones = { left: Float64Array.of(1, 1), right: Float64Array.of(1, 1) };
  assertEquals(approximateBet(none, { delta: 0 }).factorsAt(1000), ones);
  const oneSide = { onRight: Float64Array.of(0, 0), onLeft: Float64Array.of(1e-9, 0) };
  assertEquals(approximateBet(oneSide, { delta: 0 }).factorsAt(1000), undefined);
  assertEquals(gaussianBet(none, { epsilon: 0 }).factorsAt(0), ones);
  const staked = { onRight: Float64Array.of(0.1, 0), onLeft: new Float64Array(2) };
  assertEquals(gaussianBet(staked, { epsilon: 0 }).factorsAt(0), {
    left: Float64Array.of(1 - 2 * 0.1, 1),
    right: Float64Array.of(1 + 2 * 0.1, 1),
  });
  const unlikely = { order: 2, ofRight: 0, ofLeft: 0.1, logRatio: Float64Array.of(1000, 0) };
  const { left, right } = divergenceBet(unlikely, "renyi").factorsAt(0)!;
  assert([...left, ...right].every(Number.isFinite), `${left} ${right}`);
});

// Mutants: one side alone is looked at.
Deno.test("bets refuse stakes that are negative", () => {
  const none = new Float64Array(2), bad = Float64Array.of(0.1, -1e-9);
  for (const stakes of [{ onRight: bad, onLeft: none }, { onRight: none, onLeft: bad }]) {
    assertThrows(() => approximateBet(stakes, { delta: 0.1 }), RangeError, "must not be negative");
    assertThrows(() => gaussianBet(stakes, { epsilon: 1 }), RangeError, "must not be negative");
  }
  for (const stakes of [{ ofRight: -0.1, ofLeft: 0.1 }, { ofRight: 0.1, ofLeft: -0.1 }]) {
    const made = { order: 2, logRatio: none, ...stakes };
    assertThrows(() => divergenceBet(made, "renyi"), RangeError, "must not be negative");
  }
});

Deno.test("a bet may have a factor of 0, and none below", () => {
  const zero = { left: Float64Array.of(0, 1), right: Float64Array.of(1, 0) };
  assertEquals(unlessNegative(zero), zero);
  for (const value of [-1e-300, NaN]) {
    assertEquals(unlessNegative({ ...zero, left: Float64Array.of(value, 1) }), undefined);
    assertEquals(unlessNegative({ ...zero, right: Float64Array.of(1, value) }), undefined);
  }
});

// Mutants: lost draws of one side that cost nothing; a factor that is not the smallest.
Deno.test("no outputs of lost draws make the wealth smaller than logSmallestWealthOf() says, and some make it as small", () => {
  const source = new SeededSource(812);
  let tested = 0;
  for (const { random } of families) {
    for (let round = 0; round < 20; round++) {
      const cells = 2 + source.uint32() % 3, bet = random(source, cells);
      const parameter = 0.2 + source.uniform();
      for (const draws of [{ left: 2, right: 0 }, { left: 0, right: 3 }, { left: 1, right: 2 }]) {
        const smallest = logSmallestWealthOf(bet, draws, parameter);
        let least = Infinity;
        // All draws of a side in one cell: a sum of logarithms is least there.
        for (let a = 0; a < cells; a++) {
          for (let b = 0; b < cells; b++) {
            const counts = { left: new Float64Array(cells), right: new Float64Array(cells) };
            counts.left[a] = draws.left;
            counts.right[b] = draws.right;
            least = Math.min(least, logWealthOf(bet, counts, parameter));
          }
        }
        if (least === -Infinity) assertEquals(smallest, least);
        else {
          assertAlmostEquals(smallest, least, 1e-9);
          tested++;
        }
      }
    }
  }
  assert(tested > 100, `${tested}`);
});
