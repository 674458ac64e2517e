import fc from "fast-check";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import {
  dpSgdMechanism,
  type DpSgdOptions,
  fitDpSgd,
} from "../../../lib/dp/learners/sgd/dp_sgd.ts";
import { below, dimensions, NOT_A_COUNT, NOT_POSITIVE, pick, scaled } from "../draws.ts";
import { neighbours } from "../neighbours.ts";
import { ScriptedSource } from "../scripted_source.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** The first step with every row in the sample and no noise: what one row changes, as a share of the norm that is clipped to. */
function firstStepShare(
  { options, left, right }: Case<DpSgdOptions, LabelledRow, number[]>,
): number {
  const step = dpSgdMechanism({ ...options, steps: 1 });
  const one = step.sample(left, new ScriptedSource());
  const other = step.sample(right, new ScriptedSource());
  const moved = Math.hypot(...one.map((weight, j) => weight - other[j]!));
  return moved / (options.learningRate * options.clip);
}

/** Private stochastic gradient descent. */
export const dpSgdSweeps: readonly Sweep[] = [
  sweep<DpSgdOptions, LabelledRow, number[]>({
    name: "fitDpSgd()",
    covers: ["fitDpSgd", "dpSgdClaim", "dpSgdMechanism", "sampleDpSgd"],
    options: fc.record<DpSgdOptions>({
      columnCount: dimensions(6),
      steps: fc.integer({ min: 1, max: 10 }),
      rate: fc.constantFrom(0.01, 0.3, 1),
      clip: scaled({ min: 1e-3, max: 1e3 }),
      noiseMultiplier: scaled({ min: 3, max: 50 }),
      learningRate: scaled({ min: 1e-3, max: 10 }),
      delta: scaled({ min: 1e-6, max: 0.1 }),
    }),
    make: dpSgdMechanism,
    pair: ({ columnCount, clip }, source) => {
      const row = (from: typeof source): LabelledRow => {
        const size = clip * pick(from, [0.1, 1, 10, 1e6]);
        return {
          features: Array.from({ length: columnCount }, () => size * pick(from, [1, -1, 0.3, 0])),
          label: pick(from, [1, -1, 0]),
        };
      };
      return neighbours<LabelledRow>(source, {
        relation: "add-remove-one",
        rows: {
          row,
          opposite: (_, { features, label }) => ({ features, label: -label }),
          size: { min: 1 + below(source, 1), max: 10 },
        },
      });
    },
    share: firstStepShare,
    // Sums of many steps of the grid are rounded once they are weights.
    tolerance: 1e-6,
    attained: 0.9,
    shape: (output, { options }) =>
      output.length === options.columnCount && output.every(Number.isFinite),
    badOptions: {
      columnCount: NOT_A_COUNT,
      steps: NOT_A_COUNT,
      rate: [...NOT_POSITIVE, 1.1],
      clip: NOT_POSITIVE,
      noiseMultiplier: [...NOT_POSITIVE, 0.01, 1000],
      learningRate: NOT_POSITIVE,
      delta: [...NOT_POSITIVE, 1],
    },
    release: (options, data, spending) => fitDpSgd(data, { ...options, ...spending }),
    cases: 5,
  }),
];
