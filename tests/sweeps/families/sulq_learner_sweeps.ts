import fc from "fast-check";
import type { Dataset } from "../../../lib/core/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism.ts";
import { replaceOne } from "../../../lib/core/relation.ts";
import type { LabelledRow } from "../../../lib/learners/erm/mechanism.ts";
import {
  type CategoricalRow,
  decisionTree,
  type DecisionTreeOptions,
  sampleDecisionTree,
  treeCalibration,
  treeClaim,
  type TreeNode,
} from "../../../lib/learners/sulq/decision_tree.ts";
import {
  perceptron,
  perceptronCalibration,
  samplePerceptron,
} from "../../../lib/learners/sulq/perceptron.ts";
import { sulqClaim } from "../../../lib/learners/sulq/sulq_database.ts";
import type { SeededSource } from "../../../lib/random/seeded_source.ts";
import {
  below,
  dimensions,
  NOT_A_COUNT,
  NOT_OF_ROWS,
  NOT_POSITIVE,
  pick,
  relationOf,
  rhos,
  rowRelations,
  scaled,
} from "../draws.ts";
import { neighbours, pointsOf } from "../neighbours.ts";
import { gaussianDeviation, leastWord, ROUGHLY, ScriptedSource } from "../scripted_source.ts";
import { rhoOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** What a perceptron is told. */
interface Perceptron {
  readonly columnCount: number;
  readonly rounds: number;
  readonly rho: number;
  readonly tolerance: number;
}

const perceptronMechanism = (options: Perceptron): Mechanism<LabelledRow, number[]> => ({
  name: "perceptron",
  claim: sulqClaim({ ...perceptronCalibration(options), relation: replaceOne }),
  sample: (data, source) => [...samplePerceptron(source, { ...options, data }).weights],
});

/** The answers of the first round, in which every row with a label is wrong: a count and half sums. */
function firstAnswers(data: Dataset<LabelledRow>, columns: number): number[] {
  const labelled = data.filter(({ label }) => label === 1 || label === -1);
  return [
    labelled.length,
    ...Array.from(
      { length: columns },
      (_, j) =>
        labelled.reduce(
          (sum, { label, features }) => sum + 0.5 * label * Math.min(1, Math.max(-1, features[j]!)),
          0,
        ),
    ),
  ];
}

/**
 * The deviation of the noise on the count or on a half sum. One row is learned in one round: its weights
 * are 1, or (1 + 2·noise)/(1 + noise of the count).
 */
function perceptronDeviation(options: Perceptron, source: SeededSource): number {
  const mechanism = perceptronMechanism({ ...options, tolerance: 0 });
  const row = { features: new Array<number>(options.columnCount).fill(1), label: 1 };
  const weight = (place: number, word: number, j: number): number =>
    mechanism.sample([row], new ScriptedSource({ [place]: word }))[j]!;
  const measured = (place: number, j: number, noise: (weight: number) => number): number => {
    const word = leastWord((each) => weight(place, each, j) !== 1, ROUGHLY)!;
    return gaussianDeviation({
      step: noise(weight(place, word, j)),
      before: Math.max(0, word - ROUGHLY.within) / 2 ** 32,
    });
  };
  const j = below(source, options.columnCount);
  return below(source, 2) === 0
    ? measured(0, 0, (value) => 1 / value - 1)
    : measured(3 * (j + 1), j, (value) => (value - 1) / 2);
}

/** Contributions of rows are rounded to 2⁻¹⁰ at the coarsest. */
const ROUNDED = 2e-3;

function perceptronShare(
  { options, mechanism, left, right, source }: Case<Perceptron, LabelledRow, number[]>,
): number {
  const { columnCount, rounds } = options;
  const [one, other] = [firstAnswers(left, columnCount), firstAnswers(right, columnCount)];
  // What the answers are is seen where there is no noise.
  const weights = perceptronMechanism({ ...options, rounds: 1, tolerance: 0 })
    .sample(left, new ScriptedSource());
  const expected = one.slice(1).map((sum) => one[0] === 0 ? 0 : 2 * sum / one[0]!);
  if (!weights.every((weight, j) => Math.abs(weight - expected[j]!) < ROUNDED)) return Infinity;
  const squares = one.reduce((sum, value, i) => sum + (value - other[i]!) ** 2, 0);
  const deviation = perceptronDeviation(options, source);
  return rounds * squares / (2 * deviation ** 2) / rhoOf(mechanism.claim);
}

/** Rows with labels; some labels are none. */
function labelledPair(
  { columnCount }: Perceptron,
  source: SeededSource,
): ReturnType<typeof neighbours<LabelledRow>> {
  const points = pointsOf({
    lower: new Array(columnCount).fill(-1),
    upper: new Array(columnCount).fill(1),
  }, { min: 1, max: 10 });
  const labels = [1, -1, 1, -1, 0];
  return neighbours(source, {
    relation: "replace-one",
    rows: {
      row: (from) => ({
        features: below(from, 2) === 0
          ? Array.from({ length: columnCount }, () => pick(from, [1, -1]))
          : points.row(from),
        label: pick(from, labels),
      }),
      // Everything is turned round where the label is.
      opposite: (from, { features, label }) =>
        below(from, 2) === 0 ? { features, label: -label } : {
          features: points.opposite!(from, features),
          label: below(from, 2) === 0 ? label : pick(from, labels),
        },
      size: points.size,
    },
  });
}

/** What a tree is told. */
interface Tree {
  readonly relation: "replace-one" | "add-remove-one";
  readonly attributes: readonly number[];
  readonly classes: number;
  readonly depth: number;
  readonly rho: number;
}

const treeOptions = ({ relation, ...options }: Tree): DecisionTreeOptions => ({
  ...options,
  relation: relationOf(relation),
});

const treeMechanism = (options: DecisionTreeOptions): Mechanism<CategoricalRow, TreeNode> => ({
  name: "decision tree",
  claim: treeClaim(options),
  sample: (data, source) => sampleDecisionTree(source, { ...options, data }).root,
});

/** Tables that one row is in: equal rows, so many that they are tested to the end, and their siblings. */
function tablesOnPath(options: DecisionTreeOptions): number {
  const { attributes, classes, depth } = options;
  let tables = 0;
  sampleDecisionTree(new ScriptedSource(), {
    // With less noise fewer rows are tested to the end; how many tables there are is the same.
    ...options,
    rho: 1e6,
    data: new Array<CategoricalRow>(50 * classes * Math.max(...attributes)).fill(oneRow(options)),
    prepared: {
      stepsPerUnit: 1,
      noise: {
        fill(_, out): Float64Array {
          tables++;
          return out.fill(0);
        },
        logProbability: () => 0,
        logUpperTail: () => 0,
      },
    },
  });
  // Every node of the path but the first has siblings, without rows: one table each. Attributes are
  // tested in order, for none tells more than another.
  const siblings = attributes.slice(0, Math.min(depth, attributes.length))
    .reduce((sum, values) => sum + values - 1, 0);
  return tables - siblings;
}

const oneRow = ({ attributes }: Pick<DecisionTreeOptions, "attributes">): CategoricalRow => ({
  values: attributes.map(() => 0),
  label: 0,
});

/** Noise is cut into blocks of so much of its deviation, at most. */
const BLOCK = 1 / 64;

/**
 * The deviation of the noise on the count of class 1, at most, by the word that makes it the label of
 * rows of class 0.
 */
function treeDeviation(mechanism: Mechanism<CategoricalRow, TreeNode>, options: Tree): number {
  const deviation = Math.sqrt(treeCalibration(treeOptions(options)).variance);
  const rows = Math.min(20_000, Math.ceil(2 * deviation));
  // Far less noise than a row is not to be seen in counts.
  if (rows > 3.5 * deviation) return deviation;
  const data = new Array<CategoricalRow>(rows).fill(oneRow(options));
  const word = leastWord((each) => {
    const root = mechanism.sample(data, new ScriptedSource({ 3: each }));
    return root.kind === "leaf" && root.label === 1;
  }, { within: 2 ** 12 });
  return word === undefined ? 0 : deviationOf(rows, word / 2 ** 32) * (1 + BLOCK);
}

/** The deviation of a normal law of which this share lies within this distance of 0. */
function deviationOf(distance: number, share: number): number {
  return distance / shareToDistance(share);
}

function shareToDistance(share: number): number {
  let low = 0, high = 10;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < share) low = middle;
    else high = middle;
  }
  return low;
}

