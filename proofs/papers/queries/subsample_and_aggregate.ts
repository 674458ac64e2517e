import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { pure } from "../../../lib/core/claims/claim.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { pluralityVote } from "../../../lib/papers/aggregate/plurality_vote.ts";
import { subsampleAndAggregate as shipped } from "../../../lib/papers/aggregate/subsample_and_aggregate.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** How the rows are divided, and the ε that the aggregator is made with as a multiple of the claim. */
interface Division {
  /** The blocks that a row falls into: one, in subsample and aggregate. */
  readonly copies: number;
  readonly strength: number;
}

const EPSILON = 3, BLOCKS = 3, ROWS = 6;

/** All orders of 0 … n − 1. */
function orders(n: number): number[][] {
  if (n === 0) return [[]];
  return orders(n - 1).flatMap((rest) =>
    Array.from({ length: n }, (_, at) => [...rest.slice(0, at), n - 1, ...rest.slice(at)])
  );
}

/** Estimators that a single row can turn: any value seen, a majority, the block's first row. */
const estimators: readonly ((block: readonly number[]) => number)[] = [
  (block) => Math.max(...block),
  (block) => block.filter((row) => row === 1).length * 2 > block.length ? 1 : 0,
  (block) => block[0]!,
];

/** The law of the whole, over all orders of the rows. */
function law(
  rows: readonly number[],
  { estimator, copies, strength }: Division & {
    readonly estimator: (block: readonly number[]) => number;
  },
): number[] {
  const vote = pluralityVote({ candidates: [0, 1], epsilon: strength * EPSILON });
  const chances = [0, 0], all = orders(ROWS);
  for (const order of all) {
    const blocks = Array.from(
      { length: BLOCKS },
      (_, b) =>
        order.filter((_, i) => (b - i % BLOCKS + BLOCKS) % BLOCKS < copies).map((row) =>
          rows[row]!
        ),
    );
    vote.distribution!(blocks.map(estimator)).forEach(({ output, probability }) => {
      chances[output]! += probability / all.length;
    });
  }
  return chances;
}

/** In how many blocks the shipped division differs between neighbours, its coins being the same. */
function blocksChanged(seed: number): number {
  const telling: Mechanism<readonly number[], (readonly number[])[]> = {
    name: "telling",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    sample: (estimates) => [...estimates],
  };
  const divide = shipped<number, readonly number[], (readonly number[])[]>({
    blocks: 5,
    estimator: (block) => block,
    fallback: [],
    aggregator: telling,
    relation: replaceOne,
  });
  const rows = Array.from({ length: 23 }, (_, i) => i);
  let most = 0;
  for (let run = 0; run < 200; run++) {
    const [left, right] = [rows, rows.with(run % rows.length, -1)].map((data) =>
      divide.sample(data, new SeededSource(seed).split(run))
    );
    const changed = left!.filter((block, b) => block.join() !== right![b]!.join()).length;
    most = Math.max(most, changed);
  }
  return most;
}

/** The aggregator's claim is the claim of the whole, whatever is aggregated. */
export const subsampleAndAggregate = theorem<Division>({
  id: "queries/subsample_and_aggregate",
  statement:
    "Estimates on disjoint blocks, aggregated ε-privately for one estimate replaced, are " +
    "ε-differentially private together, whatever the estimator.",
  citation: "Nissim, Raskhodnikova, Smith 2007, section 4; Dwork, Roth 2014, section 7",
  source: "Haußmann’s slides, subsample and aggregate",
  remember: () =>
    `A row is in one block of ${BLOCKS}, so one estimate of ${BLOCKS} changes, whatever the program makes of it.`,
  kind: "exhaustive",
  checked:
    "six rows of 0 and 1, three blocks, all divisions and neighbours, three estimators, ε = 3; the shipped division on 200 pairs of 23 rows under the same coins",
  subject: { copies: 1, strength: 1 },
  check: (division, { seed }) => {
    let worst = 0, witness = "";
    for (const estimator of estimators) {
      // All orders are as likely: only the number of ones counts.
      const known = Array.from(
        { length: ROWS + 1 },
        (_, ones) =>
          law(Array.from({ length: ROWS }, (_, i) => i < ones ? 1 : 0), { ...division, estimator }),
      );
      for (let ones = 0; ones < ROWS; ones++) {
        known[ones]!.forEach((p, output) => {
          const loss = Math.abs(Math.log(p / known[ones + 1]![output]!));
          if (loss > worst || Number.isNaN(loss)) {
            worst = loss;
            witness = `${ones} ones against ${ones + 1}: output ${output} loses ${short(loss)}`;
          }
        });
      }
    }
    const changed = blocksChanged(seed);
    return all([
      atMost(EPSILON, { value: worst, detail: "law", witness }),
      atMost(1, { value: changed, detail: "blocks", witness: `${changed} blocks change` }),
    ], `loses ${short(worst)} at ε = ${EPSILON}; one row changes ${changed} of 5 shipped blocks`);
  },
  mutants: {
    "every row in two blocks": { copies: 2, strength: 1 },
    "the aggregator's noise at 0.87": { copies: 1, strength: 1 / 0.87 },
  },
});
