import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import { sampleAdditive } from "../../../lib/dp/learners/additive/fit_additive.ts";
import { readColumnDescription } from "../../../lib/dp/learners/erm/files/read_column_description.ts";
import { huberHinge } from "../../../lib/dp/learners/erm/losses/huber_hinge.ts";
import { sampleModel } from "../../../lib/dp/learners/erm/sample_model.ts";
import { suggestedLambda } from "../../../lib/dp/learners/erm/suggested_lambda.ts";
import { sampleDpSgd } from "../../../lib/dp/learners/sgd/dp_sgd.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { denseCopy } from "./dense_copy.ts";
import { type Experiment, loadAdult } from "./load_data.ts";

/** A learner under one relation and one δ, and its test errors by ε. */
export interface LearnerLine {
  readonly learner: string;
  readonly relation: string;
  readonly delta: number;
  /** Medians of the seeds, by ε. */
  readonly errors: Readonly<Record<`ε=${number}`, number>>;
}

const EPSILONS = [0.1, 0.2, 0.5, 1, 2];

/** Chosen on seeds 1 to 3 and three quarters of the training rows, by the error on the rest. */
const SGD = { steps: 200, rate: 0.05, clip: 1 } as const;

/** Test errors on all 104 columns of Adult at a fixed split, of learners without options set by hand. */
export async function additiveOnAdult(
  directory: string,
  { seeds, onLine }: { seeds: readonly number[]; onLine: (line: LearnerLine) => void },
): Promise<LearnerLine[]> {
  const text = await Deno.readTextFile(new URL("adult_columns.json", import.meta.url));
  const { columns } = readColumnDescription(JSON.parse(text));
  const train = await loadAdult(directory, { part: "train" });
  const test = await loadAdult(directory, { part: "test" });
  const labels = [...train.signs];
  const additive =
    (relation: Relation) => (epsilon: number, delta: number, seed: number): number => {
      const options = { rows: train.rows, labels, columns, epsilon, delta, relation };
      return 1 - sampleAdditive(new SeededSource(seed), options).score(test.rows, test.signs);
    };
  const lines: LearnerLine[] = [];
  for (
    const [learner, relation, deltas, errorOf] of [
      ["additive", replaceOne, [0, 1e-6], additive(replaceOne)],
      ["additive", addRemoveOne, [0, 1e-6], additive(addRemoveOne)],
      ["huber-svm (fit)", replaceOne, [0, 1e-6], linear(train, test, columns)],
      ["logistic (fitDpSgd)", addRemoveOne, [1e-6], descent(train, test)],
    ] as const
  ) {
    for (const delta of deltas) {
      const errors = Object.fromEntries(
        EPSILONS.map((epsilon) => [
          `ε=${epsilon}`,
          median(seeds.map((seed) => errorOf(epsilon, delta, seed))),
        ]),
      );
      const line = { learner, relation: relation.name, delta, errors };
      onLine(line);
      lines.push(line);
    }
  }
  return lines;
}

type ErrorOf = (epsilon: number, delta: number, seed: number) => number;

/** The norm bound and the intercept that `dpcheck train` chooses for these columns. */
function linear(
  train: Experiment,
  test: Experiment,
  columns: readonly { readonly type: string }[],
): ErrorOf {
  const squares = columns.map(({ type }) => type === "number" ? 1 / 3 : 1);
  const normBound = Math.sqrt(squares.reduce((sum, each) => sum + each, 0));
  const intercept = normBound / 3, loss = huberHinge(0.5), labels = [...train.signs];
  return (epsilon, delta, seed) => {
    const lambda = suggestedLambda({
      epsilon,
      delta,
      loss,
      rowCount: train.rows.rowCount,
      columnCount: train.rows.columnCount + 1,
      normBound: Math.hypot(normBound, intercept),
    });
    const options = { epsilon, delta, lambda, loss, normBound, intercept };
    const model = sampleModel(new SeededSource(seed), { ...options, rows: train.rows, labels });
    return 1 - model.score(test.rows, test.signs);
  };
}

/** One private logistic regression, with a constant feature. */
function descent(train: Experiment, test: Experiment): ErrorOf {
  const rowsOf = ({ rows, signs }: Experiment) => {
    const { values, columnCount } = denseCopy(rows);
    return Array.from(signs, (label, i) => ({
      features: [...values.subarray(i * columnCount, (i + 1) * columnCount), 1],
      label,
    }));
  };
  const data = rowsOf(train), held = rowsOf(test), columnCount = train.rows.columnCount + 1;
  // Five times the mean gradient of a sample.
  const learningRate = 5 / (SGD.rate * data.length);
  return (epsilon, delta, seed) => {
    const options = { ...SGD, columnCount, learningRate, epsilon, delta, data };
    const weights = sampleDpSgd(new SeededSource(seed), options);
    const wrong = held.filter(({ features, label }) => {
      const score = features.reduce((sum, value, j) => sum + value * weights[j]!, 0);
      return (score >= 0) !== (label > 0);
    });
    return wrong.length / held.length;
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b), half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}
