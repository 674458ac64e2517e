import { requireLoss } from "../../lib/learners/erm/require_loss.ts";
import { requireRegulariser } from "../../lib/learners/erm/require_regulariser.ts";
import { requireLossBounds } from "../checks/loss_bounds.ts";
import { requireLossSamples, requireLossTogether } from "../checks/loss_samples.ts";
import { requireRegulariserBounds } from "../checks/regulariser_probes.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = { requireLoss, requireRegulariser };

/** Where the conditions on losses and regularisers are looked at, and how sharply. */
export const conditionsOnLosses = theorem<typeof shipped>({
  id: "erm/conditions_on_losses",
  statement:
    "The check of losses looks at margins that leave no double out, halves steep intervals, and takes what its docstring allows and no more than that: slopes in [−1, 0] that rise, no faster than the bound; curvatures, values and sums that are theirs. " +
    "That of regularisers looks at 84 pairs of weights, and each of its answers may be off by the stated rounding and no more.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Theorems 6 and 9: their conditions",
  source: "lib/learners/erm",
  kind: "sampled",
  checked:
    "losses that break one condition in one interval, at two places, by one per cent more and less than each bound; four ramps and a step; regularisers of 1, 3, 32 and 33 weights, six pairs of 84",
  subject: shipped,
  check: (of) =>
    casesOf({
      "regularisers": () => requireRegulariserBounds(of.requireRegulariser),
      "samples of losses": () => requireLossSamples(of.requireLoss),
      "losses at many margins": () => requireLossTogether(of.requireLoss),
      "bounds of losses": () => requireLossBounds(of.requireLoss),
    }),
  mutants: {
    "slopes of −1 and a rounding": {
      ...shipped,
      requireLoss: (loss) => requireLoss({ ...loss, slope: (z) => Math.max(-1, loss.slope(z)) }),
    },
    "curvatures are not looked at beyond 30": {
      ...shipped,
      requireLoss: (loss) =>
        requireLoss({ ...loss, curvature: (z) => Math.abs(z) > 30 ? 0 : loss.curvature(z) }),
    },
    "sums are not looked at": {
      ...shipped,
      requireLoss: ({ sumAndSlopes: _, ...loss }) => requireLoss(loss),
    },
    "Hessians are those of ½‖f‖²": {
      ...shipped,
      requireRegulariser: (regulariser, options) =>
        requireRegulariser({
          ...regulariser,
          addHessian: (weights, { into }) =>
            weights.forEach((_, j) => into[j * (weights.length + 1)]! += 1),
        }, options),
    },
  },
});
