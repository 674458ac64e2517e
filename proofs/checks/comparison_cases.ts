import { compareLaws, type LawsOfPair } from "../../lib/exact/enumeration/compare_laws.ts";
import type { OutputLaw } from "../../lib/exact/enumeration/enumerate_outputs.ts";
import { FactorProducts } from "../../lib/exact/enumeration/factor_products.ts";
import type { OutcomeUnits } from "../../lib/exact/enumeration/law_outcomes.ts";
import { largestLoss, leastEpsilon } from "../../lib/exact/enumeration/least_epsilon.ts";
import { rational } from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireThat } from "../engine/requirement.ts";
import { BITS as FINE, exponential, ONE, ROOM, toDouble } from "./generated_programs.ts";
import { lawOf } from "./loss_cases.ts";

/** What compares the laws of outputs. */
export const comparisons = { compareLaws, leastEpsilon, largestLoss };

/** Those comparisons, or others in their place. */
export type Comparisons = typeof comparisons;

/** A map that counts how often it is gone through. */
class CountedMap<K, V> extends Map<K, V> {
  passes = 0;

  override [Symbol.iterator](): MapIterator<[K, V]> {
    this.passes++;
    return super[Symbol.iterator]();
  }
}

type Outputs = CountedMap<
  string,
  OutputLaw["outputs"] extends ReadonlyMap<string, infer V> ? V : 0
>;

function lowerLaw(lower: readonly bigint[], remainder: bigint): OutputLaw & { outputs: Outputs } {
  const law = lawOf(lower, remainder, false);
  return { ...law, outputs: new CountedMap(law.outputs) };
}

const natural = (numerator: bigint, denominator: bigint): number =>
  Math.log(Number((numerator << 1300n) / denominator >> 300n) / 2 ** 500 / 2 ** 500);

/** The largest ln((P(S) − δ)/(Q(S) + remainder)) over all sets S of outputs. */
function leastOf(
  p: readonly bigint[],
  q: readonly bigint[],
  { remainder, allowed }: { readonly remainder: bigint; readonly allowed: bigint },
): number {
  let most = 0;
  for (let set = 1; set < 2 ** p.length; set++) {
    const sum = (of: readonly bigint[]): bigint =>
      of.reduce((total, each, i) => set >> i & 1 ? total + each : total, 0n);
    const numerator = sum(p) - allowed, denominator = sum(q) + remainder;
    if (numerator <= 0n) continue;
    if (denominator === 0n) return Infinity;
    if (numerator > denominator) most = Math.max(most, natural(numerator, denominator));
  }
  return most;
}

/** The least ε of generated laws is that of the worst set of outputs, found with five passes over a law. */
export function requireLeastEpsilons({ leastEpsilon }: Comparisons, source: SeededSource): void {
  const bits = 1200, unit = 1n << BigInt(bits);
  const units = { scale: 1n, bits, products: new FactorProducts() };
  const seen = { small: 0, middle: 0, large: 0, later: 0 };
  for (let k = 0; k < 120; k++) {
    const deepest = [2, 30, 300, 900][k % 4]!;
    const row = (): bigint[] =>
      Array.from(
        { length: 5 },
        () =>
          BigInt(1 + source.uint32()) <<
          BigInt(bits - 35 - (source.uint32() % 3 === 0 ? source.uint32() % deepest : 0)),
      );
    const delta = [0, 0, 2 ** -9, 2 ** -5][source.uint32() % 4]!;
    const allowed = delta === 0 ? 0n : unit / BigInt(1 / delta);
    const laws = Array.from({ length: 1 + k % 3 }, () => {
      const p = row(), q = row();
      const remainder = k % 5 === 0 ? unit >> BigInt(source.uint32() % 20 + 6) : 0n;
      return { p, q, remainder, truth: leastOf(p, q, { remainder, allowed }) };
    });
    const pairs = laws.map(({ p, q, remainder }) => ({
      left: lowerLaw(p, 0n),
      right: lowerLaw(q, remainder),
    }));
    const { lower, upper } = leastEpsilon(pairs, { delta, units });
    const truth = Math.max(...laws.map((each) => each.truth)), shown = `laws ${k}`;
    if (truth > 690) continue;
    requireThat(
      lower <= truth + 1e-13 * (1 + truth) && truth <= upper + 1e-13 * (1 + truth),
      () => `${shown}: [${lower}, ${upper}] for ${truth}`,
    );
    requireThat(upper - lower <= 3.001e-11 * (1 + lower), `${shown}: ends that are far apart`);
    requireThat(lower >= 0 && (truth > 0) === (upper > 0), `${shown}: an end below 0`);
    let before = 0;
    pairs.forEach(({ left }, i) => {
      const { truth: own } = laws[i]!;
      if (Math.abs(own - before) < 1e-9) return;
      // One comparison where the pair loses no more than those before it; else five passes.
      requireEqual(left.outputs.passes, own > before ? 5 : 1, `${shown}: passes of pair ${i}`);
      if (i > 0 && own > before) seen.later++;
      before = Math.max(before, own);
    });
    seen[truth < 1 ? "small" : truth < 4 ? "middle" : "large"]++;
  }
  requireThat(
    seen.small > 10 && seen.middle > 10 && seen.large > 10 && seen.later > 10,
    JSON.stringify(seen),
  );
  // e^−700 is 2^−1009.9: on either side of where a loss counts as infinite.
  const half = unit >> 1n, at = (log: number): bigint => BigInt(Math.floor(2 ** 50 * 2 ** log));
  for (const [loss, infinite] of [[699.5, false], [700.5, true], [710, true]] as const) {
    const rare = half * at(1 - loss % Math.LN2 / Math.LN2) >>
      BigInt(51 + Math.floor(loss / Math.LN2));
    const found = leastEpsilon([{
      left: lowerLaw([half, half], 0n),
      right: lowerLaw([rare, unit - rare], 0n),
    }], { delta: 0, units });
    if (infinite) requireEqual(found, { lower: 700, upper: Infinity }, `a loss of ${loss}`);
    else requireThat(Math.abs(found.lower - loss) < 1e-7, `${found.lower} for ${loss}`);
  }
}

