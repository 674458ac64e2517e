import type { Encoder } from "../model/encoding/encoder_data.ts";
import type { Feature } from "../model/encoding/features.ts";
import type { Outputs } from "../kernel/outputs.ts";

/** Outputs on the two sides of a pair. */
export interface TwoSides {
  readonly left: Outputs;
  readonly right: Outputs;
}

/**
 * A short rule on which the two sides differ most, found on some outputs: of the leaves of a small partition and of frequent
 * values, the rule whose excess over the claim is clearest, shorter rules preferred. It must be counted on other outputs
 * ({@linkcode countEvent}), for on the outputs that it was chosen on the excess is too large.
 */
export interface Event {
  readonly encoder: Encoder;
  readonly terms: readonly Term[];
}

/** One condition on a feature. NaN satisfies only "is". */
export interface Term {
  readonly feature: Feature;
  readonly operator: "<=" | ">" | "=" | "!=" | "is";
  readonly threshold: number;
}
