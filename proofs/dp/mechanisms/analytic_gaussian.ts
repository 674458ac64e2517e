import { analyticGaussianDeviation } from "../../../lib/dp/mechanisms/gaussian.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { all, atMost, equals, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** σ/Δ for ε and δ. */
type Deviation = (claim: { readonly epsilon: number; readonly delta: number }) => number;

/** The exact calibration of Gaussian noise. */
export const analyticGaussian = theorem<Deviation>({
  id: "mechanisms/analytic_gaussian",
  statement:
    "Gaussian noise is (ε, δ)-DP exactly when Φ(Δ/2σ − εσ/Δ) − e^ε Φ(−Δ/2σ − εσ/Δ) ≤ δ; the " +
    "shipped deviation is the least that is.",
  citation: "Balle, Wang 2018, Theorem 8",
  source: "a standard building block",
  remember: () =>
    `At ε = 1 and δ = 1e-5 a deviation of ${
      short(analyticGaussianDeviation({ epsilon: 1, delta: 1e-5 }))
    } times the sensitivity is enough, where the classical formula asks for ${
      short(Math.sqrt(2 * Math.log(1.25 / 1e-5)))
    }.`,
  kind: "sampled",
  checked: "12 settings of ε and δ, and that a deviation smaller by 1e-6 fails",
  subject: analyticGaussianDeviation,
  check: (deviation) => {
    const outcomes = [0.1, 1, 5, 20].flatMap((epsilon) =>
      [0.1, 1e-5, 1e-10].flatMap((delta) => {
        const value = gaussianDelta(1 / deviation({ epsilon, delta }), epsilon);
        return [
          atMost(delta, { value, detail: "δ", witness: `δ is ${value}` }),
          equals(delta, { value, detail: "least", tolerance: 1e-6 * delta }),
        ];
      })
    );
    return all(outcomes, "12 settings, attained within 1e-6");
  },
  mutants: {
    "0.999 of it": (claim) => 0.999 * analyticGaussianDeviation(claim),
    "1.001 of it": (claim) => 1.001 * analyticGaussianDeviation(claim),
  },
});
