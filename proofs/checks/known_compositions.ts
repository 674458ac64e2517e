import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
} from "../../lib/accounting/privacy_loss.ts";
import type { LossPart } from "../../lib/accounting/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../lib/accounting/subsampled_loss.ts";
import { gaussianDelta } from "../../lib/numeric/gaussian_delta.ts";
import { normalTail } from "../../lib/numeric/normal_tail.ts";

/** A composition whose δ is known at every ε. */
export interface KnownComposition {
  readonly name: string;
  readonly parts: readonly LossPart[];
  readonly delta: (epsilon: number) => number;
}

/** A finite pair of laws: the probability of each output under P and Q. */
interface Outcomes {
  readonly p: readonly number[];
  readonly q: readonly number[];
}

/** All outputs of several mechanisms together. */
function together(families: readonly Outcomes[]): Outcomes {
  return families.reduce(
    (all, each) => ({
      p: all.p.flatMap((a) => each.p.map((b) => a * b)),
      q: all.q.flatMap((a) => each.q.map((b) => a * b)),
    }),
    { p: [1], q: [1] },
  );
}

/** Σ (P − e^ε·Q)⁺, the larger of both directions. */
function deltaOf({ p, q }: Outcomes): (epsilon: number) => number {
  return (epsilon) => {
    const factor = Math.exp(epsilon);
    let there = 0, back = 0;
    p.forEach((a, i) => {
      there += Math.max(0, a - factor * q[i]!);
      back += Math.max(0, q[i]! - factor * a);
    });
    return Math.max(there, back);
  };
}

const response = (epsilon: number): Outcomes => {
  const truth = 1 / (1 + Math.exp(-epsilon));
  return { p: [truth, 1 - truth], q: [1 - truth, truth] };
};
const approximate = (epsilon: number, delta: number): Outcomes => {
  const { p, q } = response(epsilon);
  return {
    p: [...p.map((a) => a * (1 - delta)), delta, 0],
    q: [...q.map((a) => a * (1 - delta)), 0, delta],
  };
};
const uneven: Outcomes = { p: [0.5, 0.3, 0.15, 0.05], q: [0.25, 0.3, 0.35, 0.1] };
const lacking: Outcomes = { p: [0.6, 0.39, 0.01, 0], q: [0.4, 0.58, 0, 0.02] };

/** δ of one sampled Gaussian: P = (1 − r)·N(0, 1) + r·N(μ, 1) against N(0, 1), the larger of both directions. */
function sampledDelta(mu: number, rate: number): (epsilon: number) => number {
  return (epsilon) => {
    const factor = Math.exp(epsilon);
    const mixed = (x: number): number => (1 - rate) * normalTail(x) + rate * normalTail(x - mu);
    // (1 − r) + r·e^(μx − μ²/2) = e^ε, and e^−ε the other way round.
    const at = (Math.log((factor - (1 - rate)) / rate) + mu * mu / 2) / mu;
    const there = mixed(at) - factor * normalTail(at);
    const inverse = (1 / factor - (1 - rate)) / rate;
    if (inverse <= 0) return Math.max(0, there);
    const other = (Math.log(inverse) + mu * mu / 2) / mu;
    const back = (1 - normalTail(other)) - factor * (1 - mixed(other));
    return Math.max(there, back);
  };
}

/** Compositions of two to thirty parts, and single mechanisms. */
export const knownCompositions: readonly KnownComposition[] = [
  ...[[0.1, 1], [0.1, 100], [1.5, 3], [0.02, 3000]].map(([mu, count]): KnownComposition => ({
    name: `${count} Gaussian of μ = ${mu}`,
    parts: [{ loss: gaussianLoss({ mu: mu! }), count: count! }],
    delta: (epsilon) => gaussianDelta(mu! * Math.sqrt(count!), epsilon),
  })),
  {
    name: "one Laplace of ε = 1.2",
    parts: [{ loss: laplaceLoss({ epsilon: 1.2 }), count: 1 }],
    delta: (epsilon) => epsilon < 1.2 ? -Math.expm1((epsilon - 1.2) / 2) : 0,
  },
  {
    name: "nine responses of ε = .4",
    parts: [{ loss: approximateLoss({ epsilon: 0.4 }), count: 9 }],
    delta: deltaOf(together(Array(9).fill(response(0.4)))),
  },
  {
    name: "four of ε = .5, δ = .01 and two of ε = .3",
    parts: [{ loss: approximateLoss({ epsilon: 0.5, delta: 0.01 }), count: 4 }, {
      loss: approximateLoss({ epsilon: 0.3 }),
      count: 2,
    }],
    delta: deltaOf(
      together([...Array(4).fill(approximate(0.5, 0.01)), response(0.3), response(0.3)]),
    ),
  },
  {
    name: "three uneven laws and two that lack an output",
    parts: [{ loss: finiteLoss(uneven), count: 3 }, { loss: finiteLoss(lacking), count: 2 }],
    delta: deltaOf(together([uneven, uneven, uneven, lacking, lacking])),
  },
  {
    name: "a Gaussian of μ = .8 and three responses of ε = .3",
    parts: [{ loss: gaussianLoss({ mu: 0.8 }), count: 1 }, {
      loss: approximateLoss({ epsilon: 0.3 }),
      count: 3,
    }],
    delta: (epsilon) => {
      const { p, q } = together(Array(3).fill(response(0.3)));
      return p.reduce((sum, a, i) => {
        const rest = epsilon - Math.log(a / q[i]!);
        // δ of a Gaussian below 0: 1 − e^ε + e^ε·δ(−ε).
        const own = rest >= 0
          ? gaussianDelta(0.8, rest)
          : -Math.expm1(rest) + Math.exp(rest) * gaussianDelta(0.8, -rest);
        return sum + a * own;
      }, 0);
    },
  },
  ...[[1, 0.1], [0.5, 0.3], [2, 0.02]].map(([mu, rate]): KnownComposition => ({
    name: `a Gaussian of μ = ${mu} sampled at ${rate}`,
    parts: [{ loss: poissonSubsampledLoss(gaussianLoss({ mu: mu! }), { rate: rate! }), count: 1 }],
    delta: sampledDelta(mu!, rate!),
  })),
  {
    name: "five responses of ε = .9 sampled at .2",
    parts: [{
      loss: poissonSubsampledLoss(approximateLoss({ epsilon: 0.9 }), { rate: 0.2 }),
      count: 5,
    }],
    delta: deltaOf(together(
      Array(5).fill({
        p: response(0.9).p.map((a, i) => 0.2 * a + 0.8 * response(0.9).q[i]!),
        q: response(0.9).q,
      }),
    )),
  },
];
