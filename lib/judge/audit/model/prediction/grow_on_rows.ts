import type { Encoder } from "../encoding/encoder_data.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { compileCountLeaves } from "../partition/count_leaves.ts";
import type { CountedPartition } from "../partition/feature_histogram.ts";
import { type GrowOptions, growTree } from "../partition/grow_tree.ts";
import type { GrownTree } from "./candidate_partitions.ts";
import type { Effort } from "./effort.ts";
import { learnedFeatures } from "./learned_features.ts";

/** Learns scores from rows and grows a tree on them, on the features of the outputs, on parities, and on the scores. */
export function growOnRows(
  all: LabelledRows,
  { encoder, centres, signs, effort, ...options }: GrowOptions & {
    readonly encoder: Encoder;
    /** Numbers around which the bits of outputs are features; `undefined` if no bits are. */
    readonly centres: readonly number[] | undefined;
    /** Signs of the difference of the two datasets, which pooled scores use. */
    readonly signs: Int8Array | undefined;
    readonly effort: Effort;
  },
): { readonly grown: GrownTree; readonly current: CountedPartition } {
  const learned = learnedFeatures(all, { encoder, centres, signs, effort });
  const tree = growTree({ ...all, ...learned }, options);
  const countLeaves = compileCountLeaves(tree.partition, all.width);
  return { grown: { all, ...learned }, current: { ...tree, countLeaves } };
}
