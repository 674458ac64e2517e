import { advancedEpsilonOfEach } from "../../../lib/dp/accounting/composition/advanced_composition.ts";
import { largestRho, zcdpComposition } from "../../../lib/dp/accounting/composition/zcdp.ts";
import { analyticGaussianDeviation } from "../../../lib/dp/mechanisms/gaussian.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { short } from "../../engine/outcome.ts";
import { outcomeOf, requireNear, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

interface Setting {
  readonly count: number;
  readonly epsilon: number;
  readonly delta: number;
}

/** The deviation of Gaussian noise on each of k answers, for all of them together. */
type Deviation = (setting: Setting) => number;

/** Each answer has ρ/k: σ² = k/(2ρ). */
const concentrated: Deviation = ({ count, epsilon, delta }) =>
  Math.sqrt(count / (2 * largestRho({ epsilon, delta })));

/** Each answer has ε₀ and δ/(2k) by advanced composition with slack δ/2, by the least noise for these. */
const advanced: Deviation = ({ count, epsilon, delta }) =>
  analyticGaussianDeviation({
    epsilon: advancedEpsilonOfEach({ epsilon, count, slack: delta / 2 }),
    delta: delta / (2 * count),
  });

/** Why privacy is counted in ρ. */
export const concentratedAccuracy = theorem<Deviation>({
  id: "composition/concentrated_accuracy",
  statement:
    "Concentrated privacy keeps composition (ρ of k releases is kρ) and is more accurate: for ten and more answers that are (ε, δ)-private together, " +
    "Gaussian noise counted in ρ is enough, and is smaller than noise counted by advanced composition of (ε₀, δ₀).",
  citation:
    "Dwork, Rothblum 2016, section 1; Bun, Steinke 2016, Lemma 1.7; exact δ by Balle, Wang 2018",
  source: "Haußmann’s slides, results and extensions: concentrated differential privacy",
  remember: () => {
    const setting = { count: 100, epsilon: 1, delta: 1e-5 };
    return `For 100 answers at ε = 1 and δ = 1e-5 noise counted in ρ is ${
      short(concentrated(setting) / advanced(setting))
    } of that counted by advanced composition.`;
  },
  assumptions: [
    "sensitivity 1; δ of advanced composition in equal halves; each (ε₀, δ₀) by its least noise",
  ],
  kind: "sampled",
  checked: "k = 10, 100, 1,000 and 10,000, ε = .1, .5 and 1, δ = 1e-5 and 1e-9",
  subject: concentrated,
  check: (deviation) =>
    outcomeOf("24 settings", () => {
      let most = 0;
      for (const count of [10, 100, 1000, 10_000]) {
        for (const epsilon of [0.1, 0.5, 1]) {
          for (const delta of [1e-5, 1e-9]) {
            const sigma = deviation({ count, epsilon, delta });
            const where = `k = ${count}, ε = ${epsilon}, δ = ${delta}`;
            const rho = zcdpComposition(
              Array.from({ length: count }, () => ({ rho: 1 / (2 * sigma ** 2) })),
            );
            requireNear(rho, count / (2 * sigma ** 2), { relative: 1e-9, what: "ρ" });
            // k Gaussian answers are as one with μ = √k/σ.
            const exact = gaussianDelta(Math.sqrt(count) / sigma, epsilon);
            requireThat(exact <= delta, () => `${where}: δ is ${exact}`);
            const share = sigma / advanced({ count, epsilon, delta });
            requireThat(share < 1, () => `${where}: noise of ${short(share)} times that of (ε, δ)`);
            most = Math.max(most, share);
          }
        }
      }
      return most;
    }),
  mutants: {
    "half of the noise": (setting) => concentrated(setting) / 2,
    "noise that grows as k": (setting) => concentrated(setting) * Math.sqrt(setting.count),
    "counted by advanced composition": advanced,
  },
});
