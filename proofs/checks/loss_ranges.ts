import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
} from "../../lib/accounting/privacy_loss.ts";
import { deltaBounds, epsilonBounds } from "../../lib/accounting/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../lib/accounting/subsampled_loss.ts";
import { requireRefused } from "../engine/requirement.ts";

/** For loss distributions. */
export function requireRanges(): void {
  const loss = gaussianLoss({ mu: 1 });
  for (const value of [0, -1, NaN, Infinity]) {
    for (
      const run of [
        () => gaussianLoss({ mu: value }),
        () => laplaceLoss({ epsilon: value }),
        () => approximateLoss({ epsilon: value }),
        () => poissonSubsampledLoss(loss, { rate: value }),
        () => deltaBounds([{ loss, count: value }], { epsilon: 1 }),
        () => deltaBounds([{ loss, count: 1 }], { epsilon: 1, spacing: value }),
        () => epsilonBounds([{ loss, count: 1 }], { delta: value }),
      ]
    ) {
      requireRefused(`a number of ${value}`, run);
    }
  }
  for (
    const run of [
      () => approximateLoss({ epsilon: 1, delta: 1 }),
      () => deltaBounds([{ loss, count: 1 }], { epsilon: -1 }),
      () => epsilonBounds([{ loss, count: 1 }], { delta: 1 }),
      () => poissonSubsampledLoss(loss, { rate: 1.1 }),
      () => poissonSubsampledLoss(approximateLoss({ epsilon: 1, delta: 0.1 }), { rate: 0.5 }),
      () => poissonSubsampledLoss(finiteLoss({ p: [1, 0], q: [0.5, 0.5] }), { rate: 0.5 }),
      () => finiteLoss({ p: [1], q: [0.5, 0.5] }),
      () => finiteLoss({ p: [0.5, 0.4], q: [0.5, 0.5] }),
      () => finiteLoss({ p: [1.5, -0.5], q: [0.5, 0.5] }),
    ]
  ) {
    requireRefused("an option out of range", run);
  }
}
