import { FactorProducts } from "../../lib/exact/enumeration/factor_products.ts";
import type { LawsOfPair } from "../../lib/exact/enumeration/compare_laws.ts";
import { rational } from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireThat } from "../engine/requirement.ts";
import type { Comparisons } from "./comparison_cases.ts";
import { BITS, exponential, toDouble } from "./generated_programs.ts";
import { lawOf } from "./loss_cases.ts";

/** Binary places of e^ε that are certain. */
const ROOM = 1n << 40n;

/** Laws in few units, of which each one counts: bounds on δ hold the sums in fractions, and are off by a unit for each output at most. */
export function requireCoarseLaws(
  { compareLaws, largestLoss }: Pick<Comparisons, "compareLaws" | "largestLoss">,
  source: SeededSource,
): void {
  const seen = { refuted: 0, certain: 0, open: 0 };
  for (let k = 0; k < 700; k++) {
    const bits = 3 + source.uint32() % 3, unit = 1 << bits, count = 1 + source.uint32() % 3;
    const side = (): { readonly lower: readonly bigint[]; readonly remainder: bigint } => {
      let left = unit;
      const lower = Array.from({ length: count }, () => {
        const each = source.uint32() % (left + 1);
        left -= each;
        return BigInt(each);
      });
      return { lower, remainder: BigInt(left) };
    };
    const p = side(), q = side(), ratio = Number(p.lower[0]!) / Number(q.lower[0]!);
    // Every other ε is next to where an excess is one unit.
    const places = bits + 8 + 9, near = Math.log(ratio) - 4 * source.uniform() * 2 ** -places;
    const epsilon = k % 2 === 0 && near > 1e-3 && near < 3 ? near : 1e-3 + 3 * source.uniform();
    const { numerator, denominator } = rational(epsilon);
    const factor = exponential(numerator, denominator), scale = BITS - BigInt(bits);
    const least = p.lower.reduce((sum, each, i) => {
      const excess = (each << BITS) - factor * q.lower[i]!;
      return excess > 0n ? sum + excess : sum;
    }, 0n);
    // In units of 2^−400.
    const lower = least - factor * q.remainder >> BigInt(bits);
    const upper = least + (p.remainder << BITS) >> BigInt(bits);
    const laws: LawsOfPair = {
      left: lawOf(p.lower, p.remainder, false),
      right: lawOf(q.lower, q.remainder, false),
    };
    const units = { scale: 1n, bits, products: new FactorProducts() };
    const precision = BigInt(bits + Math.ceil(3 * epsilon) + 8);
    // 1/e^ε is rounded to so many places, and e^ε is multiplied by every unit.
    const steps = Math.ceil(Math.exp(2 * epsilon) * (2 * unit + count + 2));
    const slack = (BigInt(steps) << scale) >> precision;
    const shown = `laws ${k} at ε = ${epsilon}`;
    const claims = [lower, upper].flatMap((at) =>
      [-1n, 0n, 1n].map((by) => at + by * (slack >> 2n))
    );
    for (const each of [0n, ...claims]) {
      const delta = Math.min(1, Math.max(0, toDouble(each)));
      const allowed = rational(delta);
      const claimed = (allowed.numerator << BITS) / allowed.denominator;
      const found = compareLaws(laws, { epsilon, delta, units });
      requireThat(!found.refuted || lower > claimed - ROOM, `${shown}: refuted by no excess`);
      requireThat(
        found.refuted || !found.certain || upper < claimed + ROOM,
        `${shown}: certain of more than there may be`,
      );
      requireThat(found.refuted || lower < claimed + slack, `${shown}: not refuted`);
      requireThat(
        found.refuted || found.certain || upper > claimed - slack,
        `${shown}: not certain`,
      );
      seen[found.refuted ? "refuted" : found.certain ? "certain" : "open"]++;
      const most = toDouble(upper), start = Math.max(0, toDouble(lower));
      requireThat(
        found.delta.lower <= start * (1 + 1e-15) &&
          found.delta.lower >= (start - toDouble(slack)) * (1 - 4e-15),
        () => `${shown}: a lower bound of ${found.delta.lower} for ${start}`,
      );
      requireThat(
        found.delta.upper >= Math.min(1, most) * (1 - 1e-15) &&
          found.delta.upper <= Math.min(1, (most + toDouble(slack)) * (1 + 4e-15)),
        () => `${shown}: an upper bound of ${found.delta.upper} for ${most}`,
      );
    }
    const loss = largestLoss(laws, { bits });
    const losses = p.lower.map((each, i) =>
      each === 0n ? -Infinity : Math.log(Number(each) / Number(q.lower[i]! + q.remainder))
    );
    const worst = Math.max(...losses);
    if (loss === undefined) requireEqual(worst, -Infinity, `${shown}: no loss`);
    else if (worst === Infinity) requireEqual(loss.loss.lower, Infinity, shown);
    else {
      requireThat(
        loss.loss.lower <= worst + 1e-15 && loss.loss.lower >= worst - 1e-13 &&
          loss.loss.upper === Infinity && Math.abs(losses[Number(loss.key)]! - worst) < 1e-13,
        () => `${shown}: a loss of ${loss.loss.lower} for ${worst}`,
      );
      const i = Number(loss.key);
      requireEqual(
        [loss.left.upper, loss.right.upper].map((each) => Math.abs(each) <= 1),
        [true, true],
        "chances",
      );
      requireThat(
        loss.left.lower <= Number(p.lower[i]!) / unit &&
          loss.left.upper >= Number(p.lower[i]! + p.remainder) / unit &&
          loss.right.lower <= Number(q.lower[i]!) / unit &&
          loss.right.upper >= Number(q.lower[i]! + q.remainder) / unit,
        `${shown}: chances of the output`,
      );
    }
  }
  requireThat(
    seen.refuted > 100 && seen.certain > 100 && seen.open > 100,
    () => JSON.stringify(seen),
  );
}
