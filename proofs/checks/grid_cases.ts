import { logPeak } from "../../lib/accounting/loss_moment.ts";
import {
  approximateLoss,
  finiteLoss,
  gaussianLoss,
  laplaceLoss,
  type LossLaw,
} from "../../lib/accounting/privacy_loss.ts";
import { bestTilt, farProbability, type GridPart } from "../../lib/accounting/tilted_grid.ts";
import { gaussianDelta } from "../../lib/numeric/gaussian_delta.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { type Moments, sum } from "./moment_parts.ts";

/** Grids of losses, tilted and composed, are what sums over all outputs say. */
export function requireGrids(
  { tiltedGrid, composedDelta, optimisticGrid, pessimisticGrid }: Moments,
  source: SeededSource,
): void {
  for (let k = 0; k < 12; k++) {
    const size = 3 + k, first = (source.uint32() % 9) - 6, spacing = 0.1 + source.uniform() / 4;
    const masses = Float64Array.from(
      { length: size },
      (_, i) => i === 1 ? 0 : source.uniform() / size,
    );
    const grid = { spacing, first, masses, infinite: 0.01 * (k % 2), relativeError: 0 };
    for (const tilt of [0.2, 3, 40]) {
      const found = tiltedGrid({ grid, count: 3 }, { tilt });
      const weights = Array.from(masses, (mass, i) => mass * Math.exp(tilt * (i - size) * spacing));
      const total = sum(weights), shares = weights.map((weight) => weight / total);
      requireNear(found.logSum, Math.log(total) + tilt * (first + size) * spacing, {
        relative: 1e-12,
        absolute: 1e-13,
      });
      shares.forEach((share, i) =>
        requireNear(found.weights[i]!, share, { relative: 1e-12, what: "a weight" })
      );
      const mean = sum(shares.map((share, i) => share * i));
      requireNear(found.mean, first + mean, { relative: 1e-11, absolute: 1e-12, what: "a mean" });
      requireNear(found.variance, sum(shares.map((share, i) => share * (i - mean) ** 2)), {
        relative: 1e-10,
        absolute: 1e-12,
        what: "a variance",
      });
      // What is beyond an edge is no more than the bound, and not much less for three runs.
      let sums = new Map([[0, 1]]);
      for (let run = 0; run < 3; run++) {
        const next = new Map<number, number>();
        for (const [at, chance] of sums) {
          shares.forEach((share, i) =>
            next.set(at + first + i, (next.get(at + first + i) ?? 0) + chance * share)
          );
        }
        sums = next;
      }
      for (const [edge, side] of [[3 * first + 2 * size, 1], [3 * first + 2, -1]] as const) {
        const beyond = sum([...sums].map(([at, chance]) => side * (at - edge) >= 0 ? chance : 0));
        const bound = farProbability([found], { edge, side });
        requireThat(
          bound >= beyond * (1 - 1e-12) && bound <= 1,
          `${beyond} beyond ${edge}, at most ${bound}`,
        );
      }
    }
    const part: GridPart = { grid, count: 3 };
    let losses: [number, number][] = [[0, 1]];
    for (let run = 0; run < 3; run++) {
      losses = losses.flatMap(([at, chance]) =>
        Array.from(
          masses,
          (mass, i): [number, number] => [at + (first + i) * spacing, chance * mass],
        )
      );
    }
    const highest = 3 * (first + size - 1) * spacing;
    for (const epsilon of [0, 0.3, 0.9 * highest, highest + 0.1]) {
      if (epsilon < 0) continue;
      const infinite = 1 - (1 - grid.infinite) ** 3;
      const exact = infinite +
        sum(losses.map(([at, chance]) => at > epsilon ? chance * -Math.expm1(epsilon - at) : 0));
      const { lower, upper } = composedDelta([part], { epsilon });
      requireThat(
        lower <= exact * (1 + 1e-12) && exact * (1 - 1e-12) <= upper,
        `${exact} in [${lower}, ${upper}]`,
      );
      requireThat(upper - lower <= 1e-9 * upper + 1e-15, `[${lower}, ${upper}] is wide`);
      const tilt = bestTilt([part], { epsilon });
      const bound = (at: number): number =>
        logPeak(at) - at * epsilon + 3 * Math.log(sum(Array.from(masses, (mass, i) =>
            mass * Math.exp(at * (first + i - size) * spacing)))) +
        3 * at * size * spacing;
      if (epsilon < highest && tilt > 2e-4 && tilt < 5e3) {
        requireThat(
          bound(tilt) <= Math.min(bound(0.9 * tilt), bound(1.1 * tilt)) + 1e-3,
          `a tilt of ${tilt}`,
        );
      }
    }
  }
  requireEqual(composedDelta([], { epsilon: 0.5 }), { lower: 0, upper: 0 });
  // Both grids of a law: one above it, one below, with all of its probability.
  const laws: [LossLaw, (epsilon: number) => number][] = [
    [gaussianLoss({ mu: 0.7 }).forward, (epsilon) => gaussianDelta(0.7, epsilon)],
    [
      laplaceLoss({ epsilon: 1 }).forward,
      (epsilon) => epsilon < 1 ? -Math.expm1((epsilon - 1) / 2) : 0,
    ],
    [
      finiteLoss({ p: [0.5, 0.3, 0.2, 0], q: [0.2, 0.3, 0.4, 0.1] }).forward,
      (epsilon) =>
        sum(
          [[0.5, 0.2], [0.3, 0.3], [0.2, 0.4]].map(([p, q]) =>
            Math.max(0, p! - Math.exp(epsilon) * q!)
          ),
        ),
    ],
    [approximateLoss({ epsilon: 0.8, delta: 0.05 }).forward, (epsilon) => {
      const truth = 0.95 / (1 + Math.exp(-0.8));
      return 0.05 + Math.max(0, truth - Math.exp(epsilon) * (0.95 - truth));
    }],
  ];
  for (const [law, delta] of laws) {
    for (const spacing of [0.21, 0.05]) {
      const [above, below] = [pessimisticGrid(law, { spacing }), optimisticGrid(law, { spacing })];
      for (const { masses, infinite } of [above, below]) {
        requireNear(sum(Array.from(masses)) + infinite, 1, {
          absolute: 1e-10,
          what: "a grid’s probability",
        });
      }
      for (const epsilon of [0, 0.1, 0.33, 0.7]) {
        const exact = delta(epsilon);
        const { upper } = composedDelta([{ grid: above, count: 1 }], { epsilon: epsilon - 1e-11 });
        const { lower } = composedDelta([{ grid: below, count: 1 }], { epsilon: epsilon + 1e-11 });
        requireThat(
          lower <= exact * (1 + 1e-9) && exact <= upper * (1 + 1e-9),
          `${exact} in [${lower}, ${upper}]`,
        );
        // Both are off by the square of the spacing.
        const room = 0.6 * spacing * spacing + 1e-9;
        requireThat(
          upper - exact <= room &&
            exact - lower <= (law.intervalMass === undefined ? 0.1 : 2 * room),
          `δ of ${exact} in [${lower}, ${upper}] on a grid of ${spacing}`,
        );
      }
    }
  }
}
