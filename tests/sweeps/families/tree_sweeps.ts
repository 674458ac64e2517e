import fc from "fast-check";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import {
  type CategoricalRow,
  type DecisionTreeOptions,
  fitDecisionTree,
  sampleDecisionTree,
  treeCalibration,
  treeClaim,
  type TreeNode,
} from "../../../lib/papers/sulq/decision_tree.ts";
import { below, NOT_OF_ROWS, NOT_POSITIVE, relationOf, rhos, rowRelations } from "../draws.ts";
import { neighbours } from "../neighbours.ts";
import { leastWord, ScriptedSource } from "../scripted_source.ts";
import { rhoOf } from "../shares.ts";
import { type Sweep, sweep } from "../sweep.ts";

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
    // With far more noise than that there seem to be rows enough for a test.
    return root.kind === "test" || root.label === 1;
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

/** Decision trees. */
export const treeSweeps: readonly Sweep[] = [
  sweep({
    name: "fitDecisionTree()",
    covers: ["fitDecisionTree", "sampleDecisionTree", "treeClaim", "treeCalibration"],
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
      fitDecisionTree(data, { ...treeOptions(options), ...spending }),
    cases: 40,
  }),
];
