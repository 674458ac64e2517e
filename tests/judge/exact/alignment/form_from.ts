import type { Affine } from "../../../../lib/judge/exact/alignment/affine.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";

/** The form with these factors by name, the constant under "". */
export function formFrom(factors: Readonly<Record<string, number>>): Affine {
  return new Map(
    Object.entries(factors).filter(([, factor]) => factor !== 0)
      .map(([name, factor]) => [name, rational(factor)]),
  );
}
