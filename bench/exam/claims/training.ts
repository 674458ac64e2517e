import { clopperPearsonUpper } from "../../../lib/core/numeric/clopper_pearson.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { normalTail } from "../../../lib/core/numeric/normal_tail.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import {
  deltaBounds,
  gaussianLoss,
  poissonSubsampledLoss,
} from "../../../lib/dp/accounting/mod.ts";
import type { Case, Claims } from "./case.ts";
import { below, deltaOfDensities, type Density, mixed, normal } from "./losses.ts";

/** δ of normal noise of two deviations about two means, beside Gaussian differential privacy of μ at some ε. */
function* deviations(
  p: readonly [number, number],
  q: readonly [number, number],
  mus: readonly number[] = [1],
): Generator<Case> {
  for (const mu of mus) {
    for (const epsilon of [1, 4, 16, 4 * mu ** 2 + 16]) {
      const reach = 40 * Math.max(p[1], q[1]);
      const lost = deltaOfDensities(normal(...p), normal(...q), { epsilon, reach });
      yield { lost, allowed: gaussianDelta(mu, epsilon) };
    }
  }
}

/** Gaussian differential privacy of one μ where another is claimed. */
const gaussians = (mu: number, claimed: number): Case[] =>
  [0, 1, 2].map((epsilon) => ({
    lost: gaussianDelta(mu, epsilon),
    allowed: gaussianDelta(claimed, epsilon),
  }));

const SAMPLED = { epsilon: 1, delta: 1e-5 } as const;
const RATES = [0.1, 0.5];

/** Sums of sampled rows plus normal noise: means with their weights. */
const sums = (
  weights: readonly (readonly [number, number])[],
  deviation: number,
): Density => mixed(weights.map(([weight, mean]) => [weight, normal(mean, deviation)]));

/** δ of a step with one row that has a gradient of 1 (`other` 0: or that is not there), sampled at a rate. */
function stepDelta(
  rate: number,
  deviation: number,
  { other = 0, epsilon = SAMPLED.epsilon as number } = {},
): number {
  const p = sums([[1 - rate, 0], [rate, 1]], deviation);
  const q = sums([[1 - rate, 0], [rate, other]], deviation);
  return deltaOfDensities(p, q, { epsilon, reach: 16 * deviation + 2 });
}

/** The least noise of a step that is (ε, δ)-DP: what an accountant returns that gives nothing away. */
function leastNoise(rate: number, other = 0): number {
  let low = 0.3, high = 20;
  for (let k = 0; k < 40; k++) {
    const middle = (low + high) / 2;
    if (stepDelta(rate, middle, { other }) <= SAMPLED.delta) high = middle;
    else low = middle;
  }
  return high;
}

/** A row is in the set that N counts, so that rate and noise of the others change with it: batches of one of one row, and of two. */
function countedRows(epsilon: number): number {
  const one = normal(1, leastNoise(1));
  const two = sums([[1 / 4, 0], [1 / 2, 1], [1 / 4, 2]], leastNoise(1 / 2));
  return deltaOfDensities(one, two, { epsilon, reach: 300 });
}

/** Runs of ten steps of normal noise, after which θ is above `least`; with steps halved after each rise if a row says so. */
function runsAbove(least: number, runs: number): number {
  const source = new SeededSource(52), noise = new Float64Array(10 * runs);
  floatNormal(source, noise);
  let above = 0;
  for (let run = 0; run < runs; run++) {
    let theta = 0, step = 1, rose = false;
    for (let t = 0; t < 10; t++) {
      if (rose) step /= 2;
      const move = step * noise[10 * run + t]!;
      rose = move > 0;
      theta += move;
    }
    if (theta > least) above++;
  }
  return above;
}

/** A row of objective perturbation in one dimension: the derivative of its loss, and of that. */
interface Row {
  readonly slope: (w: number) => number;
  readonly curvature: number;
}

