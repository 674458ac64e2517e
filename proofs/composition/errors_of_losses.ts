import { lies, requireOptimalRooms } from "../checks/lie_rooms.ts";
import { lossRooms, requireErrorsOfLaws } from "../checks/loss_rooms.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = { ...lies, ...lossRooms };

/** What is stated of the errors of losses holds, and sums over them have room for it. */
export const errorsOfLosses = theorem<typeof shipped>({
  id: "composition/errors_of_losses",
  statement:
    "Losses of finite, Laplace and sampled laws are right up to the error that is stated of them, also where they are hundreds; the " +
    "optimal δ of several groups is above the exact one by its room, and by no more.",
  citation:
    "Higham 2002, section 4.3, on compensated sums; Murtagh, Vadhan 2016, Theorem 1.5; dpcheck",
  source: "lib/accounting",
  kind: "sampled",
  checked:
    "160 laws with losses up to 690 by logarithms in 300 bits; 12 compositions of one to three groups in whole numbers; four sums of a million equal terms",
  subject: shipped,
  check: (of, { seed }) => {
    const source = new SeededSource(seed);
    return casesOf({
      "optimal composition": () => requireOptimalRooms(of, source.split("optimal")),
      "losses of laws": () => requireErrorsOfLaws(of, source.split("laws")),
    });
  },
  mutants: {
    "δ without its room": {
      ...shipped,
      optimalDelta: (groups, options) => shipped.optimalDelta(groups, options) * (1 - 9e-12),
    },
    "losses that are said to be exact": {
      ...shipped,
      finiteLoss: (sides) => {
        const { forward, backward } = shipped.finiteLoss(sides);
        return { forward: { ...forward, relativeError: 1e-16 }, backward };
      },
    },
  },
});
