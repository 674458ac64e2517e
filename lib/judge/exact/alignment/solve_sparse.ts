import {
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
} from "../../../core/numeric/rational.ts";

interface Row {
  readonly terms: Map<number, Rational>;
  value: Rational;
}

/**
 * Returns a solution of equations in some columns, the others being 0, exactly: by elimination, the shortest equations first. Columns that
 * the equations leave open get their guess. `undefined` where there is no solution.
 */
export function solveSparse(
  equations: readonly Equation[],
  { columns, guess }: {
    readonly columns: ReadonlySet<number>;
    readonly guess: (column: number) => Rational;
  },
): Map<number, Rational> | undefined {
  const open = new Set<Row>(equations.map(({ terms, value }) => ({
    terms: new Map([...terms].filter(([i, factor]) => columns.has(i) && factor.numerator !== 0n)),
    value,
  })));
  const holders = new Map<number, Set<Row>>();
  for (const row of open) {
    for (const i of row.terms.keys()) {
      if (!holders.has(i)) holders.set(i, new Set());
      holders.get(i)!.add(row);
    }
  }
  const solved: { readonly column: number; readonly row: Row }[] = [];
  while (open.size > 0) {
    let row: Row | undefined;
    for (const each of open) if (row === undefined || each.terms.size < row.terms.size) row = each;
    open.delete(row!);
    for (const i of row!.terms.keys()) holders.get(i)!.delete(row!);
    if (row!.terms.size === 0) {
      if (row!.value.numerator !== 0n) return undefined;
      continue;
    }
    let column = -1;
    for (const i of row!.terms.keys()) {
      if (column < 0 || holders.get(i)!.size < holders.get(column)!.size) column = i;
    }
    for (const other of holders.get(column)!) eliminate(other, { row: row!, column, holders });
    holders.delete(column);
    solved.push({ column, row: row! });
  }
  const solution = new Map<number, Rational>();
  for (const { column, row } of solved.toReversed()) {
    let rest = row.value;
    for (const [i, factor] of row.terms) {
      if (i === column) continue;
      if (!solution.has(i)) solution.set(i, guess(i));
      rest = subtract(rest, multiply(factor, solution.get(i)!));
    }
    solution.set(column, divide(rest, row.terms.get(column)!));
  }
  return solution;
}

/** Takes a column out of another equation. */
function eliminate(
  other: Row,
  { row, column, holders }: {
    readonly row: Row;
    readonly column: number;
    readonly holders: Map<number, Set<Row>>;
  },
): void {
  const factor = divide(other.terms.get(column)!, row.terms.get(column)!);
  for (const [i, value] of row.terms) {
    const left = subtract(other.terms.get(i) ?? rational(0), multiply(factor, value));
    if (left.numerator === 0n) {
      other.terms.delete(i);
      if (i !== column) holders.get(i)!.delete(other);
    } else {
      other.terms.set(i, left);
      holders.get(i)!.add(other);
    }
  }
  other.value = subtract(other.value, multiply(factor, row.value));
}

/** One equation: Σ coefficient·column = value. */
export interface Equation {
  /** Coefficients by the places of columns. */
  readonly terms: ReadonlyMap<number, Rational>;
  readonly value: Rational;
}
