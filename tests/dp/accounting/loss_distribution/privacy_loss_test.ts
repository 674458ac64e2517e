import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { adaptiveDelta } from "../../../../lib/dp/accounting/loss_distribution/adaptive_bounds.ts";
import { optimalDelta } from "../../../../lib/dp/accounting/composition/optimal_composition.ts";
import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
  type LossLaw,
  lossOfClaim,
  type PairMass,
} from "../../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { deltaBounds } from "../../../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../../../lib/dp/accounting/sampling/subsampled_loss.ts";
import { approximate, gaussian, pure } from "../../../../lib/core/mod.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";
import { gaussianDelta } from "../../../../lib/core/numeric/gaussian_delta.ts";
import { type BigNumber, bigNumber as big } from "../../../core/numeric/big_number.ts";

const UNIT_ROUNDOFF = 2 ** -53;
const half = big(0.5);
const scale = (low: number, high: number): fc.Arbitrary<number> =>
  fc.double({ min: Math.log(low), max: Math.log(high), noNaN: true }).map(Math.exp);
/** Parts of ε that the judge can tell apart. */
const share = fc.integer({ min: -1.2e9, max: 1.2e9 }).map((part) => part / 1e9);

interface BigMass {
  readonly p: BigNumber;
  readonly q: BigNumber;
}

/** Laplace noise: the outputs between 0 and 1 whose loss is between two numbers within ±ε. */
function laplaceMass(epsilon: number, from: BigNumber, to: BigNumber): BigMass {
  const e = big(epsilon), none = { p: big(0), q: big(0) };
  const low = from.lt(e.negated()) ? e.negated() : from, high = to.gt(e) ? e : to;
  if (low.gte(high)) return none;
  const at = (exponent: BigNumber): BigNumber => half.times(exponent.times(half).exp());
  return {
    p: at(high.minus(e)).minus(at(low.minus(e))),
    q: at(e.plus(low).negated()).minus(at(e.plus(high).negated())),
  };
}

/** Fails unless the law's interval is right up to its relative error and the roundings of its ends. */
function assertInterval(law: LossLaw, [from, to]: readonly [number, number], exact: BigMass): void {
  const tolerance = 1.01 * law.relativeError +
    8 * UNIT_ROUNDOFF * Math.max(Math.abs(from), Math.abs(to)) / (to - from);
  const near = (name: string, found: number, truth: BigNumber, tolerance: number): void =>
    assert(
      truth.minus(big(found)).abs().lte(truth.abs().times(tolerance).plus(1e-300)),
      `${name} of (${from}, ${to}]: ${found} for ${truth.toNumber()}`,
    );
  const { p, q } = law.intervalMass!(from, to);
  near("p", p, exact.p, tolerance);
  near("q", q, exact.q, tolerance);
  const difference = law.intervalDifference?.(from, to);
  if (difference === undefined) return;
  near("rise", difference.rise, exact.p.minus(exact.q.times(big(from).exp())), 2 * tolerance);
  near("fall", difference.fall, exact.q.minus(exact.p.times(big(-to).exp())), 2 * tolerance);
}

// Mutants: any factor or term of a mass, of a rise or of a fall; an interval that is not cut off at ±ε.
Deno.test("laplaceLoss() has the masses and differences of its outputs, in 80 digits", () => {
  fc.assert(
    fc.property(scale(1e-6, 20), share, share, (epsilon, a, b) => {
      if (a === b) return;
      const from = epsilon * Math.min(a, b), to = epsilon * Math.max(a, b);
      const { forward, backward } = laplaceLoss({ epsilon });
      assert(forward === backward);
      assertInterval(forward, [from, to], laplaceMass(epsilon, big(from), big(to)));
      const rare = half.times(big(-epsilon).exp());
      for (const { loss, p, q } of forward.atoms) {
        assert(Math.abs(loss) === epsilon);
        const [likely, other] = loss > 0 ? [p, q] : [q, p];
        assert(likely === 0.5 && rare.minus(other).abs().lte(rare.times(1e-14)));
      }
    }),
    { seed: 211, numRuns: 150 },
  );
  const { p, q } = laplaceLoss({ epsilon: 1 }).forward.intervalMass!(-Infinity, Infinity);
  for (const mass of [p, q]) assert(Math.abs(mass - 0.5 * -Math.expm1(-1)) < 1e-15);
  assertEquals(laplaceLoss({ epsilon: 1 }).forward.intervalDifference!(1, 2), { rise: 0, fall: 0 });
});

