import { fillFeature } from "../model/encoding/features.ts";
import type { Term } from "./event.ts";

/** Outputs that conditions are applied to at a time: whole words of bits. */
const CHUNK = 4096;

/** Yields encoded outputs in chunks of whole words of bits, and for each output 1 where all conditions hold, else 0. */
export function* holdingOutputs(
  rows: Float64Array,
  { terms, width }: { readonly terms: readonly Term[]; readonly width: number },
): Generator<{ readonly from: number; readonly holds: Uint8Array }> {
  const draws = rows.length / width;
  const column = new Float64Array(CHUNK);
  const all = new Uint8Array(CHUNK);
  for (let from = 0; from < draws; from += CHUNK) {
    const to = Math.min(draws, from + CHUNK);
    const holds = all.subarray(0, to - from).fill(1);
    for (const { feature, operator, threshold } of terms) {
      fillFeature(feature, { rows, width, from, to, out: column });
      keepWhere(operator, column, threshold, holds);
    }
    yield { from, holds };
  }
}

/** Sets `holds` to 0 where a condition does not hold. */
function keepWhere(
  operator: Term["operator"],
  values: Float64Array,
  threshold: number,
  holds: Uint8Array,
): void {
  for (let i = 0; i < holds.length; i++) {
    const x = values[i]!;
    const kept = operator === "<="
      ? x <= threshold
      : operator === ">"
      ? x > threshold
      : operator === "="
      ? x === threshold
      : operator === "!="
      ? x !== threshold && x === x
      : x !== x;
    if (!kept) holds[i] = 0;
  }
}
