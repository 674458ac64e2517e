import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** C as read off the likelihoods θ and 1 − θ of a coin with θ in [low, 1 − low]. */
type Bound = (low: number) => number;

/** The printed condition bounds log P from above only. */
export const boundedAboveLikelihood = falseClaim<Bound>({
  id: "false_claims/bounded_above_likelihood",
  statement: "If log P(X, θ) ≤ C, one sample from the posterior is 2C-differentially private.",
  citation: "slides of Haußmann 2017; Foulds et al. 2016 bound differences of log-likelihoods",
  source: "Haußmann’s slides, theorem on posterior sampling: with discrete data C = 0 would do",
  remember: () =>
    `For a coin of bias .001 one toss turns the odds of two biases by a factor of ${
      Math.round((0.999 / 0.001) ** 2)
    }.`,
  assumptions: ["a coin of two biases, low and 1 − low; one toss replaced"],
  onPaper: true,
  kind: "sampled",
  // Probabilities are at most 1; 1e-9 stands for 0.
  subject: () => 1e-9,
  check: (bound) => {
    let worst = 0, witness = "";
    for (const low of [0.4, 0.1, 0.001]) {
      // Prior chosen so that one bias is rare: near 2C for one replaced toss.
      for (const prior of [0.5, 1e-6]) {
        const law = (heads: boolean): number => {
          const a = prior * (heads ? 1 - low : low), b = (1 - prior) * (heads ? low : 1 - low);
          return a / (a + b);
        };
        const [p, q] = [law(true), law(false)];
        const loss = Math.max(Math.abs(Math.log(p / q)), Math.abs(Math.log((1 - p) / (1 - q))));
        const share = loss / (2 * bound(low));
        if (share > worst) [worst, witness] = [share, `bias ${low}: one toss loses ${short(loss)}`];
      }
    }
    return atMost(1, { value: worst, detail: "three biases, two priors", witness });
  },
  corrected: {
    name: "C = sup |log p(x′|θ) − log p(x|θ)|",
    subject: (low) => Math.log((1 - low) / low),
  },
  mutants: { "a third of that": (low) => Math.log((1 - low) / low) / 3 },
});
