import { STANDARD_ERRORS } from "../../../../lib/audit/betting/shares.ts";
import type { Feature } from "../../../../lib/audit/encoding/features.ts";
import { KnownValues } from "../../../../lib/audit/encoding/known_values.ts";
import type { LabelledRows } from "../../../../lib/audit/encoding/labelled_rows.ts";
import { compileCountLeaves } from "../../../../lib/audit/partition/count_leaves.ts";
import {
  type CountedPartition,
  featureHistograms,
  knownFeatures,
} from "../../../../lib/audit/partition/feature_histogram.ts";
import { featurePairHistograms } from "../../../../lib/audit/partition/feature_pair_histogram.ts";
import { leavesOf, trivialPartition } from "../../../../lib/audit/partition/grow_tree.ts";
import { leafLogOdds } from "../../../../lib/audit/partition/pruning_mixture.ts";
import { CandidatePartitions } from "../../../../lib/audit/prediction/candidate_partitions.ts";
import { chooseGuesses } from "../../../../lib/audit/bet_choice/choose_guesses.ts";
import type { Effort } from "../../../../lib/audit/prediction/effort.ts";
import { normalRows } from "../labelled_rows.ts";

export const horizon = { alpha: 0.02, draws: 50_000 };

export function columns(width: number): Feature[] {
  return Array.from({ length: width }, (_, index) => ({ kind: "column", index, name: `${index}` }));
}

export function candidatesOf(
  all: LabelledRows,
  features: readonly Feature[],
  effort: Effort = "sparing",
): CandidatePartitions {
  return new CandidatePartitions(
    { all, features, known: new KnownValues(all), bins: new Map() },
    effort,
  );
}

/** The rows of one side. */
export function sideOf({ rows, labels, width }: LabelledRows, label: 0 | 1): Float64Array {
  return rows.filter((_, at) => labels[Math.floor(at / width)] === label);
}

/** Counts rows of both sides, in the current partition too; with weights, as few distinct rows are, if `areFew`. */
export function count(
  candidates: CandidatePartitions,
  all: LabelledRows,
  current?: CountedPartition,
  { areFew = false }: { areFew?: boolean } = {},
): void {
  for (const label of [0, 1] as const) {
    const rows = sideOf(all, label);
    const weights = new Float64Array(rows.length / all.width).fill(1);
    candidates.count(rows, label, areFew ? { rows, weights } : undefined);
    current?.countLeaves(rows, label, current.counts);
  }
}

/**
 * The current partition after so many reviews at the effort "thorough", each of 2.2 times the draws of the one before.
 */
export function reviewed(
  candidates: CandidatePartitions,
  drawn: (n: number, seed: number) => LabelledRows,
  { seed, reviews, areFew }: { seed: number; reviews: number; areFew?: boolean },
): CountedPartition {
  let current: CountedPartition = nothing(drawn(4000, seed));
  for (let k = 0; k < reviews; k++) {
    const batch = drawn(4000 * Math.ceil(2.2 ** k), seed + 1 + k);
    count(candidates, batch, current, { areFew: areFew ?? false });
    current = candidates.review(current, batch.rows) ?? current;
  }
  return current;
}

/** One bin for everything, in which some rows were counted. */
export function nothing({ labels, width }: LabelledRows): CountedPartition {
  const right = labels.reduce((sum, label) => sum + label, 0);
  return {
    partition: trivialPartition,
    countLeaves: compileCountLeaves(trivialPartition, width),
    counts: Float64Array.of(labels.length - right, right),
  };
}

/** The histograms and the one feature-pair histogram with which candidates of effort `sparing` begin. */
export function firstCandidates(
  all: LabelledRows,
  features: readonly Feature[],
): CountedPartition[] {
  const known = knownFeatures({ features, known: new KnownValues(all) });
  const histograms = featureHistograms(all, known);
  const ranking = histograms.map(({ partition }) => partition.features[0]!);
  const { labels, width } = all;
  return [...histograms, ...featurePairHistograms(known, { ranking, labels, width, most: 1 })];
}

/** Rows whose label is the sign of a product, while each factor alone is independent of it. */
export function productRows(
  { n, width, seed }: { n: number; width: number; seed: number },
): LabelledRows {
  const { rows, labels } = normalRows({ n, shift: Array(width).fill(0), seed });
  labels.forEach((_, i) => labels[i] = rows[width * i]! * rows[width * i + 1]! > 0 ? 1 : 0);
  return { rows, labels, width };
}

export function expectedBoundOf({ partition, counts }: CountedPartition): number {
  const logOdds = leafLogOdds(partition, { counts, standardErrors: STANDARD_ERRORS });
  return chooseGuesses({ counts, leaves: leavesOf(partition), logOdds }, horizon).expectedBound;
}

export function sum(counts: Float64Array): number {
  return counts.reduce((a, b) => a + b, 0);
}
