import type { DiscreteLaw } from "../mechanism/discrete_law.ts";
import type { Source } from "../mechanism/source.ts";

/** Fills `out` with values of the law on a source that enumerates. @returns `out`. */
export function fillByBranches(
  source: Source,
  out: Float64Array,
  law: DiscreteLaw,
): Float64Array {
  for (let i = 0; i < out.length; i++) out[i] = source.branch!(law);
  return out;
}
