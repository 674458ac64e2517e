import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { boundedMean } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { outcomeOf, requireNear, requireThat } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

interface Setting {
  readonly rows: number;
  readonly range: number;
  readonly epsilon: number;
  readonly step: number;
  readonly failure: number;
}

/** The error that a noisy mean does not exceed but for a chance of β. */
type Bound = (setting: Setting) => number;

/** The stated bound. */
export function errorOfMean({ rows, range, epsilon, step, failure }: Setting): number {
  return range / (rows * epsilon) *
    Math.log(2 / (failure * (1 + Math.exp(-epsilon * step / range))));
}

/** What the bound is checked at: steps of the grid are ranges over {@linkcode STEPS}. */
const ROWS = [20, 400, 8000],
  EPSILONS = [0.3, 1, 3],
  RANGES = [1, 128],
  FAILURES = [0.3, 0.05, 1e-6];
const STEPS = 64;

/** How many settings these are. */
const SETTINGS = ROWS.length * EPSILONS.length * RANGES.length * FAILURES.length;

/** The error of a mean of as many values that are drawn at random. */
export function errorOfSampling(
  { rows, range, failure }: Pick<Setting, "rows" | "range" | "failure">,
): number {
  return range * Math.sqrt(Math.log(2 / failure) / (2 * rows));
}

/** How accurate a private mean is. */
export const meanError = theorem<Bound>({
  id: "mechanisms/mean_error",
  statement:
    "The ε-private mean of n values in a range m, with one of them replaced, is off by more than (m/(nε))·ln(2/(β(1 + e^(−εg/m)))) with " +
    "probability at most β, for values on a grid of step g: the error falls as 1/n, where that of sampling falls as 1/√n.",
  citation: "Dwork, McSherry, Nissim, Smith 2006, section 3; Dwork, Roth 2014, Theorem 3.8",
  source: "Chaudhuri’s slides, facts: good private approximations for the mean",
  remember: () => {
    const mean = { rows: 400, range: 1, epsilon: 1, step: 1 / STEPS, failure: 1 / 20 };
    return `The mean of 400 values between 0 and 1 at ε = 1 is within ${
      short(errorOfMean(mean))
    } in 19 releases of 20; that of a sample is within ${short(errorOfSampling(mean))}.`;
  },
  kind: "sampled",
  checked: `n = ${ROWS.join(", ")}, ε = ${EPSILONS.join(", ")}, ranges ${
    RANGES.join(" and ")
  }, β = ${FAILURES.join(", ")}, g = m/${STEPS}: by the law that the shipped mean states`,
  subject: errorOfMean,
  check: (of) =>
    outcomeOf(`${SETTINGS} settings`, () => {
      let most = 0;
      for (const rows of ROWS) {
        for (const epsilon of EPSILONS) {
          for (const range of RANGES) {
            const step = range / STEPS;
            const mean = boundedMean({
              bounds: { lower: 0, upper: range },
              epsilon,
              granularity: step,
              relation: replaceOne,
            });
            const data = Array.from({ length: rows }, () => range / 2);
            const [none, one, two] = [0, 1, 2].map((k) =>
              mean.logDensity!(range / 2 + k * step / rows, data)
            );
            // Two-sided geometric: P(k) = (1 − q)/(1 + q)·q^|k|, k steps of the sum.
            const q = Math.exp(one! - none!);
            requireNear(two! - one!, one! - none!, { relative: 1e-9, what: "geometric law" });
            requireNear(Math.exp(none!), (1 - q) / (1 + q), { relative: 1e-9, what: "P(0)" });
            for (const failure of FAILURES) {
              const error = of({ rows, range, epsilon, step, failure });
              const from = Math.floor(error * rows / step * (1 - 1e-12)) + 1;
              const chance = 2 * q ** from / (1 + q);
              requireThat(
                chance <= failure * (1 + 1e-9),
                () => `n = ${rows}, ε = ${epsilon}: off by more than ${error} with ${chance}`,
              );
              most = Math.max(most, chance / failure);
            }
          }
        }
      }
      requireThat(most > 0.9, `the bound is far from what is so: ${most}`);
      return most;
    }),
  mutants: {
    "m/(nε)·ln(1/(2β))": ({ rows, range, epsilon, failure }) =>
      range / (rows * epsilon) * Math.log(1 / (2 * failure)),
    "an error of 1/n²": (setting) => errorOfMean(setting) * 20 / setting.rows,
    "the sampling error, m·√(ln(2/β)/(2n))": errorOfSampling,
  },
});
