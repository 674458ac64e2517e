import { requireThat } from "../../../engine/requirement.ts";

/**
 * Ends a check unless the variance of draws around a number is that of discrete Laplace noise of scale b, within six standard errors: a chance of 2e-9
 * (normal law) of a false alarm. Of 2,000 draws a scale that is off by a quarter is noticed.
 *
 * @param scale b, in steps of the grid
 */
export function requireLaplaceVariance(
  draws: readonly number[],
  { center, scale, what }: {
    readonly center: number;
    readonly scale: number;
    readonly what: string;
  },
): void {
  const stated = 1 / (2 * Math.sinh(1 / (2 * scale)) ** 2);
  const found = draws.reduce((sum, draw) => sum + (draw - center) ** 2, 0) / draws.length;
  // The fourth moment of Laplace noise is six times the square of its variance, and of rounded noise no more than (6 + 1/variance).
  const error = 6 * stated * Math.sqrt((5 + 1 / stated) / draws.length);
  requireThat(
    Math.abs(found - stated) <= error,
    () => `${what}: a variance of ${found} where ${stated} is stated`,
  );
}
