import fc from "fast-check";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import type { Sides } from "../../../proofs/tools/density_ratio.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { gaussianTreeCounts, treeCounts } from "../../../lib/dp/mechanisms/tree_counts.ts";
import {
  below,
  chance,
  dimensions,
  epsilons,
  NOT_A_COUNT,
  NOT_OF_ROWS,
  NOT_POSITIVE,
  pick,
  relationOf,
  rhos,
  rowRelations,
} from "../draws.ts";
import { drawnGaussianShare, drawnLaplaceShare, noiseless } from "../drawn_noise.ts";
import { neighbours } from "../neighbours.ts";
import { densityShare } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** Options of both. */
interface Stream {
  readonly relation: "replace-one" | "add-remove-one";
  /** T. */
  readonly steps: number;
}

const streams = { relation: rowRelations, steps: dimensions() };

const optionsOf = ({ relation, steps }: Stream) => ({
  steps,
  stepOf: (step: number) => step,
  relation: relationOf(relation),
});

/** What a mechanism of running counts adds noise to: count t less the count at t without its last binary one. */
function nodesOf(
  { name, claim, sample }: Mechanism<number, number[]>,
): Mechanism<number, number[]> {
  return {
    name,
    claim,
    sample: (data, source) => {
      const counts = [0, ...sample(data, source)];
      return counts.map((count, t) => t === 0 ? 0 : count - counts[t & (t - 1)]!).slice(1);
    },
  };
}

/** Steps in the fewest and the most nodes, those around the largest power of two, others, and no step at all. */
function pairOf({ relation, steps }: Stream, source: SeededSource): Sides<Dataset<number>> {
  const top = 2 ** Math.floor(Math.log2(steps));
  const far = [1, top + 1, top / 2 + 1, top, steps].filter((step) => step <= steps);
  return neighbours(source, {
    relation,
    rows: {
      row: (from) => chance(from, 0.6) ? pick(from, far) : below(from, steps + 2),
      size: { min: 0, max: 20 },
    },
  });
}

const shape = (output: number[], { options }: { options: Stream }): boolean =>
  output.length === options.steps && output.every(Number.isInteger);

const bad = { relation: NOT_OF_ROWS, steps: [...NOT_A_COUNT, 2 ** 20 + 1] };

/** The running counts of a stream. */
export const treeCountsSweeps: readonly Sweep[] = [
  sweep({
    name: "treeCounts()",
    covers: ["treeCounts"],
    options: fc.record({ ...streams, epsilon: epsilons }),
    make: ({ epsilon, ...stream }) => treeCounts({ ...optionsOf(stream), epsilon }),
    pair: pairOf,
    share: ({ mechanism, left, right }: Case<Stream, number, number[]>) =>
      Math.max(
        densityShare(
          mechanism,
          { left, right },
          [left, right].map((data) => noiseless(mechanism, data)),
        ),
        drawnLaplaceShare(nodesOf(mechanism), { left, right }) * (1 - 1e-6),
      ),
    attained: 1 - 1e-5,
    shape,
    badOptions: { ...bad, epsilon: NOT_POSITIVE },
  }),
  sweep({
    name: "gaussianTreeCounts()",
    covers: ["gaussianTreeCounts"],
    options: fc.record({ ...streams, rho: rhos }),
    make: ({ rho, ...stream }) => gaussianTreeCounts({ ...optionsOf(stream), rho }),
    pair: pairOf,
    share: ({ mechanism, left, right }: Case<Stream, number, number[]>) =>
      drawnGaussianShare(nodesOf(mechanism), { left, right }) * (1 - 1e-5),
    attained: 1 - 1e-3,
    shape,
    badOptions: { ...bad, rho: NOT_POSITIVE },
  }),
];
