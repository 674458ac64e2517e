import type { Feature } from "../encoding/features.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { fewValues } from "../encoding/thresholds.ts";
import { learnAdditiveScore } from "./additive_score.ts";
import { type ScoreBins, scoreName } from "./score_bins.ts";

/** Learned scores as features. */
export interface LearnedScores {
  /** Cross-fitted values on the rows they were learned from. */
  readonly known: ReadonlyMap<Feature, Float64Array>;
  /** Bins of the scores: they can be learned anew from more rows. */
  readonly bins: ReadonlyMap<Feature, ScoreBins>;
}

/**
 * The scores of rows of several numbers: of values and of successive differences, each column on its
 * own and all pooled.
 */
export function learnedScores(
  all: LabelledRows,
  { elements, signs }: { elements: number; signs: Int8Array | undefined },
): LearnedScores {
  const known = new Map<Feature, Float64Array>();
  const bins = new Map<Feature, ScoreBins>();
  // A single number is its own score.
  if (elements < 2) return { known, bins };
  const add = (kind: { readonly differences: boolean; readonly pooled: boolean }): void => {
    const { score, values, bins: own } = learnAdditiveScore(all, {
      elements,
      ...kind,
      signs: signs?.length === elements ? signs : undefined,
    });
    const feature: Feature = { kind: "score", name: scoreName(kind), score };
    known.set(feature, values);
    bins.set(feature, own);
  };
  add({ differences: false, pooled: false });
  add({ differences: false, pooled: true });
  // Differences of a few repeated values say nothing that the values do not.
  if (fewValues(all.rows.subarray(0, 2000), 8) === undefined) {
    add({ differences: true, pooled: false });
    add({ differences: true, pooled: true });
  }
  return { known, bins };
}
