import { logMoment } from "../../lib/accounting/loss_moment.ts";
import type { LossLaw } from "../../lib/accounting/privacy_loss.ts";
import { requireNear } from "../engine/requirement.ts";

/** A law whose atoms are as they are given. */
export function lawOf(
  atoms: LossLaw["atoms"],
  { relativeError = 0, infinite = 0 }: { relativeError?: number; infinite?: number } = {},
): LossLaw {
  const losses = atoms.map(({ loss }) => loss);
  return {
    atoms,
    infinite,
    lowest: Math.min(...losses),
    highest: Math.max(...losses),
    deviation: 1,
    relativeError,
  };
}

/** One loss far from the others: nothing of it is lost where the tilt makes the others vanish. */
export function requireFarLosses(): void {
  const finite = (losses: readonly number[], masses: readonly number[]) => ({
    losses: Float64Array.from(losses),
    masses: Float64Array.from(masses),
  });
  // The largest first, and last: by 2000 nats, where the others vanish, or all of them do.
  for (const order of [[0, 1], [1, 0]]) {
    for (const [rare, rarer] of [[0.5, 0.5], [1e-280, 1e-300]] as const) {
      const losses = order.map((i) => [2000, 0][i]!), masses = order.map((i) => [rare, rarer][i]!);
      requireNear(logMoment(finite(losses, masses), 1), 2000 + Math.log(rare), {
        relative: 1e-14,
        what: "a moment",
      });
    }
  }
}
