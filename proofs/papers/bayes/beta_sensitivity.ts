import { largestChange } from "../../tools/sensitivity.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The L1 sensitivity claimed of ΣS(x_i) for S(x) = [x, 1 − x]. */
export const betaSensitivity = theorem<{ readonly bound: number }>({
  id: "bayes/beta_sensitivity",
  statement:
    "The sufficient statistic S(x) = [x, 1 − x] of a Beta posterior has L1 sensitivity 2, so " +
    "that Lap(2/ε) on each of its two sums is ε-DP.",
  citation: "Foulds, Geumlek, Welling, Chaudhuri 2016, section 3",
  source: "Haußmann’s slides, Laplace mechanism on sufficient statistics",
  remember: () => `A toss that turns moves one sum up by 1 and the other down by 1: two in all.`,
  onPaper: true,
  kind: "exact",
  checked: "all 32 lists of five observations beside one replaced, x in {0, 1}",
  subject: { bound: 2 },
  check: ({ bound }, { seed }) => {
    const statistic = (data: readonly number[]): [number, number] => {
      const ones = data.reduce((sum, x) => sum + x, 0);
      return [ones, data.length - ones];
    };
    const pairs = Array.from({ length: 32 }, (_, k) => {
      const rest = Array.from({ length: 5 }, (_, i) => (k >> i) & 1);
      return [[0, ...rest], [1, ...rest]] as const;
    });
    const found = largestChange({
      pairs,
      measure: ([left, right]) => {
        const a = statistic(left), b = statistic(right);
        return { distance: Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]), uncertainty: 0 };
      },
      bound,
      seed,
    });
    return atMost(1, {
      value: found.share,
      detail: `${found.pairs} pairs of six observations`,
      witness: `one observation moves it by ${short(found.share * bound)}`,
    });
  },
  mutants: { "sensitivity 1 (one sum forgotten)": { bound: 1 } },
});
