import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import {
  objectivePerturbationLogDensity,
  outputPerturbationLogDensity,
} from "../../lib/learners/erm/log_density.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import { ermMechanism } from "../../lib/learners/erm/mechanism.ts";
import { type Label, Model } from "../../lib/learners/erm/model.ts";
import { preparedNormBound, prepareRows } from "../../lib/learners/erm/prepare_rows.ts";
import { applyRandomFeatures, drawRandomFeatures } from "../../lib/learners/erm/random_features.ts";
import { squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import { RowFile } from "../../lib/learners/erm/row_file.ts";
import { denseRows, type Rows, selectRows } from "../../lib/learners/erm/rows.ts";
import { sampleMinimiser } from "../../lib/learners/erm/sample_minimiser.ts";
import { calibrationOf, claimOf, statementOf } from "../../lib/learners/erm/training_options.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import { sparseOf } from "./sparse_of.ts";
import { generated, options, type Training } from "./training_kinds.ts";

function sparse({ rowCount, columnCount, values }: Rows): Rows {
  return sparseOf(
    Array.from(
      { length: rowCount },
      (_, i) => [...values.subarray(i * columnCount, (i + 1) * columnCount)],
    ),
  );
}

/** The same rows give the same model to the last bit, wherever they are held; and what a model predicts follows from its weights. */
export function requireSameModels({ sampleModel }: Training, source: SeededSource): void {
  const kernel = { name: "gaussian", gamma: 0.4 } as const;
  const features = drawRandomFeatures(source, { kernel, inputCount: 4, count: 6 });
  for (const classes of [[-1, 1], ["a", "b", "c"]] as readonly (readonly Label[])[]) {
    const { rows, labels } = generated(source, 60, classes);
    const file = new RowFile({ columnCount: 4, classCount: classes.length });
    // Blocks of 25 rows, of both layouts: the second has one value a row.
    rows.values.set(Array.from({ length: 100 }, (_, k) => k % 4 === 0 ? 0.3 : 0), 100);
    for (let from = 0; from < 60; from += 25) {
      const places = Array.from({ length: Math.min(25, 60 - from) }, (_, i) => from + i);
      const part = selectRows(rows, places);
      file.append(
        from === 25 ? sparse(part) : part,
        places.map((i) => classes.indexOf(labels[i]!)),
      );
    }
    for (
      const more of [{}, { intercept: 0.5 }, { features }, {
        features,
        intercept: 2,
        perturbation: "output" as const,
      }, {
        delta: 1e-3,
        loss: huberHinge(0.5),
      }]
    ) {
      const { normBound: _, ...withoutBound } = options;
      const all = "features" in more
        ? { ...withoutBound, classes, ...more }
        : { ...options, classes, ...more };
      const draws = (): SeededSource => new SeededSource(9).split("model");
      const seen: number[] = [];
      const model = sampleModel(draws(), {
        ...all,
        rows,
        labels,
        onProgress: ({ done, total }) => seen.push(done, total),
      });
      requireEqual(seen, classes.length === 2 ? [1, 1] : [1, 3, 2, 3, 3, 3]);
      const stored = sampleModel(draws(), { ...all, rows: file.rows(), labels: file.labels() });
      const thin = sampleModel(draws(), { ...all, rows: sparse(rows), labels });
      for (const other of [stored, thin]) {
        model.weights.forEach((own, k) =>
          own.forEach((weight, j) =>
            requireNear(other.weights[k]![j]!, weight, {
              absolute: 1e-5,
              what: "a weight of stored rows",
            })
          )
        );
      }
      requireEqual([model.training.rowCount, model.claim.kind], [
        60,
        "delta" in more ? "approximate" : "pure",
      ]);
      requireEqual(
        model.weights[0]!.length,
        ("features" in more ? 6 : 4) + ("intercept" in more ? 1 : 0),
      );
      // Scores by hand.
      const mapped = "features" in more ? applyRandomFeatures(features, rows) : rows;
      const bound = "features" in more ? 1 : options.normBound, width = mapped.columnCount;
      const scores = model.decisionValues(rows), predicted = model.predict(rows);
      for (let i = 0; i < 60; i++) {
        const row = Array.from(mapped.values.subarray(i * width, (i + 1) * width));
        const norm = Math.hypot(...row), scale = Math.min(1, bound / norm);
        const own = model.weights.map((weights) =>
          row.reduce((sum, x, j) => sum + scale * x * weights[j]!, 0) +
          ("intercept" in more ? more.intercept! * weights.at(-1)! : 0)
        );
        own.forEach((score, k) =>
          requireNear(scores[i * own.length + k]!, score, {
            relative: 1e-9,
            absolute: 1e-9,
            what: "a score",
          })
        );
        const best = own.length === 1 ? (own[0]! >= 0 ? 1 : 0) : own.indexOf(Math.max(...own));
        requireEqual(predicted[i], classes[best], "a prediction");
      }
      const right = predicted.filter((label, i) => label === labels[i]).length;
      requireEqual(model.score(rows, labels), right / 60);
      requireRefused("labels of other rows", () => model.score(rows, labels.slice(1)), "one a row");
      requireRefused(
        "no rows to score",
        () => model.score(selectRows(rows, []), []),
        "at least one",
      );
      requireRefused(
        "a column more",
        () => model.decisionValues(denseRows([[1, 2, 3, 4, 5]])),
        "4 columns",
      );
      requireRefused("a column less", () => model.predict(denseRows([[1, 2, 3]])), "4 columns");
    }
    file.close();
  }
  // A score of 0 is the positive class.
  const still = new Model({
    ...sampleModel(source, { ...options, rows: denseRows([[1]]), labels: [1] }),
    weights: [Float64Array.of(0)],
  });
  requireEqual(still.predict(denseRows([[1]])), [1]);
  requireRefused(
    "no rows",
    () => sampleModel(source, { ...options, rows: selectRows(denseRows([[1]]), []), labels: [] }),
  );
  const words = statementOf({ ...options, normBound: 2, intercept: 3 }, { rowCount: 7 });
  for (const part of ["7 rows", "objective", "longer than 2 ", "intercept of 3"]) {
    requireThat(words.includes(part), `${part} in ${words}`);
  }
  const plain = statementOf({ epsilon: 1, lambda: 1, features }, { rowCount: 7 });
  requireThat(plain.includes("longer than 1 "), "a bound of 1");
  requireThat(!/intercept|undefined/.test(plain), "what is said of an intercept that is not there");
}

/** What audits draw is what training draws, and its density that of the theorem. */
export function requireMechanism(source: SeededSource): void {
  const kernel = { name: "laplacian", gamma: 0.4 } as const;
  const features = drawRandomFeatures(source, { kernel, inputCount: 2, count: 3 });
  const data = [[0.5, -0.25], [1, 1], [-0.75, 0.5], [0, 2]].map((each, i) => ({
    features: each,
    label: i % 2 === 0 ? 1 : -1,
  }));
  for (
    const [more, width] of [
      [{}, 2],
      [{ perturbation: "output" as const }, 2],
      [{ intercept: 0.5 }, 3],
      [{ features }, 3],
      [
        { features, intercept: 1, perturbation: "output" as const },
        4,
      ],
    ] as const
  ) {
    const { normBound: _, ...withoutBound } = options;
    const all = "features" in more ? { ...withoutBound, ...more } : { ...options, ...more };
    const mechanism = ermMechanism({ columnCount: 2, ...all });
    const bound = preparedNormBound(all);
    const objective = {
      loss: logisticLoss,
      regulariser: squaredNorm,
      lambda: all.lambda,
      rows: prepareRows(denseRows(data.map((row) => row.features)), all),
      signs: Float64Array.from(data, ({ label }) => label),
      calibration: calibrationOf(all, { rowCount: 4 }),
    };
    const own = new SeededSource(3).split("one"), same = new SeededSource(3).split("one");
    const drawn = mechanism.sample(data, own);
    requireEqual(drawn, [...sampleMinimiser(same, objective)], "a draw");
    const block = mechanism.sampleMany!(data, 2, new SeededSource(4).split("two")) as Float64Array;
    const again = new SeededSource(4).split("two");
    requireEqual(
      [...block],
      [1, 2].flatMap(() => [...sampleMinimiser(again, objective)]),
      "two draws",
    );
    const density = mechanism.logDensity!(drawn, data), weights = Float64Array.from(drawn);
    requireEqual(
      density,
      "perturbation" in more
        ? outputPerturbationLogDensity(weights, objective)
        : objectivePerturbationLogDensity(weights, objective),
      "a density",
    );
    requireEqual([mechanism.width, drawn.length], [width, width]);
    requireEqual(mechanism.domain!.size, { min: 1, max: 20 });
    const { rows } = mechanism.domain as unknown as {
      rows: { fields: { features: { length: number; of: object }; label: object } };
    };
    requireEqual(rows.fields, {
      features: { type: "vector", length: 2, of: { type: "number", min: -bound, max: bound } },
      label: { type: "category", values: [-1, 1] },
    });
    requireEqual(mechanism.claim, claimOf(all));
  }
}
