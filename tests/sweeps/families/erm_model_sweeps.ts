import fc from "fast-check";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import type { DiscreteLaw } from "../../../lib/core/mechanism/discrete_law.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { fit } from "../../../lib/dp/learners/erm/fit.ts";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { prepareRows } from "../../../lib/dp/learners/erm/rows/prepare_rows.ts";
import { norm } from "../../../lib/dp/learners/erm/solver/problem.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleModel } from "../../../lib/dp/learners/erm/sample_model.ts";
import { claimOf, type TrainingOptions } from "../../../lib/dp/learners/erm/training_options.ts";
import {
  type Candidate,
  chooseFewest,
  fitTuned,
  sampleTuned,
} from "../../../lib/dp/learners/erm/tune.ts";
import { logSumExp } from "../../../lib/core/numeric/log_sum_exp.ts";
import { toNumber } from "../../../lib/core/numeric/rational.ts";
import { randomInteger } from "../../../lib/core/random/random_integer.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { below, dimensions, epsilons, NOT_POSITIVE, pick } from "../draws.ts";
import { epsilonOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";
import {
  labelledNeighbours,
  lossOf,
  type Problem,
  problems,
  regulariserOf,
  trainingOf,
} from "./erm_problems.ts";

/** Several classes: one classifier for each, against the others. */
interface Classes extends Problem {
  readonly classes: number;
}

const classesOf = (count: number): number[] => Array.from({ length: count }, (_, k) => k);

const manyOptions = (options: Classes): TrainingOptions => ({
  ...trainingOf(options),
  perturbation: "output",
  classes: classesOf(options.classes),
});

const partsOf = (data: Dataset<LabelledRow>, columns: number) => ({
  rows: denseRows(data.map(({ features }) => features), { columnCount: columns }),
  labels: data.map(({ label }) => label),
});

/** All classifiers' weights, one after another. */
const manyMechanism = (options: Classes): Mechanism<LabelledRow, number[]> => {
  const training = manyOptions(options);
  return {
    name: "classifiers",
    claim: claimOf(training),
    sample: (data, source) =>
      sampleModel(source, { ...training, ...partsOf(data, options.columns) })
        .weights.flatMap((weights) => Array.from(weights)),
  };
};

/** Numbers of noise that show its scale within a fifth: six deviations of 1/30. */
const NUMBERS = 900;
const NOISE_SHOWN = 1.2;

/** How far all minimisers move together, over the scale of the noise that is drawn on each. */
function manyShare(
  { options, mechanism, left, right, source }: Case<Classes, LabelledRow, number[]>,
): number {
  const training = manyOptions(options);
  const minimisers = (data: Dataset<LabelledRow>): Float64Array[] =>
    classesOf(options.classes).map((positive) =>
      minimise({
        rows: prepareRows(partsOf(data, options.columns).rows, training),
        signs: Float64Array.from(data, ({ label }) => label === positive ? 1 : -1),
        loss: lossOf(options),
        regulariser: regulariserOf(options),
        lambda: options.lambda,
        quadratic: 0,
      }, { tolerance: 1e-13 }).weights
    );
  const [one, other] = [minimisers(left), minimisers(right)];
  const moved = one.reduce(
    (sum, weights, k) => sum + norm(weights.map((f, j) => f - other[k]![j]!)),
    0,
  );
  const d = one[0]!.length, draws = Math.ceil(NUMBERS / (d * one.length));
  let lengths = 0;
  for (let i = 0; i < draws; i++) {
    const drawn = mechanism.sample(left, source);
    one.forEach((weights, k) => lengths += norm(weights.map((f, j) => drawn[k * d + j]! - f)));
  }
  const scale = lengths / (draws * one.length * d);
  return moved / scale / epsilonOf(mechanism.claim) / NOISE_SHOWN;
}

/** Tuning among copies of one candidate, which differ in Λ. */
interface Tuning extends Problem {
  readonly candidates: number;
}

const candidatesOf = (count: number): Candidate[] =>
  Array.from({ length: count }, (_, k) => ({ lambda: 1 + k, perturbation: "output" }));

const tunedMechanism = (options: Tuning): Mechanism<LabelledRow, number[]> => ({
  name: "tuned",
  claim: claimOf(trainingOf(options)),
  sample(data, source): number[] {
    const { model, chosen } = sampleTuned(source, {
      ...trainingOf(options),
      ...partsOf(data, options.columns),
      candidates: candidatesOf(options.candidates),
    });
    return [chosen, ...model.weights.flatMap((weights) => Array.from(weights))];
  },
});

/** A source that answers each weighted choice with `index` and keeps its law; all else is drawn. */
function choosing(index: number): Source & { law?: DiscreteLaw } {
  const drawn = new SeededSource("parts");
  const source: Source & { law?: DiscreteLaw } = {
    kind: "seeded",
    uniform: () => drawn.uniform(),
    uint32: () => drawn.uint32(),
    fillUint32: (out) => drawn.fillUint32(out),
    split: (label) => drawn.split(label),
    branch: (law) => {
      if (law.kind === "uniform") return randomInteger(drawn, { below: Number(law.below) });
      source.law = law;
      return index;
    },
  };
  return source;
}

/** The log of the chance of each candidate, by the law that the choice asks for. */
function logChancesOf(mistakes: readonly number[], epsilon: number): number[] {
  const source = choosing(0);
  chooseFewest(source, { mistakes, epsilon });
  if (source.law?.kind !== "choice") throw new Error("chooseFewest() draws no choice");
  const logs = source.law.weights.map(({ exponent }) => -toNumber(exponent));
  const total = logSumExp(logs);
  return logs.map((log) => log - total);
}

/** What the choice loses when every number of mistakes moves by one at most. */
function choiceShare({ options, mechanism, source }: Case<Tuning, LabelledRow, number[]>): number {
  const epsilon = epsilonOf(mechanism.claim);
  const kind = below(source, 2);
  // The worst case is an index that is rarely chosen and gains on all others.
  const one = Array.from(
    { length: options.candidates },
    (_, i) => below(source, 4) + (i === 0 ? below(source, 3) * 40 : 0),
  );
  const other = one.map((count, i) =>
    count + (kind === 0 ? pick(source, [1, 0, -1]) : i === 0 ? -1 : 1)
  );
  const [p, q] = [logChancesOf(one, epsilon), logChancesOf(other, epsilon)];
  return Math.max(...p.map((log, i) => Math.abs(log - q[i]!))) / epsilon;
}

/**
 * Whether candidates are trained on parts of their own: every row has a column of its own, so weights tell
 * which rows a model saw; the source chooses among the candidates.
 */
function partsAreApart({ candidates }: Tuning): boolean {
  const rows = 3 * (candidates + 1);
  const data = Array.from({ length: rows }, (_, i) => ({
    features: Array.from({ length: rows }, (_, j) => Number(i === j)),
    label: 1,
  }));
  const seenBy = (index: number): { chosen: number; rows: number[] } => {
    const { model, chosen } = sampleTuned(choosing(index), {
      epsilon: 1e9,
      lambda: 1,
      normBound: 1,
      intercept: 1,
      ...partsOf(data, rows),
      candidates: candidatesOf(candidates),
    });
    const weights = model.weights[0]!;
    return {
      chosen,
      rows: Array.from({ length: rows }, (_, j) => j).filter((j) => Math.abs(weights[j]!) > 1e-4),
    };
  };
  const [first, last] = [seenBy(0), seenBy(candidates - 1)];
  const disjoint = candidates === 1 || first.rows.every((row) => !last.rows.includes(row));
  return first.chosen === 0 && last.chosen === candidates - 1 && disjoint &&
    first.rows.length === 3 && last.rows.length === 3;
}

const badOptions = {
  epsilon: NOT_POSITIVE,
  lambda: NOT_POSITIVE,
  normBound: NOT_POSITIVE.slice(0, 5),
  intercept: [-1, NaN, Infinity],
};

/** Models of several classes, and tuned ones. */
export const ermModelSweeps: readonly Sweep[] = [
  sweep({
    name: "fit() of several classes",
    covers: ["fit", "sampleModel"],
    options: fc.tuple(
      problems({ epsilon: epsilons, columns: dimensions(40), rows: 10 }),
      fc.integer({ min: 3, max: 8 }),
    ).map(([problem, classes]): Classes => ({ ...problem, classes })),
    make: manyMechanism,
    pair: (options, source) => {
      const labelled = ({ features }: LabelledRow): LabelledRow => ({
        features,
        label: below(source, options.classes),
      });
      const { left, right } = labelledNeighbours(options, source);
      const at = left.findIndex((row, i) => row !== right[i]);
      const others = left.map(labelled);
      return {
        left: others,
        right: at < 0 ? others : others.with(at, labelled(right[at]!)),
      };
    },
    share: manyShare,
    tolerance: 1e-6,
    // Two classifiers of K learn that the label changed, each with ε/K.
    attained: 0.3,
    shape: (output, { options: { classes, columns, features, intercept } }) =>
      output.length === classes * ((features || columns) + (intercept === 0 ? 0 : 1)) &&
      output.every(Number.isFinite),
    badOptions: { ...badOptions, classes: [0, 1] },
    badData: ({ columns, classes }) => [
      [],
      [{ features: new Array(columns).fill(0), label: classes }],
      [{ features: new Array(columns).fill(Infinity), label: 0 }],
    ],
    release: (options, data, spending) => {
      const { rows, labels } = partsOf(data, options.columns);
      return fit(rows, labels, { ...manyOptions(options), ...spending });
    },
    cases: 30,
  }),
  sweep({
    name: "fitTuned()",
    covers: ["fitTuned", "sampleTuned", "chooseFewest"],
    options: fc.tuple(
      problems({ epsilon: epsilons, columns: dimensions(10), rows: 30 }),
      fc.integer({ min: 1, max: 4 }),
    ).map(([problem, candidates]): Tuning => ({
      ...problem,
      candidates,
      rows: Math.max(problem.rows, candidates + 1),
    })),
    make: tunedMechanism,
    pair: labelledNeighbours,
    share: (drawn) => partsAreApart(drawn.options) ? choiceShare(drawn) : Infinity,
    tolerance: 1e-3,
    attained: 0.9,
    shape: (output, { options: { candidates, columns, features, intercept } }) =>
      output[0]! >= 0 && output[0]! < candidates &&
      output.length === 1 + (features || columns) + (intercept === 0 ? 0 : 1) &&
      output.every(Number.isFinite),
    badOptions: { epsilon: NOT_POSITIVE, normBound: badOptions.normBound, candidates: [0] },
    badData: ({ columns, candidates }) => [
      [],
      new Array(candidates).fill({ features: new Array(columns).fill(0), label: 1 }),
      new Array(candidates + 1).fill({ features: new Array(columns).fill(0), label: 2 }),
    ],
    release: (options, data, spending) => {
      const { rows, labels } = partsOf(data, options.columns);
      return fitTuned(rows, labels, {
        ...trainingOf(options),
        candidates: candidatesOf(options.candidates),
        ...spending,
      });
    },
    cases: 30,
  }),
];
