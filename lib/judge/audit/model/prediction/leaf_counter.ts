import { DistinctRows } from "../encoding/distinct_rows.ts";
import { type Encoder, encoderFrom } from "../encoding/encoder_data.ts";
import { compileCountLeaves, type CountLeaves } from "../partition/count_leaves.ts";
import { leavesOf } from "../partition/grow_tree.ts";
import { withoutExcepted } from "../../subjects/excepted_outputs.ts";
import { countOf, type Outputs, type PairOutputs } from "../../kernel/outputs.ts";
import { partitionFrom, type SerializedPredictor, widthOf } from "./serialized_predictor.ts";

/** Counts outputs in the leaves of a partition that is fixed, and learns nothing. */
export class LeafCounter {
  readonly #encoder: Encoder | undefined;
  readonly #countLeaves: CountLeaves;
  readonly #distinct: DistinctRows | undefined;
  readonly #nodes: number;
  /** The leaves of the partition. */
  readonly leaves: Int32Array;

  /** Counts in the partition of this predictor. */
  constructor(serialized: SerializedPredictor) {
    const encoder = serialized.encoder && encoderFrom(serialized.encoder);
    const partition = partitionFrom(serialized), width = widthOf(encoder);
    this.#encoder = encoder;
    this.#countLeaves = compileCountLeaves(partition, width);
    // To count single numbers takes no longer than to find equal ones.
    this.#distinct = width < 2 ? undefined : new DistinctRows(width);
    this.#nodes = partition.left.length;
    this.leaves = leavesOf(partition);
  }

  /** Draws at `[2 * node + label]`, without those that satisfy an excepted event. */
  count({ left, right }: PairOutputs): Float64Array {
    const counts = new Float64Array(2 * this.#nodes);
    this.#countSide(withoutExcepted(left), 0, counts);
    this.#countSide(withoutExcepted(right), 1, counts);
    return counts;
  }

  #countSide(outputs: Outputs, label: 0 | 1, counts: Float64Array): void {
    if (this.#encoder === undefined) {
      counts[label] = countOf(outputs);
      return;
    }
    const rows = this.#encoder.encode(outputs);
    const distinct = this.#distinct?.of(rows);
    this.#countLeaves(distinct?.rows ?? rows, label, counts, distinct?.weights);
  }
}
