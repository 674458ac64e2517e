import { excludes, shows } from "../../lib/exact/alignment/combination.ts";
import { solveSparse } from "../../lib/exact/alignment/solve_sparse.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { type Linear, linear, requireFarkas, requireForms } from "../checks/linear_parts.ts";
import {
  requireLinearPrograms,
  requireOneSquare,
  requireQuadraticPrograms,
} from "../checks/linear_programs.ts";
import { requireSolutions } from "../checks/linear_solutions.ts";
import { casesInTurn } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = linear;

/** Linear inequalities, equations and programs in fractions. */
export const linearPrograms = theorem<Linear>({
  id: "exact/linear_programs",
  statement:
    "Linear inequalities follow or exclude each other as elimination says; equations are solved in fractions; linear programs have the least corner, exactly, " +
    "or none where there is none; sums of squares are least to one part in 10^5, also where the solver fails once.",
  citation: "Fourier 1827; Farkas 1902; Motzkin 1936",
  source: "lib/exact/alignment: affine, combination, solve_sparse, exact_program",
  kind: "sampled",
  checked:
    "200 forms, 150 systems of inequalities in two variables, 150 systems of equations; 80 generated linear programs in two columns, 40 with squares, six with one square, eight by hand",
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
  },
});
