import { certifiedMaximum } from "../../lib/exact/certified_maximum.ts";
import {
  absoluteInterval,
  interval,
  multiplyIntervals,
  subtractIntervals,
} from "../../lib/exact/interval.ts";
import { replaceOne } from "../../lib/core/relation.ts";
import { laplace as shipped } from "../../lib/mechanisms/laplace.ts";
import { all, atMost, short } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** The Laplace mechanism with scale factor·Δf/ε. */
export const laplace = theorem<{ readonly factor: number }>({
  id: "mechanisms/laplace",
  statement: "f(x) + Lap(Δf/ε) is (ε, 0)-differentially private.",
  citation: "Dwork, McSherry, Nissim, Smith 2006; Dwork, Roth 2014, Theorem 3.6",
  source: "Haußmann’s slides, Laplace mechanism; JMLR preprint, section 2.3",
  assumptions: [
    "|f(x₁) − f(x₂)|₁ ≤ Δf; coordinates are independent, so one with all of Δf decides",
  ],
  kind: "exact",
  subject: { factor: 1 },
  check: ({ factor }) => {
    // Over outputs and changes in units of Δf: (|y − move| − |y|)/factor, at ε = 1.
    const rate = interval(1 / factor);
    const { lower, upper } = certifiedMaximum({
      box: [interval(-3, 3), interval(-1, 1)],
      enclose: ([y, move]) =>
        multiplyIntervals(
          rate,
          subtractIntervals(
            absoluteInterval(subtractIntervals(y!, move!)),
            absoluteInterval(y!),
          ),
        ),
      gap: 0.01,
    });
    // The shipped mechanism, on its grid, with ε scaled as the factor says.
    const mechanism = shipped<number>({
      query: ([row]) => row!,
      epsilon: 1 / factor,
      sensitivity: 1,
      granularity: 2 ** -6,
      relation: replaceOne,
    });
    let worst = 0;
    for (let k = -400; k <= 400; k++) {
      const y = k / 64;
      worst = Math.max(
        worst,
        Math.abs(mechanism.logDensity!(y, [0]) - mechanism.logDensity!(y, [1])),
      );
    }
    return all([
      atMost(1, { value: lower, detail: "continuous", witness: `loses ${short(lower)} at ε = 1` }),
      atMost(1, {
        value: worst,
        detail: "shipped",
        witness: `the shipped one loses ${short(worst)}`,
      }),
    ], `largest loss certified between ${short(lower)} and ${short(upper)} at ε = 1`);
  },
  mutants: { "scale 0.87·Δf/ε": { factor: 0.87 }, "scale Δf/(2ε)": { factor: 0.5 } },
});
