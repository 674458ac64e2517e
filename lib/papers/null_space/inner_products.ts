import type { FeatureMatrix } from "./feature_matrix.ts";

/**
 * leftᵀ right for two blocks with the same rows: one row for each column of `left`. Added up row after
 * row, so that both are read in order.
 */
export function innerProducts(left: FeatureMatrix, right: FeatureMatrix): FeatureMatrix {
  const sums = new Float64Array(left.columns * right.columns);
  for (let row = 0; row < left.rows; row++) {
    const from = row * right.columns;
    for (let i = 0; i < left.columns; i++) {
      const factor = left.values[row * left.columns + i]!, to = i * right.columns;
      if (factor === 0) continue;
      for (let j = 0; j < right.columns; j++) sums[to + j]! += factor * right.values[from + j]!;
    }
  }
  return { rows: left.columns, columns: right.columns, values: sums };
}

/** Every row less the offset. */
export function subtractRow(
  { rows, columns, values }: FeatureMatrix,
  offset: Float64Array,
): FeatureMatrix {
  return { rows, columns, values: values.map((value, index) => value - offset[index % columns]!) };
}
