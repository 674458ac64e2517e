import { keepsClaim } from "../../lib/exact/alignment/keeps_claim.ts";
import { neighbourCases } from "../../lib/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../lib/exact/alignment/prove_alignment.ts";
import { isShift } from "../../lib/exact/alignment/shift.ts";
import { solveSparse } from "../../lib/exact/alignment/solve_sparse.ts";
import { excludes, shows } from "../../lib/exact/alignment/combination.ts";
import { rational } from "../../lib/numeric/rational.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireNames } from "../checks/names_of_noise.ts";
import { requireRuns } from "../checks/runs_beside_traces.ts";
import { requireTraces } from "../checks/alignment_refusals.ts";
import { requireAlignmentEdges } from "../checks/alignment_edges.ts";
import { requireCases } from "../checks/neighbour_cases.ts";
import {
  requireCertificates,
  requireShifts,
  requireTightPairs,
} from "../checks/alignment_steps.ts";
import { requireClaims } from "../checks/claims_of_noise.ts";
import { type Steps, steps } from "../checks/alignment_kinds.ts";
import { type Linear, linear, requireFarkas, requireForms } from "../checks/linear_parts.ts";
import {
  requireLinearPrograms,
  requireOneSquare,
  requireQuadraticPrograms,
} from "../checks/linear_programs.ts";
import { requireSolutions } from "../checks/linear_solutions.ts";
import { casesInTurn } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = { ...linear, ...steps, proveAlignment };

/** What alignments are computed with. */
export const alignmentSteps = theorem<Linear & Steps & { proveAlignment: typeof proveAlignment }>({
  id: "exact/alignment_steps",
  statement:
    "Alignments rest on steps that decide: linear inequalities follow or exclude each other as elimination says, equations are solved in fractions, a " +
    "shift with one part changed is rejected, claims follow from losses to the last bit, cases are all neighbours and no others; a program " +
    "that cannot be traced, or puts out something else with numbers, is refused.",
  citation:
    "Fourier 1827; Farkas 1902; Motzkin 1936; Bun, Steinke 2016 on zCDP of pure and Gaussian noise",
  source: "lib/exact/alignment",
  kind: "sampled",
  checked:
    "200 forms, 150 systems of inequalities in two variables, 150 systems of equations, 80 generated linear programs by their corners, 40 with squares, eight by hand; shifts of five programs with each part changed; 30 claims; all pairs of seven small domains; 46 programs that are refused and ten that are taken; 20 data, 12 ways and six draws at which programs do something else; certificates of nine programs, three tight pairs",
  subject: shipped,
  check: (of, { seed }) => {
    const source = new SeededSource(seed).split("alignment steps");
    return casesInTurn({
      "forms": () => requireForms(source),
      "inequalities": () => requireFarkas(of, source),
      "equations": () => requireSolutions(of, source),
      "linear programs": () => requireLinearPrograms(source),
      "squares": () => requireQuadraticPrograms(source),
      "one square": requireOneSquare,
      "claims": () => requireClaims(of),
      "cases": () => requireCases(of),
      "names": requireNames,
      "programs": () => requireTraces(of.proveAlignment),
      "runs beside traces": () => requireRuns(of.proveAlignment),
      "shifts": () => requireShifts(of),
      "certificates": requireCertificates,
      "tight pairs": requireTightPairs,
      "edges": () => requireAlignmentEdges(of.proveAlignment),
    });
  },
  mutants: {
    "strict inequalities taken for others": {
      ...shipped,
      excludes: (premises, why) =>
        excludes(premises.map(({ form }) => ({ form, strict: true })), why),
    },
    "multipliers of any sign": {
      ...shipped,
      shows: (form, premises, why) =>
        shows(
          form,
          premises,
          why.map(([place, { numerator, denominator }]) => [
            place,
            { numerator: numerator < 0n ? -numerator : numerator, denominator },
          ]),
        ),
    },
    "guesses for all columns": {
      ...shipped,
      solveSparse: (equations, { columns, guess }) =>
        solveSparse(equations, { columns, guess }) &&
        new Map([...columns].map((column) => [column, guess(column)])),
    },
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
