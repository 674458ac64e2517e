// A law says by what factor its probabilities may be off, and bounds take their margin from it. So the factor is held to exact
// numbers: there are options at which probabilities are off by some of it, and none at which they are off by more.
import { assert } from "@std/assert";
import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
} from "../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { epsilonBounds } from "../../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { type BigNumber, bigNumber } from "../../core/numeric/big_number.ts";

const one = bigNumber(1);

/** The largest of ratios' distances from 1, and that each is at most the tolerance. */
function assertWithin(pairs: readonly (readonly [number, BigNumber])[], tolerance: number): number {
  let most = 0;
  for (const [value, exact] of pairs) {
    const off = bigNumber(value).div(exact).minus(one).abs().toNumber();
    assert(off <= tolerance, `off by ${off}, more than ${tolerance}`);
    most = Math.max(most, off);
  }
  return most;
}

// Mutants: no margin for the roundings of the exponential and of a quotient.
Deno.test("approximateLoss() and laplaceLoss() are off by some roundings, and say by how many at most", () => {
  let most = 0;
  for (const epsilon of [1e-3, 0.1, 0.7, 1, 3, 10, 40]) {
    const e = bigNumber(epsilon).exp(), half = bigNumber(0.5);
    for (const delta of [0, 1e-6, 0.3]) {
      const { atoms: [less, more], relativeError } = approximateLoss({ epsilon, delta }).forward;
      const rest = one.minus(bigNumber(delta));
      const exact = [rest.div(e.plus(one)), rest.times(e).div(e.plus(one))] as const;
      most = Math.max(
        most,
        assertWithin(
          [[less!.p, exact[0]], [less!.q, exact[1]], [more!.p, exact[1]]],
          relativeError,
        ),
      );
    }
    const { atoms, intervalMass, relativeError } = laplaceLoss({ epsilon }).forward;
    const [from, to] = [-0.3 * epsilon, 0.6 * epsilon];
    // Density e^((l − ε)/2)/4 of a loss l.
    const at = (loss: number): BigNumber =>
      bigNumber(loss).minus(bigNumber(epsilon)).times(half).exp().times(half);
    const { p } = intervalMass!(from, to);
    most = Math.max(
      most,
      assertWithin([[atoms[0]!.p, half.div(e)], [p, at(to).minus(at(from))]], relativeError),
    );
  }
  assert(most > 2 ** -54, `${most}`);
});

// A logarithm's difference is off by roundings of both. Mutant: no margin for that.
Deno.test("finiteLoss() is off by some roundings in its losses, and says by how much at most", () => {
  let most = 0;
  for (
    const [p, q] of [[0.3, 0.6], [0.001, 0.9], [0.11, 0.13], [1e-9, 0.5], [0.75, 0.25]] as const
  ) {
    const { atoms, relativeError } = finiteLoss({ p: [p, 1 - p], q: [q, 1 - q] }).forward;
    for (const { loss, p, q } of atoms) {
      const off = bigNumber(p).div(bigNumber(q)).ln().minus(bigNumber(loss)).abs().toNumber();
      assert(off <= relativeError, `${off}`);
      most = Math.max(most, off);
    }
  }
  assert(most > 2 ** -54, `${most}`);
});

/** Φ(x) − 1/2, by its series. */
function normalFromZero(x: BigNumber): BigNumber {
  const square = x.times(x).div(2);
  let term = x, sum = x;
  for (let k = 1; term.abs().gt(1e-70); k++) {
    term = term.times(square).negated().div(k);
    sum = sum.plus(term.div(2 * k + 1));
  }
  return sum.div(bigNumber(8).times(one.atan()).sqrt());
}

// Mutant: no margin for the roundings of a normal tail.
Deno.test("gaussianLoss() is off by some roundings, and says by how many at most", () => {
  let most = 0;
  for (const mu of [0.01, 0.3, 1, 4]) {
    const { intervalMass, relativeError } = gaussianLoss({ mu }).forward, big = bigNumber(mu);
    const mean = big.times(big).div(2);
    for (const [from, to] of [[-3, -2.5], [-1, 1], [0.3, 0.4], [1, 2], [4, 5]] as const) {
      const ends = [mu * from, mu * to] as const, { p, q } = intervalMass!(...ends);
      const massFrom = (centre: BigNumber): BigNumber => {
        const [low, high] = ends.map((end) =>
          normalFromZero(bigNumber(end).minus(centre).div(big))
        ) as [BigNumber, BigNumber];
        return high.minus(low);
      };
      const pairs = [[p, massFrom(mean)], [q, massFrom(mean.negated())]] as const;
      most = Math.max(most, assertWithin(pairs, relativeError));
    }
  }
  assert(most > 2 ** -54, `${most}`);
});

// Losses of outputs as rare as 1e-300 are differences of logarithms of hundreds. Mutant: no margin for their roundings in the largest sum.
Deno.test("epsilonBounds() are no lower than the largest loss, of outputs that are hardly ever seen", () => {
  for (let k = 1; k <= 12; k++) {
    const rare = 1e-300 * (1 + k / 64), other = 1e-300;
    const loss = finiteLoss({ p: [rare, 1], q: [other, 1] });
    const { upper } = epsilonBounds([{ loss, count: 1 }], { delta: 1e-320 });
    const exact = bigNumber(rare).div(bigNumber(other)).ln();
    assert(exact.lte(bigNumber(upper)), `${upper} for ${exact}`);
  }
});
