import { assert, assertThrows } from "@std/assert";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import { perceptronCalibration, samplePerceptron } from "../../../lib/papers/sulq/perceptron.ts";
import { perceptronGuarantee } from "../../../lib/papers/sulq/perceptron_guarantee.ts";
import { sulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** Points of a square, labelled by a line that none is within `margin` of. */
function separated(rowCount: number, seed: number, margin = 0.1): LabelledRow[] {
  const source = new SeededSource(seed), rows: LabelledRow[] = [];
  while (rows.length < rowCount) {
    const x = 2 * source.uniform() - 1, y = 2 * source.uniform() - 1;
    const side = 0.8 * x - 0.6 * y;
    if (Math.abs(side) > margin) rows.push({ features: [x, y], label: Math.sign(side) });
  }
  return rows;
}

function rightShare(weights: readonly number[], rows: readonly LabelledRow[]): number {
  const right = rows.filter(({ features, label }) =>
    label * features.reduce((sum, x, j) => sum + x * weights[j]!, 0) > 0
  );
  return right.length / rows.length;
}

Deno.test("perceptronGuarantee() holds in at least the promised share of 40 runs", () => {
  const data = separated(20_000, 647, 0.4), failure = 0.1;
  const goal = { columnCount: 2, margin: 0.4, rho: 0.5, failure };
  const { options, wrongRows } = perceptronGuarantee(goal);
  const prepared = sulqNoise(perceptronCalibration(options));
  const wrong = (weights: readonly number[]): number =>
    data.length * (1 - rightShare(weights, data));
  let good = 0;
  for (let run = 0; run < 40; run++) {
    const source = new SeededSource(648).split(run);
    const { weights } = samplePerceptron(source, { ...options, data, prepared });
    if (wrong(weights) <= wrongRows) good++;
  }
  // 90% of 40 at least: fewer than 29 with chance below 1e-3.
  assert(good >= 29, `${good} runs are good`);
  // It says something: neither no weights nor one of the two features is enough.
  for (const weights of [[0, 0], [0, -1]]) assert(wrong(weights) > wrongRows);
  for (const bad of [{ margin: 0 }, { margin: 2 }, { failure: 1 }, { columnCount: 0 }]) {
    assertThrows(() => perceptronGuarantee({ ...goal, ...bad }), RangeError);
  }
});
