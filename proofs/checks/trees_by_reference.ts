import { replaceOne } from "../../lib/core/relation.ts";
import {
  type CategoricalRow,
  classify,
  type sampleDecisionTree,
  treeCalibration,
  treeClaim,
  type TreeNode,
} from "../../lib/learners/sulq/decision_tree.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import { presetNoise } from "./preset_noise.ts";

interface Grown {
  readonly attributes: readonly number[];
  readonly classes: number;
  /** A node with fewer rows than that, by its noisy numbers, is a leaf. */
  readonly least: number;
  /** No number of rows is above. */
  readonly most: number;
  /** The noise, one number after the other, in rows. */
  readonly next: () => number;
}

/** ID3 as the paper has it, with noisy numbers of rows by class, then by class and value of each attribute that is left. */
function grown(
  rows: readonly CategoricalRow[],
  of: Grown,
  { left, depth }: { readonly left: readonly number[]; readonly depth: number },
): TreeNode {
  const noisy = (held: (row: CategoricalRow) => boolean): number =>
    Math.min(of.most, rows.filter(held).length) + of.next();
  const kinds = Array.from({ length: of.classes }, (_, label) => label);
  const byClass = kinds.map((label) => noisy((row) => row.label === label));
  const leaf: TreeNode = { kind: "leaf", label: byClass.indexOf(Math.max(...byClass)) };
  if (depth === 0 || left.length === 0 || byClass.reduce((a, b) => a + b) < of.least) return leaf;
  // For each attribute, rows times the conditional entropy of the class.
  const entropies = left.map((attribute) => {
    let sum = 0;
    for (let value = 0; value < of.attributes[attribute]!; value++) {
      const cells = kinds.map((label) =>
        Math.max(0, noisy((row) => row.values[attribute] === value && row.label === label))
      );
      const total = cells.reduce((a, b) => a + b);
      for (const cell of cells) if (cell > 0) sum += cell * (Math.log(total) - Math.log(cell));
    }
    return sum;
  });
  const attribute = left[entropies.indexOf(Math.min(...entropies))]!;
  const rest = { left: left.filter((each) => each !== attribute), depth: depth - 1 };
  const children: TreeNode[] = [];
  for (let value = 0; value < of.attributes[attribute]!; value++) {
    children.push(grown(rows.filter(({ values }) => values[attribute] === value), of, rest));
  }
  return { kind: "test", attribute, children };
}

/** Numbers of rows count as they are, down to 0: one row in each place tells nothing, and an empty place is no row. */
function requireSmallNumbers(sample: typeof sampleDecisionTree, source: SeededSource): void {
  const labels = [0, 1, 0, 1, 0, 1, 0, 1], quarters = [0, 0, 1, 1, 2, 2, 3, 3];
  const pure = labels.map((label, i) => Math.floor(i / 4) * 2 + label);
  const near = [0, 1, 0, 1, 0, 1, 1, 0], nearer = [0, 1, 0, 1, 0, 1, 1, 1];
  for (
    const [first, second, best] of [
      // Four pure values before two that are nearly so; two of three to one before four of one to one.
      [pure, nearer, 0],
      [quarters, near, 1],
    ] as const
  ) {
    const data = labels.map((label, i): CategoricalRow => ({
      values: [first[i]!, second[i]!],
      label,
    }));
    for (const noise of [0, 0.25]) {
      const { root } = sample(source, {
        attributes: [4, 2],
        classes: 2,
        depth: 1,
        rho: 1e6,
        relation: replaceOne,
        data,
        prepared: presetNoise(4, () => -4 * noise),
      });
      requireEqual(root.kind === "test" && root.attribute, best, "the attribute that tells most");
    }
  }
}

