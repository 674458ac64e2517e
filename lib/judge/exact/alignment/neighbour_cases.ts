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

/** A row: a number, a list of numbers, or a record of numbers and of values that are the same in the whole case. */
export type FormRow = Affine | readonly Affine[] | FormRecord;

/** A record of which some fields are forms. */
export interface FormRecord {
  readonly fields: readonly (readonly [name: string, field: FormField])[];
}

/** A field of a record: a number, or a value. */
export type FormField = { readonly form: Affine } | { readonly value: unknown };

/** Returns a dataset of a case with something in place of each form. A value is copied: programs may change what they get. */
export function dataOf(data: CaseData, valueOf: (form: Affine) => unknown): unknown {
  if ("value" in data) return structuredClone(data.value);
  return data.rows.map((row) => {
    if (Array.isArray(row)) return row.map(valueOf);
    if (!isFormRecord(row)) return valueOf(row as Affine);
    return Object.fromEntries(
      row.fields.map(([name, field]) =>
        [name, "form" in field ? valueOf(field.form) : structuredClone(field.value)] as const
      ),
    );
  });
}

/** Returns true for a row that is a record. */
export function isFormRecord(row: FormRow): row is FormRecord {
  return "fields" in row;
}

/** Returns the forms of some rows, in order. */
export function formsOf(rows: readonly FormRow[]): Affine[] {
  return rows.flatMap((row): readonly Affine[] =>
    Array.isArray(row)
      ? row
      : isFormRecord(row)
      ? row.fields.flatMap(([, field]) => "form" in field ? [field.form] : [])
      : [row as Affine]
  );
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
  if (change !== undefined && (rows.type === "vector" || rows.type === "record")) return undefined;
  const kinds = kindsOf(rows);
  // Each row may be of each kind, and so may the one that takes its place.
  const most = kinds.length ** (size.max + 1) * Math.max(1, size.max);
  if (kinds.length > 1 && most > MOST_CASES_OF_RECORDS) return undefined;
  const cases: NeighbourCase[] = [];
  for (let length = size.min; length <= size.max; length++) {
    const builder = new CaseBuilder(rows, { length, kinds });
    if (change !== undefined) cases.push(...builder.changes(change.which, rational(change.by)));
    else if (relation.name === "replace-one") cases.push(...builder.replacements());
    else if (relation.name === "add-remove-one") {
      if (length < size.max) cases.push(...builder.additions());
    } else return undefined;
  }
  return cases;
}

/** More cases than these take minutes. */
const MOST_CASES_OF_RECORDS = 2000;

/** Returns true if rows are finite numbers, lists of them, or records with some, and none is missing. */
function isNumeric(rows: RowSpec): boolean {
  if (rows.missing === true) return false;
  if (rows.type === "vector") return isNumber(rows.of);
  if (rows.type !== "record") return isNumber(rows);
  const fields = Object.values(rows.fields);
  return fields.some(isNumber) && fields.every((field) => isNumber(field) || hasFewValues(field));
}

function isNumber(spec: RowSpec): boolean {
  if (spec.missing === true) return false;
  return spec.type === "integer" ||
    spec.type === "number" && spec.nan !== true && spec.infinite !== true;
}

/** Returns true if a field has few values, which are no numbers to compute with. */
function hasFewValues(spec: RowSpec): boolean {
  return spec.missing !== true &&
    (spec.type === "boolean" || spec.type === "category" && spec.values.every(isPlain));
}

/** Returns true for a value that a certificate can name. */
function isPlain(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "boolean" ||
    Number.isFinite(value) && !Object.is(value, -0);
}

/** The values of the fields of a record that are no numbers. */
type Kind = Readonly<Record<string, unknown>>;

/** Returns the kinds of rows: all ways in which their fields that are no numbers can be. */
function kindsOf(rows: RowSpec): readonly Kind[] {
  if (rows.type !== "record") return [{}];
  return Object.entries(rows.fields).reduce<readonly Kind[]>((kinds, [name, field]) => {
    if (isNumber(field)) return kinds;
    const values = field.type === "category" ? [...new Set(field.values)] : [false, true];
    return kinds.flatMap((kind) => values.map((value) => ({ ...kind, [name]: value })));
  }, [{}]);
}

/** Bounds of a number. */
interface Range {
  readonly min: Rational;
  readonly max: Rational;
}

class CaseBuilder {
  readonly #rows: RowSpec;
  readonly #length: number;
  readonly #kinds: readonly Kind[];
  /** Bounds of the numbers of a row, in order. */
  readonly #ranges: readonly Range[];

