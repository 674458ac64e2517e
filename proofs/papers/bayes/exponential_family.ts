import { largestChange } from "../../tools/sensitivity.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** ln p(x|θ) of a binomial with 3 trials: θ natural, S(x) = x, h(x) = 3 choose x. */
function logLikelihood(x: number, theta: number): number {
  return theta * x + Math.log([1, 3, 3, 1][x]!) - 3 * Math.log1p(Math.exp(theta));
}

/** The change of log P(θ, X) said to belong to a replaced observation. */
type Formula = (theta: number, options: { from: number; to: number }) => number;

/** The sensitivity of the log-joint of an exponential family. */
export const exponentialFamily = theorem<Formula>({
  id: "bayes/exponential_family",
  statement:
    "For p(x|θ) = h(x)g(θ)exp(θᵀS(x)), Δ log P(θ, X) = sup |θᵀ(S(x′) − S(x)) + log h(x′) − " +
    "log h(x)|.",
  citation: "Foulds, Geumlek, Welling, Chaudhuri 2016, section 3",
  source: "Haußmann’s slides, exponential family",
  remember: () =>
    `With three trials and θ up to 2, replacing 0 by 3 changes log P by ${3 * 2} at most.`,
  onPaper: true,
  kind: "sampled",
  checked:
    "binomial with three trials: the change at θ of 2,000 generated replacements, and its supremum over 401 values of θ from −2 to 2",
  subject: (theta, { from, to }) =>
    Math.abs(theta * (to - from) + Math.log([1, 3, 3, 1][to]!) - Math.log([1, 3, 3, 1][from]!)),
  check: (formula, { seed }) => {
    const source = new SeededSource(seed).split("observations");
    const moves = Array.from({ length: 2000 }, () => ({
      theta: source.uniform() < 0.1 ? 2 : 4 * source.uniform() - 2,
      from: source.uint32() % 4,
      to: source.uint32() % 4,
      rest: Array.from({ length: 4 }, () => source.uint32() % 4),
    }));
    const joint = (data: readonly number[], theta: number): number =>
      data.reduce((sum, x) => sum + logLikelihood(x, theta), -theta * theta / 2);
    let bound = 0;
    for (let k = -200; k <= 200; k++) {
      for (let from = 0; from < 4; from++) {
        for (let to = 0; to < 4; to++) bound = Math.max(bound, formula(k / 100, { from, to }));
      }
    }
    const found = largestChange({
      pairs: moves,
      measure: ({ theta, from, to, rest }) => ({
        distance: Math.abs(joint([from, ...rest], theta) - joint([to, ...rest], theta)),
        uncertainty: 1e-12,
      }),
      bound,
      seed,
    });
    // At each θ, not at the largest alone: there the change of h may be 0.
    const off = moves.reduce((most, { theta, from, to, rest }) => {
      const change = Math.abs(joint([from, ...rest], theta) - joint([to, ...rest], theta));
      return Math.max(most, Math.abs(change - formula(theta, { from, to })));
    }, 0);
    return all([
      atMost(1e-11, { value: off, detail: "at each θ", witness: `off by ${short(off)}` }),
      atMost(1, { value: found.share, detail: "bound", witness: `${short(found.share)} of it` }),
      atMost(found.most, { value: 1 - 1e-6, detail: "attained", witness: "not attained" }),
    ], `2000 replacements; the supremum is ${short(bound)}`);
  },
  mutants: {
    "without the change of h": (theta, { from, to }) => Math.abs(theta * (to - from)),
  },
});
