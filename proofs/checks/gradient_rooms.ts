import type { gradientNormBound, rowsRounding } from "../../lib/learners/erm/gradient_bound.ts";
import type { Loss } from "../../lib/learners/erm/loss.ts";
import { allocateEvaluation, type Problem } from "../../lib/learners/erm/problem.ts";
import {
  type Regulariser,
  smoothElasticNet,
  squaredNorm,
} from "../../lib/learners/erm/regulariser.ts";
import { denseRows, type Rows } from "../../lib/learners/erm/rows.ts";
import { requireNear } from "../engine/requirement.ts";
import { sparseOf } from "./sparse_of.ts";

/** Half the distance from 1 to the next double. */
export const U: number = 2 ** -53;

/** γ_k = ku/(1 − ku). */
export const gamma = (k: number): number => k * U / (1 - k * U);

/** The Euclidean norm. */
export const length = (vector: ArrayLike<number>): number => Math.hypot(...Array.from(vector));

/** A slope that rises from −1 at `from` to 0, by `steep` for each unit; `bound` is what it states. */
export function ramp(
  { from, steep, bound = steep }: { from: number; steep: number; bound?: number },
): Loss {
  const slope = (z: number): number => Math.max(-1, Math.min(0, (z - from) * steep - 1));
  return { name: "ramp", curvatureBound: bound, value: () => 0, slope, curvature: () => 0 };
}

interface Rounded {
  readonly rows: readonly (readonly number[])[];
  readonly loss: Loss;
  readonly margins: ArrayLike<number>;
  readonly errors: readonly number[];
  readonly rowCount: number;
}

/** (1/n)Σ (how far the slope may be off, and twice its own rounding)·‖x‖, and (1/n)Σ (|slope| and its rounding)·‖x‖. */
export function roundingOfRows(
  { rows, loss, margins, errors, rowCount }: Rounded,
): { slopes: number; mass: number } {
  const own = 32 * U * (1 + loss.curvatureBound);
  let slopes = 0, mass = 0;
  rows.forEach((row, i) => {
    const margin = margins[i]!,
      slope = loss.slope(margin),
      error = errors[i]! + 4 * U * Math.abs(margin);
    const [below, above] = [margin - error, margin + error].map(loss.slope) as [number, number];
    slopes += (Math.max(0, above - slope, slope - below) + 2 * own) * length(row) / rowCount;
    mass += (Math.abs(slope) + own) * length(row) / rowCount;
  });
  return { slopes, mass };
}

/** Rows of which some entries are 0. */
export const TABLE: readonly (readonly number[])[] = [
  [3, 0, -4],
  [0, 0, 0],
  [0, 12, 5],
  [1, 2, 2],
  [0, 0, -7],
];
/** Those rows with their zeros and without. */
export const LAYOUTS: readonly Rows[] = [denseRows(TABLE), sparseOf(TABLE)];

/** A problem on rows that all have the sign 1. */
export function problemOn(
  rows: Rows,
  { loss, lambda, quadratic = 0, linear, regulariser = squaredNorm }: {
    readonly loss: Loss;
    readonly lambda: number;
    readonly quadratic?: number | undefined;
    readonly linear?: readonly number[] | undefined;
    readonly regulariser?: Regulariser | undefined;
  },
): Problem {
  return {
    rows,
    signs: new Float64Array(rows.rowCount).fill(1),
    loss,
    regulariser,
    lambda,
    quadratic,
    ...(linear === undefined ? {} : { linear: Float64Array.from(linear) }),
  };
}

/** How many entries of each row of {@linkcode TABLE} such rows store. */
export function storedIn({ kind }: Rows): number[] {
  return TABLE.map((row) => kind === "dense" ? row.length : row.filter((x) => x !== 0).length);
}

/** What rounded margins do to slopes, row by row. */
export function requireRowRoundings(rounding: typeof rowsRounding): void {
  const falling: Loss = { ...ramp({ from: 0, steep: 1 }), slope: (z) => -0.5 - z / 100 };
  for (
    const [loss, margins] of [
      // Inside a ramp, at both of its ends, and beyond; errors that reach over an end.
      [ramp({ from: 0, steep: 1 }), [0.5, 0, 1, -0.05, 1.1]],
      // A stated bound so large that a slope's own rounding counts.
      [ramp({ from: 0, steep: 1, bound: 1e13 }), [0.5, 2, 1, -3, 1.1]],
      // Margins so large that they are known to some units only.
      [ramp({ from: 2 ** 53, steep: 1 / 64 }), [1, 1, 1, 1, 1].map((_, i) => 2 ** 53 + 16 * i)],
      [
        ramp({ from: -(2 ** 53), steep: 1 / 64 }),
        [1, 1, 1, 1, 1].map((_, i) => -(2 ** 53) + 16 * i),
      ],
      // A slope that falls is off by nothing on either side.
      [falling, [0.5, 0, 1, -0.05, 1.1]],
    ] as const
  ) {
    for (const errors of [[0.1, 0.2, 0.3, 0.4, 0.05], [0, 0, 0, 0, 0]]) {
      for (const rowCount of [5, 40]) {
        const stated = roundingOfRows({ rows: TABLE, loss, margins, errors, rowCount });
        for (const rows of LAYOUTS) {
          const found = rounding(rows, {
            loss,
            margins: Float64Array.from(margins),
            errors: Float64Array.from(errors),
            rowCount,
          });
          requireNear(found.slopes, stated.slopes, { what: "what slopes are off by" });
          requireNear(found.mass, stated.mass, { what: "the size of slopes" });
        }
      }
    }
  }
}

