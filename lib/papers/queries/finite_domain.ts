import { requireFields, requireInteger, requireKind } from "../../core/numeric/require.ts";

/** The most cells of a domain: a histogram of doubles then takes 8 MiB. */
const MOST_CELLS = 2 ** 20;

/**
 * A finite domain: attributes with so many values each. A row is the index of its cell, with the last
 * attribute fastest ({@linkcode cellOf}).
 */
export interface FiniteDomain {
  /** Number of values of each attribute; a value is a code from 0. */
  readonly shape: readonly number[];
  /** The number of cells: the product of the shape. */
  readonly size: number;
}

/**
 * Makes a domain of up to 2²⁰ cells.
 *
 * @throws {RangeError} unless there is an attribute, each has a value, and the cells are 2²⁰ at most.
 *
 * @example
 * ```ts
 * import { finiteDomain } from "./finite_domain.ts";
 * finiteDomain({ shape: [2, 100] }).size; // 200: sex and age
 * ```
 */
export function finiteDomain(options: { shape: readonly number[] }): FiniteDomain {
  const { shape } = requireFields("finiteDomain", options, { shape: "list" });
  const action = "make a domain";
  requireInteger(action, "length of shape", shape.length, { min: 1 });
  shape.forEach((values, i) => requireInteger(action, `shape[${i}]`, values, { min: 1 }));
  const size = shape.reduce((product, values) => product * values, 1);
  requireInteger(action, "number of cells of shape", size, { min: 1, max: MOST_CELLS });
  return { shape: [...shape], size };
}

/**
 * The index of the cell of a row given by the codes of its attributes.
 *
 * @throws {RangeError} when a code is not one of its attribute. The code itself is not printed.
 *
 * @example
 * ```ts
 * import { cellOf, finiteDomain } from "./finite_domain.ts";
 * cellOf(finiteDomain({ shape: [2, 100] }), [1, 30]); // 130
 * ```
 */
export function cellOf(options: FiniteDomain, codes: readonly number[]): number {
  const { shape } = requireFields("cellOf", options, { shape: "list" });
  requireKind("cellOf", "codes", codes, "list");
  if (codes.length !== shape.length) {
    throw new RangeError(
      `Cannot find a cell: codes must be as many as attributes, ${shape.length}: current number is ${codes.length}`,
    );
  }
  return shape.reduce((cell, values, i) => {
    const code = codes[i]!;
    if (!(Number.isInteger(code) && code >= 0 && code < values)) {
      throw new RangeError(
        `Cannot find a cell: the code of attribute ${i} must be an integer from 0 to ${values - 1}`,
      );
    }
    return cell * values + code;
  }, 0);
}

/**
 * Returns the number of rows in each cell.
 *
 * @throws {RangeError} when a row is not the index of a cell. Rows are not printed.
 *
 * @example
 * ```ts
 * import { finiteDomain, histogramOf } from "./finite_domain.ts";
 * histogramOf(finiteDomain({ shape: [3] }), [0, 2, 2]); // 1, 0, 2
 * ```
 */
export function histogramOf(domain: FiniteDomain, rows: ArrayLike<number>): Float64Array {
  requireKind("histogramOf", "domain", domain, "record");
  requireKind("histogramOf", "rows", rows, "list");
  const counts = new Float64Array(domain.size);
  for (let i = 0; i < rows.length; i++) {
    const cell = rows[i]!;
    if (!(Number.isInteger(cell) && cell >= 0 && cell < domain.size)) {
      throw new RangeError(
        `Cannot count rows: each must be a cell from 0 to ${domain.size - 1}: row ${i} is not`,
      );
    }
    counts[cell]!++;
  }
  return counts;
}
