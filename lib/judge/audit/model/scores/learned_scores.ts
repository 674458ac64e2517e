import type { Feature } from "../encoding/features.ts";
import { KnownValues } from "../encoding/known_values.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { fewValues } from "../encoding/feature_values.ts";
import { learnAdditiveScore } from "./learn_additive_score.ts";
import { type ScoreBins, scoreName } from "./score_bins.ts";

/** Differences have no scores where this many of the first numbers have at most a few distinct values: the second number. */
const NUMBERS_COMPARED = 2000, FEW_VALUES = 8;

/** With more numbers than this no column has a term of its own: there are more of them than draws, and to fit them takes minutes. */
const MOST_OWN = 4096;

/** Learned scores as features. */
export interface LearnedScores {
  /** Each score with its cross-fitted values on the rows that it was learned from. */
  readonly known: ReadonlyMap<Feature, Float64Array>;
  /** The bins of each score that is not pooled, for a refit from more rows. */
  readonly bins: ReadonlyMap<Feature, ScoreBins>;
}

/**
 * Returns the scores of rows of several numbers: of values and of successive differences, each with a term function for each
 * column, and with one for all.
 */
export function learnedScores(
  all: LabelledRows,
  { elements, signs, values = new KnownValues(all) }: {
    elements: number;
    signs: Int8Array | undefined;
    /** The values of columns and differences. */
    values?: KnownValues;
  },
): LearnedScores {
  const known = new Map<Feature, Float64Array>();
  const bins = new Map<Feature, ScoreBins>();
  // A single number is its own score.
  if (elements < 2) return { known, bins };
  const add = (kind: { readonly differences: boolean; readonly pooled: boolean }): void => {
    const options = { elements, ...kind, signs: signs?.length === elements ? signs : undefined };
    const { score, values: own, bins: ownBins } = learnAdditiveScore(all, options, values);
    const feature: Feature = { kind: "score", name: scoreName(kind), score };
    known.set(feature, own);
    if (!kind.pooled) bins.set(feature, ownBins);
  };
  const hasOwn = elements <= MOST_OWN;
  if (hasOwn) add({ differences: false, pooled: false });
  add({ differences: false, pooled: true });
  // Differences of a few repeated values have no information that the values have not.
  if (fewValues(all.rows.subarray(0, NUMBERS_COMPARED), FEW_VALUES) === undefined) {
    if (hasOwn) add({ differences: true, pooled: false });
    add({ differences: true, pooled: true });
  }
  return { known, bins };
}