/** A complete law: outputs of weight count·e^(−quarters/4). */
type Weights = readonly { readonly count: bigint; readonly quarters: bigint }[];

/** A complete law of such weights, and its chances. */
export function completeLaw(
  weights: Weights,
  { bits, products }: OutcomeUnits,
): { readonly law: OutputLaw; readonly chances: readonly bigint[] } {
  const total = new Map<bigint, bigint>();
  for (const { count, quarters } of weights) {
    if (count > 0n) total.set(quarters, (total.get(quarters) ?? 0n) + count);
  }
  const product = products.of(total, -1);
  const masses = weights.map(({ count, quarters }) => count * exponential(-quarters, 4n));
  const whole = masses.reduce((a, b) => a + b);
  const chances = masses.map((mass) => (mass << FINE) / whole);
  // Some units below, as samplers of several draws lose by rounding.
  const lower = chances.map((chance) => chance >> FINE - BigInt(bits)).map((each) =>
    each > 3n ? each - 3n : each
  );
  return {
    chances,
    law: {
      outputs: new Map(
        weights.flatMap(({ count, quarters }, i) =>
          count === 0n ? [] : [
            [String(i), {
              output: i,
              lower: lower[i]!,
              terms: new Map([[product, new Map([[quarters, count]])]]),
            }] as const,
          ]
        ),
      ),
      remainder: (1n << BigInt(bits)) - lower.reduce((a, b) => a + b),
      complete: true,
      cut: 0n,
      branches: 0,
    },
  };
}

/** Whether claims hold of complete laws, with ε and δ on either side of where they begin to. */
export function requireComparisons({ compareLaws }: Comparisons, source: SeededSource): void {
  const seen = { tied: 0, refuted: 0, holds: 0 };
  const claimed = [0.25, 0.5, 1, 0.3].map((epsilon) => {
    const { numerator, denominator } = rational(epsilon);
    return [epsilon, exponential(numerator, denominator)] as const;
  });
  for (let k = 0; k < 70; k++) {
    const units = { scale: 4n, bits: 256, products: new FactorProducts() };
    const size = 2 + source.uint32() % 3;
    const side = (): Weights => {
      const found = Array.from({ length: size }, () => ({
        count: BigInt(source.uint32() % 4),
        quarters: k % 3 === 0 ? 0n : BigInt(source.uint32() % 5),
      }));
      return found.every(({ count }) => count === 0n) ? side() : found;
    };
    const weights = [side(), side()] as const;
    // Every other pair turns the weights, so that ratios are powers of e^¼.
    const other = k % 2 === 0 ? weights[0].toReversed() : weights[1];
    const left = completeLaw(weights[0], units), right = completeLaw(other, units);
    const laws: LawsOfPair = { left: left.law, right: right.law };
    for (const [epsilon, factor] of claimed) {
      const onScale = epsilon !== 0.3;
      const differences = left.chances.map((p, i) => p - (factor * right.chances[i]! >> FINE));
      const least = differences.reduce((sum, each) => each > 0n ? sum + each : sum, 0n);
      const shown = toDouble(least);
      const ties = differences.filter((each, i) =>
        each < ROOM && each > -ROOM && left.chances[i]! > 0n
      ).length;
      for (const share of [0, 0.5, 1 - 2 ** -50, 1, 1 + 2 ** -50, 2]) {
        const delta = Math.min(0.9, share * (share === 0 ? 0 : shown < 1e-30 ? 0 : shown));
        const allowed = rational(delta);
        const over = least - (allowed.numerator << FINE) / allowed.denominator;
        const where = `laws ${k} at ε = ${epsilon} and δ = ${delta}`;
        const found = compareLaws(laws, { epsilon, delta, units });
        const open = over < ROOM && over > -ROOM;
        if (!onScale && open) {
          requireEqual(found.refuted, false, where);
          continue;
        }
        requireEqual([found.refuted, found.certain], [over > ROOM, true], where);
        if (onScale && !found.refuted) {
          requireEqual(found.attained, delta === 0 ? ties > 0 : open, `${where}: equality`);
        }
        const { lower, upper } = found.delta;
        requireThat(
          lower <= shown * (1 + 1e-15) && upper * (1 + 1e-15) >= shown &&
            upper - lower <= 1e-14 * shown + 1e-70,
          () => `${where}: [${lower}, ${upper}] for ${shown}`,
        );
        if (open && onScale) seen.tied++;
        seen[found.refuted ? "refuted" : "holds"]++;
      }
    }
  }
  requireThat(
    seen.tied > 20 && seen.refuted > 80 && seen.holds > 80,
    () => JSON.stringify(seen),
  );
  requireEqual(ONE >> FINE, 1n);
}