/** The share of a standard normal law within a distance of 0, by Simpson's rule. */
function normalShare(distance: number): number {
  const parts = 200, step = distance / parts;
  let sum = 0;
  for (let i = 0; i <= parts; i++) {
    const weight = i === 0 || i === parts ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-0.5 * (i * step) ** 2);
  }
  return Math.sqrt(2 / Math.PI) * sum * step / 3;
}

function isTree(node: TreeNode, { attributes, classes, depth }: Tree): boolean {
  if (node.kind === "leaf") return node.label >= 0 && node.label < classes;
  const below = { attributes, classes, depth: depth - 1 } as Tree;
  return depth > 0 && node.children.length === attributes[node.attribute] &&
    node.children.every((child) => isTree(child, below));
}

/** Learners that see rows through noisy sums. */
export const sulqLearnerSweeps: readonly Sweep[] = [
  sweep({
    name: "perceptron()",
    covers: ["perceptron", "samplePerceptron", "perceptronCalibration"],
    options: fc.record<Perceptron>({
      columnCount: dimensions(),
      rounds: fc.integer({ min: 1, max: 10 }),
      rho: rhos,
      tolerance: fc.oneof(fc.constant(0), scaled({ min: 1e-3, max: 1e3 })),
    }),
    make: perceptronMechanism,
    pair: labelledPair,
    share: perceptronShare,
    tolerance: 1e-3,
    attained: 0.9,
    shape: (output, { options }) =>
      output.length === options.columnCount && output.every(Number.isFinite),
    badOptions: {
      columnCount: NOT_A_COUNT,
      rounds: NOT_A_COUNT,
      rho: NOT_POSITIVE,
      tolerance: [-1, NaN, Infinity],
    },
    release: (options, data, spending) => perceptron(data, { ...options, ...spending }),
    cases: 40,
  }),
  sweep({
    name: "decisionTree()",
    covers: ["decisionTree", "sampleDecisionTree", "treeClaim", "treeCalibration"],
    options: fc.record<Tree>({
      relation: rowRelations,
      attributes: fc.array(fc.integer({ min: 2, max: 5 }), { minLength: 1, maxLength: 12 }),
      classes: fc.integer({ min: 2, max: 5 }),
      depth: fc.integer({ min: 0, max: 14 }),
      rho: rhos,
    }),
    make: (options) => treeMechanism(treeOptions(options)),
    pair: ({ relation, attributes, classes }, source) =>
      neighbours<CategoricalRow>(source, {
        relation,
        rows: {
          row: (from) => ({
            values: attributes.map((values) => below(from, values)),
            label: below(from, classes),
          }),
          size: { min: relation === "replace-one" ? 1 : 0, max: 30 },
        },
      }),
    share: ({ options, mechanism }) => {
      const moved = options.relation === "replace-one" ? 2 : 1;
      const squares = moved * tablesOnPath(treeOptions(options));
      const deviation = treeDeviation(mechanism, options);
      return squares / (2 * deviation ** 2) / rhoOf(mechanism.claim);
    },
    tolerance: 1e-6,
    attained: 0.95,
    shape: (output, { options }) => isTree(output, options),
    badOptions: {
      attributes: [[], [1], [2.5], [NaN]],
      classes: [0, 1, 2.5, NaN],
      depth: [-1, 0.5, NaN, undefined],
      rho: NOT_POSITIVE,
      relation: NOT_OF_ROWS,
    },
    badData: ({ attributes, classes }) => [
      [{ values: attributes.map(() => 0), label: classes }],
      [{ values: attributes.map(() => -1), label: 0 }],
      [{ values: [], label: 0 }],
      [{ values: attributes.map(() => 0.5), label: 0 }],
    ],
    release: (options, data, spending) =>
      decisionTree(data, { ...treeOptions(options), ...spending }),
    cases: 40,
  }),
];
