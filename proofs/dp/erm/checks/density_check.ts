import { largestLogRatio } from "../../../tools/density_ratio.ts";
import type { Calibration } from "../../../../lib/dp/learners/erm/noise/calibration.ts";
import {
  objectivePerturbationLogDensity,
  outputPerturbationLogDensity,
} from "../../../../lib/dp/learners/erm/noise/log_density.ts";
import type { Loss } from "../../../../lib/dp/learners/erm/losses/loss.ts";
import {
  type Regulariser,
  squaredNorm,
} from "../../../../lib/dp/learners/erm/losses/regulariser.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { generatedNeighbours, type Labelled, type Neighbours, risk } from "./training_data.ts";
import { atMost, short } from "../../../engine/outcome.ts";
import type { CheckOptions, Outcome } from "../../../engine/theorem.ts";

/** The declared numbers of one training. */
export interface Setting {
  readonly epsilon: number;
  readonly rowCount: number;
  readonly lambda: number;
  readonly normBound: number;
  readonly loss: Loss;
}

/** A private learner as the density check sees it: what it minimises, and how it sets its noise. */
export interface DensityLearner {
  readonly losses: readonly Loss[];
  readonly regulariser?: Regulariser;
  readonly calibrate: (setting: Setting) => Calibration;
  /** The norm of the rows, where it differs from the bound that noise is set for. */
  readonly rowNorm?: number;
}

/** ln of the density of the learner's exact minimiser. */
function ermLogDensity(
  weights: Float64Array,
  options: Parameters<typeof objectivePerturbationLogDensity>[1],
): number {
  return options.calibration.perturbation === "output"
    ? outputPerturbationLogDensity(weights, options)
    : objectivePerturbationLogDensity(weights, options);
}

/**
 * The exact density ratio over generated neighbours of 1, 2 or 4 rows in 1 to 3 columns, for ε, Λ and norm
 * bounds on several scales, by local ascent over the minimiser: the worst share of ε.
 */
export function densityOutcome(
  { losses, regulariser = squaredNorm, calibrate, rowNorm }: DensityLearner,
  { seed, pairs = 24, starts = 4 }: CheckOptions & { pairs?: number; starts?: number },
): Outcome {
  let worst = 0, witness = "";
  for (const loss of losses) {
    const source = new SeededSource(seed).split(`neighbours of ${loss.name}`);
    const choose = (values: readonly number[]): number => values[source.uint32() % values.length]!;
    for (let k = 0; k < pairs; k++) {
      // The first two are opposite labels alone, where the bounds are attained.
      const opposite = k < 2;
      const setting: Setting = {
        epsilon: opposite ? 1 : choose([0.1, 1, 3]),
        rowCount: opposite ? 1 : choose([1, 2, 4]),
        lambda: opposite ? [0.3, 5][k]! : choose([0.01, 0.3, 5]),
        normBound: rowNorm === undefined && !opposite ? choose([0.5, 1, 3]) : 1,
        loss,
      };
      const { epsilon, rowCount: n, lambda } = setting;
      const normBound = rowNorm ?? setting.normBound;
      const calibration = calibrate(setting);
      const d = opposite ? 1 : choose([1, 2, 3]);
      const pair: Neighbours = opposite
        ? { left: [[[normBound], 1]], right: [[[normBound], -1]] }
        : generatedNeighbours(source, { n, d, normBound });
      const found = largestLogRatio<readonly Labelled[]>({
        pairs: [pair],
        logDensity: (weights, data) =>
          ermLogDensity(weights, { ...risk(data, { loss, regulariser, lambda }), calibration }),
        dimension: d,
        starts,
        seed: seed + k,
      });
      if (found.loss / epsilon > worst || Number.isNaN(found.loss / epsilon)) {
        worst = found.loss / epsilon;
        const [[first], [second]] = [pair.left, pair.right];
        witness = `${loss.name}, ε = ${epsilon}, n = ${n}, Λ = ${lambda}: row ` +
          `${row(first!)} against ${row(second!)} at f = ${vector(found.output)} loses ` +
          `${short(found.loss)}`;
      }
    }
  }
  return atMost(1, {
    value: worst,
    detail: `${pairs} pairs a loss, local ascent over f; the worst loses ${short(worst)} ε`,
    witness,
    tolerance: 1e-6,
  });
}

function row([features, label]: Labelled): string {
  return `(${vector(features)}; ${label > 0 ? "+1" : "−1"})`;
}

function vector(values: ArrayLike<number>): string {
  return Array.from(values, short).join(", ");
}
