import { sampleModel } from "../../lib/learners/erm/sample_model.ts";
import { sampleTuned } from "../../lib/learners/erm/tune.ts";
import { requireTrainable } from "../../lib/learners/erm/require_trainable.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  requireBlocks,
  requireLines,
  requireLists,
  requireStoredRows,
} from "../checks/stored_rows.ts";
import { requireMechanism, requireSameModels } from "../checks/training_runs.ts";
import { requireTrainings } from "../checks/trainable_cases.ts";
import { requireTuning } from "../checks/tuning_runs.ts";
import { type Training, training } from "../checks/training_kinds.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

/** Whole training runs: rows that are stored, models, tuning, what is refused. */
export const trainingRuns = theorem<Training>({
  id: "erm/training_runs",
  statement:
    "Training gives one model for the same rows, whether these are dense, sparse or read from a file in blocks; a model scores and predicts by its weights on rows " +
    "held to their norm; tuning trains each candidate on rows of its own and chooses by mistakes on others; audits draw what training draws; what " +
    "no solver in doubles could keep is refused, and nothing is spent on it.",
  citation:
    "Chaudhuri, Monteleoni, Sarwate 2011, Algorithms 1 to 4; Rahimi, Recht 2007 on random features",
  source: "lib/learners/erm",
  kind: "sampled",
  checked:
    "sixty generated rows of two and of three classes, five settings each, three layouts; eight tuning runs of three candidates; five mechanisms; files of four shapes, 40 refusals",
  subject: training,
  check: (of, { seed }) => {
    const source = new SeededSource(seed).split("training runs");
    return casesOf({
      "stored rows": requireStoredRows,
      "blocks": requireBlocks,
      "lists": requireLists,
      "lines": requireLines,
      "models": () => requireSameModels(of, source),
      "tuning": () => requireTuning(of, source),
      "mechanisms": () => requireMechanism(source),
      "what is refused": () => requireTrainings(of, source),
    });
  },
  mutants: {
    "the first block alone": {
      ...training,
      sampleModel: (source, { rows, labels, ...options }) =>
        sampleModel(source, {
          ...options,
          labels,
          rows: rows.kind !== "blocks" ? rows : {
            ...rows,
            visit: (each) =>
              rows.visit((block, first) =>
                each(first > 0 ? { ...block, values: block.values.map(() => 0) } : block, first)
              ),
          },
        }),
    },
    "the last candidate": {
      ...training,
      sampleTuned: (source, options) => ({
        ...sampleTuned(source, options),
        chosen: options.candidates.length - 1,
      }),
    },
    "one class where two are asked for": {
      ...training,
      requireTrainable: (rows, options) =>
        requireTrainable(rows, { ...options, allowOneClass: true }),
    },
  },
});
