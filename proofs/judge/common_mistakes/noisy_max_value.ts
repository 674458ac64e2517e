import { laplaceTail } from "../../tools/quadrature.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** ln of the density of the released value, for answers that are all `answer`, ε = 1. */
type LogDensity = (value: number, options: { answer: number; answers: number }) => number;

function largest(scale: number): LogDensity {
  return (value, { answer, answers }) => {
    // One noise is there, the others are below: n·f(v)·F(v)^(n − 1).
    const below = laplaceTail(answer - value, scale);
    return Math.log(answers / (2 * scale)) - Math.abs(value - answer) / scale +
      (answers - 1) * Math.log(below);
  };
}

/** Noisy max that tells the noisy value that won. */
export const noisyMaxValue = falseClaim<LogDensity>({
  id: "common_mistakes/noisy_max_value",
  statement:
    "Report-noisy-max may release the largest noisy answer itself, with its noise Lap(2/ε).",
  citation: "against Dwork, Roth 2014, after Claim 3.9; Ding, Wang, Wang, Zhang, Kifer 2018",
  source: "code that returns the winner’s value with its index",
  remember: () => `ε/2 for each candidate: ${10 / 2} ε for ten.`,
  assumptions: ["n answers that all rise by 1; a released value far below them"],
  onPaper: true,
  kind: "sampled",
  subject: largest(2),
  check: (logDensity) => {
    const losses = [1, 2, 5, 10].map((answers) =>
      Math.max(...[-40, -10, -1, 0, 5, 40].map((value) =>
        Math.abs(
          logDensity(value, { answer: 0, answers }) - logDensity(value, { answer: 1, answers }),
        )
      ))
    );
    const shown = losses.map(short).join(", ");
    return atMost(1, {
      value: Math.max(...losses),
      detail: `n = 1, 2, 5, 10 lose ${shown} at ε = 1`,
      witness: `n = 1, 2, 5, 10 lose ${shown}`,
    });
  },
  corrected: {
    name: "the winner's answer with fresh noise Lap(2/ε), beside an index at ε/2",
    // All answers equal: the index tells nothing here, the value loses ε/2.
    subject: (value, { answer }) => -Math.abs(value - answer) / 2,
  },
  mutants: { "noise of 5/ε, still released": largest(5) },
});
