import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import type { Domain } from "../../core/relations/dataset.ts";
import type { Relation } from "../../core/relations/relation.ts";
import type { GridMechanism } from "./grid_mechanism.ts";
import { noisyHistogram } from "./noisy_histogram.ts";

const MOST_CELLS = 2 ** 20;

/** The attributes of a table and the values of each, in order; fixed before the data is seen. */
export type Attributes = Readonly<Record<string, readonly (string | number | boolean)[]>>;

/** A record with one value for each attribute. */
export type TableRow = Readonly<Record<string, string | number | boolean>>;

/**
 * A noisy contingency table: the count of every combination of attribute values, with exact geometric
 * noise as in a histogram. All marginals are sums of the same noisy cells
 * ({@linkcode marginal}), so they agree with one another; as post-processing they cost nothing
 * (Barak et al. 2007 seek the same with less noise). Cells run through the last attribute fastest.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { contingencyTable, marginal } from "./contingency_table.ts";
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const attributes = { smokes: [true, false], sex: ["f", "m"] };
 * const table = contingencyTable({ attributes, epsilon: 1, relation: addRemoveOne });
 * const cells = release(table, [{ smokes: true, sex: "f" }], { budget: openBudget(table.claim) });
 * marginal(cells, { attributes, keep: ["smokes"] }); // two counts
 * ```
 */
export function contingencyTable(
  given: {
    readonly attributes: Attributes;
    readonly epsilon: number;
    readonly relation: Relation;
    readonly domain?: Domain;
  },
): GridMechanism<TableRow, number[]> {
  const { attributes, ...options } = requireFields("contingencyTable", given, {
    attributes: "record",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call contingencyTable()", given, ["attributes", "epsilon", "relation", "domain"]);
  const names = Object.keys(attributes);
  const cells = cellCount(attributes);
  return {
    ...noisyHistogram<TableRow, number>({
      ...options,
      categories: Array.from({ length: cells }, (_, i) => i),
      // A value outside its list makes the index NaN, which is no category.
      categoryOf: (row) =>
        names.reduce((index, name) => {
          const at = attributes[name]!.indexOf(row[name]!);
          return at < 0 ? NaN : index * attributes[name]!.length + at;
        }, 0),
    }),
    name: "contingency table",
  };
}

/**
 * Sums the cells of a table over all attributes but those to keep.
 *
 * @returns counts of the combinations of kept values, in the attributes' order, the last fastest.
 * @throws {RangeError} when the cells do not fit the attributes or a name is not one of theirs.
 */
export function marginal(
  cells: readonly number[],
  options: { attributes: Attributes; keep: readonly string[] },
): number[] {
  requireKind("marginal", "cells", cells, "list");
  const { attributes, keep } = requireFields("marginal", options, {
    attributes: "record",
    keep: "list",
  });
  requireKnown("call marginal()", options, ["attributes", "keep"]);
  const names = Object.keys(attributes);
  if (cells.length !== cellCount(attributes) || !keep.every((name) => names.includes(name))) {
    throw new RangeError(
      `Cannot sum a table: cells must fit the attributes and those kept be among them: current number of cells is ${cells.length}`,
    );
  }
  const kept = names.filter((name) => keep.includes(name));
  const sums = new Array<number>(kept.reduce((n, name) => n * attributes[name]!.length, 1)).fill(0);
  cells.forEach((value, cell) => {
    let rest = cell, index = 0, stride = 1;
    for (const name of names.toReversed()) {
      const length = attributes[name]!.length;
      if (keep.includes(name)) {
        index += stride * (rest % length);
        stride *= length;
      }
      rest = Math.floor(rest / length);
    }
    sums[index]! += value;
  });
  return sums;
}

function cellCount(attributes: Attributes): number {
  const cells = Object.values(attributes).reduce((n, values) => n * values.length, 1);
  if (!(cells >= 1 && cells <= MOST_CELLS)) {
    throw new RangeError(
      `Cannot make a contingency table: attributes must span from 1 to ${MOST_CELLS} cells: current number is ${cells}`,
    );
  }
  return cells;
}
