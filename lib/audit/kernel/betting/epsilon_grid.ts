/**
 * A grid of parameters: the claimed one, and steps of `ratio` from it down to `bottom` and up to `top`. Half a step is
 * lost from a lower bound on average, and each hypothesis costs time.
 */
export function epsilonGrid(
  claim: number,
  { ratio = 1.0025, bottom = claim / 64, top = Math.min(1e300, Math.max(40, 8 * claim)) }: {
    ratio?: number;
    bottom?: number;
    top?: number;
  } = {},
): { grid: Float64Array; claimIndex: number } {
  const below = Math.ceil(Math.log(claim / bottom) / Math.log(ratio));
  const above = Math.max(0, Math.ceil(Math.log(top / claim) / Math.log(ratio)));
  const grid = Float64Array.from(
    { length: below + above + 1 },
    (_, j) => claim * ratio ** (j - below),
  );
  return { grid, claimIndex: below };
}
