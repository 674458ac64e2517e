import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** c of σ = cΔ/ε, by ε and δ. */
type Constant = (delta: number) => number;

/** The Gaussian mechanism for ε below 1. */
export const gaussian = theorem<Constant>({
  id: "mechanisms/gaussian",
  statement: "For ε in (0, 1) and c² > 2ln(1.25/δ), Gaussian noise of σ ≥ cΔ₂f/ε is " +
    "(ε, δ)-differentially private.",
  citation: "Dwork, Roth 2014, Theorem A.1; exact δ by Balle, Wang 2018, Theorem 8",
  source: "Haußmann’s slides, Laplace versus Gauss",
  remember: () =>
    `At δ = 1e-5 and ε near 1, σ is ${
      short(Math.sqrt(2 * Math.log(1.25 / 1e-5)))
    } times the sensitivity.`,
  kind: "sampled",
  checked: "100 values of ε in (0, 1) and six of δ",
  subject: (delta) => Math.sqrt(2 * Math.log(1.25 / delta)),
  check: (constant) => {
    let worst = 0, witness = "", cases = 0;
    for (let k = 1; k <= 100; k++) {
      const epsilon = k / 100 * (1 - 1e-9);
      for (const delta of [0.5, 0.1, 0.01, 1e-4, 1e-6, 1e-10]) {
        cases++;
        const share = gaussianDelta(epsilon / constant(delta), epsilon) / delta;
        if (share > worst || Number.isNaN(share)) {
          [worst, witness] = [share, `ε = ${short(epsilon)}, δ = ${delta}`];
        }
      }
    }
    return atMost(1, { value: worst, detail: `${cases} settings of ε and δ`, witness });
  },
  mutants: {
    "c² = 2ln(1.25/δ)/2": (delta) => Math.sqrt(Math.log(1.25 / delta)),
    "c = √(2ln(1/(2δ)))": (delta) => Math.sqrt(2 * Math.log(1 / (2 * Math.min(delta, 0.49)))),
  },
});
