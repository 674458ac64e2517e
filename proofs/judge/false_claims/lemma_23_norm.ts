import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** How features are scaled, and the bound on ‖f_p‖² for |a| ≤ C and D features. */
interface Scaling {
  readonly scale: (count: number) => number;
  readonly bound: (C: number, count: number) => number;
}

/** The norm of the finite-dimensional classifier that stands for one in the kernel's space. */
export const lemma23Norm = falseClaim<Scaling>({
  id: "false_claims/lemma_23_norm",
  statement:
    "The classifier f_p with f_p·v(x) = (1/D)Σ a(θ_j)φ(x; θ_j), |a| ≤ C, has ‖f_p‖² ≤ C²/D " +
    "for the features of Algorithm 3.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 23, equation 22",
  source:
    "JMLR paper, proof of Lemma 23: true of unscaled φ only; then ‖v‖ ≤ ζ√D and privacy fails",
  remember: () => `‖f_p‖² is up to D/2 times the bound: ${1000 / 2} times for 1,000 features.`,
  onPaper: true,
  kind: "sampled",
  subject: { scale: (count) => Math.sqrt(2 / count), bound: (C, count) => C * C / count },
  check: ({ scale, bound }, { seed }) => {
    const source = new SeededSource(seed).split("coefficients");
    let worst = 0;
    for (const C of [0.5, 3]) {
      for (const count of [1, 10, 1000]) {
        for (let run = 0; run < 20; run++) {
          // Weights a_j/(D·scale) give the function; the extreme has all |a_j| = C.
          let square = 0;
          for (let j = 0; j < count; j++) {
            const a = run === 0 ? C : C * (2 * source.uniform() - 1);
            square += (a / (count * scale(count))) ** 2;
          }
          worst = Math.max(worst, square / bound(C, count));
        }
      }
    }
    return atMost(1, {
      value: worst,
      detail: "D = 1, 10, 1000",
      witness: `‖f_p‖² is ${short(worst)} times the bound at D = 1000`,
    });
  },
  corrected: {
    name: "‖f_p‖² ≤ C²/2 for √(2/D)·φ",
    subject: { scale: (count) => Math.sqrt(2 / count), bound: (C) => C * C / 2 },
  },
  mutants: {
    "C²/2 for √(1/D)·φ": { scale: (count) => Math.sqrt(1 / count), bound: (C) => C * C / 2 },
  },
});
