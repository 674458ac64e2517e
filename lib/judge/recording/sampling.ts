import type { Pair } from "../../core/relations/relation.ts";
import { isChoice } from "./comparison/choices.ts";
import type { Read, Recording } from "./recording.ts";

/** Returns the line where a run seems to sample or shuffle its rows: one draw of so many, or a comparison of uniform noise for each. */
export function samplingIn(
  { reads, atoms }: Recording,
  { left, right }: Pick<Pair, "left" | "right">,
): Read | undefined {
  const compared = new Map<string, number>();
  const rows = Math.max(2, Math.min(left.length, right.length));
  return reads.find((read) => {
    const { kind, subset, permutation, uniform, at, forms } = read;
    if (kind === "draw") {
      return (subset?.[0] ?? permutation ?? 0) >= rows ||
        uniform !== undefined && [left.length, right.length].includes(uniform);
    }
    if (kind !== "sign" || !isChoice(read, atoms)) return false;
    const count = (compared.get(at) ?? 0) + forms.length;
    compared.set(at, count);
    return count >= rows;
  });
}
