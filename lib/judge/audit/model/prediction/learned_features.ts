import { medianOf } from "../../../../core/numeric/median.ts";
import type { Encoder } from "../encoding/encoder_data.ts";
import { type Feature, featuresOf } from "../encoding/features.ts";
import { KnownValues } from "../encoding/known_values.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { screenParities } from "../partition/screen_parities.ts";
import type { Effort } from "./effort.ts";
import { type LearnedScores, learnedScores } from "../scores/learned_scores.ts";

/** All features of some outputs, those learned from them included. */
export interface LearnedFeatures extends Pick<LearnedScores, "bins"> {
  readonly features: readonly Feature[];
  /** Their values on the rows that they were learned from; those of scores are cross-fitted. */
  readonly known: KnownValues;
}

/**
 * The distance of a single number from the middle is a feature of a tree that a quick audit grows on fewer draws: it shows
 * sooner than two tails that the scale of noise depends on the data, and costs time and draws where it does not.
 */
const DISTANCE_BELOW = 512;

/** Returns the features that a tree is grown on: those of the outputs' form, parities, and learned scores. */
export function learnedFeatures(
  all: LabelledRows,
  { encoder, centres, signs, effort }: {
    encoder: Encoder;
    centres: readonly number[] | undefined;
    signs: Int8Array | undefined;
    effort: Effort;
  },
): LearnedFeatures {
  const { elements } = encoder;
  const known = new KnownValues(all);
  // Columns that labels chose have no score of their own: that of all columns is among them.
  const scores: LearnedScores = encoder.screenedFrom === undefined
    ? learnedScores(all, { elements, signs, values: known })
    : { known: new Map(), bins: new Map() };
  const [logOdds] = scores.known.values();
  const hasDistance = effort === "quick" && elements === 1 && all.labels.length < DISTANCE_BELOW;
  const features = [
    ...featuresOf(encoder, { rows: all.rows, centres }),
    ...(hasDistance ? [distanceFromMiddle(all)] : []),
    ...screenParities(all, { ...encoder, logOdds, known }),
    ...scores.known.keys(),
  ];
  for (const [score, values] of scores.known) known.set(score, values);
  return { features, known, bins: scores.bins };
}

/**
 * Returns the distance of the first number of a row from the median of all. Where the scale of noise depends on the data, both tails say the
 * same, and one threshold separates them from the middle. The median does not depend on labels.
 */
function distanceFromMiddle({ rows, labels, width }: LabelledRows): Feature {
  const median = medianOf(Float64Array.from(labels, (_, i) => rows[i * width]!)) ?? 0;
  return { kind: "distance", index: 0, value: median, name: "distance(output)" };
}
