import type { Highs } from "highs";
import { compare, type Rational, rational, toNumber } from "../../numeric/rational.ts";
import { nearFraction } from "./near_fraction.ts";
import { solveSparse } from "./solve_sparse.ts";

/** One equation: Σ coefficient·column = value. */
export interface Equation {
  /** Coefficients by the places of columns. */
  readonly terms: ReadonlyMap<number, Rational>;
  readonly value: Rational;
}

/**
 * A linear program with exact numbers: columns of at least 0 unless they are free, equations, and an objective in floating point
 * that is minimised.
 */
export class ExactProgram {
  readonly #free: boolean[] = [];
  readonly #costs: number[] = [];
  readonly #squares = new Map<number, number>();
  readonly #equations: Equation[] = [];

  /** A new column. @returns its place. */
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
   * HiGHS proposes in floating point; the columns that it leaves at 0 stay there, and the others are solved for in fractions.
   */
  solve(highs: Highs): Rational[] | undefined {
    if (this.#free.length === 0) {
      return this.#equations.every(({ value }) => value.numerator === 0n) ? [] : undefined;
    }
    const proposal = this.#propose(highs);
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
        guess: (column) => nearFraction(proposal[column]!, { within }),
      });
      const all = solution && this.#free.map((_, i) => solution.get(i) ?? zero);
      if (all?.every((value, i) => this.#free[i] || compare(value, zero) >= 0)) return all;
    }
    return undefined;
  }

  #propose(highs: Highs): number[] | undefined {
    const lines = ["Minimize", " obj: 0 c0"];
    this.#costs.forEach((cost, i) => cost !== 0 && lines.push(term(cost, i)));
    if (this.#squares.size > 0) {
      lines.push("+ [");
      for (const [i, weight] of this.#squares) lines.push(`+ ${2 * weight} c${i} ^ 2`);
      lines.push("] / 2");
    }
    lines.push("Subject To");
    for (const [row, { terms, value }] of this.#equations.entries()) {
      if (terms.size === 0) {
        if (value.numerator !== 0n) return undefined;
        continue;
      }
      lines.push(` r${row}:`);
      for (const [i, factor] of terms) lines.push(term(toNumber(factor), i));
      lines.push(`= ${toNumber(value)}`);
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

/** What HiGHS says. Some quadratic programs it solves only without what it adds to them to make them strictly convex. */
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

/** The solver, loaded once, where it is needed. */
export function solver(): Promise<Highs> {
  // The package's types take its module for the function that the module is.
  return loaded ??= import("highs").then(({ default: load }) =>
    (load as unknown as () => Promise<Highs>)()
  );
}
