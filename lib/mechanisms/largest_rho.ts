import { deltaAt, zcdp } from "../core/claim.ts";
import { replaceOne } from "../core/relation.ts";

/**
 * The largest ρ, to nine digits and rounded down, for which ρ-zCDP gives (epsilon, delta)-DP by the
 * conversion of {@linkcode deltaAt} (Canonne, Kamath, Steinke 2020).
 *
 * @example
 * ```ts
 * import { largestRho } from "./largest_rho.ts";
 * largestRho({ epsilon: 1, delta: 1e-6 });
 * ```
 */
export function largestRho({ epsilon, delta }: { epsilon: number; delta: number }): number {
  let low = 0, high = epsilon;
  for (let i = 0; i < 40; i++) {
    const rho = (low + high) / 2;
    if (deltaAt(zcdp({ rho, relation: replaceOne }), epsilon) > delta) high = rho;
    else low = rho;
  }
  return low;
}
