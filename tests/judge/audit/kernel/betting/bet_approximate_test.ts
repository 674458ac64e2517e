import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  betApproximate,
  chooseCap,
} from "../../../../../lib/judge/audit/kernel/betting/bet_approximate.ts";

interface Law {
  readonly favoured: readonly number[];
  readonly other: readonly number[];
}

/** What one draw in `leaf` multiplies the wealth by. */
function factor(
  point: { epsilon: number; delta: number; cap: number },
  probability: Float64Array,
  { leaf, favoured }: { leaf: number; favoured: boolean },
): number {
  const one = new Float64Array(probability.length), none = new Float64Array(probability.length);
  one[leaf] = 1;
  return Math.exp(betApproximate(point, {
    sides: [{
      cap: point.cap,
      probability,
      favoured: favoured ? one : none,
      other: favoured ? none : one,
    }],
    draws: 1,
  }));
}

/** The exact expectation of one draw: a fair coin, then a leaf by that side's law. */
function expectation(
  point: { epsilon: number; delta: number; cap: number },
  probability: Float64Array,
  law: Law,
): number {
  let mean = 0;
  probability.forEach((_, leaf) => {
    mean += 0.5 * law.favoured[leaf]! * factor(point, probability, { leaf, favoured: true }) +
      0.5 * law.other[leaf]! * factor(point, probability, { leaf, favoured: false });
  });
  return mean;
}

const LEAVES = 5;
const weights = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), {
  minLength: LEAVES,
  maxLength: LEAVES,
});

function normalised(raw: readonly number[]): number[] {
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((x) => x / sum);
}

/**
 * Two laws as far apart as (ε, δ) allows: with probability δ the sides say different things, else the
 * first says some leaves e^ε times as often as the second.
 */
function worstLaw(
  { epsilon, delta }: { epsilon: number; delta: number },
  { raw, bad, good }: { raw: readonly number[]; bad: number; good: readonly boolean[] },
): Law {
  const base = normalised(raw);
  const growth = Math.exp(epsilon);
  // Scale the chosen leaves so that their ratio is e^ε and the rest makes up for it.
  const mass = base.reduce((sum, x, i) => (good[i] ? sum + x : sum), 0);
  const scale = mass === 0 ? 0 : Math.min(1, 0.9 / (growth * mass));
  const other = base.map((x, i) => (good[i] ? scale * x : x));
  const favoured = base.map((x, i) => (good[i] ? growth * scale * x : x));
  const fill = (law: number[]): number[] => {
    // What is missing goes where both sides may differ by any factor below e^ε: a last leaf.
    const missing = 1 - law.reduce((sum, x, i) => (good[i] ? sum + x : sum), 0);
    const rest = law.reduce((sum, x, i) => (good[i] ? sum : sum + x), 0);
    return law.map((x, i) => (good[i] ? x : rest === 0 ? 0 : (x * missing) / rest));
  };
  const p = fill(favoured), q = fill(other);
  return {
    favoured: p.map((x, i) => (1 - delta) * x + (i === bad ? delta : 0)),
    other: q.map((x, i) => (1 - delta) * x + (i === (bad + 1) % LEAVES ? delta : 0)),
  };
}

/** The largest P(S) − e^ε·Q(S) over all sets of leaves. */
function hockeyStick(epsilon: number, { favoured, other }: Law): number {
  return favoured.reduce(
    (sum, p, i) => sum + Math.max(0, p - Math.exp(epsilon) * other[i]!),
    0,
  );
}

const point = fc.record({
  epsilon: fc.double({ min: 0, max: 4, noNaN: true }),
  delta: fc.double({ min: 1e-9, max: 0.5, noNaN: true }),
});

// Mutants: s̄δ not taken off, 2s in place of s, e^ε left out of the loss.
Deno.test("betApproximate() has expectation at most 1 under every law that (ε, δ) allows", () => {
  let tested = 0, largest = 0;
  fc.assert(
    fc.property(
      point,
      weights,
      weights,
      weights,
      fc.nat(LEAVES - 1),
      fc.array(fc.boolean(), { minLength: LEAVES, maxLength: LEAVES }),
      ({ epsilon, delta }, raw, guesses, shares, bad, good) => {
        good[(bad + 1) % LEAVES] = false;
        const law = worstLaw({ epsilon, delta }, { raw, bad, good });
        const loss = hockeyStick(epsilon, law);
        // The claim that this law just keeps.
        const claim = { epsilon, delta: Math.max(delta, loss) };
        const probability = Float64Array.from(guesses, (x) => 0.5 + x / 2.001);
        const cap = chooseCap(claim, {
          probability,
          mass: Float64Array.from(normalised(shares)),
        });
        for (const own of [cap, 0.4 * cap, (1 - 1e-9) / (2 * Math.exp(epsilon) + claim.delta)]) {
          const mean = expectation({ ...claim, cap: own }, probability, law);
          assert(mean <= 1 + 1e-9, `${mean} for ${JSON.stringify({ claim, own, law })}`);
          if (own > 0) {
            tested++;
            largest = Math.max(largest, mean);
          }
        }
      },
    ),
    { seed: 5, numRuns: 1000 },
  );
  assert(tested > 500 && largest > 0.999, `${tested} bets, largest expectation ${largest}`);
});

