import type { Encoder } from "../encoding/encoder_data.ts";
import { featuresOf } from "../encoding/features.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { compileCountLeaves } from "../partition/count_leaves.ts";
import type { CountedPartition } from "../partition/feature_histogram.ts";
import { type GrowOptions, growTree } from "../partition/grow_tree.ts";
import { screenParities } from "../partition/screen_parities.ts";
import { learnedScores } from "../scores/learned_scores.ts";
import type { GrownTree } from "./candidate_partitions.ts";

/** Learns scores from rows and grows a tree on them, on the features of the outputs, on parities, and on the scores. */
export function growOnRows(
  all: LabelledRows,
  { encoder, centres, signs, ...options }: GrowOptions & {
    readonly encoder: Encoder;
    /** Numbers around which the bits of outputs are features; `undefined` if no bits are. */
    readonly centres: readonly number[] | undefined;
    /** Signs of the difference of the two datasets, which pooled scores use. */
    readonly signs: Int8Array | undefined;
  },
): { readonly grown: GrownTree; readonly current: CountedPartition } {
  const scores = learnedScores(all, { elements: encoder.elements, signs });
  const [score] = scores.known.values();
  const features = [
    ...featuresOf(encoder, { rows: all.rows, centres }),
    ...screenParities(all, { ...encoder, logOdds: score }),
    ...scores.known.keys(),
  ];
  const tree = growTree({ ...all, features, known: scores.known }, options);
  const countLeaves = compileCountLeaves(tree.partition, all.width);
  return { grown: { all, features, ...scores }, current: { ...tree, countLeaves } };
}