/** δ of minimisers on [−1, 1] of n losses plus (G·w)/n + λ·w², where one row is replaced, with the noise of the claim and L = 1. */
function objectiveDelta(
  rows: readonly [Row, Row],
  { n, epsilon, lambda }: { readonly n: number; readonly epsilon: number; readonly lambda: number },
): number {
  const delta = 1 / n ** 2, deviation = Math.sqrt(10 * Math.log(1 / delta)) / epsilon;
  // The G that puts the minimum at w; all other losses are 0.
  const laws = rows.map(({ slope, curvature }) => {
    const at = (w: number): number => -(slope(w) + 2 * n * lambda * w);
    return {
      density: (w: number) =>
        Math.abs(w) > 1 ? 0 : normal(0, deviation)(at(w)) * (curvature + 2 * n * lambda),
      ends: [normalTail(at(-1) / deviation), below(at(1) / deviation)],
    };
  });
  const growth = Math.exp(epsilon);
  const atEnds = (a: number, b: number): number =>
    laws[a]!.ends.reduce((sum, p, i) => sum + Math.max(0, p - growth * laws[b]!.ends[i]!), 0);
  const inside = deltaOfDensities(laws[0]!.density, laws[1]!.density, { epsilon, reach: 1 });
  return inside + Math.max(atEnds(0, 1), atEnds(1, 0));
}

