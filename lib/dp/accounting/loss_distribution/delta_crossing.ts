import type { DeltaCurve } from "./delta_curve.ts";

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
function halved(
  isAbove: (epsilon: number) => boolean,
  { below, above }: { below: number; above: number },
): { below: number; above: number } {
  for (let i = 0; i < 24; i++) {
    const middle = 0.5 * (below + above);
    if (isAbove(middle)) below = middle;
    else above = middle;
  }
  return { below, above };
}
