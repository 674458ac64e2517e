import { analyticGaussianDeviation } from "../../../lib/dp/mechanisms/gaussian.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** Standard deviation per unit of sensitivity. */
type Deviation = (claim: { readonly epsilon: number; readonly delta: number }) => number;

const classical: Deviation = ({ epsilon, delta }) =>
  Math.sqrt(2 * Math.log(1.25 / delta)) / epsilon;

/** The true δ at ε as a share of the one claimed, by default for the classical formula. */
export function shareOfDelta(
  claim: { readonly epsilon: number; readonly delta: number },
  deviation: Deviation = classical,
): number {
  return gaussianDelta(1 / deviation(claim), claim.epsilon) / claim.delta;
}

/** The Gaussian mechanism's formula beyond the ε it was proved for. */
export const classicalGaussian = falseClaim<Deviation>({
  id: "common_mistakes/classical_gaussian",
  statement: "Gaussian noise of standard deviation √(2ln(1.25/δ))·Δ/ε is (ε, δ)-differentially " +
    "private for every ε.",
  citation: "Dwork, Roth 2014, Theorem A.1, used beyond ε < 1; Balle, Wang 2018",
  source: "the theorem’s proof supposes ε < 1, and its formula is used beyond",
  remember: () =>
    `At ε = 20 and δ = 1e-5 the true δ is ${
      short(shareOfDelta({ epsilon: 20, delta: 1e-5 }))
    } times the one that is claimed.`,
  kind: "sampled",
  subject: classical,
  check: (deviation) => {
    const first = [0.1, 0.01, 1e-3, 1e-5, 1e-8].map((delta) => {
      for (let k = 1; k <= 400; k++) {
        const epsilon = k / 20;
        if (gaussianDelta(1 / deviation({ epsilon, delta }), epsilon) > delta * (1 + 1e-9)) {
          return epsilon;
        }
      }
      return Infinity;
    });
    const epsilon = 20, delta = 1e-5;
    const share = shareOfDelta({ epsilon, delta }, deviation);
    const broken = first.some((epsilon) => epsilon < Infinity);
    return {
      ...atMost(1, {
        value: share,
        detail: broken
          ? `first fails at ε = ${first.map(short).join(", ")} for δ = .1, .01, 1e-3, 1e-5, 1e-8`
          : "ε = .05 to 20 for five δ",
        witness: `ε = 20, δ = 1e-5: the true δ is ${
          short(share)
        } times as large; first fails at ε = ${first.map(short).join(", ")}`,
        tolerance: 1e-9,
      }),
      ...(broken ? { holds: false } : {}),
    };
  },
  corrected: { name: "the exact deviation of Balle and Wang", subject: analyticGaussianDeviation },
  mutants: {
    "that one at 0.99": (claim) => 0.99 * analyticGaussianDeviation(claim),
  },
});