/** Claims about gradient descent and the perturbation of objectives and outputs. Gradients are clipped to 1 where they are, and μ = 1. */
export const trainingClaims: Claims = {
  // N is the number of rows, by which rates and noise are chosen.
  23: () => [{ lost: countedRows(SAMPLED.epsilon), allowed: SAMPLED.delta }],
  24: () =>
    RATES.map((rate) => ({
      lost: stepDelta(rate, leastNoise(rate), { other: -1 }),
      allowed: SAMPLED.delta,
    })),
  25: () =>
    RATES.map((rate) => ({
      lost: stepDelta(rate, leastNoise(rate), { epsilon: SAMPLED.epsilon / 2 }),
      allowed: SAMPLED.delta,
    })),
  // One step on rows of gradient 1: means of 1, and noise that tells n.
  26: () => deviations([1, 1], [1, 1 / 2]),
  27: () => gaussians(10, 1),
  28: () => deviations([1, 2], [1, 1]),
  29: () => deviations([1, 1 / 2], [1, 1 / 3]),
  // Steps η = 0, n, n with the same noise in the last two. The others' gradients are 2θ, clipped beyond six deviations; the row's is the sign of θ: θ₃ = 2θ₂ − 2θ₂ − sign(θ₂) without noise, or 0.
  30: () => [{ lost: 1 - 2 * normalTail(6), allowed: gaussianDelta(1, 0) }],
  // Means of −1000 and 1000 plus noise, then clipped.
  31: () => [{ lost: 1 - 2 * normalTail(1000), allowed: gaussianDelta(1, 0) }],
  // Gradients 1, 2, 3, and 0: medians 2 and 3/2, sums of clipped ones 5 and 4.
  32: () => deviations([5, 2], [4, 3 / 2]),
  // Gradients 0, 0, 0, M, M with M = 10⁶, and one 0 less: the output is within 400 but for 1e-14, or normal with a deviation of M.
  33: () => [{ lost: 1 - 1e-14 - 800 / 1e6, allowed: gaussianDelta(1, 0) }],
  // A row of large loss stops after one step of two.
  34: () => deviations([1, Math.SQRT2], [2, 2]),
  35: () => deviations([1, 2], [2, 2 * Math.SQRT2]),
  36: () => deviations([1, 2], [2, 2 * Math.SQRT2]),
  37: () => gaussians(2, 1),
  38: () => gaussians(1, 1 / 2),
  // Our accountant beside the integral that chose the noise.
  45: () =>
    RATES.map((rate) => {
      const loss = poissonSubsampledLoss(gaussianLoss({ mu: 1 / leastNoise(rate) }), { rate });
      const { lower } = deltaBounds([{ loss, count: 1 }], { epsilon: SAMPLED.epsilon });
      return { lost: lower, allowed: SAMPLED.delta * 1.00001 };
    }),
  46: () => replaced(Math.SQRT2),
  47: () => replaced(Math.SQRT2),
  48: () => [{ lost: countedRows(SAMPLED.epsilon), allowed: SAMPLED.delta }],
  // Whatever μ: noise of two deviations.
  49: () => deviations([1, leastNoise(1)], [1, leastNoise(1 / 2)], [1, 3, 5]),
  // A gradient of 1000 is not clipped.
  50: () =>
    RATES.map((rate) => ({
      lost: rate * (1 - 2 * normalTail(50)),
      allowed: SAMPLED.delta,
    })),
  // Without rows nothing moves; a sampled row moves θ.
  51: () => RATES.map((rate) => ({ lost: rate, allowed: SAMPLED.delta })),
  // θ above 6 after ten steps of N(0, 1); a row whose loss rises with θ halves the steps, and is sampled with probability 10⁻³ at most.
  52: () => {
    const trials = 20_000, successes = runsAbove(6, trials);
    const halved = clopperPearsonUpper({ successes, trials, alpha: 1e-9 }) + 1e-3;
    return [{
      lost: normalTail(6 / Math.sqrt(10)) - Math.exp(SAMPLED.epsilon) * halved,
      allowed: SAMPLED.delta,
    }];
  },
  // Of one row the start is known; of two all of five warm-up steps take the first with probability 2⁻⁵.
  53: () => [{
    lost: 1 - Math.exp(SAMPLED.epsilon) / 32,
    allowed: SAMPLED.delta,
  }],
  *87(): Generator<Case> {
    const beta = 1 / 2,
      rows: Row[] = [
        { slope: () => 1, curvature: 0 },
        { slope: () => -1, curvature: 0 },
        { slope: (w) => beta * (w - 1), curvature: beta },
        { slope: (w) => beta * (w + 1), curvature: beta },
      ];
    for (const n of [2, 10, 100]) {
      for (const epsilon of [0.2, 1]) {
        for (const times of [1, 10, 100]) {
          const lambda = times * beta / (epsilon * n);
          for (const left of rows) {
            for (const right of rows) {
              yield {
                lost: objectiveDelta([left, right], { n, epsilon, lambda }),
                allowed: 1 / n ** 2,
              };
            }
          }
        }
      }
    }
  },
  // n − 1 losses −w²/2 and one of 0, n = 100, ε = 1, 2·n·λ = n − 1/2: curvature 1/2, and a minimum inside where |G| < 1/2; with one more −w²/2 never.
  88: () => {
    const deviation = Math.sqrt(10 * Math.log(1e4));
    return [{ lost: 1 - 2 * normalTail(0.5 / deviation), allowed: 1e-4 }];
  },
  // (w₂ − w₁)/(w₁ − w₀) of gradient descent is 1 − η·(curvature + 2λ), without noise: 1/2 or 1/4.
  89: () => [{ lost: 1, allowed: 1e-4 }],
  // Losses z·w, n = 100, ε = 1: w is normal, and its mean moves by 2L/σ deviations.
  90: () => {
    const mu = 2 / Math.sqrt(10 * Math.log(1e4));
    return [{ lost: gaussianDelta(mu, 1 / 2), allowed: 1e-4 }];
  },
  // F = |w − x|/(1 + |w − x|) changes by at most 1, its minimum by any distance: 1000 with ε = 1 and δ = 0.
  91: () => [{ lost: 1000, allowed: 1 }],
  92: () => [{ lost: 1000, allowed: 1 }],
  *93(): Generator<Case> {
    for (const epsilon of [0.1, 0.5, 1, 2, 5, 10]) {
      for (const delta of [1e-10, 1e-5, 1e-3, 0.1, 0.3, 0.49]) {
        const c = Math.sqrt(Math.log(2 / (Math.sqrt(16 * delta ** 2 + 1) - 1)));
        const deviation = (c + Math.sqrt(c ** 2 + epsilon)) / (Math.SQRT2 * epsilon);
        yield { lost: gaussianDelta(1 / deviation, epsilon), allowed: delta };
      }
    }
  },
};

/** A row is replaced by one of the opposite gradient; noise of so many times what an accountant of this relation returns. */
const replaced = (times: number): Case[] =>
  RATES.map((rate) => ({
    lost: stepDelta(rate, times * leastNoise(rate, -1), { other: -1 }),
    allowed: SAMPLED.delta,
  }));
