import { type Equation, solveSparse } from "./solve_sparse.ts";
import type { Highs } from "highs";
import {
  bitLength,
  compare,
  multiply,
  type Rational,
  rational,
  toNumber,
} from "../../../core/numeric/rational.ts";
import { nearFraction } from "./near_fraction.ts";

/**
 * A linear program with exact numbers: columns of at least 0 unless they are free, equations, and an objective in floating point
 * that is minimised.
 */
export class ExactProgram {
  readonly #free: boolean[] = [];
  readonly #costs: number[] = [];
  readonly #squares = new Map<number, number>();
  readonly #equations: Equation[] = [];

  /** Adds a column. @returns its place. */
  column(
    { free = false, cost = 0 }: { readonly free?: boolean; readonly cost?: number } = {},
  ): number {
    this.#costs.push(cost);
    return this.#free.push(free) - 1;
  }

  /** Adds weight·column² to the objective. */
  square(column: number, weight: number): void {
    this.#squares.set(column, weight);
  }

  /** Demands an equation. */
  equation(terms: ReadonlyMap<number, Rational>, value: Rational = rational(0)): void {
    this.#equations.push({ terms, value });
  }

  /**
   * Columns that satisfy all equations and signs exactly, near the optimum; `undefined` where there are none, or none was found.
   * HiGHS proposes in floating point, with rows and columns scaled to numbers near 1; the columns that it leaves at 0 stay there, and
   * the others are solved for in fractions.
   */
  solve(highs: Highs): Rational[] | undefined {
    if (this.#free.length === 0) {
      return this.#equations.every(({ value }) => value.numerator === 0n) ? [] : undefined;
    }
    const scale = new PowersOfTwo(this.#free.length, this.#equations);
    const proposal = this.#propose(highs, scale);
    if (proposal === undefined) return undefined;
    const zero = rational(0);
    const support = new Set<number>();
    proposal.forEach((value, i) => {
      if (this.#free[i] || value > 1e-9) support.add(i);
    });
    // The optimum of a quadratic objective is no corner: simple fractions near it first.
    for (const within of this.#squares.size > 0 ? [1e-6, 1e-9, 1e-12] : [1e-9]) {
      const solution = solveSparse(this.#equations, {
        columns: support,
        guess: (column) =>
          multiply(nearFraction(proposal[column]!, { within }), scale.unitOf(column)),
      });
      const all = solution && this.#free.map((_, i) => solution.get(i) ?? zero);
      if (all?.every((value, i) => this.#free[i] || compare(value, zero) >= 0)) return all;
    }
    return undefined;
  }

  /** Returns the values that HiGHS proposes for the columns, each in its own unit. */
  #propose(highs: Highs, { rows, columns }: PowersOfTwo): number[] | undefined {
    const costs = this.#costs.map((cost, i) => cost * 2 ** columns[i]!);
    const squares = [...this.#squares].map(([i, weight]) =>
      [i, weight * 4 ** columns[i]!] as const
    );
    const most = Math.max(...costs.map(Math.abs), ...squares.map(([, weight]) => weight)) || 1;
    const lines = ["Minimize", " obj: 0 c0"];
    costs.forEach((cost, i) => cost !== 0 && lines.push(term(cost / most, i)));
    if (squares.length > 0) {
      lines.push("+ [");
      for (const [i, weight] of squares) lines.push(`+ ${2 * weight / most} c${i} ^ 2`);
      lines.push("] / 2");
    }
    lines.push("Subject To");
    for (const [row, { terms, value }] of this.#equations.entries()) {
      if (terms.size === 0) {
        if (value.numerator !== 0n) return undefined;
        continue;
      }
      lines.push(` r${row}:`);
      for (const [i, factor] of terms) {
        lines.push(term(toNumber(factor) * 2 ** (rows[row]! + columns[i]!), i));
      }
      lines.push(`= ${toNumber(value) * 2 ** rows[row]!}`);
    }
    lines.push("Bounds");
    this.#free.forEach((free, i) => free && lines.push(` c${i} free`));
    lines.push("End", "");
    const found = proposed(highs, lines.join("\n"));
    if (found?.Status !== "Optimal") return undefined;
    return this.#free.map((_, i) => {
      const column = found.Columns[`c${i}`];
      return column !== undefined && "Primal" in column ? column.Primal : 0;
    });
  }
}

/** Passes over rows and columns at most; most programs take few. */
const SCALING_PASSES = 60;

/**
 * Powers of two by which rows are multiplied and in which columns are measured, so that the factors of each are near 1 in geometric
 * mean (Curtis, Reid 1972). Numbers that are near 1 already stay as they are.
 */
class PowersOfTwo {
  readonly rows: number[];
  readonly columns: number[];

  constructor(count: number, equations: readonly Equation[]) {
    const entries = equations.flatMap(({ terms, value }, row) => [
      ...[...terms].map(([column, factor]) => ({ row, column, log: logarithm(factor) })),
      // What an equation demands scales its row, as a column whose unit stays 1.
      ...(value.numerator === 0n ? [] : [{ row, column: count, log: logarithm(value) }]),
    ]);
    this.rows = equations.map(() => 0);
    this.columns = Array.from({ length: count + 1 }, () => 0);
    if (entries.every(({ log }) => Math.abs(log) <= NEAR_ONE)) return;
    for (let pass = 0; pass < SCALING_PASSES; pass++) {
      const before = [...this.columns];
      balance(this.rows, entries.map(({ row, column, log }) => [row, log + this.columns[column]!]));
      balance(this.columns, entries.map(({ row, column, log }) => [column, log + this.rows[row]!]));
      this.columns[count] = 0;
      if (this.columns.every((each, i) => Math.abs(each - before[i]!) < 0.1)) break;
    }
    this.rows = this.rows.map(Math.round);
    this.columns = this.columns.map(Math.round);
  }

  /** Returns the unit of a column, exactly. */
  unitOf(column: number): Rational {
    return rational(2 ** this.columns[column]!);
  }
}

/** log₂ up to which factors are left as they are. */
const NEAR_ONE = 10;

/** Returns log₂ of the size of a fraction that is not 0. */
function logarithm({ numerator, denominator }: Rational): number {
  return bitLength(numerator) - bitLength(denominator);
}

/** Sets each scale to the opposite of the mean of its logarithms. */
function balance(scales: number[], logs: readonly (readonly [place: number, log: number])[]): void {
  const sums = scales.map(() => [0, 0] as [sum: number, count: number]);
  for (const [place, log] of logs) {
    sums[place]![0] += log;
    sums[place]![1]++;
  }
  sums.forEach(([sum, count], place) => {
    if (count > 0) scales[place] = -sum / count;
  });
}

/** Asks HiGHS for a solution. Some quadratic programs it solves only without what it adds to them to make them strictly convex. */
function proposed(highs: Highs, program: string): ReturnType<Highs["solve"]> | undefined {
  for (const options of [{}, { qp_regularization_value: 0 }]) {
    try {
      return highs.solve(program, { output_flag: false, ...options });
    } catch {
      // It failed: nothing is proposed this way.
    }
  }
  return undefined;
}

function term(factor: number, column: number): string {
  return `${factor < 0 ? "-" : "+"} ${Math.abs(factor)} c${column}`;
}

let loaded: Promise<Highs> | undefined;

/** Returns the solver, loaded once, where it is needed. */
export function solver(): Promise<Highs> {
  // The package's types take its module for the function that the module is.
  return loaded ??= import("highs").then(({ default: load }) =>
    (load as unknown as () => Promise<Highs>)()
  );
}
