import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** ε claimed for one sample, given C = max |log p(x′|θ) − log p(x|θ)|. */
type Claimed = (C: number) => number;

/** Sampling a finite posterior, with every likelihood on a bounded scale. */
export const posteriorSampling = theorem<Claimed>({
  id: "bayes/posterior_sampling",
  statement:
    "If |log p(x′|θ) − log p(x|θ)| ≤ C for all x, x′, θ, one sample from the posterior is " +
    "2C-differentially private, whatever the prior.",
  citation: "Wang, Fienberg, Smola 2015; Foulds, Geumlek, Welling, Chaudhuri 2016; " +
    "Dimitrakakis et al. 2014",
  source: "Haußmann’s slides, posterior as exponential mechanism",
  remember: () =>
    `A coin known to lie between .1 and .9 has C = ln 9, and one sample costs ${
      short(2 * Math.log(9))
    }.`,
  onPaper: true,
  kind: "sampled",
  checked:
    "3,000 generated models of two to five parameters: two in three with random priors and likelihoods, the third near 2C",
  subject: (C) => 2 * C,
  check: (claimed, { seed }) => {
    const source = new SeededSource(seed).split("models");
    let worst = 0, witness = "";
    for (let k = 0; k < 3000; k++) {
      const C = 0.1 + 2 * source.uniform(), size = 2 + k % 4;
      // ln p(x|θ) and ln p(x′|θ) up to what all rows share; every third model is extreme.
      const gain = Array.from(
        { length: size },
        (_, i) => k % 3 === 0 ? (i === 0 ? C : -C) : C * (2 * source.uniform() - 1),
      );
      const weights = Array.from(
        { length: size },
        (_, i) => k % 3 === 0 && i === 0 ? 1e-6 : 0.01 + source.uniform(),
      );
      const law = (sign: number): number[] => {
        const raw = weights.map((weight, i) => weight * Math.exp(sign * gain[i]!));
        const total = raw.reduce((sum, value) => sum + value, 0);
        return raw.map((value) => value / total);
      };
      const [p, q] = [law(1), law(0)];
      const loss = Math.max(...p.map((value, i) => Math.abs(Math.log(value / q[i]!))));
      if (loss / claimed(C) > worst || Number.isNaN(loss / claimed(C))) {
        worst = loss / claimed(C);
        witness = `C = ${short(C)}, ${size} parameters: loses ${short(loss)}`;
      }
    }
    return atMost(1, { value: worst, detail: "3000 models of 2 to 5 parameters", witness });
  },
  mutants: { "C": (C) => C, "1.8·C": (C) => 1.8 * C },
});
