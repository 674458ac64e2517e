import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The excess in J that a lemma allows, as a function of what is known. */
type Bound = (
  given: { readonly epsilon: number; readonly noise: number; readonly delta: number },
) => number;

const printed: Bound = ({ epsilon, delta }) => 4 * Math.log(1 / delta) ** 2 / epsilon ** 2;

/** The δ of the claim. */
export const DELTA = 0.05;

/** How often a bound fails, by default the printed one, for a zero row at d = 1, ε = .5, nΛ = 1 and c = 1/4. */
export function failureOf(bound: Bound = printed): number {
  const epsilon = 0.5, noise = epsilon - 2 * Math.log1p(1 / 4);
  // |b| is exponential with mean 2/ε′; J exceeds by more than the bound when |b| > √(2·bound).
  return Math.exp(-noise / 2 * Math.sqrt(2 * bound({ epsilon, noise, delta: DELTA })));
}

/** The accuracy lemma of objective perturbation, for one zero row in one dimension. */
export const lemma19Epsilon = falseClaim<Bound>({
  id: "false_claims/lemma_19_epsilon",
  statement: "J(f_priv) ≤ J(f*) + 4d²ln²(d/δ)/(Λn²ε²) with probability 1 − δ, when ε′ > 0.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 19",
  source: "JMLR paper, Lemma 19: ε where the noise has ε′",
  remember: () =>
    `It holds with probability ${short(1 - failureOf())} where ${1 - DELTA} is claimed.`,
  assumptions: ["zero row, d = 1, ε = .5, nΛ = 1, c = 1/4: J(f_priv) − J(f*) = b²/2 exactly"],
  onPaper: true,
  kind: "sampled",
  subject: printed,
  check: (bound) => {
    const failure = failureOf(bound);
    return atMost(DELTA, {
      value: failure,
      detail: `holds with probability ${short(1 - failure)}, claimed ${1 - DELTA}`,
      witness: `it holds with probability ${short(1 - failure)}`,
    });
  },
  corrected: {
    name: "2d²ln²(d/δ)/(Λn²ε′²), with ε′ and the sharper constant",
    subject: ({ noise, delta }) => 2 * Math.log(1 / delta) ** 2 / noise ** 2,
  },
  mutants: {
    "ε′ with the constant 1": ({ noise, delta }) => Math.log(1 / delta) ** 2 / noise ** 2,
  },
});
