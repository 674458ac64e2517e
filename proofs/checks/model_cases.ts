import { openBudget } from "../../lib/accounting/budget.ts";
import { pure } from "../../lib/core/claim.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import {
  calibrateObjective,
  calibrateOutput,
  defaultTolerance,
} from "../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import { sampleModel } from "../../lib/learners/erm/sample_model.ts";
import { calibrationOf } from "../../lib/learners/erm/training_options.ts";
import { openReusableHoldout } from "../../lib/learners/holdout/thresholdout.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused } from "../engine/requirement.ts";

/** What training hands on, and what a model says of rows. */
export function requireModels(seed: number): void {
  const loss = huberHinge(0.5), numbers = { rowCount: 100, normBound: 2, loss };
  requireNear(defaultTolerance(numbers), 2e-8);
  requireNear(defaultTolerance({ ...numbers, rowCount: 1e9 }), 2e-12);
  requireNear(defaultTolerance({ ...numbers, loss: huberHinge(1e-6) }), 2 ** -42 * (1 + 5e5));
  const options = { epsilon: 3, lambda: 0.5, loss, normBound: 2 };
  const input = { ...options, rowCount: 100, tolerance: 2e-8 };
  requireEqual(calibrationOf(options, { rowCount: 100 }), calibrateObjective(input));
  requireEqual(
    calibrationOf({ ...options, perturbation: "output" }, { rowCount: 100 }),
    calibrateOutput(input),
  );
  // Several classifiers share ε and δ.
  requireEqual(
    calibrationOf({ ...options, delta: 3e-5 }, { rowCount: 100, classifiers: 3 }),
    calibrateObjective({ ...input, epsilon: 1, delta: 1e-5 }),
  );
  requireRefused(
    "δ with output perturbation",
    () => calibrationOf({ ...options, perturbation: "output", delta: 0.1 }, { rowCount: 9 }),
    "delta must be 0",
  );
  for (const epsilon of [0, -1, NaN]) {
    requireRefused(
      `ε of ${epsilon}`,
      () => calibrationOf({ ...options, epsilon }, { rowCount: 9 }),
    );
  }
  const rows = denseRows([[1, 0], [0.9, 0.1], [-1, 0], [-0.8, -0.1]]), labels = [1, 1, -1, -1];
  const model = sampleModel(new SeededSource(seed), {
    rows,
    labels,
    epsilon: 1e6,
    lambda: 0.1,
    normBound: 1,
  });
  requireEqual(model.classes, [-1, 1]);
  requireEqual([model.predict(rows), model.score(rows, labels)], [labels, 1]);
  requireEqual(model.score(rows, [1, -1, -1, 1]), 0.5);
  requireRefused("fewer labels than rows", () => model.score(rows, [1]), "one a row");
  requireRefused("no labels", () => model.score(denseRows([], { columnCount: 2 } as never), []));
  requireRefused("rows of other columns", () => model.predict(denseRows([[1]])), "2 columns");
  const holdout = { threshold: 0.1, noiseScale: 1, count: 1 };
  const budget = openBudget(pure({ epsilon: 9, relation }));
  requireRefused(
    "no training rows",
    () => openReusableHoldout<number>({ training: [], holdout: [1] }, { ...holdout, budget }),
    "training rows",
  );
  requireEqual(budget.ledger.length, 0, "what was spent");
}
