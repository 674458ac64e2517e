import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The quantile claimed of Γ(k, 1). */
type Quantile = (shape: number, delta: number) => number;

/** P(Γ(k, 1) ≥ x) for whole k: the Poisson sum. */
function upperTail(shape: number, x: number): number {
  let term = Math.exp(-x), sum = 0;
  for (let i = 0; i < shape; i++) {
    sum += term;
    term *= x / (i + 1);
  }
  return sum;
}

/** The tail of the length of the noise. */
export const lemma17 = theorem<Quantile>({
  id: "erm/lemma_17",
  statement: "X ~ Γ(k, θ) for whole k is below kθ·ln(k/δ) with probability at least 1 − δ.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 17; NIPS 2008, Lemma 5",
  source: "Chaudhuri’s slides, |b| ~ Γ(d, ·)",
  remember: () =>
    `In 105 dimensions the noise is 105 scales long on average, and beyond ${
      short(105 * Math.log(105 / 0.05))
    } in one draw of twenty at most.`,
  onPaper: true,
  kind: "sampled",
  checked: "eight whole k from 1 to 200 and four δ, by exact tails",
  subject: (shape, delta) => shape * Math.log(shape / delta),
  check: (quantile) => {
    let worst = 0, witness = "", cases = 0;
    for (const shape of [1, 2, 3, 5, 10, 50, 105, 200]) {
      for (const delta of [0.5, 0.1, 0.01, 1e-6]) {
        cases++;
        const share = upperTail(shape, quantile(shape, delta)) / delta;
        if (share > worst || Number.isNaN(share)) {
          [worst, witness] = [share, `k = ${shape}, δ = ${delta}: ${short(share)} δ`];
        }
      }
    }
    return atMost(1, { value: worst, detail: `${cases} settings, exact tails`, witness });
  },
  mutants: {
    "θ·ln(k/δ), without k": (shape, delta) => Math.log(shape / delta),
    "0.87 of it": (shape, delta) => 0.87 * shape * Math.log(shape / delta),
  },
});
