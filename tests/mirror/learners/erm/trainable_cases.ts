import { type Calibration, leastTolerance } from "../../../../lib/learners/erm/calibration.ts";
import { huberHinge } from "../../../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../../../lib/learners/erm/logistic_loss.ts";
import { drawRandomFeatures } from "../../../../lib/learners/erm/random_features.ts";
import { squaredNorm } from "../../../../lib/learners/erm/regulariser.ts";
import type { requireTrainable } from "../../../../lib/learners/erm/require_trainable.ts";
import { denseRows } from "../../../../lib/learners/erm/rows.ts";
import type { SeededSource } from "../../../../lib/random/seeded_source.ts";
import {
  requireEqual,
  requireNear,
  requireRefused,
} from "../../../../proofs/engine/requirement.ts";
import type { Training } from "./training_kinds.ts";

/** A calibration that a solver can keep. */
export const solvable: Calibration = {
  perturbation: "objective",
  noise: { kind: "exponential-norm", rate: 1 },
  quadratic: 0,
  tolerance: 1,
  residualRate: 1,
  grid: 1,
  spent: { noise: 1, jacobian: 0, residual: 0 },
};

/** Training is refused where no solver in doubles could keep what its noise is for. */
export function requireTrainings(
  { requireSolvable, requireTrainable }: Training,
  source: SeededSource,
): void {
  const base = { lambda: 1, loss: logisticLoss, normBound: 1 };
  const flat = { ...base, loss: { ...logisticLoss, curvatureBound: 0 } };
  const sized: Record<string, (size: number) => void> = {
    "lambda must": (size) => requireSolvable(solvable, { ...flat, lambda: size }),
    "the grid of weights": (size) => requireSolvable({ ...solvable, grid: size }, flat),
    "normBound": (size) =>
      requireSolvable({ ...solvable, tolerance: 1e60 }, { ...flat, normBound: size }),
    "the scale of the noise": (size) =>
      requireSolvable({ ...solvable, noise: { kind: "gaussian", sigma: size } }, flat),
    "scale of the noise": (size) =>
      requireSolvable({ ...solvable, noise: { kind: "exponential-norm", rate: 1 / size } }, flat),
    "the scale of the second noise": (size) =>
      requireSolvable({ ...solvable, residualRate: 1 / size }, flat),
  };
  for (const [name, attempt] of Object.entries(sized)) {
    for (const size of [0.9e60, 1.1e-60, 1]) attempt(size);
    for (const size of [1.001e60, 0.999e-60, NaN, 1e-200, 1e200]) {
      requireRefused(`${name} of ${size}`, () => attempt(size), name);
    }
  }
  for (const size of [1 / 1e60, 1e60]) sized["lambda must"]!(size);
  requireSolvable({ ...solvable, residualRate: undefined }, flat);
  for (const loss of [logisticLoss, huberHinge(0.01)]) {
    for (const normBound of [0.5, 3]) {
      const least = leastTolerance({ normBound, loss }), given = { ...base, loss, normBound };
      requireNear(least, 2 ** -43 * normBound * (1 + loss.curvatureBound), { relative: 1e-15 });
      requireSolvable({ ...solvable, tolerance: least }, given);
      for (const tolerance of [least * (1 - 1e-15), NaN, 0]) {
        requireRefused(
          "a tolerance",
          () => requireSolvable({ ...solvable, tolerance }, given),
          "tolerance",
        );
      }
      const most = loss.curvatureBound * normBound ** 2 / 1e12;
      requireSolvable(solvable, { ...given, lambda: most * (1 + 1e-12) });
      requireSolvable({ ...solvable, quadratic: most }, { ...given, lambda: most * 1e-3 });
      requireRefused(
        "a small Λ",
        () => requireSolvable(solvable, { ...given, lambda: most * (1 - 1e-12) }),
        "lambda",
      );
      requireRefused(
        "a small Λ and quadratic",
        () =>
          requireSolvable({ ...solvable, quadratic: most / 2 }, { ...given, lambda: most * 0.4 }),
        "lambda",
      );
    }
  }
  const rows = denseRows([[1, 0], [0, 1]]);
  const check = (
    more: object,
    of: Parameters<typeof requireTrainable>[0] = rows,
  ): void =>
    requireTrainable(of, {
      epsilon: 1,
      lambda: 0.1,
      normBound: 1,
      labels: [1, -1],
      allowOneClass: true,
      ...more,
    });
  const kernel = { name: "gaussian", gamma: 1 } as const;
  const features = (inputCount: number) =>
    drawRandomFeatures(source, { kernel, inputCount, count: 5 });
  check({});
  check({ labels: [1, 1] });
  check({ allowOneClass: false });
  check({ intercept: 2 });
  check({ features: features(2) });
  const none = { kind: "dense", values: new Float64Array(0) } as const;
  for (const [rowCount, columnCount] of [[0, 2], [2, 0], [0, 0]] as const) {
    const labels = new Array<number>(rowCount).fill(1);
    requireRefused(
      `${rowCount} by ${columnCount}`,
      () => check({ labels }, { ...none, rowCount, columnCount }),
      `${rowCount} by ${columnCount}`,
    );
  }
  requireRefused("other columns", () => check({ features: features(3) }), "the 3 columns");
  requireRefused("a label too few", () => check({ labels: [1] }), "one a row");
  requireRefused("another label", () => check({ labels: [1, 0] }), "row 2");
  for (const labels of [[-1, -1], [1, 1]]) {
    requireRefused("one class", () => check({ labels, allowOneClass: false }), "two classes");
  }
  requireRefused(
    "one row",
    () => check({ labels: [1], allowOneClass: false }, denseRows([[1, 2]])),
    "two classes",
  );
  requireRefused("an intercept of 0", () => check({ intercept: 0 }), "intercept");
  requireRefused("no bound", () => check({ normBound: undefined }), "normBound");
  requireRefused(
    "δ with output perturbation",
    () => check({ delta: 0.1, perturbation: "output" }),
    "delta",
  );
  requireRefused(
    "no regulariser",
    () => check({ regulariser: { ...squaredNorm, value: () => -1 } }),
  );
  requireRefused("no loss", () => check({ loss: { ...logisticLoss, slope: () => -2 } }));
  // Noise of scale 10/ε on two rows, of 20/ε on one, and of 30/ε for three classes.
  const output = { epsilon: 1.8e-59, perturbation: "output" };
  check(output);
  for (const more of [{ trainedCount: 1 }, { classes: [-1, 1, 0] }]) {
    requireRefused(
      "noise of a small part",
      () => check({ ...output, ...more }),
      "the scale of the noise",
    );
  }
  for (
    const [more, expected] of [[{}, 2], [{ intercept: 1 }, 3], [{ features: features(2) }, 5], [{
      features: features(2),
      intercept: 1,
    }, 6]] as const
  ) {
    const sizes = new Set<number>();
    const regulariser = {
      ...squaredNorm,
      addGradient: (...given: Parameters<typeof squaredNorm.addGradient>): void => {
        sizes.add(given[0].length);
        squaredNorm.addGradient(...given);
      },
    };
    check({ ...more, regulariser });
    requireEqual([...sizes], [expected], "weights that a regulariser is tried at");
  }
  let visits = 0;
  const blocks = {
    kind: "blocks",
    rowCount: 2,
    columnCount: 2,
    valueCount: 4,
    rowsAtOnce: 2,
    visit: (): void => void visits++,
  } as const;
  check({}, blocks);
  requireEqual(visits, 1, "visits of rows in blocks");
}
