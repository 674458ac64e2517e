import type { LabelledRows } from "../../../lib/judge/audit/model/encoding/labelled_rows.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** Rows of independent normal numbers with fair labels; number j of a right row is moved by `shift[j]`. */
export function normalRows(
  { n, shift, seed }: { n: number; shift: readonly number[]; seed: number },
): LabelledRows {
  const source = new SeededSource("labelled rows").split(seed);
  const width = shift.length;
  const rows = floatNormal(source, new Float64Array(n * width));
  const labels = Uint8Array.from({ length: n }, () => source.uint32() & 1);
  labels.forEach((label, i) => {
    for (let j = 0; j < width; j++) rows[i * width + j]! += label * shift[j]!;
  });
  return { rows, labels, width };
}

/** As many zeros. */
export function noShift(width: number): number[] {
  return Array.from({ length: width }, () => 0);
}
