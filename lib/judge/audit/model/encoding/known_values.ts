import { FeatureValues } from "./feature_values.ts";
import { type Feature, fillFeature } from "./features.ts";
import type { LabelledRows } from "./labelled_rows.ts";

/**
 * The values of features on some rows, each computed when it is first asked for. Scores, parities, a tree and its histograms
 * look at the same columns, so they share one of these.
 */
export class KnownValues {
  readonly #rows: Pick<LabelledRows, "rows" | "width">;
  readonly #columns: FeatureValues[] = [];
  readonly #differences: FeatureValues[] = [];
  readonly #others = new Map<Feature, FeatureValues>();

  /** Begins with none. */
  constructor(rows: Pick<LabelledRows, "rows" | "width">) {
    this.#rows = rows;
  }

  /** Gives a feature these values, which need not be those that it computes: those of a score are cross-fitted. */
  set(feature: Feature, values: Float64Array): void {
    this.#others.set(feature, new FeatureValues(values));
  }

  /** Returns the values of a feature. */
  of(feature: Feature): FeatureValues {
    const given = this.#others.get(feature);
    if (given !== undefined) return given;
    const { kind } = feature;
    if (kind === "column" || kind === "category") return this.column(feature.index);
    if (kind === "difference") return this.difference(feature.index);
    const own = this.#compute(feature);
    this.#others.set(feature, own);
    return own;
  }

  /** Returns the values of a column. */
  column(index: number): FeatureValues {
    return this.#columns[index] ??= this.#compute({ kind: "column", index, name: "" });
  }

  /** Returns the values of a column less those of the column before it. */
  difference(index: number): FeatureValues {
    return this.#differences[index] ??= this.#compute({ kind: "difference", index, name: "" });
  }

  #compute(feature: Feature): FeatureValues {
    const { rows, width } = this.#rows, n = rows.length / width;
    const values = new Float64Array(n);
    fillFeature(feature, { rows, width, from: 0, to: n, out: values });
    return new FeatureValues(values);
  }
}
