import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { logisticLoss } from "../../lib/learners/erm/logistic_loss.ts";
import type { Loss } from "../../lib/learners/erm/loss.ts";
import {
  type Regulariser,
  smoothElasticNet,
  squaredNorm,
} from "../../lib/learners/erm/regulariser.ts";
import { requireLoss } from "../../lib/learners/erm/require_loss.ts";
import { requireRegulariser } from "../../lib/learners/erm/require_regulariser.ts";
import { smoothedHinge } from "../../lib/learners/erm/smoothed_hinge.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import type { Parts } from "./training_sums.ts";

/** Losses as they are defined, in powers that the shipped ones do not share. */
const LOSSES: readonly (readonly [Loss, (z: number) => number, (z: number) => number, number])[] = [
  [
    logisticLoss,
    (z) => Math.log(1 + Math.exp(-z)),
    (z) => -Math.exp(-z) / (1 + Math.exp(-z)),
    0.25,
  ],
  ...[0.1, 0.5].map((h) =>
    [
      huberHinge(h),
      (z: number) => z > 1 + h ? 0 : z < 1 - h ? 1 - z : (1 + h - z) ** 2 / (4 * h),
      (z: number) => z > 1 + h ? 0 : z < 1 - h ? -1 : -(1 + h - z) / (2 * h),
      1 / (2 * h),
    ] as const
  ),
  ...[0.2, 1].map((h) =>
    [
      smoothedHinge(h),
      (z: number) => {
        const u = 1 - z;
        return u < -h
          ? 0
          : u > h
          ? u
          : 3 * h / 16 + u / 2 + 3 * u ** 2 / (8 * h) - u ** 4 / (16 * h ** 3);
      },
      (z: number) => {
        const u = 1 - z;
        return u < -h ? 0 : u > h ? -1 : -(1 / 2 + 3 * u / (4 * h) - u ** 3 / (4 * h ** 3));
      },
      3 / (4 * h),
    ] as const
  ),
];

/** For training parts. */
export function requireLosses(): void {
  for (const [loss, value, slope, bound] of LOSSES) {
    requireNear(loss.curvatureBound, bound);
    requireLoss(loss);
    const margins = Float64Array.from({ length: 1201 }, (_, k) => (k - 600) / 100);
    let sum = 0;
    for (const z of margins) {
      requireNear(loss.value(z), value(z), { absolute: 1e-12, what: `${loss.name}(${z})` });
      requireNear(loss.slope(z), slope(z), {
        absolute: 1e-12,
        what: `slope of ${loss.name} at ${z}`,
      });
      const second = (slope(z + 1e-5) - slope(z - 1e-5)) / 2e-5;
      const kink = Math.abs(loss.curvature(z + 1e-5) - loss.curvature(z - 1e-5)) > 0.01;
      if (!kink) {
        requireNear(loss.curvature(z), second, {
          absolute: 1e-3,
          what: `curvature of ${loss.name} at ${z}`,
        });
      }
      sum += value(z);
    }
    const slopes = new Float64Array(margins.length);
    const found = loss.sumAndSlopes?.(margins.slice(), { slopes });
    if (found === undefined) continue;
    requireNear(found, sum, { relative: 1e-11 });
    slopes.forEach((each, i) => requireNear(each, slope(margins[i]!), { absolute: 1e-13 }));
  }
  requireEqual([logisticLoss.value(800), logisticLoss.value(-800), logisticLoss.slope(-800)], [
    0,
    800,
    -1,
  ]);
  // Next to 0 the quotient is rounded beyond the bound.
  for (let k = 0; k < 2000; k++) {
    const curvature = logisticLoss.curvature(k * 1e-13);
    requireThat(curvature <= 1 / 4 && curvature > 0.2499, `a curvature of ${curvature}`);
  }
  for (const h of [0, -1, NaN, Infinity]) {
    requireRefused(`h of ${h}`, () => huberHinge(h));
    requireRefused(`h of ${h}`, () => smoothedHinge(h));
    if (h !== 0) requireRefused(`softening of ${h}`, () => smoothElasticNet(h));
  }
  const weights = Float64Array.of(0.5, -2, 0), net = smoothElasticNet(0.7);
  const norm = (f: number): number => f * f / 2 + 0.7 * (Math.sqrt(1 + f * f) - 1);
  requireNear(net.value(weights), weights.reduce((sum, f) => sum + norm(f), 0));
  requireNear(squaredNorm.value(weights), 2.125);
  for (
    const [regulariser, first, second] of [[squaredNorm, (f: number) => f, () => 1], [
      net,
      (f: number) => f + 0.7 * f / Math.sqrt(1 + f * f),
      (f: number) => 1 + 0.7 / Math.sqrt(1 + f * f) ** 3,
    ]] as const
  ) {
    const [gradient, matrix, image] = [
      new Float64Array(3).fill(1),
      new Float64Array(9).fill(1),
      new Float64Array(3).fill(1),
    ];
    regulariser.addGradient(weights, { scale: 2, into: gradient });
    regulariser.addHessian(weights, { scale: 2, into: matrix });
    regulariser.addHessianProduct(weights, {
      direction: Float64Array.of(1, 2, 3),
      scale: 2,
      into: image,
    });
    weights.forEach((f, j) => {
      requireNear(gradient[j]!, 1 + 2 * first(f));
      requireNear(matrix[j * 3 + j]!, 1 + 2 * second(f));
      requireNear(image[j]!, 1 + 2 * second(f) * (j + 1));
    });
    requireEqual([matrix[1], matrix[3], matrix[6]], [1, 1, 1]);
    requireRegulariser(regulariser, { columnCount: 3 });
  }
}

