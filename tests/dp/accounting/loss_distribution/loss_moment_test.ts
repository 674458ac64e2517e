import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { FiniteLosses } from "../../../../lib/dp/accounting/loss_distribution/loss_cells.ts";
import {
  logMoment,
  logMomentOfSum,
  logPeak,
  type LossPower,
  momentEpsilon,
  saddleDensity,
  saddleTilt,
  shareAbove,
  splitMoment,
} from "../../../../lib/dp/accounting/loss_distribution/loss_moment.ts";
import { logSumExp } from "../../../../lib/core/numeric/log_sum_exp.ts";

type Atom = readonly [loss: number, logMass: number];

const finite = (atoms: readonly Atom[]): FiniteLosses => ({
  losses: Float64Array.from(atoms, ([loss]) => loss),
  masses: Float64Array.from(atoms, ([, logMass]) => Math.exp(logMass)),
});

const direct = (atoms: readonly Atom[], tilt: number): number =>
  atoms.length === 0 ? -Infinity : logSumExp(atoms.map(([loss, log]) => tilt * loss + log));

const atoms = (least: number): fc.Arbitrary<Atom[]> =>
  fc.array(
    fc.tuple(
      fc.double({ min: -5, max: 5, noNaN: true }),
      fc.double({ min: least, max: -1.2, noNaN: true }),
    ),
    { maxLength: 3 },
  );
const tilts = fc.double({ min: -3, max: 6, noNaN: true }).map(Math.exp);

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-11 * (1 + Math.abs(b));

// Mutants: the largest term not divided out; its second form, for sums that underflow, without a mass or a tilt.
Deno.test("logMoment() is the logarithm of the sum, for masses of any size and losses of any size", () => {
  const rare = fc.array(
    fc.tuple(
      fc.double({ min: -800, max: 800, noNaN: true }),
      fc.double({ min: -700, max: -1, noNaN: true }),
    ),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(rare, tilts, (list, tilt) => {
      const value = logMoment(finite(list), tilt), expected = direct(list, tilt);
      assert(near(value, expected), `${value} ${expected}`);
    }),
    {
      seed: 191,
      numRuns: 500,
      examples: [[[[2, -650], [-800, -1]], 400], [[[1, -600], [1, -600]], 1]],
    },
  );
  assertEquals(logMoment(finite([]), 1), -Infinity);
});

// Mutants: the share of the other side; 1 where nothing is below.
Deno.test("splitMoment() joins both sides of the edge, and tells how much is above", () => {
  fc.assert(
    fc.property(atoms(-200), atoms(-200), tilts, (below, above, tilt) => {
      if (below.length + above.length === 0) return;
      const { log, share } = splitMoment({ below: finite(below), above: finite(above) }, tilt);
      const whole = direct([...below, ...above], tilt);
      assert(near(log, whole), `${log} ${whole}`);
      assertAlmostEquals(share, Math.exp(direct(above, tilt) - whole), 1e-9);
    }),
    { seed: 192, numRuns: 300 },
  );
});

/** All outcomes of all runs: the loss, the log of the probability, whether a run was above the edge. */
function outcomes(
  parts: readonly { below: Atom[]; above: Atom[]; count: number }[],
): [number, number, boolean][] {
  let all: [number, number, boolean][] = [[0, 0, false]];
  for (const { below, above, count } of parts) {
    for (let run = 0; run < count; run++) {
      all = all.flatMap(([sum, log, isAbove]) => [
        ...below.map(([l, p]): [number, number, boolean] => [sum + l, log + p, isAbove]),
        ...above.map(([l, p]): [number, number, boolean] => [sum + l, log + p, true]),
      ]);
    }
  }
  return all;
}

const parts = fc.array(
  fc.record({ below: atoms(-8), above: atoms(-8), count: fc.integer({ min: 1, max: 3 }) })
    .filter(({ below, above }) => below.length + above.length > 0),
  { minLength: 1, maxLength: 2 },
);

