import { FactorProducts } from "../../lib/exact/enumeration/factor_products.ts";
import type { OutcomeUnits } from "../../lib/exact/enumeration/law_outcomes.ts";
import { rational } from "../../lib/numeric/rational.ts";
import { requireEqual } from "../engine/requirement.ts";
import { type Comparisons, completeLaw } from "./comparison_cases.ts";
import { BITS, exponential } from "./generated_programs.ts";

/** Complete laws of numbers of equal lots: an output of each count. */
const lots = (counts: readonly bigint[], units: OutcomeUnits): Parameters<
  Comparisons["compareLaws"]
>[0]["left"] => completeLaw(counts.map((count) => ({ count, quarters: 0n })), units).law;

/** Ratios next to e^ε, on either side by 2^−300, which bounds leave open: decided where ε is on the scale, and left open elsewhere. */
export function requireNearTies({ compareLaws }: Pick<Comparisons, "compareLaws">): void {
  const q = 1n << 300n, whole = 8n * q;
  for (
    const [epsilon, onScale] of [[0.25, true], [1, true], [1.5, true], [0.3, false], [
      1.1,
      false,
    ]] as const
  ) {
    const { numerator, denominator } = rational(epsilon);
    const below = exponential(numerator, denominator) >> BITS - 300n;
    for (const above of [false, true]) {
      const p = below + (above ? 1n : 0n), where = `e^${epsilon}, ${above ? "above" : "below"}`;
      const units = { scale: 4n, bits: 256, products: new FactorProducts() };
      const found = compareLaws({
        left: lots([p, whole - p], units),
        right: lots([q, whole - q], units),
      }, { epsilon, delta: 0, units });
      requireEqual(
        [found.refuted, found.certain, found.attained],
        [onScale && above, onScale, false],
        where,
      );
      // A quarter of the left is nowhere on the right: with the rest δ is a quarter, or more by 2^−300.
      const quarter = whole >> 2n;
      const beside = compareLaws({
        left: lots([p, whole - p - quarter, quarter], units),
        right: lots([q, whole - q], units),
      }, { epsilon, delta: 0.25, units });
      requireEqual(
        [beside.refuted, beside.certain, beside.attained],
        [onScale && above, onScale, onScale && !above],
        `${where}, beside a quarter`,
      );
    }
  }
}
