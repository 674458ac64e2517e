import type { Effort } from "../../../../../lib/judge/audit/model/prediction/effort.ts";
import type { Outputs } from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { normalRows, noShift } from "../../labelled_rows.ts";

export type Sides = readonly [left: Outputs, right: Outputs];

export function block(width: number, values: Iterable<number>): Outputs {
  return { kind: "block", width, values: Float64Array.from(values) };
}

export function values(own: readonly unknown[]): Outputs {
  return { kind: "values", values: own };
}

export const NONE = block(1, []);

/** `n` rows a side of `width` normal numbers, all of which move by `shift` on the right. */
export function normal(
  n: number,
  { width = 1, shift = 0, seed }: { width?: number; shift?: number; seed: number },
): Sides {
  const side = (label: number): Outputs => {
    const { rows } = normalRows({ n, shift: noShift(width), seed: 1000 * seed + label });
    return block(width, rows.map((x) => x + shift * label));
  };
  return [side(0), side(1)];
}

export function total(counts: Float64Array, label: 0 | 1): number {
  return counts.reduce((sum, count, at) => at % 2 === label ? sum + count : sum, 0);
}

export function countOf(outputs: Outputs): number {
  return outputs.values.length / (outputs.kind === "block" ? outputs.width : 1);
}

export const EFFORTS: readonly Effort[] = ["quick", "thorough", "sparing"];
