import { noisyMaxLoss } from "../../dp/mechanisms/checks/noisy_max_check.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** Noisy max with Lap(1/ε) for answers that may move apart. */
export const noisyMaxHalfNoise = falseClaim<{ readonly scale: number }>({
  id: "common_mistakes/noisy_max_half_noise",
  statement: "The index of the largest of answers with noise Lap(1/ε) is ε-differentially private.",
  citation: "Dwork, Roth 2014, Claim 3.9, taken beyond monotone answers",
  source: "code that takes the scale for counts",
  remember: () => `It loses ${short(noisyMaxLoss({ scale: 1 }))} at ε = 1.`,
  assumptions: ["answers move by at most 1, in either direction"],
  onPaper: true,
  kind: "sampled",
  subject: { scale: 1 },
  check: (subject) => {
    const loss = noisyMaxLoss(subject);
    return atMost(1, {
      value: loss,
      detail: `largest loss ${short(loss)} at ε = 1`,
      witness: "0 against 27, 27, …: one rises, the others fall",
    });
  },
  corrected: { name: "Lap(2/ε)", subject: { scale: 2 } },
  mutants: { "Lap(1.9/ε)": { scale: 1.9 } },
});