// Mutants: a part left out; counts forgotten; the share forgotten; 1 where it is not; a peak of another tilt.
Deno.test("moments of sums are at least those of all outcomes above the edge, and equal for one run", () => {
  fc.assert(
    fc.property(parts, tilts, (list, tilt) => {
      const powers: LossPower[] = list.map(({ below, above, count }) => ({
        split: { below: finite(below), above: finite(above) },
        count,
      }));
      const all = outcomes(list), isWhole = list.some(({ below }) => below.length === 0);
      const moment = (which: (above: boolean) => boolean): number => {
        const chosen = all.filter(([, , above]) => which(above));
        return chosen.length === 0 ? -Infinity : logSumExp(chosen.map(([l, p]) => tilt * l + p));
      };
      const whole = moment(() => true), above = moment((isAbove) => isAbove);
      const share = shareAbove(powers, tilt), log = logMomentOfSum(powers, tilt);
      assert(share >= Math.exp(above - whole) * (1 - 1e-9) && share <= 1);
      assert(log >= above - 1e-9 && log <= whole + 1e-9 * (1 + Math.abs(whole)));
      if (isWhole) assert(share === 1 && near(log, whole));
      else if (list.length === 1 && list[0]!.count === 1) {
        assertAlmostEquals(share, Math.exp(above - whole), 1e-9);
        assert(above === -Infinity ? log === -Infinity : near(log, above));
      } else {
        const runs = list.reduce((sum, { count }) => sum + count, 0);
        const sum = list.reduce(
          (total, { below, above: high, count }) =>
            total + count * Math.exp(direct(high, tilt) - direct([...below, ...high], tilt)),
          0,
        );
        assertAlmostEquals(share, Math.min(1, sum), 1e-9 * runs);
        assert(sum === 0 ? log === -Infinity : near(log, whole + Math.log(Math.min(1, sum))));
      }
    }),
    { seed: 193, numRuns: 400 },
  );
  assertEquals([shareAbove([], 2), logMomentOfSum([], 2)], [1, 0]);
});

Deno.test("logPeak() is the largest value of e^(-tilt·y)·(1 - e^-y)", () => {
  for (const tilt of [0.01, 0.3, 1, 7, 200]) {
    let most = -Infinity;
    for (let k = -4000; k <= 4000; k++) {
      const y = Math.exp(k / 400);
      most = Math.max(most, -tilt * y + Math.log(-Math.expm1(-y)));
    }
    assert(logPeak(tilt) >= most - 1e-12 && logPeak(tilt) <= most + 1e-4, `${tilt}`);
  }
});

/** The sum of 50 losses that are 0.1 more than -1, 0 or 1, and so nearly normal. */
const walk: LossPower[] = [{
  split: {
    below: finite([]),
    above: finite([[-0.9, Math.log(1 / 3)], [0.1, Math.log(1 / 3)], [1.1, Math.log(1 / 3)]]),
  },
  count: 50,
}];

Deno.test("saddleTilt() is where the integrand is least, and saddleDensity() near the density there", () => {
  for (const epsilon of [8, 12, 20]) {
    const tilt = saddleTilt(walk, { epsilon });
    const height = (t: number): number =>
      logMomentOfSum(walk, t) - t * epsilon - Math.log(t) - Math.log1p(t);
    assert(height(tilt) <= Math.min(height(1.05 * tilt), height(tilt / 1.05)), `${epsilon}`);
    // At the tilt of the density's own saddle point: normal with mean 5 and variance 100/3, within 10%.
    const own = (epsilon - 5) / (100 / 3);
    const variance = 100 / 3 + 1 / own ** 2;
    const normal = Math.exp(-((epsilon - 5) ** 2) / (2 * 100 / 3)) /
      Math.sqrt(2 * Math.PI * variance);
    const density = saddleDensity(walk, { epsilon, tilt: own });
    assert(Math.abs(density / normal - 1) < 0.1, `${epsilon}: ${density} ${normal}`);
  }
});

// Mutant: the peak forgotten.
Deno.test("momentEpsilon() is at least the ε at δ of all outcomes, and within a third of it", () => {
  for (const delta of [1e-2, 1e-4, 1e-6]) {
    const bound = momentEpsilon(walk, { delta });
    const counts = new Map<number, number>([[0, 1]]);
    for (let run = 0; run < 50; run++) {
      const before = [...counts];
      counts.clear();
      for (const [steps, p] of before) {
        for (const step of [-1, 0, 1]) {
          counts.set(steps + step, (counts.get(steps + step) ?? 0) + p / 3);
        }
      }
    }
    const deltaAt = (epsilon: number): number =>
      [...counts].reduce((sum, [steps, p]) => {
        const excess = steps + 5 - epsilon;
        return excess > 0 ? sum - p * Math.expm1(-excess) : sum;
      }, 0);
    assert(deltaAt(bound) <= delta && deltaAt(bound / 1.34) > delta, `${delta}: ${bound}`);
  }
});

// Next to the largest power all terms underflow, of which Chernoff's bounds must not hear 0. Mutants: the largest power divided out
// there too, or the same sum gone on with; no look at whether it underflowed.
Deno.test("logMoment() keeps its digits where the largest losses are next to impossible", () => {
  for (
    const [rare, tilt] of [[2 ** -1060, 0.74], [2 ** -1060, 0.73], [1e-300, 0.69], [
      1e-310,
      2,
    ]] as const
  ) {
    for (const last of [1, -1]) {
      const losses = Float64Array.of(0, 1000), masses = Float64Array.of(1, rare);
      if (last < 0) [losses.reverse(), masses.reverse()];
      const log = Math.log(rare) + 1000 * tilt;
      const exact = Math.max(0, log) + Math.log1p(Math.exp(-Math.abs(log)));
      const found = logMoment({ losses, masses }, tilt);
      assert(Math.abs(found - exact) <= 1e-12 * (1 + exact), `${found}, not ${exact}`);
    }
  }
});
