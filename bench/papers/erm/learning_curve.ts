import { selectRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { shuffle } from "../../../lib/core/random/shuffle.ts";
import { crossValidate, type Estimate, estimate, type Labelled } from "./cross_validate.ts";
import type { LossName, Method } from "./printed.ts";
import type { Reading } from "./readings.ts";

/** One point of a learning curve. */
export interface CurvePoint extends Estimate {
  readonly loss: LossName;
  readonly method: Method;
  readonly epsilon: number;
  readonly rowCount: number;
}

/** The privacy levels of Figures 4 and 5. */
const EPSILONS = [0.01, 0.05];

/** "Five values" in the paper, which does not give them: those of its tables that are not tiny. */
const EXPONENTS = [-3.5, -3, -2.5, -2, -1.5];

const PERMUTATIONS = 5;

/**
 * Error against the number of training rows, as section 7.3 and Figures 4 and 5 of Chaudhuri, Monteleoni,
 * Sarwate 2011: in each of five permutations of the rows, Λ is the one of five with the least mean error on
 * validation rows, and the point is its mean error on test rows. Five sizes, from a seventh to five
 * sevenths of the rows; a seventh each to validate and to test.
 */
export function learningCurve(
  { rows, signs }: Labelled,
  { reading, repeats, seed, onPoint }: {
    reading: Reading;
    repeats: number;
    seed: number;
    onPoint: (point: CurvePoint) => void;
  },
): CurvePoint[] {
  const part = Math.floor(rows.rowCount / 7);
  const permuted = Array.from({ length: PERMUTATIONS }, (_, p) => {
    const order = shuffle(
      new SeededSource(seed).split(`permutation ${p}`),
      Int32Array.from({ length: rows.rowCount }, (_, i) => i),
    );
    return (from: number, to: number): Labelled => ({
      rows: selectRows(rows, order.subarray(from, to)),
      signs: Float64Array.from(order.subarray(from, to), (i) => signs[i]!),
    });
  });
  const points: CurvePoint[] = [];
  for (const loss of ["logistic", "huber"] as const) {
    for (const epsilon of EPSILONS) {
      for (const method of ["non-private", "output", "objective"] as const) {
        for (let parts = 1; parts <= 5; parts++) {
          const rowCount = parts * part;
          const errors = permuted.map((pick, p) =>
            errorOfChosen({
              train: pick(2 * part, 2 * part + rowCount),
              validation: pick(0, part),
              test: pick(part, 2 * part),
              // Equal seeds: the same private models are validated and tested.
              run: { loss, method, epsilon, slack: "cms11", reading, repeats, seed: seed + 1 + p },
            })
          );
          const point = { ...estimate(errors), loss, method, epsilon, rowCount };
          points.push(point);
          onPoint(point);
        }
      }
    }
  }
  return points;
}

function errorOfChosen(
  { train, validation, test, run }: {
    train: Labelled;
    validation: Labelled;
    test: Labelled;
    run: Omit<Parameters<typeof crossValidate>[1], "lambda">;
  },
): number {
  const errorOn = (rows: Labelled, exponent: number): number =>
    crossValidate([{ train, test: rows }], { ...run, lambda: 10 ** exponent }).error;
  const validated = EXPONENTS.map((exponent) => ({
    exponent,
    error: errorOn(validation, exponent),
  }));
  const chosen = validated.reduce((least, each) => each.error < least.error ? each : least);
  return errorOn(test, chosen.exponent);
}