interface Setting {
  readonly loss: Loss;
  readonly margins: readonly number[];
  readonly weights: readonly number[];
  readonly gradient?: readonly number[];
  readonly lambda?: number;
  readonly quadratic?: number;
  readonly linear?: readonly number[];
  readonly regulariser?: Regulariser;
}

/** A slope of 0. */
export const flat: Loss = ramp({ from: -1e300, steep: 1 });

/** The bound on a gradient is its computed norm and the stated room for each rounding: the terms, one after the other, where they are all that there is. */
export function requireGradientRooms(boundOf: typeof gradientNormBound): void {
  const settings: Record<string, Setting> = {
    // Margins of some 1e15, with errors of a tenth: within a ramp that is 1 wide.
    "margins": {
      loss: ramp({ from: 0, steep: 1 }),
      margins: [0.5, 0, 1, -0.05, 1.1],
      weights: [3e13, -2e13, 1e13],
    },
    "slopes": {
      loss: ramp({ from: 0, steep: 1 }),
      margins: [0.5, 0, 1, -5, 3],
      weights: [0, 0, 0],
    },
    "a steep loss": {
      loss: ramp({ from: 0, steep: 1, bound: 1e9 }),
      margins: [0.5, 0, 1, -5, 3],
      weights: [1, 1, 1],
    },
    "Δ": {
      loss: flat,
      margins: [0, 0, 0, 0, 0],
      weights: [3e9, -4e9, 1e8],
      quadratic: 7,
      lambda: 1e-9,
    },
    "a tilt": { loss: flat, margins: [0, 0, 0, 0, 0], weights: [1, 0, 0], linear: [3e5, 4e5, 1e5] },
    "Λ": { loss: flat, margins: [0, 0, 0, 0, 0], weights: [3e9, -4e9, 1e8], lambda: 3 },
    "another regulariser": {
      loss: flat,
      margins: [0, 0, 0, 0, 0],
      weights: [3, -4, 1],
      lambda: 1e6,
      regulariser: smoothElasticNet(0.7),
    },
    "a gradient": {
      loss: flat,
      margins: [0, 0, 0, 0, 0],
      weights: [0, 0, 0],
      gradient: [3, 4, 12],
    },
  };
  for (const [name, setting] of Object.entries(settings)) {
    const {
      loss,
      margins,
      weights,
      lambda = 1e-3,
      quadratic = 0,
      linear,
      regulariser = squaredNorm,
    } = setting;
    const errors = TABLE.map((row) =>
      row.reduce((sum, x, j) => sum + Math.abs(x * weights[j]!), 0)
    );
    for (const rows of LAYOUTS) {
      const problem = problemOn(rows, { loss, regulariser, lambda, quadratic, linear });
      const at = allocateEvaluation(problem);
      at.weights.set(weights);
      at.margins.set(margins);
      at.gradient.set(setting.gradient ?? [0, 0, 0]);
      const stored = storedIn(rows);
      const { slopes, mass } = roundingOfRows({
        rows: TABLE,
        loss,
        margins,
        errors: errors.map((each, i) =>
          gamma(stored[i]! + 2) * each * (1 + gamma(stored[i]! + 2)) + 1e-300
        ),
        rowCount: 5,
      });
      const pull = new Float64Array(3);
      regulariser.addGradient(at.weights, { scale: lambda, into: pull });
      const sums = gamma(130) + gamma(5) ** 2;
      const others = mass + quadratic * length(weights) + length(linear ?? []);
      const rounding = slopes + sums * mass + 8 * U * others + 24 * U * length(pull);
      requireNear(
        boundOf(problem, at) - length(at.gradient),
        length(at.gradient) * gamma(11) + rounding * (1 + 1e-6) + 1e-290,
        { relative: name === "a gradient" ? 0.07 : 1e-12, what: `the room for ${name}` },
      );
    }
  }
  // What is left where nothing is rounded.
  const nothing = problemOn(denseRows([[0, 0]]), { loss: flat, lambda: 1 });
  requireNear(boundOf(nothing, allocateEvaluation(nothing)), 1e-290);
  // Each coordinate of a gradient adds its own rounding to the norm.
  for (const d of [1, 300]) {
    const wide = { ...nothing, rows: denseRows([new Array<number>(d).fill(0)]) };
    const at = allocateEvaluation(wide);
    at.gradient[d - 1] = 2 ** 40;
    requireNear((boundOf(wide, at) - 2 ** 40) / 2 ** 40, gamma(d + 8), { absolute: 2.3e-16 });
  }
}
