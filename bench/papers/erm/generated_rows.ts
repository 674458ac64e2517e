import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import type { Rows } from "../../../lib/dp/learners/erm/rows/rows.ts";

/** Dense rows of norm about 1 with noisy labels, the same for a seed. */
export function generatedRows(
  { rowCount, columnCount, seed }: { rowCount: number; columnCount: number; seed: number },
): { rows: Rows; signs: Float64Array } {
  const source = new SeededSource(seed).split("speed");
  const values = floatNormal(source, new Float64Array(rowCount * columnCount), {
    scale: 1 / Math.sqrt(columnCount),
  });
  const signs = new Float64Array(rowCount);
  for (let i = 0; i < rowCount; i++) {
    let score = 0;
    for (let j = 0; j < columnCount; j += 2) score += values[i * columnCount + j]!;
    signs[i] = score + 0.5 * (source.uniform() - 0.5) > 0 ? 1 : -1;
  }
  return { rows: { kind: "dense", rowCount, columnCount, values }, signs };
}
