import { assert, assertEquals } from "@std/assert";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import {
  addRemoveOne,
  type Pair,
  pairOf,
  replaceOne,
} from "../../../lib/core/relations/relation.ts";
import { clampedVectorMean } from "../../../lib/papers/aggregate/clamped_vector_mean.ts";
import { pluralityVote } from "../../../lib/papers/aggregate/plurality_vote.ts";
import { subsampleAndAggregate } from "../../../lib/papers/aggregate/subsample_and_aggregate.ts";
import { boundedMean } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { quantile } from "../../../lib/dp/mechanisms/quantile.ts";
import { refutes } from "../../dp/learners/refutes.ts";
import { longTest } from "../../long.ts";

/** Three blocks of one row each, which is its own estimate. */
function ofRows<Row, Output>(
  aggregator: Mechanism<Row, Output>,
  fallback: Row,
): Mechanism<Row, Output> {
  return subsampleAndAggregate<Row, Row, Output>({
    blocks: 3,
    estimator: ([row]) => row!,
    fallback,
    aggregator,
    relation: replaceOne,
  });
}

/** Not refuted as it is; refuted with noise for a larger epsilon under the same claim. */
async function check<Row, Output>(
  of: (epsilon: number) => Mechanism<Row, Output>,
  { pair, seed, times = 2 }: { pair: Pair<Row>; seed: number; times?: number },
): Promise<void> {
  assertEquals(await refutes(of(1), { pair, seed }), false);
  assert(await refutes({ ...of(times), claim: of(1).claim }, { pair, seed: seed + 1 }));
}

longTest(
  "an audit does not refute a vote of blocks, and refutes it without the 2 for votes that move",
  async () => {
    await check((epsilon) => ofRows(pluralityVote({ candidates: ["no", "yes"], epsilon }), 0), {
      pair: pairOf(replaceOne, { left: [1, 1, 1], right: [0, 1, 1] }),
      seed: 690,
    });
  },
);

longTest(
  "an audit does not refute a median of blocks, and refutes it at four times the rate",
  async () => {
    const median = (epsilon: number): Mechanism<number, number> =>
      quantile({
        level: 0.5,
        bounds: { lower: 0, upper: 4 },
        granularity: 1,
        epsilon,
        relation: replaceOne,
      });
    await check((epsilon) => ofRows(median(epsilon), 0), {
      pair: pairOf(replaceOne, { left: [0, 2, 2], right: [4, 2, 2] }),
      seed: 692,
      times: 4,
    });
  },
);

longTest(
  "an audit does not refute clamped vectors, and refutes noise for one coordinate of two",
  async () => {
    const mean = (epsilon: number): Mechanism<readonly number[], number[]> =>
      clampedVectorMean({ dimension: 2, bound: 1, granularity: 2 ** -8, epsilon });
    await check((epsilon) => ofRows(mean(epsilon), [0, 0]), {
      pair: pairOf(replaceOne, {
        left: [[9, 1], [0, 0], [0, 0]],
        right: [[-9, -1], [0, 0], [0, 0]],
      }),
      seed: 694,
    });
  },
);

function average(rows: readonly number[]): number {
  return rows.reduce((sum, row) => sum + row, 0) / rows.length;
}

/** Four blocks of one or two rows and a mean that one block moves by a quarter. */
const blockMeans = {
  blocks: 4,
  estimator: average,
  fallback: 0,
  aggregator: boundedMean({
    bounds: { lower: -4, upper: 4 },
    epsilon: 1,
    granularity: 2 ** -6,
    relation: replaceOne,
  }),
};
const apart = { left: [4, 0, 0, 0], right: [-4, 0, 0, 0] };

longTest(
  "subsampleAndAggregate() is not refuted at its claim, whichever the relation",
  async () => {
    for (
      const pair of [
        pairOf(replaceOne, apart),
        pairOf(addRemoveOne, { left: [4, 4, 4, 4], right: [4, 4, 4, 4, -4] }),
      ]
    ) {
      const mechanism = subsampleAndAggregate({ ...blockMeans, relation: pair.relation });
      assertEquals(await refutes(mechanism, { pair, seed: 658 }), false);
    }
  },
);

longTest("blocks that share rows, with noise for one changed block, are refuted", async () => {
  const honest = subsampleAndAggregate({ ...blockMeans, relation: replaceOne });
  // A bootstrap: every block draws its rows anew from all of them.
  const bootstrap: Mechanism<number, number> = {
    name: "bootstrap",
    claim: honest.claim,
    sample(data, source): number {
      const drawn = (): number => data[source.uint32() % data.length]!;
      const blocks = Array.from({ length: 4 }, () => average([0, 0, 0, 0, 0, 0, 0].map(drawn)));
      return blockMeans.aggregator.sample(blocks.map((value) => 4 * value), source);
    },
  };
  const pair = pairOf(replaceOne, apart);
  assert(await refutes(bootstrap, { pair, seed: 660 }));
});
