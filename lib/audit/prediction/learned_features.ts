import { distanceFromMiddle } from "../encoding/distance_from_middle.ts";
import type { Encoder } from "../encoding/encoder_data.ts";
import { type Feature, featuresOf } from "../encoding/features.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { screenParities } from "../partition/screen_parities.ts";
import type { Effort } from "./effort.ts";
import { type LearnedScores, learnedScores } from "../scores/learned_scores.ts";

/** All features of some outputs, those learned from them included. */
export interface LearnedFeatures extends LearnedScores {
  readonly features: readonly Feature[];
}

/**
 * The distance of a single number from the middle is a feature of a tree that a quick audit grows on fewer draws: it shows
 * sooner than two tails that the scale of noise depends on the data, and costs time and draws where it does not.
 */
const DISTANCE_BELOW = 512;

/** The features that a tree is grown on: those of the outputs' form, parities, and learned scores. */
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
  const { known, bins } = learnedScores(all, { elements, signs });
  const [score] = known.values();
  const hasDistance = effort === "quick" && elements === 1 && all.labels.length < DISTANCE_BELOW;
  const features = [
    ...featuresOf(encoder, { rows: all.rows, centres }),
    ...(hasDistance ? [distanceFromMiddle(all)] : []),
    ...screenParities(all, { ...encoder, logOdds: score?.values }),
    ...known.keys(),
  ];
  return { features, known, bins };
}
