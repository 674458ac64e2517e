import { type Encoder, type EncoderData, encoderFrom } from "../encoding/encoder_data.ts";
import type { AdditiveScoreData } from "../encoding/additive_score.ts";
import type { Feature } from "../encoding/features.ts";
import { RowTable, type RowTableData } from "../encoding/row_table.ts";
import { compileCountLeaves } from "../partition/count_leaves.ts";
import type { Partition } from "../partition/grow_tree.ts";
import { scoreOf } from "../scores/evaluate_scores.ts";
import type { Effort } from "./effort.ts";
import { Predictor } from "./predictor.ts";

/** A feature as plain values. */
type FeatureData =
  | Exclude<Feature, { readonly kind: "score" | "row" }>
  | { readonly kind: "score"; readonly score: AdditiveScoreData; readonly name: string }
  | { readonly kind: "row"; readonly table: RowTableData; readonly name: string };

/** A predictor whose partition is fixed, as plain values: texts, numbers and arrays of numbers. */
export interface SerializedPredictor {
  /** `undefined` where nothing was learned. */
  readonly encoder: EncoderData | undefined;
  readonly partition: Omit<Partition, "features"> & { readonly features: readonly FeatureData[] };
  /** Draws at `[2 * node + label]`, leaves only. */
  readonly counts: Float64Array;
  /** Draws learned from. */
  readonly draws: number;
  /** Those among them that satisfy no excepted event. */
  readonly kept: number;
  /** The share of the rarer part of outputs, as they can be divided. */
  readonly rarerShare: number;
  readonly centres: readonly number[] | undefined;
  readonly effort: Effort;
}

/** Writes what a predictor has learned as plain values; its partition must be fixed. */
export function serializePredictor(predictor: Predictor): SerializedPredictor {
  const { partition, encoder, counts, draws, keptShare, rarerShare, centres, effort } = predictor;
  return {
    encoder: encoder?.data,
    partition: { ...partition, features: partition.features.map(dataOf) },
    counts: counts.slice(),
    draws,
    kept: Math.round(keptShare * draws),
    rarerShare,
    centres,
    effort,
  };
}

/** Returns a predictor that has learned the same. It learns no other partition. */
export function deserializePredictor(serialized: SerializedPredictor): Predictor {
  const { centres, effort, draws, kept, rarerShare, counts } = serialized;
  const encoder = serialized.encoder && encoderFrom(serialized.encoder);
  const partition = partitionFrom(serialized);
  const countLeaves = compileCountLeaves(partition, widthOf(encoder));
  const learned = {
    partition,
    countLeaves,
    counts: counts.slice(),
    encoder,
    draws,
    kept,
    rarerShare,
  };
  return new Predictor({ centres, effort, learned });
}

/** Returns the partition of a serialized predictor. */
export function partitionFrom({ partition }: SerializedPredictor): Partition {
  return { ...partition, features: partition.features.map(featureFrom) };
}

/** Returns the number of numbers in an encoded output. */
export function widthOf(encoder: Encoder | undefined): number {
  return encoder?.columns.length ?? 1;
}

function dataOf(feature: Feature): FeatureData {
  switch (feature.kind) {
    case "score":
      return { ...feature, score: feature.score.data };
    case "row":
      return { ...feature, table: feature.table.data };
    default:
      return feature;
  }
}

function featureFrom(data: FeatureData): Feature {
  switch (data.kind) {
    case "score":
      return { ...data, score: scoreOf(data.score) };
    case "row":
      return { ...data, table: RowTable.from(data.table) };
    default:
      return data;
  }
}