/** Private ID3 with its noise in hand grows the tree of the algorithm. */
export function requireTrees(sample: typeof sampleDecisionTree, source: SeededSource): void {
  const below = (n: number): number => Math.floor(source.uniform() * n);
  let deepest = 0, leaves = 0;
  for (let k = 0; k < 60; k++) {
    const attributes = Array.from({ length: 1 + below(3) }, () => 2 + below(3));
    const classes = 2 + below(2), depth = below(4), n = 30 + below(200);
    const data = Array.from({ length: n }, (): CategoricalRow => {
      const values = attributes.map(below);
      return {
        values,
        label: source.uniform() < 0.7 ? Math.min(classes - 1, values[0]!) : below(classes),
      };
    });
    // ρ for which nodes of a share of the rows are the smallest that are divided.
    const share = [0.15, 0.4, 1.1][k % 3]!, largest = Math.max(...attributes);
    const { queries } = treeCalibration({
      attributes,
      classes,
      depth,
      rho: 1,
      relation: replaceOne,
    });
    const rho = queries / 2 * (2 * classes * largest / (n * share)) ** 2;
    const options = { attributes, classes, depth, rho, relation: replaceOne };
    // Where steps are fine, numbers of rows stop at 8.
    const stepsPerUnit = k % 5 === 4 ? 2 ** 49 : 2 ** 12;
    const prepared = presetNoise(stepsPerUnit, () => (source.uniform() - 0.5) * 9 * stepsPerUnit);
    const { root, calibration } = sample(source, { ...options, data, prepared });
    let at = 0;
    const least = 2 * Math.sqrt(calibration.variance) * classes * largest;
    requireNear(least, n * share, { relative: 1e-9, what: "the least rows of a test" });
    const stated = grown(data, {
      attributes,
      classes,
      least,
      most: 2 ** 52 / stepsPerUnit,
      next: () => prepared.drawn[at++]! / stepsPerUnit,
    }, { left: attributes.map((_, a) => a), depth });
    requireEqual(root, stated, `tree ${k}`);
    requireEqual(at, prepared.drawn.length, "draws");
    if (root.kind === "leaf") leaves++;
    const depthOf = (node: TreeNode): number =>
      node.kind === "leaf" ? 0 : 1 + Math.max(...node.children.map(depthOf));
    deepest = Math.max(deepest, depthOf(root));
    // Classification follows the tests.
    for (const { values } of data.slice(0, 20)) {
      let node = root;
      while (node.kind === "test") node = node.children[values[node.attribute]!]!;
      requireEqual(classify(root, values), node.label);
    }
  }
  requireEqual([deepest, leaves > 5], [3, true], "what trees were grown");
  // A node of exactly the least number of rows is divided.
  const options = { attributes: [2], classes: 2, depth: 1, rho: 3, relation: replaceOne };
  const least = 2 * Math.sqrt(treeCalibration(options).variance) * 2 * 2;
  for (const [total, kind] of [[least, "test"], [least * (1 - 1e-15), "leaf"]] as const) {
    let first = true;
    const prepared = presetNoise(1, () => {
      const steps = first ? total : 0;
      first = false;
      return steps;
    });
    requireEqual(sample(source, { ...options, data: [], prepared }).root.kind, kind);
  }
  requireSmallNumbers(sample, source);
  // Rows whose places are not those of values and classes are refused.
  const grow = (row: unknown): unknown =>
    sample(source, {
      attributes: [2, 3],
      classes: 2,
      depth: 1,
      rho: 1,
      relation: replaceOne,
      data: [{ values: [1, 2], label: 1 }, row as CategoricalRow],
      prepared: presetNoise(1, () => 0),
    });
  grow({ values: [0, 0], label: 0 });
  for (
    const row of [
      { values: [2, 0], label: 0 },
      { values: [0, 3], label: 0 },
      { values: [0, -1], label: 0 },
      { values: [0.5, 0], label: 0 },
      { values: [0], label: 0 },
      { values: [0, 0, 0], label: 0 },
      { values: [0, 0], label: 2 },
      { values: [0, 0], label: -1 },
      { values: [0, 0], label: 0.5 },
      { values: [0, 0] },
      { values: [0, NaN], label: 0 },
    ]
  ) requireRefused(JSON.stringify(row), () => grow(row), "indices of declared");
  // No claim is above the ρ that was asked for, whatever its last bits.
  for (let k = 0; k < 200; k++) {
    const options = { attributes: [2, 3, 4], classes: 3, depth: k % 4, relation: replaceOne };
    const rho = Math.exp(-10 * source.uniform()), claim = treeClaim({ ...options, rho });
    requireThat(
      claim.rho <= rho && claim.rho >= rho * (1 - 1e-14),
      () => `a tree of ρ = ${rho} claims ${claim.rho}`,
    );
  }
  // T: tables on a path, and the sibling that a replaced row may go to.
  for (
    const [attributes, depth, tables] of [[[2], 1, 3], [[2, 2, 2], 2, 8], [[2, 5], 9, 6], [
      [3],
      0,
      1,
    ]] as const
  ) {
    const each = treeCalibration({ attributes, classes: 2, depth, rho: 0.7, relation: replaceOne });
    requireEqual(each.queries, 2 * tables);
    requireNear(each.variance, 2 * tables / 1.4, { relative: 1e-14 });
  }
}
