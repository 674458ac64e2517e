import { errorOfLieProbabilities } from "../../lib/accounting/lie_probabilities.ts";
import { dominatingLosses } from "../../lib/accounting/loss_cells.ts";
import { renyiEpsilon } from "../../lib/accounting/renyi.ts";
import { requireFarLosses } from "../checks/accounting_edges.ts";
import { requireLeastValues, requireStatedErrors } from "../checks/stated_errors.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireAnswers } from "../checks/answers_by_reference.ts";
import { requireAtoms, requireProbabilities, requireSplits, steps } from "../checks/loss_steps.ts";
import {
  requireBinomials,
  requireConversions,
  requireDifferences,
  requireEdges,
  requireLifetimes,
  requireSeries,
} from "../checks/rule_steps.ts";
import { requireSpentLimits } from "../checks/spent_limits.ts";
import { requireFarBounds, requireGrowingRooms } from "../checks/stated_rooms.ts";
import {
  requireChancesAtEnds,
  requireGroupsOfParts,
  requireSums,
} from "../checks/sums_of_parts.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = { ...steps, errorOfLieProbabilities, renyiEpsilon };

/** Each step of accounting on the safe side by the room that is stated for it. */
export const stepsOfAccounting = theorem<typeof shipped>({
  id: "composition/steps_of_accounting",
  statement:
    "Each step of accounting is on its safe side by the room that is derived for it: chances of lies, the optimal δ, losses that stand for a law, " +
    "conversions of Rényi curves, readings of odometers; probabilities stay in [0, 1], also where they underflow or losses leave the doubles.",
  citation: "Kairouz, Oh, Viswanath 2015, Theorem 3.3; Canonne, Kamath, Steinke 2020; dpcheck",
  source: "lib/accounting",
  kind: "sampled",
  checked:
    "100,000 answers at ε = .01 and 2,000 at .5 by sums in 320 bits; a law of three atoms and two cells, whole and cut; atoms of 117 laws by exponentials in 200 bits; 18 conversions; readings at three ρ; sums of errors, of divergences and of ε of up to 300 parts, in fractions; windows of three sums; 120 grids of Laplace noise",
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "answers by randomised response": () => requireAnswers(of.errorOfLieProbabilities),
      "losses that stand for a law": () => requireSplits(of),
      "atoms": requireAtoms,
      "probabilities": requireProbabilities,
      "conversions": () => requireConversions(of.renyiEpsilon),
      "terms of series": requireSeries,
      "binomial coefficients": requireBinomials,
      "lifetimes": requireLifetimes,
      "differences": requireDifferences,
      "edges": requireEdges,
      "losses far from the others": requireFarLosses,
      "errors that laws state": requireStatedErrors,
      "least values": requireLeastValues,
      "sums of bounds": requireSums,
      "chances at their ends": requireChancesAtEnds,
      "rooms that grow": requireGrowingRooms,
      "bounds that are far": requireFarBounds,
      "limits that are spent": requireSpentLimits,
      "groups of parts": () => requireGroupsOfParts(new SeededSource(seed).split("groups")),
    }),
  mutants: {
    "no room for the chances of lies": { ...shipped, errorOfLieProbabilities: () => 0 },
    "losses without their error": {
      ...shipped,
      dominatingLosses: (cut, options) =>
        dominatingLosses({ ...cut, law: { ...cut.law, relativeError: 0 } }, options),
    },
    "conversions without room": {
      ...shipped,
      renyiEpsilon: (curve, options) => renyiEpsilon(curve, options) * (1 - 1e-12),
    },
  },
});
