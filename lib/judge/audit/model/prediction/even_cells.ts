import { nextDown } from "../../../../core/numeric/round_outward.ts";
import { type CountedPartition, featureHistogramOf } from "../partition/feature_histogram.ts";
import { evidenceGain } from "../partition/pruning_mixture.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import type { LearnedFeatures } from "./learned_features.ts";

/** Cells of even size, from the first number of outputs on, and below the second. */
const CELLS = 8, FROM = 16, BELOW = 512;

/**
 * Returns the better one of a tree and of cells of even size, by values or by distances from the middle, where outputs are few single numbers: by how
 * much each explains the labels. Ends of cells are fixed without labels, so that their splits have a prior of ½, where a tree that was chosen by
 * labels has small ones: the mixture over prunings merges cells that are alike, and bets on the others sooner.
 */
export function orEvenCells(
  tree: CountedPartition,
  all: LabelledRows,
  { features, known }: LearnedFeatures,
): CountedPartition {
  const count = all.labels.length;
  if (all.width > 1 || count < FROM || count >= BELOW) return tree;
  let best = tree, most = evidenceGain(tree.partition, tree.counts);
  for (const feature of features) {
    if (feature.kind !== "column" && feature.kind !== "distance") continue;
    const values = known.of(feature);
    const own = featureHistogramOf(feature, all, values, endsOf(values.sorted));
    const gain = evidenceGain(own.partition, own.counts);
    if (gain > most) [best, most] = [own, gain];
  }
  return best;
}

/** Returns the upper ends of cells with equally many of these values; those that repeat have cells of their own. */
function endsOf(sorted: Float64Array): Float64Array {
  const ends = new Set<number>(), count = sorted.length;
  for (let k = 1; k < CELLS; k++) {
    const end = sorted[Math.floor(k * count / CELLS) - 1];
    if (end !== undefined) ends.add(end);
  }
  for (let i = 1; i < count; i++) {
    if (sorted[i] === sorted[i - 1]) ends.add(sorted[i]!).add(nextDown(sorted[i]!));
  }
  return Float64Array.from(ends).sort();
}
