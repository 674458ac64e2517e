import type { DeltaCurve } from "./delta_curve.ts";
import type { LawPower } from "./privacy_loss.ts";
import { composedDelta } from "./composed_delta.ts";
import { optimisticGrid, pessimisticGrid } from "./loss_grid.ts";

/** Points to a standard deviation of one mechanism's loss, at least and at most. */
const FEWEST_POINTS = 64, MOST_POINTS = 256;
/** Points to all of the composed loss that matters: what a transform handles in a tenth of a second. */
const POINTS_IN_ALL = 2 ** 18;
const DEVIATIONS_IN_ALL = 24;

/** Bounds on the δ of the composition of all laws, by grids of one spacing. */
export function gridCurve(laws: readonly LawPower[], { spacing }: { spacing: number }): DeltaCurve {
  const high = laws.map(({ law, count }) => ({ grid: pessimisticGrid(law, { spacing }), count }));
  const low = laws.map(({ law, count }) => ({ grid: optimisticGrid(law, { spacing }), count }));
  // P and Q are right up to e^±error each: a factor on P, and the two together a shift of ε.
  const error = high.reduce((sum, { grid, count }) => sum + count * grid.relativeError, 0);
  return {
    upperAt(epsilon): number {
      const { upper } = composedDelta(high, { epsilon: epsilon - 2 * error });
      return Math.min(1, upper * Math.exp(error));
    },
    lowerAt: (epsilon) =>
      composedDelta(low, { epsilon: epsilon + 2 * error }).lower * Math.exp(-error),
  };
}

/**
 * A spacing that resolves the typical loss, keeps the whole composition within one transform of moderate
 * size, and has all atoms on the grid, as near as can be: one that is not loses distance to the lower
 * bound.
 */
export function gridSpacing(laws: readonly LawPower[]): number {
  const runs = laws.reduce((sum, { count }) => sum + count, 0);
  const variance = laws.reduce((sum, { law, count }) => sum + count * law.deviation ** 2, 0);
  if (!(variance > 0)) return 1;
  const whole = (DEVIATIONS_IN_ALL * Math.sqrt(variance)) / POINTS_IN_ALL;
  const one = Math.sqrt(variance / runs);
  const wanted = Math.min(one / FEWEST_POINTS, Math.max(one / MOST_POINTS, whole));
  const atoms = laws.flatMap(({ law, count }) =>
    law.atoms.map(({ loss, p }) => ({ loss: Math.abs(loss), weight: count * p }))
  );
  const largest = Math.max(0, ...atoms.map(({ loss }) => loss));
  if (largest === 0) return wanted;
  const fewest = Math.ceil(largest / wanted);
  let best = wanted, least = Infinity;
  for (let points = fewest; points <= 2 * fewest && least > 1e-9; points++) {
    const spacing = largest / points;
    const off = atoms.reduce((sum, { loss, weight }) => {
      const steps = loss / spacing;
      return sum + weight * Math.abs(steps - Math.round(steps));
    }, 0);
    if (off < least) [best, least] = [spacing, off];
  }
  return best;
}

/** Whether grids are exact on the laws' atoms, and short enough to be transformed at once. */
export function suitsGrid(laws: readonly LawPower[]): boolean {
  if (!laws.every(({ law }) => law.atoms.length > 0)) return false;
  const spacing = gridSpacing(laws);
  const variance = laws.reduce((sum, { law, count }) => sum + count * law.deviation ** 2, 0);
  const longest = laws.reduce((most, { law }) => Math.max(most, law.highest - law.lowest), 0);
  return Math.max(longest, DEVIATIONS_IN_ALL * Math.sqrt(variance)) <= 4 * POINTS_IN_ALL * spacing;
}
