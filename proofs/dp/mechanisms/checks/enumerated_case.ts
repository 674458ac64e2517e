import type { Dataset, Domain } from "../../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../../lib/core/mechanism/mechanism.ts";
import { changeEach, type Relation, replaceOne } from "../../../../lib/core/relations/relation.ts";
import type { SelectionOptions } from "../../../../lib/dp/mechanisms/exponential_mechanism.ts";

export const letters = ["a", "b", "c"] as const;

export const digit: Domain = {
  rows: { type: "integer", min: 0, max: 3 },
  size: { min: 1, max: 1 },
};

export const grid: Domain = {
  rows: { type: "category", values: [0, 0.25, 1] },
  size: { min: 1, max: 2 },
};

/** One way to make a mechanism, and what its enumeration must show. */
export interface EnumeratedCase {
  readonly name: string;
  readonly make: (epsilon: number) => Mechanism<never, unknown>;
  readonly domain: Domain;
  /** Some pair attains the claim; of outputs without end, but for the remainder. */
  readonly attained: boolean;
  /** ε from which so few paths are likely that they can be run. */
  readonly from?: number;
  readonly remainder?: number;
  /** The least share of its claim that it loses; .45. */
  readonly share?: number;
}

/** A query of one number that one row changes by 1 at most. */
export const unit: { readonly sensitivity: number; readonly relation: Relation } = {
  sensitivity: 1,
  relation: replaceOne,
};

export const utilities = (rows: Dataset<number>): Dataset<number> => rows;

/** Three candidates whose utilities are the rows. */
export const selection = (epsilon: number): SelectionOptions<number, number> => ({
  candidates: [0, 1, 2],
  utilities,
  epsilon,
  sensitivity: 1,
  monotone: false,
  relation: changeEach({ by: 1 }),
});

export const scores: Domain = {
  rows: { type: "integer", min: 0, max: 2 },
  size: { min: 3, max: 3 },
};
