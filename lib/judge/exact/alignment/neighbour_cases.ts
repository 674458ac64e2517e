import type { Domain, RowSpec } from "../../../core/relations/dataset.ts";
import { type Relation, sameRelation } from "../../../core/relations/relation.ts";
import { changeNamed, relationNamed } from "../../../core/relations/relation_named.ts";
import { negated, type Rational, rational } from "../../../core/numeric/rational.ts";
import { type Affine, constant, minus, plus, times, variable } from "./affine.ts";
import type { Constraint } from "./constraint.ts";

/**
 * Pairs of datasets that are proved together: lists whose numbers are forms of variables, for all values of the variables that
 * satisfy the premises. Variables that begin with c are changes from left to right.
 */
export interface NeighbourCase {
  /** What distinguishes it from others, for reports. */
  readonly name: string;
  readonly premises: readonly Constraint[];
  readonly left: CaseData;
  readonly right: CaseData;
}

/** A dataset of a case: rows of forms, or a value of any kind. */
export type CaseData = { readonly rows: readonly FormRow[] } | { readonly value: unknown };

/** A row: a number, or a list of numbers. */
export type FormRow = Affine | readonly Affine[];

/** Returns a dataset of a case with something in place of each form. A value is copied: programs may change what they get. */
export function dataOf(data: CaseData, valueOf: (form: Affine) => unknown): unknown {
  if ("value" in data) return structuredClone(data.value);
  return data.rows.map((row) => Array.isArray(row) ? row.map(valueOf) : valueOf(row as Affine));
}

/** Returns the two cases of one pair of any two values. */
export function pairCases(left: unknown, right: unknown): NeighbourCase[] {
  const sides = [{ value: left }, { value: right }] as const;
  return [
    { name: "the pair", premises: [], left: sides[0], right: sides[1] },
    { name: "the pair the other way round", premises: [], left: sides[1], right: sides[0] },
  ];
}

/**
 * Returns all ordered pairs of neighbours in a domain of numbers, or of lists of numbers, as few cases; `undefined` for other rows and
 * relations. The bound on the length of lists is not used: what is proved holds for longer ones too. So are whole numbers
 * taken for any numbers between their bounds.
 */
export function neighbourCases(
  { rows, size }: Domain,
  relation: Relation,
): readonly NeighbourCase[] | undefined {
  const known = relationNamed(relation.name);
  if (known === undefined || !sameRelation(known, relation)) return undefined;
  if (!isNumeric(rows)) return undefined;
  const change = changeNamed(relation.name);
  if (change !== undefined && rows.type === "vector") return undefined;
  const cases: NeighbourCase[] = [];
  for (let length = size.min; length <= size.max; length++) {
    const builder = new CaseBuilder(rows, length);
    if (change !== undefined) cases.push(...builder.changes(change.which, rational(change.by)));
    else if (relation.name === "replace-one") cases.push(...builder.replacements());
    else if (relation.name === "add-remove-one") {
      if (length < size.max) cases.push(...builder.additions());
    } else return undefined;
  }
  return cases;
}

/** Returns true if rows are finite numbers, or lists of them, and none is missing. */
function isNumeric(rows: RowSpec): boolean {
  const of = rows.type === "vector" ? rows.of : rows;
  if (rows.missing === true || of.missing === true) return false;
  return of.type === "integer" || of.type === "number" && of.nan !== true && of.infinite !== true;
}

class CaseBuilder {
  readonly #rows: RowSpec;
  readonly #length: number;
  readonly #range: { readonly min: Rational; readonly max: Rational };

  constructor(rows: RowSpec, length: number) {
    this.#rows = rows;
    this.#length = length;
    const { min, max } = (rows.type === "vector" ? rows.of : rows) as { min: number; max: number };
    this.#range = { min: rational(min), max: rational(max) };
  }

  /** Answers that change. */
  changes(which: string, by: Rational): NeighbourCase[] {
    const places = Array.from({ length: this.#length }, (_, i) => i);
    const most = constant(by), least = constant(negated(by));
    const changed = (
      name: string,
      which: readonly number[],
      [low, high]: readonly [Affine, Affine],
    ): NeighbourCase => {
      const left = this.#dataset("x");
      const right = left.map((row, i) =>
        which.includes(i) ? plus(row as Affine, variable(`c${i}`)) : row
      );
      const premises = [
        ...which.flatMap((i) => between(variable(`c${i}`), { low, high })),
        ...this.#inRange(left),
        ...this.#inRange(right.filter((_, i) => which.includes(i))),
      ];
      return { name, premises, left: { rows: left }, right: { rows: right } };
    };
    if (this.#length === 0) return [];
    switch (which) {
      case "each":
        return [changed(`${this.#length} answers`, places, [least, most])];
      case "one":
        return places.map((i) => changed(`answer ${i} of ${this.#length}`, [i], [least, most]));
      default:
        return [
          changed(`${this.#length} answers rise`, places, [new Map(), most]),
          changed(`${this.#length} answers fall`, places, [least, new Map()]),
        ];
    }
  }

  /** Returns the cases in which one row is another. */
  replacements(): NeighbourCase[] {
    const span = minus(constant(this.#range.max), constant(this.#range.min));
    return Array.from({ length: this.#length }, (_, i) => {
      const left = this.#dataset("x");
      const change = this.#row(`c${i}`);
      const right = left.map((row, j) => j === i ? sumOf(row, change) : row);
      const low = times(rational(-1), span);
      return {
        name: `row ${i} of ${this.#length}`,
        premises: [
          ...numbersOf([change]).flatMap((form) => between(form, { low, high: span })),
          ...this.#inRange(left),
          ...this.#inRange([right[i]!]),
        ],
        left: { rows: left },
        right: { rows: right },
      };
    });
  }

  /** Returns the cases of one row more, at any place, and of one less. */
  additions(): NeighbourCase[] {
    return Array.from({ length: this.#length + 1 }, (_, i) => i).flatMap((i) => {
      const rows = this.#dataset("x"), row = this.#row(`c${i}`);
      const short = { rows }, long = { rows: rows.toSpliced(i, 0, row) };
      const premises = [...this.#inRange([row]), ...this.#inRange(rows)];
      return [
        { name: `a row at ${i} beside ${this.#length}`, premises, left: short, right: long },
        { name: `no row at ${i} beside ${this.#length}`, premises, left: long, right: short },
      ];
    });
  }

  #dataset(letter: string): FormRow[] {
    return Array.from({ length: this.#length }, (_, i) => this.#row(`${letter}${i}`));
  }

  #row(name: string): FormRow {
    const { length } = this.#rows as { length?: number };
    return length === undefined
      ? variable(name)
      : Array.from({ length }, (_, k) => variable(`${name}.${k}`));
  }

  #inRange(rows: readonly FormRow[]): Constraint[] {
    const { min, max } = this.#range;
    return numbersOf(rows).flatMap((form) =>
      between(form, { low: constant(min), high: constant(max) })
    );
  }
}

function numbersOf(rows: readonly FormRow[]): Affine[] {
  return rows.flat() as Affine[];
}

function sumOf(left: FormRow, right: FormRow): FormRow {
  return Array.isArray(left)
    ? left.map((form, k) => plus(form, (right as readonly Affine[])[k]!))
    : plus(left as Affine, right as Affine);
}

function between(form: Affine, { low, high }: { low: Affine; high: Affine }): Constraint[] {
  return [
    { form: minus(form, low), strict: false },
    { form: minus(high, form), strict: false },
  ];
}
