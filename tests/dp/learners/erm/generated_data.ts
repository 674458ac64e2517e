import { type DenseRows, denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { floatNormal } from "../../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** Rows of norm at most 1 around a direction, with labels that mostly follow it; the same for a seed. */
export function generatedData(
  seed: number,
  { n, d, zeros = 0, flips = 0.1 }: { n: number; d: number; zeros?: number; flips?: number },
): { rows: DenseRows; signs: Float64Array } {
  const source = new SeededSource(seed).split("generated data");
  const normals = new Float64Array(n * d);
  floatNormal(source, normals, { scale: 1 });
  const values: number[][] = [];
  const signs = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const row = Array.from(
      normals.subarray(i * d, (i + 1) * d),
      (value) => source.uniform() < zeros ? 0 : value,
    );
    const length = Math.max(1, Math.hypot(...row));
    values.push(row.map((value) => value / length * 0.999));
    const score = row.reduce((sum, value, j) => sum + (j % 2 === 0 ? value : -value), 0);
    signs[i] = (score > 0) === (source.uniform() >= flips) ? 1 : -1;
  }
  return { rows: denseRows(values), signs };
}
