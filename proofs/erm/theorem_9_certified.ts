import { certifiedMaximum } from "../../lib/exact/certified_maximum.ts";
import {
  absoluteInterval,
  addIntervals,
  type Interval,
  interval,
  multiplyIntervals,
  risingInterval,
  squareInterval,
  subtractIntervals,
} from "../../lib/exact/interval.ts";
import { calibrateObjective } from "../../lib/learners/erm/calibration.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import { atMost, short } from "../outcome.ts";
import { theorem } from "../theorem.ts";

/** The rate of the noise over that of Algorithm 2. */
interface Rate {
  readonly factor: number;
}

/** −ℓ′(z) = 1/(1 + e^z), which falls: its values on an interval. */
function descent(z: Interval): Interval {
  return risingInterval({ lower: -z.upper, upper: -z.lower }, (x) => 1 / (1 + Math.exp(-x)));
}

/** ℓ″(z) = s(1 − s), even and largest at 0. */
function curvature(z: Interval): Interval {
  const { lower, upper } = absoluteInterval(z);
  const falling = risingInterval({ lower: -upper, upper: -lower }, (x) => {
    const tail = Math.exp(x);
    return tail / ((1 + tail) * (1 + tail));
  });
  return { lower: Math.max(0, falling.lower), upper: falling.upper };
}

/** A certificate in one dimension: no pair of rows and no output loses more than this. */
export const theorem9Certified = theorem<Rate>({
  id: "erm/theorem_9_certified",
  statement:
    "In one dimension, with all rows but one zero, objective perturbation of logistic regression " +
    "loses at most ε, for every pair of rows in [−1, 1] and every output.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Theorem 9; branch and bound in interval arithmetic",
  source: "JMLR preprint, Theorem 2",
  assumptions: [
    "ε = 1, nΛ = 1 and 5; |f| ≤ 60 by branch and bound, beyond by |b − b′| ≤ |ℓ′u − ℓ′v| ≤ 2 and " +
    "u²ℓ″(uf) ≤ .44/f²",
  ],
  kind: "exact",
  subject: { factor: 1 },
  check: ({ factor }) => {
    const epsilon = 1, reach = 60;
    let bound = 0, reached = 0, boxes = 0, complete = true, witness = "";
    for (const lambda of [1, 5]) {
      const { spent, quadratic } = calibrateObjective({
        epsilon,
        rowCount: 1,
        lambda,
        loss: logisticLoss,
        normBound: 1,
        tolerance: 1e-12,
        slack: "cms11",
        residualShare: 0,
      });
      const convexity = lambda + quadratic, rate = factor * spent.noise / 2;
      const stiff = interval(convexity), rated = interval(rate);
      const side = (f: Interval, u: Interval): { pull: Interval; bend: Interval } => {
        const z = multiplyIntervals(u, f);
        return {
          pull: multiplyIntervals(u, descent(z)),
          bend: multiplyIntervals(squareInterval(u), curvature(z)),
        };
      };
      const found = certifiedMaximum({
        box: [interval(-reach, reach), interval(-1, 1), interval(-1, 1)],
        enclose: ([f, u, v]) => {
          const one = side(f!, u!), other = side(f!, v!);
          const pulled = multiplyIntervals(stiff, f!);
          // |b′| − |b|, enclosed twice: directly, and by |b′ − b|, in which f cancels.
          const direct = subtractIntervals(
            absoluteInterval(subtractIntervals(other.pull, pulled)),
            absoluteInterval(subtractIntervals(one.pull, pulled)),
          );
          const most = absoluteInterval(subtractIntervals(one.pull, other.pull)).upper;
          const noise = {
            lower: Math.max(direct.lower, -most),
            upper: Math.min(direct.upper, most),
          };
          const log = (bend: Interval): Interval =>
            risingInterval(addIntervals(stiff, bend), Math.log);
          return addIntervals(
            multiplyIntervals(rated, noise),
            subtractIntervals(log(one.bend), log(other.bend)),
          );
        },
        gap: 0.1,
        most: 400_000,
      });
      complete &&= found.complete;
      boxes += found.boxes;
      // Beyond the box: the noise part is at most 2·rate, and the bends are small.
      const far = 2 * rate + Math.log1p(0.44 / (reach * reach * convexity));
      bound = Math.max(bound, found.upper, far);
      if (found.lower > reached) {
        reached = found.lower;
        witness = `f, u, v = ${found.at.map(short).join(", ")} lose ${short(found.lower)}`;
      }
    }
    const outcome = atMost(epsilon, {
      value: reached > epsilon ? reached : bound,
      detail: `certified between ${short(reached)} and ${short(bound)} for ε = 1, ${boxes} boxes`,
      witness,
    });
    return { ...outcome, holds: outcome.holds && complete };
  },
  mutants: { "rate ε′ for ε′/2": { factor: 2 } },
});
