import type { PureClaim } from "../../lib/core/claim.ts";
import { largestMechanismLoss } from "../../lib/exact/mechanism_loss.ts";
import { mechanismVariants } from "../checks/mechanism_variants.ts";
import { outcomeOf, requireThat } from "../engine/requirement.ts";
import { ROUNDING, short } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** Options beyond those of the registry. */
export const claimsByOptions = theorem<{ readonly factor: number }>({
  id: "mechanisms/claims_by_options",
  statement:
    "Shipped mechanisms with other options than the registry's (monotone scores, replaced and added rows, other sensitivities, levels, bounds, " +
    "numbers of categories, steps and dimensions) lose no more than they claim, and nearly all of it where their theorem is tight.",
  citation: "each mechanism names its own theorem",
  source: "lib/mechanisms",
  kind: "sampled",
  checked:
    "34 mechanisms at ε = .4 and 1.7, each on one to three pairs of neighbours on which it loses most, all outputs or 60 drawn ones",
  subject: { factor: 1 },
  check: ({ factor }, { seed }) =>
    outcomeOf(`${mechanismVariants.length} mechanisms`, () => {
      let most = 0;
      for (const { name, make, pairs, share, outputs = [] } of mechanismVariants) {
        for (const epsilon of [0.4, 1.7]) {
          const claimed = (make(epsilon).claim as PureClaim).epsilon;
          const mechanism = make(epsilon * factor);
          const { loss } = largestMechanismLoss(mechanism as never, {
            pairs: pairs as never,
            draws: 30,
            outputs: outputs as never,
            seed,
          });
          requireThat(
            loss <= claimed * (1 + ROUNDING),
            `${name} loses ${short(loss)} of ${short(claimed)}`,
          );
          requireThat(
            loss >= share * claimed,
            `${name} loses ${short(loss)} of ${short(claimed)} only: it wastes noise`,
          );
          most = Math.max(most, loss / claimed);
        }
      }
      return most;
    }),
  mutants: { "noise for 1.02 ε": { factor: 1.02 }, "noise for .9 ε": { factor: 0.9 } },
});