/** Of a Laplace mechanism on a sample: the row is in it with this rate under P, and never under Q. */
function sampledMass(
  { epsilon, rate }: { epsilon: number; rate: number },
  from: number,
  to: number,
): BigMass {
  const e = big(epsilon), r = big(rate);
  const unmixed = (value: number): BigNumber => {
    const odds = big(value).exp().minus(1).div(r).plus(1);
    return odds.gt(e.negated().exp()) ? odds.ln() : e.negated();
  };
  const { p, q } = laplaceMass(epsilon, unmixed(from), unmixed(to));
  return { p: q.times(big(1).minus(r)).plus(p.times(r)), q };
}

// Mutants: P and Q mixed the other way round; a rise or a fall without the rate; ends that are not unmixed.
Deno.test("poissonSubsampledLoss() has the masses and differences of the mixture, in both directions", () => {
  fc.assert(
    fc.property(scale(0.01, 5), scale(1e-4, 0.99), share, share, (epsilon, rate, a, b) => {
      const { forward, backward } = poissonSubsampledLoss(laplaceLoss({ epsilon }), { rate });
      const mixed = (part: number): number =>
        Math.log1p(rate * Math.expm1(epsilon * Math.max(-0.99, Math.min(0.99, part))));
      const from = Math.min(mixed(a), mixed(b)), to = Math.max(mixed(a), mixed(b));
      if (!(to - from > 1e-6 * (Math.abs(from) + Math.abs(to)))) return;
      const { p, q } = sampledMass({ epsilon, rate }, from, to);
      assertInterval(forward, [from, to], { p, q });
      assertInterval(backward, [-to, -from], { p: q, q: p });
      assert(forward.highest >= mixed(0.99) && forward.lowest <= mixed(-0.99));
      assertEquals([backward.lowest, backward.highest], [-forward.highest, -forward.lowest]);
      const top = Math.log1p(rate * Math.expm1(epsilon));
      assert(Math.abs(forward.highest - top) <= 1e-14 * top);
    }),
    { seed: 212, numRuns: 100 },
  );
});

Deno.test("poissonSubsampledLoss() mixes losses above 30 without overflow", () => {
  for (const epsilon of [29.9, 30.1, 100, 1000]) {
    const { forward } = poissonSubsampledLoss(approximateLoss({ epsilon }), { rate: 0.25 });
    const exact = big(epsilon).exp().times(0.25).plus(0.75).ln();
    assert(exact.minus(big(forward.highest)).abs().lte(1e-14 * epsilon), `${epsilon}`);
  }
  // So rare a sample that e^loss and 1/rate are of one size.
  for (const rate of [1e-12, 1e-14, 1e-16]) {
    const { forward } = poissonSubsampledLoss(approximateLoss({ epsilon: 32 }), { rate });
    const exact = big(32).exp().minus(1).times(big(rate)).plus(1).ln();
    assert(exact.minus(big(forward.highest)).abs().lte(32e-14), `${rate}`);
  }
  const loss = laplaceLoss({ epsilon: 1 });
  assert(poissonSubsampledLoss(loss, { rate: 1 }) === loss);
});

// Mutants: δ not taken off the answers; the two answers swapped.
Deno.test("approximateLoss() is randomised response but for a probability of δ", () => {
  fc.assert(
    fc.property(
      scale(1e-9, 50),
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      (epsilon, delta) => {
        const { forward, backward } = approximateLoss({ epsilon, delta });
        assert(forward === backward && forward.infinite === delta);
        const truth = big(1).minus(big(delta)).div(big(1).plus(big(-epsilon).exp()));
        const lie = truth.times(big(-epsilon).exp());
        for (const { loss, p, q } of forward.atoms) {
          assertEquals(Math.abs(loss), epsilon);
          const [more, less] = loss > 0 ? [p, q] : [q, p];
          assert(truth.minus(big(more)).abs().lte(truth.times(1e-14)));
          assert(lie.minus(big(less)).abs().lte(lie.times(1e-14)));
        }
      },
    ),
    { seed: 213 },
  );
});

Deno.test("finiteLoss() counts outputs that one side never gives as infinite losses of the other", () => {
  const { forward, backward } = finiteLoss({ p: [0.5, 0.25, 0.25, 0], q: [0.25, 0, 0.5, 0.25] });
  assertEquals([forward.infinite, backward.infinite], [0.25, 0.25]);
  assertEquals(forward.atoms.map(({ p, q }) => [p, q]), [[0.25, 0.5], [0.5, 0.25]]);
  assertEquals(backward.atoms.map(({ p, q }) => [p, q]), [[0.25, 0.5], [0.5, 0.25]]);
  for (const { lowest, highest } of [forward, backward]) {
    assert(Math.abs(highest - Math.LN2) < 1e-15 && lowest === -highest);
  }
  // Losses of ln 2 with probability 1/2 and −ln 2 with 1/4, about (ln 2)/4.
  const square = (0.5 * 0.75 ** 2 + 0.25 * 1.25 ** 2) * Math.LN2 ** 2;
  assert(Math.abs(forward.deviation ** 2 - square) < 1e-15, `${forward.deviation ** 2} ${square}`);
});