Deno.test("betApproximate() gains nothing on average where (ε, δ) is just kept", () => {
  // δ of the mass is certain, elsewhere the ratio is e^ε: every inequality of the proof is an equality.
  const epsilon = 1, delta = 0.1;
  const growth = Math.E;
  const q = 0.2;
  const law = {
    favoured: [delta, growth * q, 1 - delta - growth * q],
    other: [0, q, 1 - q],
  };
  const probability = Float64Array.of(1 - 1e-9, 0.95, 0.2);
  const cap = (1 - 1e-9) / (2 * growth + delta);
  assertAlmostEquals(expectation({ epsilon, delta, cap }, probability, law), 1, 1e-9);
  // One part in ten more on the certain leaf and the bet pays.
  const broken = { ...law, favoured: [0.11, growth * q, 1 - 0.11 - growth * q] };
  assert(expectation({ epsilon, delta, cap }, probability, broken) > 1 + 1e-4);
});

Deno.test("betApproximate() keeps the wealth positive at the largest cap", () => {
  fc.assert(
    fc.property(
      point,
      fc.double({ min: 0.5, max: 1, maxExcluded: true, noNaN: true }),
      ({ epsilon, delta }, r) => {
        const probability = Float64Array.of(r);
        const cap = chooseCap({ epsilon, delta }, { probability, mass: Float64Array.of(1) });
        assert(cap >= 0 && cap * (2 * Math.exp(epsilon) + 2 * delta) < 1);
        const log = betApproximate({ epsilon, delta }, {
          sides: [{ cap, probability, favoured: Float64Array.of(0), other: Float64Array.of(1) }],
          draws: 1,
        });
        assert(Number.isFinite(log));
      },
    ),
    { seed: 6, numRuns: 500 },
  );
});

Deno.test("chooseCap() bets nothing where nothing is to be won", () => {
  const mass = Float64Array.of(1);
  const even = { probability: Float64Array.of(0.6), mass };
  assertEquals(chooseCap({ epsilon: 1, delta: 0.01 }, even), 0);
  assert(chooseCap({ epsilon: 0.1, delta: 0.01 }, even) > 0);
  // e^ε overflows: no bet, and no NaN.
  const huge = { probability: Float64Array.of(1 - 1e-12), mass };
  assertEquals(chooseCap({ epsilon: 1000, delta: 0.01 }, huge), 0);
  const settled = betApproximate({ epsilon: 1000, delta: 0.01 }, {
    sides: [{
      cap: 0,
      probability: huge.probability,
      favoured: Float64Array.of(9),
      other: Float64Array.of(1),
    }],
    draws: 10,
  });
  assertEquals(settled, 0);
});

// Mutants: a count that is not multiplied with; draws outside of the cells paid for once.
Deno.test("betApproximate() of a batch is the product of its draws", () => {
  const probability = Float64Array.of(0.9, 0.99, 0.2);
  const bet = { epsilon: 0.5, delta: 0.01, cap: 0.2 };
  const counts = fc.array(fc.nat(30), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(counts, (drawn) => {
      const favoured = Float64Array.from(drawn.slice(0, 3));
      const other = Float64Array.from(drawn.slice(3, 6));
      const draws = drawn.reduce((sum, count) => sum + count);
      let expected = drawn[6]! * Math.log1p(-bet.cap * bet.delta);
      probability.forEach((_, leaf) => {
        expected += favoured[leaf]! * Math.log(factor(bet, probability, { leaf, favoured: true })) +
          other[leaf]! * Math.log(factor(bet, probability, { leaf, favoured: false }));
      });
      const whole = betApproximate(bet, {
        sides: [{ cap: bet.cap, probability, favoured, other }],
        draws,
      });
      assertAlmostEquals(whole, expected, 1e-9);
    }),
    { seed: 1511 },
  );
});

// Mutants: δ paid for on one side alone; the loss of one side's stake not taken off where the other side is favoured.
Deno.test("betApproximate() in both directions has expectation at most 1, and gains what both gain", () => {
  const epsilon = 1, delta = 0.1, growth = Math.E;
  // δ of the mass is certain on either side; of the rest one output is e^ε times as likely on the right, one on the left.
  const q = 0.2, rest = 1 - delta - (1 + growth) * q;
  const right = [delta, 0, growth * q, q, rest], left = [0, delta, q, growth * q, rest];
  const meanOf = (caps: readonly [number, number], own = right): number =>
    [own, left].reduce((sum, law, label) =>
      sum + law.reduce((part, mass, leaf) => {
        const counts = (leaves: readonly number[]): Float64Array =>
          Float64Array.from(leaves, (one) => one === leaf ? 1 : 0);
        const none = new Float64Array(2);
        // Leaves 0 and 2 favour the right dataset, 1 and 3 the left one.
        const log = betApproximate({ epsilon, delta }, {
          sides: [[0, 2], [1, 3]].map((leaves, side) => ({
            cap: caps[side]!,
            probability: Float64Array.of(1 - 1e-9, 0.95),
            favoured: label === side ? counts(leaves) : none,
            other: label === side ? none : counts(leaves),
          })),
          draws: 1,
        });
        return part + mass / 2 * Math.exp(log);
      }, 0), 0);
  const most = (1 - 1e-9) / (2 * growth + 2 * delta);
  for (const caps of [[most, most], [most, 0], [0, most], [0.3 * most, most]] as const) {
    assertAlmostEquals(meanOf(caps), 1, 1e-9);
  }
  // A tenth more on the certain leaf of one side pays for bets in its direction.
  const broken = [delta + 0.01, 0, growth * q, q, rest - 0.01];
  assert(meanOf([most, most], broken) > 1 + 1e-4);
  assertAlmostEquals(meanOf([0, most], broken), 1, 1e-9);
});
