import { requirePreciseRooms } from "../checks/precise_rooms.ts";
import { requireFeatures } from "../checks/feature_formula.ts";
import { gradientNormBound, rowsRounding } from "../../lib/learners/erm/gradient_bound.ts";
import { clipRows } from "../../lib/learners/erm/clip_rows.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireGradientRooms, requireRowRoundings } from "../checks/gradient_rooms.ts";
import {
  requireHandedOn,
  requireMinimisers,
  requireNoiseDensities,
  requireVectorNoise,
} from "../checks/noise_of_training.ts";
import {
  requireCancellingSums,
  requireChosenRows,
  requireClipping,
  requireManyMargins,
  requireSameInBlocks,
} from "../checks/rows_in_blocks.ts";
import { requireRowKernels } from "../checks/row_kernel_cases.ts";
import { requirePreciseMargins } from "../checks/precise_margins.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = { rowsRounding, gradientNormBound, clipRows };

/** Each part of training is its formula. */
export const partsByDefinition = theorem<typeof shipped>({
  id: "erm/parts_by_definition",
  statement:
    "The parts of training equal their formulas: each term of the room for rounding in a gradient’s bound, kernels over rows, sums, values, gradients, Hessians and densities in memory and in blocks; " +
    "rows held to their norm; noise of a Gamma length, random features, and a minimum with its noise on the grid.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Algorithms 1 to 3; Rahimi, Recht 2007; Higham 2002, chapter 3, on rounding",
  source: "lib/learners/erm",
  kind: "sampled",
  checked:
    "five rows of both layouts with losses of which one term of the room is all that there is; 1 to 9 rows by 1 to 5; 300 generated rows in four blocks; sums of 129 and 400; seven bounds on rows from 3e−310 to 1e170; five calibrations; six sets of features",
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "room for rounding: rows": () => requireRowRoundings(of.rowsRounding),
      "room for rounding: gradients": () => requireGradientRooms(of.gradientNormBound),
      "room for rounding: precise points": requirePreciseRooms,
      "precise margins": () => requirePreciseMargins(new SeededSource(seed).split("margins")),
      "clipping": () => requireClipping(of.clipRows),
      "kernels": requireRowKernels,
      "sums that cancel": requireCancellingSums,
      "rows that are chosen": requireChosenRows,
      "many margins": requireManyMargins,
      "blocks": () => requireSameInBlocks(new SeededSource(seed).split("blocks")),
      "densities of noise": requireNoiseDensities,
      "noise on vectors": requireVectorNoise,
      "features": requireFeatures,
      "options": requireHandedOn,
      "minima with noise": requireMinimisers,
    }),
  mutants: {
    "slopes are off by their own rounding once": {
      ...shipped,
      rowsRounding: (rows, options) => {
        const { slopes, mass } = rowsRounding(rows, options);
        const still = rowsRounding(rows, {
          ...options,
          loss: { ...options.loss, curvatureBound: 0 },
        });
        return { slopes: (slopes + still.slopes) / 2, mass };
      },
    },
    "no room for the regulariser": {
      ...shipped,
      gradientNormBound: (problem, at) =>
        gradientNormBound({
          ...problem,
          regulariser: { ...problem.regulariser, addGradient: () => {} },
        }, at),
    },
    "rows are held to a part in 1e9": {
      ...shipped,
      clipRows: (rows, { normBound }) => clipRows(rows, { normBound: normBound * (1 + 1e-9) }),
    },
  },
});