// Mutant: any one of the checks left out.
Deno.test("privacy losses refuse what is no pair of distributions", () => {
  const even = [0.5, 0.5];
  for (const wrong of [[0.5, 0.5 + 2e-12], [0.5, 0.5 - 2e-12], [1.5, -0.5], [NaN, 1], [1]]) {
    assertThrows(() => finiteLoss({ p: wrong, q: even }), RangeError);
    assertThrows(() => finiteLoss({ p: even, q: wrong }), RangeError);
  }
  assertEquals(finiteLoss({ p: [0.5, 0.5 + 5e-13], q: even }).forward.atoms.length, 2);
  const leaky = finiteLoss({ p: [1, 0], q: even });
  for (const loss of [leaky, { forward: leaky.backward, backward: leaky.forward }]) {
    assertThrows(() => poissonSubsampledLoss(loss, { rate: 0.5 }), RangeError, "infinite loss");
  }
});

Deno.test("lossOfClaim() is the worst loss of each kind that has one", () => {
  const claims = [
    [pure({ epsilon: 0.5, relation }), approximateLoss({ epsilon: 0.5 })],
    [
      approximate({ epsilon: 0.5, delta: 0.1, relation }),
      approximateLoss({ epsilon: 0.5, delta: 0.1 }),
    ],
  ] as const;
  for (const [claim, loss] of claims) assertEquals(lossOfClaim(claim), loss);
  const { forward } = lossOfClaim(gaussian({ mu: 0.5, relation }))!;
  const mass = gaussianLoss({ mu: 0.5 }).forward.intervalMass!(0, 1);
  assertEquals(forward.intervalMass!(0, 1), mass);
});

/** The law with every probability off by as much as it says it may be. */
function off(law: LossLaw, error: number, [p, q]: readonly [number, number]): LossLaw {
  const [moreP, moreQ] = [Math.exp(p * error), Math.exp(q * error)];
  const { intervalDifference: _, ...rest } = law;
  return {
    ...rest,
    atoms: law.atoms.map((atom) => ({ ...atom, p: atom.p * moreP, q: atom.q * moreQ })),
    ...(law.intervalMass && {
      intervalMass(from: number, to: number): PairMass {
        const { p, q } = law.intervalMass!(from, to);
        return { p: p * moreP, q: q * moreQ };
      },
    }),
    relativeError: law.relativeError + error,
  };
}

const SIGNS = [[-1, -1], [-1, 1], [1, -1], [1, 1]] as const;

// Mutants: no factor for P or no shift of ε for what probabilities may be off; one run's error for all runs.
Deno.test("deltaBounds() encloses δ when every probability is off by its relative error", () => {
  for (const [epsilon, count] of [[0.05, 20], [0.3, 20], [5, 1], [5, 3]] as const) {
    const { forward } = approximateLoss({ epsilon });
    for (const signs of SIGNS) {
      const law = off(forward, 1e-3, signs), loss = { forward: law, backward: law };
      for (const at of [0.01, 0.1, 0.3, 0.6].map((part) => part * count * epsilon)) {
        const truth = optimalDelta([{ epsilon, count }], { epsilon: at });
        const { lower, upper } = deltaBounds([{ loss, count }], { epsilon: at });
        // The exact sum is itself rounded up by 1e-11.
        const least = truth * (1 - 2e-11);
        assert(lower <= truth && least <= upper, `${signs}: ${lower} ${truth} ${upper}`);
      }
    }
  }
});

Deno.test("adaptiveDelta() encloses δ when every probability is off by its relative error", () => {
  const count = 5, mu = 0.5;
  for (const signs of SIGNS) {
    const law = off(gaussianLoss({ mu }).forward, 1e-4, signs);
    const truth = gaussianDelta(mu * Math.sqrt(count), 1);
    const { lower, upper } = adaptiveDelta([[{ law, count }]], { epsilon: 1 });
    assert(lower <= truth && truth <= upper, `${signs}: ${lower} ${truth} ${upper}`);
  }
});

// Mutants: the same error of laws whose losses are hundreds.
Deno.test("losses of hundreds are off by what is said of them, and more than 1e-14", () => {
  const rare = 3e-300, { forward } = finiteLoss({ p: [0.7, 0.3], q: [rare, 1] });
  assert(forward.relativeError > Number.EPSILON * 690);
  assertEquals(finiteLoss({ p: [0.5, 0.5], q: [0.5, 0.5] }).forward.relativeError < 1.1e-14, true);
  assert(laplaceLoss({ epsilon: 600 }).forward.relativeError > Number.EPSILON * 600);
  const sampled = poissonSubsampledLoss(approximateLoss({ epsilon: 600 }), { rate: 0.3 });
  assert(sampled.forward.relativeError > Number.EPSILON * 600);
});
