import type { LawPower, LossLaw } from "./privacy_loss.ts";

/** Levels differ by a factor of this in their largest loss; the last has this many times the scale. */
const LEVEL_RATIO = 8, LAST_LEVEL = 2;

/** Returns a loss that is exceeded with probability at most `rare` in the continuous part of the law, by bisection. */
function capOf(law: LossLaw, rare: number): number {
  const { lowest, highest } = law;
  const above = (loss: number): number => law.intervalMass?.(loss, Infinity).p ?? 0;
  if (above(lowest) <= rare) return lowest;
  let low = lowest, high = highest;
  for (let step = 0; step < 60; step++) {
    const middle = 0.5 * (low + high);
    if (above(middle) > rare) low = middle;
    else high = middle;
  }
  return high;
}

/** The largest loss that must be finite, and what is above it in each law. */
export function capAll(laws: readonly LawPower[], rare: number): { cap: number; infinite: number } {
  const runs = laws.reduce((sum, { count }) => sum + count, 0);
  const cap = laws.reduce(
    (most, { law }) =>
      Math.max(most, capOf(law, rare / runs), ...law.atoms.map(({ loss }) => loss)),
    -Infinity,
  );
  let log = 0;
  for (const { law, count } of laws) {
    const above = law.intervalMass?.(Math.min(cap, law.highest), Infinity).p ?? 0;
    log += count * Math.log1p(-Math.min(1, (law.infinite + above) * (1 + 2 * law.relativeError)));
  }
  return { cap, infinite: Math.min(1, -Math.expm1(log) * (1 + 1e-12)) };
}

/** The probability that some loss is infinite, rounded down. */
export function infiniteBelow(laws: readonly LawPower[]): number {
  const log = laws.reduce((sum, { law, count }) => sum + count * Math.log1p(-law.infinite), 0);
  return -Math.expm1(log) * (1 - 1e-12);
}

/**
 * One class of outcomes: all losses are at most `to`, and one is above `edge` (−∞: any). A rare large loss
 * needs a wide contour and few points to a nat, what is left without it the opposite.
 */
export interface Level {
  /** A loss above this is in every outcome. */
  readonly edge: number;
  /** Largest loss. */
  readonly to: number;
}

/** Classes that make up all outcomes without an infinite loss: one where losses are as large as ε at most. */
export function levelsOf(
  laws: readonly LawPower[],
  { cap, epsilon }: { cap: number; epsilon: number },
): Level[] {
  const scale = Math.max(epsilon, deviationOf(laws));
  const ends = [cap];
  for (let end = cap; end > 2 * LAST_LEVEL * scale && ends.length < 16;) {
    end = Math.max(LAST_LEVEL * scale, end / LEVEL_RATIO);
    ends.push(end);
  }
  return ends.map((to, i) => ({ to, edge: ends[i + 1] ?? -Infinity }));
}

/** The deviation of the sum of all losses, roughly: what ε is measured by when it is nearly 0. */
function deviationOf(laws: readonly LawPower[]): number {
  return Math.sqrt(laws.reduce((sum, { law, count }) => sum + count * law.deviation ** 2, 0));
}
