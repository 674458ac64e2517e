import { assert } from "@std/assert";
import { type Pair, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import { perceptronMechanism } from "./perceptron_mechanism.ts";
import { noisySecondMoments } from "../../../lib/papers/sulq/principal_directions.ts";
import { sulqMechanism } from "./sulq_mechanism.ts";
import { refutes } from "../../dp/learners/refutes.ts";
import { longTest } from "../../long.ts";
import { diagonalKMeans } from "./diagonal_k_means.ts";

// Deviations nearer to the right one take more draws.

longTest("an audit refutes SuLQ answers with 0.71 of the deviation", async () => {
  const of = (variance: number): ReturnType<typeof sulqMechanism<number>> =>
    sulqMechanism({ next: () => (row) => row, variance, queries: 2, relation: replaceOne });
  const pair = pairOf(replaceOne, { left: [1, 0], right: [0, 0] });
  const mutant = { ...of(0.5), claim: of(1).claim };
  assert(await refutes(mutant, { pair, seed: 696, maxDraws: 1_000_000 }));
});

longTest("an audit refutes second moments with 0.71 of the deviation", async () => {
  const of = (rho: number): ReturnType<typeof noisySecondMoments> =>
    noisySecondMoments({ columnCount: 2, normBound: 1, rho, relation: replaceOne });
  const pair = pairOf(replaceOne, { left: [[1, 0], [0, 1]], right: [[0, 1], [0, 1]] });
  const mutant = { ...of(1), claim: of(0.5).claim };
  assert(await refutes(mutant, { pair, seed: 697, maxDraws: 1_000_000 }));
});

longTest("an audit refutes the perceptron with a third of the noise", async () => {
  const rest = Array.from({ length: 4 }, () => ({ features: [0], label: 1 }));
  const pair: Pair<LabelledRow> = pairOf<LabelledRow>(replaceOne, {
    left: [...rest, { features: [9], label: 1 }],
    right: [...rest, { features: [9], label: -1 }],
  });
  const of = (rho: number): ReturnType<typeof perceptronMechanism> =>
    perceptronMechanism({ columnCount: 1, rounds: 2, rho });
  const mutant = { ...of(9), claim: of(1).claim };
  assert(await refutes(mutant, { pair, seed: 698, maxDraws: 2_000_000 }));
});

longTest("an audit refutes k-means in 20 columns with the noise for 2 + d/2", async () => {
  const { weak, pair } = diagonalKMeans();
  assert(await refutes(weak, { pair, seed: 620, maxDraws: 300_000 }));
});
