import { noisyMaxLoss, noisyMaxOutcome } from "./checks/noisy_max_check.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** Report-noisy-max with Laplace noise of 2/ε. */
export const noisyMax = theorem<{ readonly scale: number }>({
  id: "mechanisms/noisy_max",
  statement:
    "The index of the largest of answers with noise Lap(2Δ/ε) is ε-differentially private.",
  citation: "Dwork, Roth 2014, Claim 3.9 (there Lap(1/ε), for counts, which are monotone)",
  source: "notes on exact checks of sparse vector and noisy max",
  remember: () =>
    `At ε = 1 noise of scale 2 loses ${short(noisyMaxLoss({ scale: 2 }))}, noise of scale 1 loses ${
      short(noisyMaxLoss({ scale: 1 }))
    }.`,
  assumptions: ["answers move by at most Δ = 1, in either direction"],
  onPaper: true,
  kind: "sampled",
  checked:
    "ε = 1, 20 pairs of 2, 3, 5 and 10 answers: one answer rises as the others fall, with gaps from 0 to 25",
  subject: { scale: 2 },
  check: noisyMaxOutcome,
  mutants: { "noise at 0.87": { scale: 0.87 * 2 } },
});
