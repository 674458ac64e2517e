import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The margin of a one-sided band around a distribution function, by level and sample size. */
type Margin = (alpha: number, n: number) => number;

const printed: Margin = (alpha, n) => Math.sqrt(Math.log(Math.min(2, 1 / alpha)) / (2 * n));

/** P(sup(F_n − F) > x) for n draws, exactly (Birnbaum, Tingey 1951). */
function exceedance(x: number, n: number): number {
  let sum = 0, logChoose = 0;
  for (let j = 0; j <= Math.floor(n * (1 - x)); j++) {
    if (j > 0) logChoose += Math.log((n - j + 1) / j);
    const rest = 1 - x - j / n;
    if (rest <= 0) break;
    sum += Math.exp(logChoose + (n - j) * Math.log(rest) + (j - 1) * Math.log(x + j / n));
  }
  return x * sum;
}

/** The band of an auditor, with min where the inequality has max. */
export const confidenceBand = falseClaim<Margin>({
  id: "false_claims/confidence_band",
  statement:
    "The one-sided band of margin √(ln(min(2, 1/α))/(2n)) stays on its side of a distribution function " +
    "with probability 1 − α.",
  citation: "an auditor's dwk_bound.py; Dvoretzky, Kiefer, Wolfowitz 1956; Massart 1990 has max",
  source: "its source code: min where the inequality has max",
  remember: () =>
    `At n = 1,000 the band fails, on one given side, with probability ${
      short(exceedance(printed(0.05, 1000), 1000))
    } where .05 is allowed.`,
  onPaper: true,
  kind: "sampled",
  subject: printed,
  check: (margin) => {
    let worst = 0;
    const shown: string[] = [];
    for (const alpha of [0.05, 0.025]) {
      for (const n of [100, 1000]) {
        const failure = exceedance(margin(alpha, n), n);
        worst = Math.max(worst, failure / alpha);
        shown.push(short(failure));
      }
    }
    const one = exceedance(margin(0.05, 1000), 1000);
    return {
      holds: worst <= 1,
      margin: worst,
      detail:
        `fails with probability ${shown.join(", ")} for α = .05, .025 and n = 100, 1000; of two ` +
        `independent bands one fails with ${short(1 - (1 - one) ** 2)}`,
      ...(worst <= 1 ? {} : { witness: `α = .05, n = 1000: fails with probability ${short(one)}` }),
    };
  },
  corrected: {
    name: "max in place of min",
    subject: (alpha, n) => Math.sqrt(Math.log(Math.max(2, 1 / alpha)) / (2 * n)),
  },
  mutants: {
    "the margin at 0.87": (alpha, n) =>
      0.87 * Math.sqrt(Math.log(Math.max(2, 1 / alpha)) / (2 * n)),
  },
});
