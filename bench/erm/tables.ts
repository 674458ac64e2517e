import { crossValidate, type Estimate, type Labelled } from "./cross_validate.ts";
import type { LossName, Method, PrintedTable } from "./printed.ts";

/** One cell of a table: ours beside the printed one. */
export interface Cell extends Estimate {
  readonly loss: LossName;
  readonly method: Method;
  readonly exponent: number;
  readonly printed: number;
  /** Whether they differ by at most two of our standard errors plus 0.01. */
  readonly agrees: boolean;
}

type Folds = readonly { train: Labelled; test: Labelled }[];

/** Computes a table at ε = 0.1 with Algorithm 2's slack as printed. */
export function computeTable(
  folds: Folds,
  { table, repeats, seed, onCell }: {
    table: PrintedTable;
    repeats: number;
    seed: number;
    onCell: (cell: Cell) => void;
  },
): Cell[] {
  const cells: Cell[] = [];
  for (const loss of ["logistic", "huber"] as const) {
    for (const method of ["non-private", "output", "objective"] as const) {
      table.exponents.forEach((exponent, k) => {
        const lambda = 10 ** exponent;
        const ours = crossValidate(folds, {
          loss,
          method,
          lambda,
          epsilon: 0.1,
          // Output noise costs no new fit: five times the draws are as good as free.
          repeats: method === "output" ? 5 * repeats : repeats,
          seed,
          slack: "cms11",
        });
        const printed = table.errors[loss][method][k]!;
        const agrees = Math.abs(ours.error - printed) <= 2 * ours.standardError + 0.01;
        const cell = { ...ours, loss, method, exponent, printed, agrees };
        cells.push(cell);
        onCell(cell);
      });
    }
  }
  return cells;
}

/** One point of a figure. */
export interface Point extends Estimate {
  readonly loss: LossName;
  readonly method: Method;
  readonly epsilon: number;
  readonly exponent: number;
}

/** The values of ε of Figures 2 and 3, read off their kinks. */
export const FIGURE_EPSILONS: readonly number[] = [0.02, 0.05, 0.075, 0.1, 0.175, 0.25, 0.5];

/**
 * Error against ε as in Figures 2 and 3: for each method the Λ with the least error at ε = 0.1 in the
 * table (so chosen with the test errors, as in the paper: no privacy is claimed for these curves).
 */
export function computeFigure(
  folds: Folds,
  { cells, repeats, seed, onPoint }: {
    cells: readonly Cell[];
    repeats: number;
    seed: number;
    onPoint: (point: Point) => void;
  },
): Point[] {
  const points: Point[] = [];
  for (const loss of ["logistic", "huber"] as const) {
    for (const method of ["non-private", "output", "objective"] as const) {
      const best = cells.filter((cell) => cell.loss === loss && cell.method === method)
        .reduce((least, cell) => cell.error < least.error ? cell : least);
      for (const epsilon of method === "non-private" ? [0.5] : FIGURE_EPSILONS) {
        const ours = crossValidate(folds, {
          loss,
          method,
          lambda: 10 ** best.exponent,
          epsilon,
          repeats: method === "output" ? 5 * repeats : repeats,
          seed: seed + 1,
          slack: "cms11",
        });
        const point = { ...ours, loss, method, epsilon, exponent: best.exponent };
        points.push(point);
        onPoint(point);
      }
    }
  }
  return points;
}
