import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields } from "../../core/numeric/require.ts";
import { rational } from "../../core/numeric/rational.ts";
import { discreteGaussian } from "../../core/random/discrete_gaussian.ts";

/**
 * The δ for which an integer query of sensitivity `shift` plus discrete Gaussian noise of parameter
 * `deviation` is (epsilon, δ)-DP: P(Y > εσ²/Δ − Δ/2) − e^ε·P(Y > εσ²/Δ + Δ/2) (Canonne, Kamath, Steinke
 * 2020, Theorem 7, stated there for shift Δ), rounded up.
 *
 * Smaller shifts need no look: the laws shifted by d have increasing likelihood ratios, so best tests
 * are thresholds, with errors α at the same values P(Y ≥ k) for every integer d and powers P(Y ≥ k − d)
 * that grow with d. Trade-off curves of smaller shifts therefore lie above, and their δ below.
 *
 * @example
 * ```ts
 * import { discreteGaussianDelta } from "./discrete_gaussian_delta.ts";
 * discreteGaussianDelta({ deviation: 10, shift: 1, epsilon: 0.5 });
 * ```
 */
export function discreteGaussianDelta(
  options: { deviation: number; shift: number; epsilon: number },
): number {
  const { deviation, shift, epsilon } = requireFields("discreteGaussianDelta", options, {});
  requireKnown("call discreteGaussianDelta()", options, ["deviation", "shift", "epsilon"]);
  const noise = discreteGaussian({ variance: rational(deviation ** 2) });
  const cut = epsilon * deviation ** 2 / shift - shift / 2;
  const first = Math.floor(cut) + 1;
  const near = noise.logUpperTail(first);
  const far = epsilon + noise.logUpperTail(first + shift);
  // Nine digits are certain, so the tenth is rounded up; the difference is what loses them.
  const delta = Math.exp(near) * (1e-9 - Math.expm1(far - near));
  // Above 0, also where it underflows.
  return Math.max(Number.MIN_VALUE, delta);
}
