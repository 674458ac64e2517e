import { keepsClaim } from "../../lib/exact/alignment/keeps_claim.ts";
import { neighbourCases } from "../../lib/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../lib/exact/alignment/prove_alignment.ts";
import { isShift } from "../../lib/exact/alignment/shift.ts";
import { rational } from "../../lib/numeric/rational.ts";
import { requireNames } from "../checks/names_of_noise.ts";
import { requireTraces } from "../checks/alignment_refusals.ts";
import { requireBothWays, requirePlainOutputs } from "../checks/compared_both_ways.ts";
import { requireEqualCandidates, requireLonelyPaths } from "../checks/equal_candidates.ts";
import { requireAlignmentEdges } from "../checks/alignment_edges.ts";
import { requireCases } from "../checks/neighbour_cases.ts";
import {
  requireCertificates,
  requireShifts,
  requireTightPairs,
} from "../checks/alignment_steps.ts";
import { requireClaims } from "../checks/claims_of_noise.ts";
import { type Steps, steps } from "../checks/alignment_kinds.ts";
import { casesInTurn } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = { ...steps, proveAlignment };

/** What alignments are computed with. */
export const alignmentSteps = theorem<Steps & { proveAlignment: typeof proveAlignment }>({
  id: "exact/alignment_steps",
  statement:
    "Alignments rest on steps that decide: a shift with one part changed is rejected, claims follow from losses to the last bit, cases are all neighbours and no others; a program " +
    "that cannot be traced, or puts out something else with numbers, is refused.",
  citation: "Bun, Steinke 2016 on zCDP of pure and Gaussian noise",
  source: "lib/exact/alignment",
  kind: "sampled",
  checked:
    "shifts of five programs with each part changed; 30 claims; all pairs of seven small domains; 46 programs that are refused and ten that are taken; certificates of nine programs, three tight pairs; seven programs with equal values",
  subject: shipped,
  check: (of) =>
    casesInTurn({
      "claims": () => requireClaims(of),
      "cases": () => requireCases(of),
      "names": requireNames,
      "programs": () => requireTraces(of.proveAlignment),
      "shifts": () => requireShifts(of),
      "certificates": requireCertificates,
      "tight pairs": requireTightPairs,
      "edges": () => requireAlignmentEdges(of.proveAlignment),
      "equal values": () => requireEqualCandidates(of.proveAlignment),
      "data that are compared both ways": () => requireBothWays(of.proveAlignment),
      "plain outputs": () => requirePlainOutputs(of.proveAlignment),
      "paths of one dataset": () => requireLonelyPaths(of.proveAlignment),
    }),
  mutants: {
    "Gaussian noise forgotten": {
      ...shipped,
      keepsClaim: (claim, loss) => keepsClaim(claim, { ...loss, muSquared: rational(0) }),
    },
    "one way round": {
      ...shipped,
      neighbourCases: (domain, relation) =>
        neighbourCases(domain, relation)?.filter(({ name }) => !name.startsWith("no row")),
    },
    "bounds that are not checked": {
      ...shipped,
      isShift: (shift, pair, options) =>
        isShift(shift, pair, options) || shift.bounds.some(({ above }) => above.length === 0),
    },
    "programs that cannot be traced are taken": {
      ...shipped,
      proveAlignment: async (program, options) => {
        try {
          return await proveAlignment(program, options);
        } catch {
          return await proveAlignment({ ...program, run: () => 0 }, options);
        }
      },
    },
  },
});
