import { fit } from "../../lib/learners/erm/fit.ts";
import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import type { Label } from "../../lib/learners/erm/model.ts";
import { type Rows, selectRows } from "../../lib/learners/erm/rows.ts";
import { sampleModel } from "../../lib/learners/erm/sample_model.ts";
import { chooseFewest, fitTuned } from "../../lib/learners/erm/tune.ts";
import { SecureSource } from "../../lib/random/secure_source.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { shuffle } from "../../lib/random/shuffle.ts";
import { requireEqual, requireRefused } from "../engine/requirement.ts";
import { generated, options, type Training } from "./training_kinds.ts";

/** Tuning trains each candidate on its own part of the rows, and chooses by the mistakes on the last one. */
export function requireTuning({ sampleTuned }: Training, source: SeededSource): void {
  const { rows, labels } = generated(source, 43, [-1, 1]);
  const blind = { normBound: 1e-6, intercept: 1 },
    candidates = [blind, {}, { loss: huberHinge(0.5), lambda: 0.2 }];
  for (const epsilon of [1, 60]) {
    const shared = { ...options, epsilon };
    for (let k = 0; k < 4; k++) {
      const one = new SeededSource(k).split("tuning"), other = new SeededSource(k).split("tuning");
      const tuned = sampleTuned(one, { ...shared, rows, labels, candidates });
      // Four parts of ten rows each; three rows are left over.
      const order = shuffle(other, Int32Array.from({ length: 43 }, (_, i) => i));
      const part = (j: number) => order.subarray(10 * j, 10 * j + 10);
      const models = candidates.map((candidate, j) =>
        sampleModel(other, {
          ...shared,
          ...candidate,
          rows: selectRows(rows, part(j)),
          labels: Array.from(part(j), (i) => labels[i]!),
        })
      );
      const mistakes = models.map((model) => {
        const predicted = model.predict(selectRows(rows, part(3)));
        return predicted.filter((label, i) => label !== labels[part(3)[i]!]).length;
      });
      const chosen = chooseFewest(other, { mistakes, epsilon });
      requireEqual(tuned.chosen, chosen, "the chosen candidate");
      requireEqual(tuned.model.weights, models[chosen]!.weights);
      if (epsilon === 60) requireEqual(mistakes[chosen], Math.min(...mistakes), "fewest mistakes");
    }
  }
  requireRefused(
    "no candidates",
    () => sampleTuned(source, { ...options, rows, labels, candidates: [] }),
  );
  const few: Rows = selectRows(rows, [0, 1, 2]), own = labels.slice(0, 3);
  requireRefused(
    "as many rows as candidates",
    () => sampleTuned(source, { ...options, rows: few, labels: own, candidates: [{}, {}, {}] }),
  );
  sampleTuned(source, { ...options, rows: few, labels: own, candidates: [{}, {}] });
  let spent = 0;
  const budget = { spend: (): void => void spent++ };
  const secure = new SecureSource();
  const tune = (more: object, of: Rows = rows, at: readonly Label[] = labels): unknown =>
    fitTuned(of, at, { ...options, candidates: [{}], budget, source: secure, ...more } as never);
  for (
    const [what, words, run] of [
      ["no candidates", "candidates", () => tune({ candidates: [] })],
      ["too few rows", "rows must", () => tune({ candidates: [{}, {}, {}] }, few, own)],
      ["another field", "no fields but", () => tune({ candidates: [{}, { epsilon: 1 }] })],
      ["a candidate’s Λ of 0", "lambda", () => tune({ candidates: [{}, { lambda: 0 }] })],
      ["other labels", "labels must be among", () => tune({}, rows, labels.map(() => 7))],
      ["one class", "two classes", () => tune({ allowOneClass: false }, rows, labels.map(() => 1))],
      // Noise on a part of the rows is larger than 1e60, and on all of them it is not.
      [
        "too much noise for a part",
        "the scale of the noise",
        () => tune({ epsilon: 5e-60, perturbation: "output", candidates: [{}, {}, {}] }),
      ],
    ] as const
  ) {
    requireRefused(what, run, words);
  }
  requireEqual(spent, 0, "spent on what was refused");
  const found = tune({ candidates: [{ lambda: undefined }, { lambda: 0.3 }] }) as ReturnType<
    typeof fitTuned
  >;
  requireEqual([spent, found.model.training.rowCount], [1, 14]);
  // One class is no reason to refuse: whether there are two depends on one row.
  tune({ candidates: [{}, {}] }, rows, labels.map(() => 1));
  requireEqual(spent, 2, "spent on one class");
  const model = fit(rows, labels, { ...options, budget, source: secure });
  requireEqual([spent, model.training.rowCount], [3, 43]);
  requireRefused(
    "one class of labels",
    () =>
      fit(rows, labels.map(() => 1), { ...options, budget, source: secure, allowOneClass: false }),
  );
  fit(rows, labels.map(() => 1), { ...options, budget, source: secure });
  requireEqual(spent, 4);
}