  constructor(
    rows: RowSpec,
    { length, kinds }: { readonly length: number; readonly kinds: readonly Kind[] },
  ) {
    this.#rows = rows;
    this.#length = length;
    this.#kinds = kinds;
    const specs = rows.type === "vector"
      ? Array.from({ length: rows.length }, () => rows.of)
      : rows.type === "record"
      ? Object.values(rows.fields).filter(isNumber)
      : [rows];
    this.#ranges = (specs as { min: number; max: number }[])
      .map(({ min, max }) => ({ min: rational(min), max: rational(max) }));
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
      const [[left]] = this.#datasets() as [[readonly FormRow[], unknown]];
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
    const datasets = this.#datasets();
    return Array.from({ length: this.#length }, (_, i) => i).flatMap((i) =>
      datasets.flatMap(([left, kinds]) =>
        this.#kinds.map((kind) => {
          const numbers = formsOf([left[i]!]), changes = this.#numbers(`c${i}`);
          const row = this.#row(numbers.map((form, k) => plus(form, changes[k]!)), kind);
          const right = left.with(i, row);
          return {
            name: `row ${i} of ${this.#length}${this.#inWords([...kinds, kind])}`,
            premises: [
              ...changes.flatMap((form, k) => {
                const { min, max } = this.#ranges[k]!;
                const span = minus(constant(max), constant(min));
                return between(form, { low: times(rational(-1), span), high: span });
              }),
              ...this.#inRange(left),
              ...this.#inRange([row]),
            ],
            left: { rows: left },
            right: { rows: right },
          };
        })
      )
    );
  }

  /** Returns the cases of one row more, at any place, and of one less. */
  additions(): NeighbourCase[] {
    const datasets = this.#datasets();
    return Array.from({ length: this.#length + 1 }, (_, i) => i).flatMap((i) =>
      datasets.flatMap(([rows, kinds]) =>
        this.#kinds.flatMap((kind) => {
          const row = this.#row(this.#numbers(`c${i}`), kind);
          const short = { rows }, long = { rows: rows.toSpliced(i, 0, row) };
          const premises = [...this.#inRange([row]), ...this.#inRange(rows)];
          const which = `at ${i} beside ${this.#length}${this.#inWords([...kinds, kind])}`;
          return [
            { name: `a row ${which}`, premises, left: short, right: long },
            { name: `no row ${which}`, premises, left: long, right: short },
          ];
        })
      )
    );
  }

  /** Returns the datasets of as many rows, one of each combination of kinds, with these. */
  #datasets(): (readonly [rows: readonly FormRow[], kinds: readonly Kind[]])[] {
    let all: (readonly [FormRow[], Kind[]])[] = [[[], []]];
    for (let i = 0; i < this.#length; i++) {
      all = all.flatMap(([rows, kinds]) =>
        this.#kinds.map((kind) =>
          [[...rows, this.#row(this.#numbers(`x${i}`), kind)], [...kinds, kind]] as const
        )
      );
    }
    return all;
  }

  /** Returns the numbers of a row as variables. */
  #numbers(name: string): Affine[] {
    const isOne = this.#rows.type !== "vector" && this.#rows.type !== "record";
    return this.#ranges.map((_, k) => variable(isOne ? name : `${name}.${k}`));
  }

  /** Returns a row of these numbers. */
  #row(numbers: readonly Affine[], kind: Kind): FormRow {
    if (this.#rows.type === "vector") return numbers;
    if (this.#rows.type !== "record") return numbers[0]!;
    let k = 0;
    return {
      fields: Object.entries(this.#rows.fields).map(([name, field]) =>
        [name, isNumber(field) ? { form: numbers[k++]! } : { value: kind[name] }] as const
      ),
    };
  }

  /** Returns what tells cases of records apart: the values of their rows, the one that changes last. */
  #inWords(kinds: readonly Kind[]): string {
    return this.#kinds.length === 1 ? "" : ` ${JSON.stringify(kinds)}`;
  }

  #inRange(rows: readonly FormRow[]): Constraint[] {
    return rows.flatMap((row) =>
      formsOf([row]).flatMap((form, k) => {
        const { min, max } = this.#ranges[k]!;
        return between(form, { low: constant(min), high: constant(max) });
      })
    );
  }
}

function between(form: Affine, { low, high }: { low: Affine; high: Affine }): Constraint[] {
  return [
    { form: minus(form, low), strict: false },
    { form: minus(high, form), strict: false },
  ];
}
