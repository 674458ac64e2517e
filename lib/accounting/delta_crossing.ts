import type { DeltaCurve } from "./delta_curve.ts";

/** Relative width to which a crossing is pinned. */
const EPSILON_TOLERANCE = 1e-6;

/** Two neighbours between which a curve crosses δ. */
export interface Crossing {
  /** Where it was seen to be above δ, or 0. */
  readonly below: number;
  /** Where it was seen to be at most δ. */
  readonly above: number;
}

/**
 * Encloses the ε where the decreasing δ(ε) falls to `delta`: regula falsi on ln δ, which is smooth, with
 * a bisection whenever that stalls. δ(above) ≤ delta is checked, not inferred; below is 0 when even
 * δ(0) ≤ delta.
 */
export function crossing(
  deltaAt: (epsilon: number) => number,
  { delta, highest }: { delta: number; highest: number },
): Crossing {
  const heightAt = (epsilon: number): number => Math.log(deltaAt(epsilon)) - Math.log(delta);
  let below = 0, belowHeight = heightAt(0);
  if (belowHeight <= 0) return { below: 0, above: 0 };
  let above = Math.min(1, highest), aboveHeight = heightAt(above);
  while (aboveHeight > 0) {
    if (above >= highest) return { below: above, above: Infinity };
    [below, belowHeight] = [above, aboveHeight];
    above = Math.min(highest, 2 * above);
    aboveHeight = heightAt(above);
  }
  for (let step = 0; above - below > EPSILON_TOLERANCE * above; step++) {
    const secant = below + ((above - below) * belowHeight) / (belowHeight - aboveHeight);
    const margin = 0.25 * EPSILON_TOLERANCE * above;
    // Every third step halves; the others step just over the root, first to one side, then the other.
    const middle = step % 3 === 2
      ? 0.5 * (below + above)
      : secant + (step % 3 === 0 ? margin : -margin);
    const epsilon = Math.min(Math.max(middle, below + margin), above - margin);
    const height = heightAt(epsilon);
    if (height > 0) [below, belowHeight] = [epsilon, height];
    else [above, aboveHeight] = [epsilon, height];
  }
  return { below, above };
}

/** An ε at which the upper bound was seen to be at most δ: the least that is found, or Infinity. */
export function upperCrossing(
  { upperAt }: Pick<DeltaCurve, "upperAt">,
  { epsilon, delta }: { epsilon: number; delta: number },
): number {
  const isAbove = (at: number): boolean => upperAt(at) > delta;
  if (!isAbove(0)) return 0;
  let below = 0, above = epsilon, step = 1e-3 * epsilon + 1e-12;
  if (isAbove(epsilon)) {
    do {
      if (step > 1e18) return Infinity;
      [below, above] = [above, above + step];
      step *= 2;
    } while (isAbove(above));
  } else {
    for (; above - step > 0; step *= 2) {
      if (isAbove(above - step)) {
        below = above - step;
        break;
      }
      above -= step;
    }
  }
  return halved(isAbove, { below, above }).above;
}

/** An ε at which the lower bound was seen to be above δ: the greatest that is found, or 0. */
export function lowerCrossing(
  { lowerAt }: Pick<DeltaCurve, "lowerAt">,
  { from, delta }: { from: number; delta: number },
): number {
  const isAbove = (at: number): boolean => lowerAt(at) > delta;
  let above = from, below = from;
  for (let step = 1e-5 * from; !isAbove(below); step *= 2) {
    if (!(below > 0)) return 0;
    [above, below] = [below, Math.max(0, below - step)];
  }
  return halved(isAbove, { below, above }).below;
}

/** The same crossing between ends 2²⁴ times nearer to each other. */
function halved(isAbove: (epsilon: number) => boolean, { below, above }: Crossing): Crossing {
  for (let i = 0; i < 24; i++) {
    const middle = 0.5 * (below + above);
    if (isAbove(middle)) below = middle;
    else above = middle;
  }
  return { below, above };
}
