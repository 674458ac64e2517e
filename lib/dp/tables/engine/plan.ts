import type { CellCounts } from "../cell_counts.ts";
import type { ContributionBounds } from "../sensitivity.ts";

/** A cell of a row: of a column, or of a public table that is looked up by one. */
export interface Cell {
  readonly column: string;
  /** The cells of a public table by the texts of `column`; a row that matches none misses the cell. */
  readonly lookup?: {
    readonly keys: readonly string[];
    readonly cells: readonly (string | number | boolean | undefined)[];
  };
}

/** A number of a row; NaN where one of its cells is missing or none. All are doubles, and so is what is computed of them. */
export type NumberOfRow =
  | {
    readonly kind: "cell";
    readonly cell: Cell;
    /** True if the cell is a day: days after 1 January 1970. */
    readonly days: boolean;
  }
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "or else"; readonly value: NumberOfRow; readonly missing: number }
  | {
    readonly kind: "apply";
    readonly operator: "+" | "-" | "*" | "/";
    readonly left: NumberOfRow;
    readonly right: NumberOfRow;
  };

/** Condition that rows must satisfy to count. A comparison with a number that is missing is false. */
export type Condition =
  | {
    readonly kind: "compare";
    readonly operator: "<" | "<=" | ">" | ">=" | "=" | "!=";
    readonly left: NumberOfRow;
    readonly right: NumberOfRow;
  }
  | { readonly kind: "one of"; readonly cell: Cell; readonly texts: readonly string[] }
  | { readonly kind: "missing"; readonly value: NumberOfRow }
  | { readonly kind: "missing"; readonly cell: Cell }
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition };

/** A number brought within public limits; rows without one do not count. */
export interface Clipped {
  readonly value: NumberOfRow;
  readonly lower: number;
  readonly upper: number;
}

/** A part of a key: a value of a public list, or an interval between public edges, the last of which has its upper edge too. */
export type KeyPart =
  | {
    readonly kind: "values";
    readonly cell: Cell;
    readonly texts: readonly string[];
    /** Place that stands for a missing cell, or for a text that is not listed; −1: in no group. */
    readonly missing: number;
    readonly unseen: number;
  }
  | { readonly kind: "bins"; readonly clipped: Clipped; readonly edges: readonly number[] };

/** Contribution of a row to the total of its group: 1, or whole steps of its value. */
export interface PlannedMeasure {
  /** `undefined`: 1. */
  readonly steps: StepsOfValue | undefined;
}

/** ⌊x/granularity + ½⌋ − origin, where x is the value, or the square of its distance from `middle`, brought within the limits. */
export interface StepsOfValue {
  readonly lower: number;
  readonly upper: number;
  readonly granularity: number;
  readonly origin: number;
  readonly middle: number | undefined;
}

/** Numbers that an engine is asked for. */
export type Wanted =
  /** Totals by group, a list for each measure. */
  | { readonly kind: "totals"; readonly measures: readonly PlannedMeasure[] }
  /** How many rows of each group are in each cell of a grid, ⌊x/unit + ½⌋ − first. */
  | { readonly kind: "cells"; readonly unit: number; readonly first: number }
  /** How many units have each text of a cell; groups are these texts. */
  | { readonly kind: "units"; readonly cell: Cell }
  /** For how many texts of a cell units can stand, each for so many of its own at most. */
  | { readonly kind: "distinct"; readonly cell: Cell; readonly values: number };

/**
 * What an engine is asked, all of it public but the key: of which rows, in which groups, what is added up.
 *
 * @internal
 */
export interface Plan {
  /** All must hold. */
  readonly where: readonly Condition[];
  /** Groups are all combinations, the last part changing first; none: all rows are one group. */
  readonly parts: readonly KeyPart[];
  /** The number of each row; a row without one does not count. `undefined` where none is asked for. */
  readonly clipped: Clipped | undefined;
  /** Who contributes, and how much is kept of each; `undefined` where a row is a unit. */
  readonly persons:
    | {
      readonly column: string;
      readonly bounds: ContributionBounds;
      /** Secret: which groups and rows of a person are kept, by pseudo-random priorities that depend on nobody else. */
      readonly key: number;
    }
    | undefined;
  /** Numbers that are asked for. */
  readonly wanted: Wanted;
}

/**
 * Whole numbers by public key. Those of totals are within ±2⁵².
 *
 * @internal
 */
export type Found =
  | { readonly kind: "totals"; readonly totals: readonly Float64Array[] }
  | { readonly kind: "cells"; readonly cells: readonly CellCounts[] }
  | { readonly kind: "units"; readonly units: ReadonlyMap<string, number> }
  | { readonly kind: "distinct"; readonly count: number };

/**
 * Answers plans about rows, wherever they are. Prices, sensitivity, noise and intervals do not know which one answered. Rows decide no error of it, and
 * whatever it throws is thrown before anything is paid.
 */
export interface Engine {
  /** Its name. */
  readonly engine: string;
  /**
   * Reads the rows and answers each plan.
   *
   * @param declared columns that there must be, besides those that plans read, where it is known which there are.
   * @throws when a column is not there, or the engine fails.
   */
  run(plans: readonly Plan[], declared?: readonly string[]): Promise<readonly Found[]>;
}

/** Totals end within it: they and their noise are then exact, and a total that is brought there moves by no more than its addends. */
export const MOST_TOTAL: number = 2 ** 52;

/** The largest whole steps that a value can be, or somewhat more. */
export function mostSteps({ lower, upper, granularity, origin }: StepsOfValue): number {
  return Math.max(...[lower, upper].map((end) => Math.abs(end / granularity - origin))) + 1;
}

/** Counts the groups that the parts of keys make. */
export function groupCountOf(parts: Plan["parts"]): number {
  return parts.reduce((count, part) => count * sizeOf(part), 1);
}

/** Counts the values of a part of a key. */
export function sizeOf(part: KeyPart): number {
  return part.kind === "values" ? part.texts.length : part.edges.length - 1;
}

/** The names of the columns that a plan reads. */
export function columnsOf({ where, parts, clipped, persons, wanted }: Plan): readonly string[] {
  const names = new Set<string>();
  const ofCell = ({ column }: Cell): void => void names.add(column);
  const ofNumber = (value: NumberOfRow): void => {
    if (value.kind === "cell") ofCell(value.cell);
    else if (value.kind === "or else") ofNumber(value.value);
    else if (value.kind === "apply") [value.left, value.right].forEach(ofNumber);
  };
  const ofCondition = (condition: Condition): void => {
    switch (condition.kind) {
      case "compare":
        return [condition.left, condition.right].forEach(ofNumber);
      case "one of":
        return ofCell(condition.cell);
      case "missing":
        return "cell" in condition ? ofCell(condition.cell) : ofNumber(condition.value);
      case "not":
        return ofCondition(condition.part);
      default:
        return condition.parts.forEach(ofCondition);
    }
  };
  where.forEach(ofCondition);
  for (const part of parts) {
    if (part.kind === "values") ofCell(part.cell);
    else ofNumber(part.clipped.value);
  }
  if (clipped !== undefined) ofNumber(clipped.value);
  if (persons !== undefined) names.add(persons.column);
  if (wanted.kind === "units" || wanted.kind === "distinct") ofCell(wanted.cell);
  return [...names];
}
