import {
  type CandidatePair,
  candidatePairOf,
} from "../../../../lib/audit/prediction/candidate_pair.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import type { Subject } from "../../../../lib/audit/subjects/subject.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** A subject that says 1 with a probability that grows with its only row, and its draws by row. */
export function growing(): Subject & { readonly drawn: Map<number, number> } {
  const source = new SeededSource("growing");
  const drawn = new Map<number, number>();
  return {
    name: "growing",
    drawn,
    draw(data, count): Outputs {
      const row = (data as number[])[0]!;
      drawn.set(row, (drawn.get(row) ?? 0) + count);
      const say = (): number => Number(source.uniform() < 0.5 + 0.04 * row);
      return { kind: "block", width: 1, values: Float64Array.from({ length: count }, say) };
    },
    independent: true,
    close: () => Promise.resolve(),
  };
}

/** The candidate of the pair of 0 and a row: the larger, the better it is told apart. */
export function candidateTo(row: number): CandidatePair {
  return candidatePairOf(pairOf(replaceOne, { left: [0], right: [row] }), { bits: false });
}

/** The row of the right side. */
export function rowOf({ pair }: CandidatePair): unknown {
  return pair.right[0];
}
