import {
  approximateLoss,
  gaussianLoss,
} from "../../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { deltaBounds } from "../../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { optimalDelta } from "../../../lib/dp/accounting/composition/optimal_composition.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** Bounds on δ at ε. */
type Bounds = typeof deltaBounds;

/** Privacy loss distributions bound δ from both sides. */
export const lossDistribution = theorem<Bounds>({
  id: "composition/loss_distribution",
  statement:
    "The δ of a composition lies between the two bounds from its privacy loss distribution, for " +
    "Gaussian noise and for randomised response.",
  citation: "Koskela, Jälkö, Honkela 2020; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022",
  source: "a standard building block",
  remember: () =>
    `100 releases of Gaussian noise with μ = .1 are as one with μ = ${
      short(0.1 * Math.sqrt(100))
    }: δ is ${short(gaussianDelta(1, 1))} at ε = 1.`,
  kind: "sampled",
  checked:
    "1, 10 and 100 uses at ε = .1, .5 and 1 of two mechanisms whose δ is known in closed form",
  subject: deltaBounds,
  check: (bounds) => {
    let wide = 0, margin = 0, cases = 0, broken = "";
    for (const count of [1, 10, 100]) {
      for (const epsilon of [0.1, 0.5, 1]) {
        const mu = 0.1;
        const known = [
          {
            name: "Gaussian",
            exact: gaussianDelta(mu * Math.sqrt(count), epsilon),
            found: bounds([{ loss: gaussianLoss({ mu }), count }], { epsilon }),
          },
          {
            name: "randomised response",
            exact: optimalDelta([{ epsilon: 0.05, count }], { epsilon }),
            found: bounds([{ loss: approximateLoss({ epsilon: 0.05 }), count }], { epsilon }),
          },
        ];
        for (const { name, exact, found: { lower, upper } } of known) {
          cases++;
          // Below 1e-9 the wings of the grid are what is left.
          if (lower > exact * (1 + 1e-9) + 1e-15 || upper < exact * (1 - 1e-9)) {
            broken = `${name}, ${count} uses, ε = ${epsilon}: ${exact} not in [${lower}, ${upper}]`;
          }
          if (exact <= 1e-6) continue;
          wide = Math.max(wide, (upper - lower) / exact);
          margin = Math.max(margin, lower / exact, exact / upper);
        }
      }
    }
    const holds = broken === "" && wide < 0.05;
    return {
      holds,
      margin,
      detail: `${cases} compositions; bounds at most ${short(100 * wide)}% apart`,
      ...(holds ? {} : { witness: broken || `bounds ${short(100 * wide)}% apart` }),
    };
  },
  mutants: {
    "one use forgotten": (parts, options) =>
      deltaBounds(
        parts.map((part) => ({ ...part, count: Math.max(1, part.count - 1) })),
        options,
      ),
  },
});
