/** Encoded outputs with the side each came from. */
export interface LabelledRows {
  readonly rows: Float64Array;
  readonly labels: Uint8Array;
  readonly width: number;
}

/** Returns the rows of one side. */
export function sideOf({ rows, labels, width }: LabelledRows, label: 0 | 1): Float64Array {
  const own = new Float64Array(rows.length);
  let size = 0;
  for (let i = 0, at = 0; i < labels.length; i++, at += width) {
    if (labels[i] !== label) continue;
    for (let j = 0; j < width; j++) own[size++] = rows[at + j]!;
  }
  return own.subarray(0, size);
}
