import type { Encoder } from "../encoding/encoder_data.ts";
import type { CountedPartition } from "../partition/feature_histogram.ts";

/** A partition that is fixed, with its encoder, the draws that were learned from, and those that satisfy no excepted event. */
export interface LearnedPartition extends CountedPartition {
  readonly encoder: Encoder | undefined;
  readonly draws: number;
  readonly kept: number;
}