/** For training parts. */
export function requireRefusals({ requireLoss, requireRegulariser }: Parts): void {
  const good: Loss = {
    name: "own",
    curvatureBound: 0.25,
    value: logisticLoss.value,
    slope: logisticLoss.slope,
    curvature: logisticLoss.curvature,
  };
  requireLoss({ ...good });
  const bad: Record<string, Partial<Loss>> = {
    "a slope below −1": {
      value: (z) => 1.5 * logisticLoss.value(z),
      slope: (z) => 1.5 * logisticLoss.slope(z),
      curvature: (z) => 1.5 * logisticLoss.curvature(z),
      curvatureBound: 0.4,
    },
    "a slope above 0": {
      slope: (z) => logisticLoss.slope(z) + 1e-3,
      value: (z) => logisticLoss.value(z) + 1e-3 * z,
    },
    "a curvature above its bound": { curvatureBound: 0.24 },
    "a bound of 0": { curvatureBound: 0 },
    "a bound that is no number": { curvatureBound: NaN },
    "a curvature below 0": {
      curvature: (z) => logisticLoss.curvature(z) - (Math.abs(z) > 5 ? 0.01 : 0),
    },
    "a curvature of half the slope's": { curvature: (z) => logisticLoss.curvature(z) / 2 },
    "a value of twice the slope's": { value: (z) => 2 * logisticLoss.value(z) },
    "a value that is not finite": { value: (z) => z > 100 ? Infinity : logisticLoss.value(z) },
    "a loss that is not convex": {
      value: (z) => z > 3 ? logisticLoss.value(3) - 0.02 * (z - 3) : logisticLoss.value(z),
      slope: (z) => z > 3 ? -0.9 : logisticLoss.slope(z),
      curvature: (z) => z > 3 ? 0 : logisticLoss.curvature(z),
    },
    "a slope that jumps": {
      slope: (z) => z < 0.3 ? -1 : 0,
      value: (z) => Math.max(0, 0.3 - z),
      curvature: () => 0,
    },
    "another answer when asked again": {
      value: (() => {
        let k = 0;
        return (z: number) => logisticLoss.value(z) + (k++ > 20_000 ? 1e-9 * k : 0);
      })(),
    },
    "sums that are not those of its values": {
      sumAndSlopes: (margins, { slopes }) => logisticLoss.sumAndSlopes!(margins, { slopes }) + 1,
    },
    "slopes together that are not its slopes": {
      sumAndSlopes: (margins, { slopes }) => {
        const sum = logisticLoss.sumAndSlopes!(margins, { slopes });
        slopes[7]! *= 0.9;
        return sum;
      },
    },
  };
  for (const [name, part] of Object.entries(bad)) {
    requireRefused(name, () => requireLoss({ ...good, ...part }));
  }
  // One that was good may change under its name.
  const changing = { ...good };
  requireLoss(changing);
  changing.curvature = (z) => 3 * logisticLoss.curvature(z);
  requireRefused("a loss that changed", () => requireLoss(changing));
  const net = smoothElasticNet(0.5);
  const own: Regulariser = { ...net, name: "own" };
  for (const columnCount of [1, 3, 40]) requireRegulariser(own, { columnCount });
  const worse: Record<string, Partial<Regulariser>> = {
    "half its value": { value: (f) => net.value(f) / 2 },
    "a value that is not finite": { value: (f) => f[0]! > 100 ? Infinity : net.value(f) },
    "half its gradient": {
      addGradient: (f, { scale, into }) => net.addGradient(f, { scale: scale / 2, into }),
    },
    "a gradient without its scale": {
      addGradient: (f, { into }) => net.addGradient(f, { scale: 1, into }),
    },
    "another Hessian": {
      addHessian: (f, { scale, into }) => net.addHessian(f, { scale: 2 * scale, into }),
    },
    "another product": {
      addHessianProduct: (f, { direction, scale, into }) =>
        net.addHessianProduct(f, { direction, scale: 1.1 * scale, into }),
    },
    "weak along the last axis": {
      value: (f) => net.value(f) - 0.3 * f.at(-1)! ** 2,
      addGradient: (f, { scale, into }) => {
        net.addGradient(f, { scale, into });
        into[f.length - 1]! -= 0.6 * scale * f.at(-1)!;
      },
      addHessian: (f, { scale, into }) => {
        net.addHessian(f, { scale, into });
        into[f.length ** 2 - 1]! -= 0.6 * scale;
      },
      addHessianProduct: (f, { direction, scale, into }) => {
        net.addHessianProduct(f, { direction, scale, into });
        into[f.length - 1]! -= 0.6 * scale * direction.at(-1)!;
      },
    },
  };
  for (const [name, part] of Object.entries(worse)) {
    for (const columnCount of [1, 3]) {
      requireRefused(
        `${name} in ${columnCount}`,
        () => requireRegulariser({ ...own, ...part }, { columnCount }),
      );
    }
  }
}
