import {
  calibrateAsRead,
  crossValidate,
  type Estimate,
  type Labelled,
  type Trial,
} from "./cross_validate.ts";
import type { LossName, Method, PrintedTable } from "./printed.ts";
import type { Reading } from "./readings.ts";

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

/**
 * Computes a table at ε = 0.1 with Algorithm 2's slack as printed. Where Λ + Δ and shared noise are
 * those of a cell already computed (all small Λ of a loss), so is the cell.
 */
export function computeTable(
  folds: Folds,
  { table, reading, repeats, seed, onCell }: {
    table: PrintedTable;
    reading: Reading;
    repeats: number;
    seed: number;
    onCell: (cell: Cell) => void;
  },
): Cell[] {
  const cells: Cell[] = [];
  const known = new Map<string, Estimate>();
  for (const loss of ["logistic", "huber"] as const) {
    for (const method of ["non-private", "output", "objective"] as const) {
      table.exponents.forEach((exponent, k) => {
        const trial = {
          loss,
          method,
          lambda: 10 ** exponent,
          epsilon: 0.1,
          slack: "cms11",
          reading,
        } as const;
        const key = workOf(folds[0]!.train, trial);
        const ours = known.get(key) ?? crossValidate(folds, { ...trial, repeats, seed });
        known.set(key, ours);
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

/** A name for the minimisations of a trial: equal where they are, but for rounding. */
function workOf(train: Labelled, trial: Trial): string {
  const { loss, method, lambda, reading } = trial;
  if (method !== "objective" || reading.draws === "fresh") return `${loss} ${method} ${lambda}`;
  const { quadratic, noise } = calibrateAsRead(train, trial);
  return `${loss} ${method} ${(lambda + quadratic).toPrecision(10)} ${JSON.stringify(noise)}`;
}

/** One point of a figure. */
export interface Point extends Estimate {
  readonly loss: LossName;
  readonly method: FigureMethod;
  readonly epsilon: number;
  readonly exponent: number;
}

/** The methods of the paper, and objective perturbation with the tight slack, this library's default. */
export type FigureMethod = Method | "tight objective";

/** The values of ε of Figures 2 and 3, read off their kinks. */
export const FIGURE_EPSILONS: readonly number[] = [0.02, 0.05, 0.075, 0.1, 0.175, 0.25, 0.5];

/**
 * Error against ε as in Figures 2 and 3: for each method the Λ with the least error at ε = 0.1 in the
 * table (so chosen with the test errors, as in the paper: no privacy is claimed for these curves). Draws
 * of noise are fresh in every fold, which tells more for as many fits.
 */
export function computeFigure(
  folds: Folds,
  { cells, reading, repeats, seed, onPoint }: {
    cells: readonly Cell[];
    reading: Reading;
    repeats: number;
    seed: number;
    onPoint: (point: Point) => void;
  },
): Point[] {
  const points: Point[] = [];
  for (const loss of ["logistic", "huber"] as const) {
    for (const name of ["non-private", "output", "objective", "tight objective"] as const) {
      const tight = name === "tight objective", method = tight ? "objective" : name;
      const best = cells.filter((cell) => cell.loss === loss && cell.method === method)
        .reduce((least, cell) => cell.error < least.error ? cell : least);
      for (const epsilon of method === "non-private" ? [0.5] : FIGURE_EPSILONS) {
        const ours = crossValidate(folds, {
          loss,
          method,
          lambda: 10 ** best.exponent,
          epsilon,
          // Output noise costs no new fit: five times the draws are as good as free.
          repeats: method === "output" ? 5 * repeats : repeats,
          seed: seed + 1,
          slack: tight ? "tight" : "cms11",
          reading: { ...reading, draws: "fresh" },
        });
        const point = { ...ours, loss, method: name, epsilon, exponent: best.exponent };
        points.push(point);
        onPoint(point);
      }
    }
  }
  return points;
}
