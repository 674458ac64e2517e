import { requireKnown } from "../../core/text/known_options.ts";
import type { ZcdpClaim } from "../../core/claims/claim.ts";
import type { Dataset } from "../../core/relations/dataset.ts";
import { type Relation, replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../core/numeric/require.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { type ReleaseOptions, spendThen } from "../../dp/mechanisms/release.ts";
import type { SulqCalibration } from "./sulq_accounting.ts";
import { sulqClaim } from "./sulq_database.ts";
import { requireRowRelation } from "../../dp/mechanisms/require_row_relation.ts";
import { type SulqNoise, sulqNoise } from "./sulq_noise.ts";
import { MOST_STEPS } from "../../dp/mechanisms/unit_steps.ts";

/** A row of categories: indices of the values of its attributes, and of its class. */
export interface CategoricalRow {
  /** One index an attribute. */
  readonly values: readonly number[];
  /** The index of the class. */
  readonly label: number;
}

/** Options of private ID3. */
export interface DecisionTreeOptions {
  /** Number of values of every attribute. */
  readonly attributes: readonly number[];
  /** Number of classes. */
  readonly classes: number;
  /** Tests on a path at most. */
  readonly depth: number;
  /** The claim of the whole, zero-concentrated, in nats. */
  readonly rho: number;
  /** When two datasets are neighbours: replace-one or add-remove-one. */
  readonly relation: Relation;
}

/** A leaf with its class, or a test of one attribute with a child for every value. */
export type TreeNode =
  | { readonly kind: "leaf"; readonly label: number }
  | { readonly kind: "test"; readonly attribute: number; readonly children: readonly TreeNode[] };

/** A tree grown privately. */
export interface DecisionTree {
  /** Root node, where classification begins. */
  readonly root: TreeNode;
  /** Privacy claim of the tree. */
  readonly claim: ZcdpClaim;
  /** R, and T, the answers that one row can change at most. For `sulqAccounting`. */
  readonly calibration: SulqCalibration;
}

/**
 * Learns a decision tree by ID3 on noisy counts (Blum, Dwork, McSherry, Nissim 2005): at every node the rows are counted by
 * class, and by value and class for every attribute not yet tested; conditional entropies are
 * computed from the noisy counts and the attribute of the least is tested. A node is a leaf when
 * its depth is reached, when no attribute is left, or when its noisy number of rows is small: below
 * two deviations of the noise for every cell of the largest attribute's table. Where counts are
 * large beside the noise the gain of the attribute chosen is within a small Δ of the best.
 *
 * A row is in one node a level and in one cell of each of its tables: of a attributes, one count by
 * class and a − l tables at level l while there are tests, and the count by class of a leaf. It changes so
 * many answers by 1 at most, twice as many when it is replaced, and ρ is accounted from that.
 *
 * @throws {RangeError} on options or rows out of range, or when the budget cannot pay; nothing was drawn then.
 * @throws {TypeError} when the source is not secure.
 *
 * @example
 * ```ts
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { zcdp } from "../../core/claims/claim.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { classify, fitDecisionTree } from "./decision_tree.ts";
 * const rows = Array.from({ length: 3000 }, (_, i) => ({
 *   values: [i % 2, i % 3],
 *   label: i % 3 === 0 ? 1 : 0,
 * }));
 * const { root } = fitDecisionTree(rows, {
 *   attributes: [2, 3],
 *   classes: 2,
 *   depth: 1,
 *   rho: 0.5,
 *   relation: replaceOne,
 *   budget: openBudget(zcdp({ rho: 0.5, relation: replaceOne })),
 * });
 * classify(root, [1, 0]); // 1
 * ```
 */
export function fitDecisionTree(
  data: Dataset<CategoricalRow>,
  given: DecisionTreeOptions & ReleaseOptions,
): DecisionTree {
  requireKind("fitDecisionTree", "data", data, "list");
  const { budget, source, ...options } = requireFields("fitDecisionTree", given, {
    attributes: "list",
    relation: "relation",
  });
  requireKnown("call fitDecisionTree()", given, [
    "attributes",
    "classes",
    "depth",
    "rho",
    "relation",
    "budget",
    "source",
  ]);
  return spendThen("grow a tree", {
    budget,
    source,
    prepare: () => {
      requireRows(data, options);
      const prepared = sulqNoise(treeCalibration(options));
      return {
        claim: treeClaim(options),
        draw: (secure) => sampleDecisionTree(secure, { ...options, data, prepared }),
      };
    },
  });
}

/**
 * R and T: T answers change by 1 each, in the tables on one path from the root, twice that when a row is
 * replaced.
 */
export function treeCalibration(options: DecisionTreeOptions): SulqCalibration {
  const action = "grow a tree";
  const { attributes, classes, depth, rho, relation } = options;
  requireInteger(action, "attributes", attributes.length, { min: 1 });
  attributes.forEach((values, a) => requireInteger(action, `attributes[${a}]`, values, { min: 2 }));
  requireInteger(action, "classes", classes, { min: 2 });
  requireInteger(action, "depth", depth, { min: 0 });
  requirePositive(action, "rho", rho);
  requireRowRelation(action, relation);
  const tests = Math.min(depth, attributes.length);
  const tables = tests * (attributes.length + 1) - tests * (tests - 1) / 2 + 1;
  const queries = tables * (relation === replaceOne ? 2 : 1);
  return {
    queries,
    variance: roundUp(queries / (2 * rho), { relativeError: 16 * Number.EPSILON }),
  };
}

/** At most ρ of the options. @throws {RangeError} on options out of range. */
export function treeClaim(options: DecisionTreeOptions): ZcdpClaim {
  return sulqClaim({ ...treeCalibration(options), relation: options.relation });
}

/** {@linkcode fitDecisionTree} drawing from a source of either kind: what audits and tests run. */
export function sampleDecisionTree(
  source: Source,
  { data, prepared, ...options }: DecisionTreeOptions & {
    readonly data: Dataset<CategoricalRow>;
    /** The noise, if it was made before: its table takes milliseconds. */
    readonly prepared?: SulqNoise;
  },
): DecisionTree {
  requireRows(data, options);
  const { attributes, classes } = options;
  const calibration = treeCalibration(options);
  const { stepsPerUnit, noise } = prepared ?? sulqNoise(calibration);
  const least = 2 * Math.sqrt(calibration.variance) * classes * Math.max(...attributes);

  /** Noisy numbers of rows in `cells` cells. */
  function count(
    rows: Dataset<CategoricalRow>,
    { cells, cellOf }: { cells: number; cellOf: (row: CategoricalRow) => number },
  ): Float64Array {
    const noises = noise.fill(source, new Float64Array(cells)), counts = new Float64Array(cells);
    for (const row of rows) counts[cellOf(row)]! += 1;
    return noises.map((steps, cell) =>
      Math.min(MOST_STEPS / stepsPerUnit, counts[cell]!) + steps / stepsPerUnit
    );
  }

  function grow(rows: Dataset<CategoricalRow>, left: readonly number[], depth: number): TreeNode {
    const byClass = count(rows, { cells: classes, cellOf: ({ label }) => label });
    const total = byClass.reduce((sum, each) => sum + each, 0);
    if (depth === 0 || left.length === 0 || total < least) {
      return { kind: "leaf", label: byClass.indexOf(Math.max(...byClass)) };
    }
    const entropies = left.map((attribute) =>
      conditionalEntropy(
        count(rows, {
          cells: attributes[attribute]! * classes,
          cellOf: ({ values, label }) => values[attribute]! * classes + label,
        }),
        { classes },
      )
    );
    const attribute = left[entropies.indexOf(Math.min(...entropies))]!;
    const rest = left.filter((other) => other !== attribute);
    const children = Array.from(
      { length: attributes[attribute]! },
      (_, value) => grow(rows.filter(({ values }) => values[attribute] === value), rest, depth - 1),
    );
    return { kind: "test", attribute, children };
  }

  return {
    root: grow(data, attributes.map((_, a) => a), options.depth),
    claim: treeClaim(options),
    calibration,
  };
}

/** Rows times the entropy of the class given the value, in nats; counts below 0 count as 0. */
function conditionalEntropy(counts: Float64Array, { classes }: { classes: number }): number {
  let sum = 0;
  for (let from = 0; from < counts.length; from += classes) {
    const cells = counts.subarray(from, from + classes).map((each) => Math.max(0, each));
    const total = cells.reduce((a, b) => a + b, 0);
    for (const cell of cells) if (cell > 0) sum -= cell * Math.log(cell / total);
  }
  return sum;
}

/**
 * Returns the class that a tree gives to a row.
 *
 * @example
 * ```ts
 * import { classify } from "./decision_tree.ts";
 * classify({ kind: "leaf", label: 2 }, [0, 1]); // 2
 * ```
 */
export function classify(node: TreeNode, values: readonly number[]): number {
  requireKind("classify", "node", node, "record");
  requireKind("classify", "values", values, "list");
  let at = node;
  while (at.kind === "test") at = at.children[values[at.attribute]!]!;
  return at.label;
}

function requireRows(
  data: Dataset<CategoricalRow>,
  { attributes, classes }: DecisionTreeOptions,
): void {
  const within = (index: number | undefined, many: number): boolean =>
    Number.isInteger(index) && index! >= 0 && index! < many;
  for (const { values, label } of data) {
    if (
      values.length !== attributes.length || !within(label, classes) ||
      !attributes.every((many, a) => within(values[a], many))
    ) {
      throw new RangeError(
        "Cannot grow a tree: rows must hold indices of declared values and classes",
      );
    }
  }
}
