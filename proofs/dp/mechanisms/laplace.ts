import { certifiedMaximum } from "../../tools/certified_maximum.ts";
import {
  interval,
  multiplyIntervals,
  subtractIntervals,
} from "../../../lib/judge/exact/interval.ts";
import { absoluteInterval } from "../../tools/intervals.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { laplace as shipped } from "../../../lib/dp/mechanisms/laplace.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** How much above ε the certified bound may be, whatever gap the search leaves. */
const TOLERANCE = 2e-3;

/** Outputs of the shipped mechanism: so many steps on either side of a value, to REACH scales. */
const STEPS = 200, REACH = 6;

/** The largest loss of the shipped mechanism as a share of ε, on its grid, with noise scaled by `factor`. */
function largestShippedLoss(factor: number): number {
  let worst = 0;
  for (const epsilon of [0.01, 1, 5]) {
    for (const sensitivity of [0.3, 1, 7]) {
      const mechanism = shipped<number>({
        query: ([row]) => row!,
        epsilon: epsilon / factor,
        sensitivity,
        granularity: 2 ** -6,
        relation: replaceOne,
      });
      const scale = sensitivity / epsilon;
      for (const value of [0.1, -3.77]) {
        for (let k = -STEPS; k <= STEPS; k++) {
          const y = Math.round((value + REACH * scale * k / STEPS) * 64) / 64;
          const [at, beside] = [value, value + sensitivity].map((row) =>
            mechanism.logDensity!(y, [row])
          );
          worst = Math.max(worst, Math.abs(at! - beside!) / epsilon);
        }
      }
    }
  }
  return worst;
}

/** The Laplace mechanism with scale factor·Δf/ε. */
export const laplace = theorem<{ readonly factor: number; readonly gap: number }>({
  id: "mechanisms/laplace",
  statement: "f(x) + Lap(Δf/ε) is (ε, 0)-differentially private.",
  citation: "Dwork, McSherry, Nissim, Smith 2006; Dwork, Roth 2014, Theorem 3.6",
  source: "Haußmann’s slides, Laplace mechanism; JMLR preprint, section 2.3",
  remember: () =>
    `At ε = 1 and sensitivity 1 the noise is beyond ±${
      short(Math.log(20))
    } once in twenty releases.`,
  assumptions: [
    "|f(x₁) − f(x₂)|₁ ≤ Δf; coordinates are independent, so one with all of Δf decides",
  ],
  kind: "certified",
  checked: `real numbers, ε = 1 and Δf = 1: every output and change, certified within ${
    100 * TOLERANCE
  }%; beside them, the shipped mechanism at ε = .01, 1 and 5, three sensitivities and two values of f off the grid: ${
    2 * STEPS + 1
  } outputs within ${REACH} scales`,
  subject: { factor: 1, gap: TOLERANCE / 2 },
  check: ({ factor, gap }) => {
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
      gap,
    });
    const worst = largestShippedLoss(factor);
    return all(
      [
        atMost(1, {
          value: upper,
          detail: "continuous",
          witness: `loses ${short(lower)} at ε = 1`,
          tolerance: TOLERANCE,
        }),
        atMost(1, {
          value: worst,
          detail: "shipped",
          witness: `the shipped one loses ${short(worst)} of ε`,
        }),
      ],
      `largest loss certified between ${short(lower)} and ${
        short(upper)
      } at ε = 1; the shipped one loses ${short(worst)} of ε`,
    );
  },
  mutants: {
    "scale 0.87·Δf/ε": { factor: 0.87, gap: TOLERANCE / 2 },
    "scale .995·Δf/ε": { factor: 0.995, gap: TOLERANCE / 2 },
    "scale Δf/(2ε)": { factor: 0.5, gap: TOLERANCE / 2 },
    "bounds a million apart": { factor: 1, gap: 1e6 },
  },
});
