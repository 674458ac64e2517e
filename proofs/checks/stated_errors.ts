import { capAll, infiniteBelow } from "../../lib/accounting/loss_levels.ts";
import { optimalDelta } from "../../lib/accounting/optimal_composition.ts";
import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
} from "../../lib/accounting/privacy_loss.ts";
import {
  gaussianRenyi,
  laplaceRenyi,
  pureRenyi,
  renyiDelta,
  zcdpRenyi,
} from "../../lib/accounting/renyi.ts";
import { poissonSubsampledLoss } from "../../lib/accounting/subsampled_loss.ts";
import { poissonSubsampledGaussianRenyi } from "../../lib/accounting/subsampling.ts";
import { normalTail } from "../../lib/numeric/normal_tail.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";

import { lawOf } from "./accounting_edges.ts";

const LEAST = Number.MIN_VALUE;

/** Laws say how far they may be off, and mixed losses are right where their exponentials leave the doubles. */
export function requireStatedErrors(): void {
  const EPS = Number.EPSILON;
  const stated = (found: number, expected: number, what: string): void =>
    requireNear(found, expected, { relative: 1e-9, what: `the error of ${what}` });
  for (const epsilon of [0.1, 3, 600]) {
    const response = approximateLoss({ epsilon }), laplace = laplaceLoss({ epsilon });
    stated(response.forward.relativeError, 1e-14, "a response");
    stated(laplace.forward.relativeError, 1e-14 + 2 * EPS * epsilon, "Laplace's law");
    for (const rate of [0.5, 1e-6]) {
      const { forward, backward } = poissonSubsampledLoss(response, { rate });
      for (const side of [forward, backward]) {
        stated(
          side.relativeError,
          2e-14 + 2 * EPS * (epsilon - Math.log(rate)),
          "a sampled response",
        );
      }
    }
  }
  const normal = gaussianLoss({ mu: 1 }).forward;
  stated(normal.relativeError, 1e-12, "a normal law");
  stated(
    poissonSubsampledLoss(gaussianLoss({ mu: 1 }), { rate: 0.1 }).forward.relativeError,
    1.01e-12,
    "a sampled normal law",
  );
  for (const [p, q] of [[0.5, 0.25], [1e-300, 0.5], [0.5, 1e-300]] as const) {
    stated(
      finiteLoss({ p: [p, 1 - p], q: [q, 1 - q] }).forward.relativeError,
      1e-14 +
        2 * EPS * Math.max(
            -Math.log(p) - Math.log(q),
            -Math.log(1 - p) - Math.log(1 - q),
          ),
      "a finite law",
    );
  }
  // The largest loss first, and last.
  for (const [p, q] of [[0.01, 0.9], [0.9, 0.01]] as const) {
    const skew = finiteLoss({ p: [p, 1 - p], q: [q, 1 - q] }), rate = 0.25;
    const { forward } = skew, [one, other] = forward.atoms;
    stated(
      poissonSubsampledLoss(skew, { rate }).forward.relativeError,
      forward.relativeError + 1e-14 +
        2 * EPS * (Math.max(Math.abs(one!.loss), Math.abs(other!.loss)) - Math.log(rate)),
      "a sampled finite law",
    );
  }
  // One output, which tells nothing.
  stated(
    poissonSubsampledLoss(finiteLoss({ p: [1], q: [1] }), { rate: 1e-6 }).forward.relativeError,
    2e-14 + 2 * EPS * -Math.log(1e-6),
    "a sampled law of one output",
  );
  // What counts as infinite, with the law's own error and room for its roundings, and what certainly is.
  for (const [infinite, relativeError] of [[0.1, 0], [1e-9, 0], [0.1, 1e-3]] as const) {
    const law = lawOf([{ loss: 1, p: 1 - infinite, q: 0.1 }], { infinite, relativeError });
    for (const count of [1, 5]) {
      const most = -Math.expm1(count * Math.log1p(-infinite * (1 + 2 * relativeError)));
      const least = -Math.expm1(count * Math.log1p(-infinite));
      const above = capAll([{ law, count }], 1e-6).infinite / most - 1;
      const below = 1 - infiniteBelow([{ law, count }]) / least;
      requireThat(
        above >= 0.99e-12 && above <= 1.01e-12 && below >= 0.99e-12 && below <= 1.01e-12,
        `an infinite loss of ${infinite} has room of ${above} and ${below}`,
      );
    }
  }
  // N(μ²/2, μ²) above 700 and more, mixed: the loss is ln(rate) less.
  const mu = 40, rate = 0.5, mean = mu * mu / 2;
  const { intervalMass, highest } = poissonSubsampledLoss(gaussianLoss({ mu }), { rate }).forward;
  for (const value of [650, 705, 720, 800]) {
    const own = value - Math.log(rate);
    const { p, q } = intervalMass!(value, Infinity);
    requireNear(p, rate * normalTail((own - mean) / mu), { relative: 1e-9, what: "P above" });
    requireThat(q >= 0 && q <= p * Math.exp(-value) * 1.01, `Q above is ${q}`);
  }
  requireNear(highest, mean + 12 * mu + Math.log(rate), { relative: 1e-12, what: "the highest" });
}

/** What is so small that it underflows is not 0: divergences, and the chances of answers. */
export function requireLeastValues(): void {
  for (
    const curve of [
      gaussianRenyi({ mu: 1e-200 }),
      zcdpRenyi({ rho: LEAST }),
      laplaceRenyi({ epsilon: 1e-200 }),
      pureRenyi({ epsilon: 1e-200 }),
      poissonSubsampledGaussianRenyi({ mu: 1e-160, rate: 1e-160 }),
    ]
  ) {
    for (const order of [1 + 2 ** -40, 2, 50]) {
      requireThat(
        curve(order) >= 1e-290 && curve(order) < 1e-280,
        `a divergence of ${curve(order)}`,
      );
    }
  }
  for (const epsilon of [100, 1e4]) {
    requireEqual(renyiDelta(zcdpRenyi({ rho: 1e-3 }), { epsilon }), LEAST, "a δ that underflows");
  }
  // The chance of each answer underflows, and counts as the two roundings of it and of its share.
  for (const [epsilon, count] of [[0.5, 2000], [0.01, 1500]] as const) {
    for (const answers of [1, 2, 7]) {
      const at = epsilon * (count - 2 * answers + 1);
      const least = optimalDelta([{ epsilon, count }], { epsilon: at }) / LEAST;
      requireThat(
        least >= 2 * answers && least <= 4 * answers,
        `${answers} answers that underflow count ${least} times the least double`,
      );
    }
  }
}
