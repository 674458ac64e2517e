import { huberHinge } from "../../lib/learners/erm/huber_hinge.ts";
import { precisePoint } from "../../lib/learners/erm/precise_point.ts";
import { squaredNorm } from "../../lib/learners/erm/regulariser.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import {
  add,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireThat } from "../engine/requirement.ts";
import { U } from "./gradient_rooms.ts";
import { sparseOf } from "./sparse_of.ts";

/** Margins whose products cancel to the last bits are still known to the square of a rounding, beside exact fractions. */
export function requirePreciseMargins(source: SeededSource): void {
  const any = (): number => (source.uniform() - 0.5) * 2 ** (source.uint32() % 9 - 4);
  const sum = (terms: readonly Rational[]): Rational => terms.reduce(add, rational(0));
  for (let k = 0; k < 12; k++) {
    const d = 2 + k % 4, n = 6;
    const high = Float64Array.from({ length: d }, any),
      low = high.map((f) => f * U * (source.uniform() - 0.5));
    const table = Array.from({ length: n }, () => {
      const row = Array.from({ length: d }, any);
      // The last entry takes back what the others come to.
      const part = row.slice(0, -1).reduce((each, x, j) => each + x * high[j]!, 0);
      row[d - 1] = -part / high[d - 1]!;
      return row;
    });
    const signs = Float64Array.from({ length: n }, (_, i) => i % 2 === 0 ? 1 : -1);
    for (const rows of [denseRows(table), sparseOf(table)]) {
      const { margins } = precisePoint({
        rows,
        signs,
        loss: huberHinge(0.5),
        regulariser: squaredNorm,
        lambda: 1,
        quadratic: 0,
      }, { high, low });
      table.forEach((row, i) => {
        const exact = sum(
          row.map((x, j) =>
            multiply(rational(signs[i]! * x), add(rational(high[j]!), rational(low[j]!)))
          ),
        );
        const size = row.reduce((each, x, j) => each + Math.abs(x * high[j]!), 0);
        const off = Math.abs(toNumber(subtract(rational(margins[i]!), exact)));
        const roundings = (4 * d + 8) * U;
        requireThat(
          off <= 2 * U * Math.abs(margins[i]!) + 2 * (1.01 * roundings) ** 2 * size,
          () => `a margin of ${margins[i]} is off by ${off}`,
        );
      });
    }
  }
}