/** The loss of two laws, one of which alone is complete, is not taken for known; logarithms hold for all sizes. */
export function requireSizes({ largestLoss }: Comparisons): void {
  const bits = 3000, unit = 1n << 3000n;
  for (const size of [1, 60, 63, 64, 65, 127, 128, 500, 771, 772, 900, 1500, 2900]) {
    for (const factor of [1n, 5n]) {
      const rare = factor << BigInt(bits - size - 3);
      const side = (first: bigint): OutputLaw => ({
        ...lowerLaw([first, unit - first], 0n),
        complete: true,
      });
      const often = unit / 3n, loss = Math.log(8 / 3 / Number(factor)) + size * Math.LN2;
      if (loss < 0) continue;
      const found = largestLoss({ left: side(often), right: side(rare) }, { bits })!;
      requireThat(
        found.key === "0" && Math.abs(found.loss.lower - loss) < 1e-13 * (1 + loss) &&
          found.loss.lower <= loss * (1 + 1e-15) && loss <= found.loss.upper * (1 + 1e-15) &&
          Math.abs(found.loss.upper - loss) < 1e-13 * (1 + loss),
        () => `[${found.loss.lower}, ${found.loss.upper}] for ${loss}`,
      );
    }
  }
  // What is so rare that its bound has no digit may lose anything, on either side.
  const outputs = (...lower: readonly bigint[]): OutputLaw => ({
    ...lowerLaw([], unit - lower.reduce((a, b) => a + b)),
    outputs: new Map(
      lower.map((each, i) => [`${i}`, { output: i, lower: each, terms: new Map() }]),
    ),
    complete: true,
  });
  const sure = largestLoss({ left: outputs(unit), right: outputs(unit) }, { bits })!;
  requireEqual([sure.left.upper, sure.right.upper], [1, 1], "a chance of 1");
  const third = unit / 3n;
  for (
    const [left, right, upper] of [
      [outputs(third, third, third), outputs(third, third, third), 1e-13],
      [outputs(third, unit - third - 1n, 0n), outputs(third, third, third), Infinity],
      [outputs(third, third, third), outputs(third, unit - third - 1n, 0n), Infinity],
      [outputs(third, unit - third - 1n, 0n), outputs(third, unit - third - 1n, 0n), Infinity],
    ] as const
  ) {
    const found = largestLoss({ left, right }, { bits })!.loss.upper;
    requireThat(
      found === upper || found < upper,
      `a loss of at most ${found} beside a rare output`,
    );
    requireEqual(found === Infinity, upper === Infinity, "an infinite loss");
  }
  const whole = { ...lowerLaw([unit / 2n, unit / 2n], 0n), complete: true };
  const part = lowerLaw([unit / 8n, unit / 2n], unit / 4n);
  for (const [left, right] of [[whole, part], [part, whole]] as const) {
    requireEqual(largestLoss({ left, right }, { bits })!.loss.upper, Infinity, "a law in part");
  }
  // Half against an eighth and a quarter: ln(4/3).
  const { loss } = largestLoss({ left: whole, right: part }, { bits })!;
  requireThat(Math.abs(loss.lower - Math.log(4 / 3)) < 1e-13, "a loss beside a remainder");
  const equal = largestLoss({ left: whole, right: whole }, { bits })!;
  requireThat(equal.loss.lower === 0 && equal.loss.upper < 1e-13, "a loss of 0");
}
