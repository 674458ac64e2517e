import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import { changeEach, type Relation, replaceOne } from "../../core/relations/relation.ts";
import type { SelectionOptions } from "./exponential_mechanism.ts";
import type { SparseVectorOptions } from "./sparse_vector.ts";

/** One number in [0, 1]. */
export const unit: Domain = { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 1 } };
/** One whole number. */
export const whole: Domain = {
  rows: { type: "integer", min: 0, max: 5 },
  size: { min: 1, max: 1 },
};
/** A few numbers in [0, 1]. */
export const units: Domain = { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 4 } };
/** One point in the unit disc. */
export const disc: Domain = {
  rows: { type: "vector", length: 2, of: { type: "number", min: -1, max: 1 }, norm: 1 },
  size: { min: 1, max: 1 },
};
/** Four answers of queries, of which each may change by 1. */
export const answers: Domain = {
  rows: { type: "integer", min: -5, max: 5 },
  size: { min: 4, max: 4 },
};
/** A few booleans. */
export const bits: Domain = { rows: { type: "boolean" }, size: { min: 1, max: 3 } };
/** Four categories. */
export const letters: readonly ["a", "b", "c", "d"] = ["a", "b", "c", "d"];
/** One of them. */
export const oneLetter: Domain = {
  rows: { type: "category", values: letters },
  size: { min: 1, max: 1 },
};
/** Lists of up to four of them. */
export const manyLetters: Domain = {
  rows: { type: "category", values: letters },
  size: { min: 0, max: 4 },
};

/** Up to four events, each in one of four time steps. */
export const fewSteps: Domain & { readonly rows: { readonly max: number } } = {
  rows: { type: "integer", min: 1, max: 4 },
  size: { min: 0, max: 4 },
};

/** The only row of a dataset. @throws {RangeError} when there is not exactly one. */
export function only<Row>(rows: Dataset<Row>): Row {
  if (rows.length !== 1) {
    throw new RangeError(
      `Cannot release: there must be one row: current number is ${rows.length}`,
    );
  }
  return rows[0]!;
}

/** The step of all grids. */
export const granularity: number = 2 ** -6;
/** The attributes of the contingency table. */
export const attributes: { readonly smokes: readonly boolean[]; readonly sex: readonly string[] } =
  { smokes: [true, false], sex: ["f", "m"] };
/** Up to four rows of it. */
export const people: Domain = {
  rows: {
    type: "record",
    fields: { smokes: { type: "boolean" }, sex: { type: "category", values: attributes.sex } },
  },
  size: { min: 0, max: 4 },
};

/** One number in [0, 1] released on a grid. */
export const onUnit: {
  readonly sensitivity: number;
  readonly granularity: number;
  readonly relation: Relation;
  readonly domain: Domain;
} = { sensitivity: 1, granularity, relation: replaceOne, domain: unit };
/** A choice among four candidates whose utilities are the rows. */
export const chosen: Omit<SelectionOptions<number, number>, "epsilon"> = {
  candidates: [0, 1, 2, 3],
  utilities: (rows: Dataset<number>): Dataset<number> => rows,
  sensitivity: 1,
  monotone: false,
  relation: changeEach({ by: 1 }),
  domain: answers,
};
/** A stream of answers that are the rows. */
export const stream: Omit<SparseVectorOptions<number>, "epsilon" | "count"> = {
  answers: (rows: Dataset<number>): Dataset<number> => rows,
  sensitivity: 1,
  threshold: 1,
  granularity: 1,
  relation: changeEach({ by: 1 }),
  mostAnswers: answers.size.max,
  domain: answers,
};
