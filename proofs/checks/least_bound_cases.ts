import { FactorProducts } from "../../lib/exact/enumeration/factor_products.ts";
import type { LawsOfPair } from "../../lib/exact/enumeration/compare_laws.ts";
import type { Bounds } from "../../lib/exact/enumeration/least_epsilon.ts";
import { rational } from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireThat } from "../engine/requirement.ts";
import { exponential } from "./generated_programs.ts";
import { lawOf, type Laws } from "./loss_cases.ts";

/** Generated pairs of laws. */
const CASES = 90;

/** Binary places of e^ε. */
const PLACES = 400n;

/** Two laws in units of 2^−bits, and a δ. */
interface LeastCase {
  readonly laws: LawsOfPair;
  readonly bits: number;
  readonly delta: number;
}

/** Σ (p − e^ε·q)⁺ − e^ε·(what was not run on the right) − δ in fractions, above 0, below 0, or too near to tell. */
function excessSign(
  { laws: { left, right }, bits, delta }: LeastCase,
  epsilon: number,
): -1 | 0 | 1 {
  const { numerator, denominator } = rational(epsilon);
  const factor = exponential(numerator, denominator), allowed = rational(delta);
  let sum = -factor * right.remainder, all = factor * right.remainder;
  for (const [key, { lower }] of left.outputs) {
    const other = factor * (right.outputs.get(key)?.lower ?? 0n);
    const difference = (lower << PLACES) - other;
    // What is surely below 0 adds nothing, and nothing to what is uncertain.
    if (difference > -(other >> PLACES - 40n)) all += other;
    if (difference > 0n) sum += difference;
  }
  const excess = sum * allowed.denominator - (allowed.numerator << BigInt(bits) + PLACES);
  const room = (all * allowed.denominator >> PLACES - 40n) + 1n;
  return excess > room ? 1 : excess < -room ? -1 : 0;
}

/** A share of `whole`, in 32 bits. */
function shareOf(whole: bigint, source: SeededSource): bigint {
  return whole * BigInt(1 + source.uint32()) >> 33n;
}

/** Laws of which the least ε is tiny, usual, in the hundreds or hidden behind a δ that doubles cannot tell from their mass. */
function generatedCase(source: SeededSource, k: number): LeastCase {
  const kind = k % 6, bits = kind === 3 ? 1100 : 200, one = 1n << BigInt(bits);
  const row = (): bigint[] => Array.from({ length: 4 }, () => shareOf(one >> 2n, source));
  const rest = (): bigint => k % 4 < 2 ? 0n : BigInt(source.uint32()) << BigInt(bits - 80);
  let p = row(), q = row(), delta = [0, 1e-9, 0.05, 0.2][source.uint32() % 4]!;
  if (kind === 1) {
    // Nearly equal.
    q = p.map((value) => value - (value >> BigInt(20 + source.uint32() % 40)));
    delta = 0;
  } else if (kind === 2 || kind === 3) {
    // Far apart: up to e^120, or e^690.
    const by = kind === 2 ? 20 + source.uint32() % 150 : 400 + source.uint32() % 590;
    q = p.map((value) => value >> BigInt(by));
    delta = k % 4 === 0 ? 0.05 : 0;
  } else if (kind >= 4) {
    // δ plus a little, against a little.
    delta = kind === 4 ? 0.5 : 1 - 2 ** -10;
    const { numerator, denominator } = rational(delta);
    const little = one >> BigInt(48 + source.uint32() % 20);
    p = [numerator * one / denominator + little, little >> 3n];
    q = [little >> BigInt(1 + source.uint32() % 60), little];
  }
  const remainder = kind >= 2 ? 0n : rest();
  return {
    laws: { left: lawOf(p, rest(), false), right: lawOf(q, remainder, false) },
    bits,
    delta,
  };
}

/** The upper end keeps δ, the lower end does not, and little is between them. */
function requireLeast(
  leastEpsilon: Laws["leastEpsilon"],
  each: LeastCase,
  shown: string,
): Bounds {
  const units = { scale: 1n, bits: each.bits, products: new FactorProducts() };
  const found = leastEpsilon([each.laws], { delta: each.delta, units });
  const { lower, upper } = found, what = `${shown}: [${lower}, ${upper}]`;
  if (lower === 700) {
    requireThat(upper === Infinity && excessSign(each, 700) > 0, what);
    return found;
  }
  requireThat(upper - lower <= 4e-11 * (1 + lower), `${what} is wide`);
  requireThat(excessSign(each, upper) <= 0, `${what} does not keep δ`);
  requireThat(lower === 0 || excessSign(each, lower) >= 0, `${what} is more than the least ε`);
  requireThat(upper > 0 || excessSign(each, 0) <= 0, what);
  return found;
}

/** δ at an ε is that of fractions, and a claim with more is kept, one with less refuted. */
function requireDelta(
  compareLaws: Laws["compareLaws"],
  each: LeastCase,
  epsilon: number,
): void {
  const units = { scale: 1n, bits: each.bits, products: new FactorProducts() };
  const { delta } = compareLaws(each.laws, { epsilon, delta: 0, units });
  const above = (value: number): boolean => excessSign({ ...each, delta: value }, epsilon) > 0;
  const what = `δ of [${delta.lower}, ${delta.upper}] at ε = ${epsilon}`;
  if (delta.lower > 0) requireThat(above(delta.lower * (1 - 1e-15)), `${what}: less`);
  requireThat(!above(delta.lower * (1 + 4e-15) + 1e-60), `${what}: more`);
  if (delta.lower === 0) return;
  for (const [by, refuted] of [[1 - 1e-13, true], [1 + 1e-13, false]] as const) {
    const claim = { epsilon, delta: delta.lower * by, units };
    const found = compareLaws(each.laws, claim);
    requireThat(found.refuted === refuted, `${what}: a claim of ${claim.delta}`);
    requireThat(!refuted || found.certain, `${what}: a refuted claim that is not certain`);
  }
}

/** Bounds of generated pairs are those of fractions. */
export function requireGeneratedBounds(
  { compareLaws, leastEpsilon }: Pick<Laws, "compareLaws" | "leastEpsilon">,
  source: SeededSource,
): void {
  const seen = { tiny: 0, large: 0, hidden: 0 };
  for (let k = 0; k < CASES; k++) {
    const each = generatedCase(source, k);
    const { lower, upper } = requireLeast(leastEpsilon, each, `pair ${k}`);
    if (lower > 0 && upper < 1e-6) seen.tiny++;
    if (lower > 300) seen.large++;
    if (each.delta >= 0.5 && lower > 0) seen.hidden++;
    for (const epsilon of [1e-9, 0.1, 1, lower, 3 * source.uniform()]) {
      requireDelta(compareLaws, each, epsilon);
    }
  }
  requireThat(
    seen.tiny > 5 && seen.large > 5 && seen.hidden > 5,
    () => `too few of a kind: ${JSON.stringify(seen)}`,
  );
}

/** Several pairs have one least ε. */
export function requireSeveralPairs(
  { leastEpsilon }: Pick<Laws, "leastEpsilon">,
  source: SeededSource,
): void {
  const units = { scale: 1n, bits: 200, products: new FactorProducts() };
  for (let k = 0; k < 12; k++) {
    const cases = [0, 6, 12].map((by) => ({ ...generatedCase(source, by), delta: 0.01 }));
    const all = leastEpsilon(cases.map(({ laws }) => laws), { delta: 0.01, units });
    requireThat(
      cases.every((each) => excessSign(each, all.upper) <= 0),
      "one of some pairs does not keep δ",
    );
    requireThat(
      all.lower === 0 || cases.some((each) => excessSign(each, all.lower) >= 0),
      "more than the least ε of some pairs",
    );
  }
}

/** What was not run of either law counts on the safe side. */
export function requireOpenEnds(
  { compareLaws, largestLoss }: Pick<Laws, "compareLaws" | "largestLoss">,
): void {
  const bits = 40, one = 1n << 40n;
  const units = { scale: 1n, bits, products: new FactorProducts() };
  const [p, q, r] = [one >> 1n, one >> 3n, one >> 4n];
  for (const [first, second] of [[true, false], [false, true], [false, false]] as const) {
    const left = lawOf([p, one - p - r], r, first),
      right = lawOf([q, one - q - r], r, second);
    const found = largestLoss({ left, right }, { bits })!;
    requireEqual([found.key, found.loss.upper], ["0", Infinity], "of an open end");
    const least = Math.log(0.5 / (1 / 8 + 1 / 16));
    requireThat(
      found.loss.lower <= least && found.loss.lower >= least - 1e-13,
      () => `a loss of ${found.loss.lower}, not ${least}`,
    );
    requireThat(found.right.upper >= 3 / 16 && found.left.upper >= 9 / 16, "an open end");
    // p − e^ε·(q + r) is 1/2 − (3/16)·e^ε; with r on the left 9/16 − e^ε/8.
    for (
      const [delta, refuted, certain] of [
        [0.2, true, true],
        [0.3, false, false],
        [0.45, false, true],
      ] as const
    ) {
      const of = compareLaws({ left, right }, { epsilon: Math.log(1.25), delta, units });
      requireEqual([of.refuted, of.certain], [refuted, certain], `δ of ${delta}`);
    }
    // ε on the scale: p − e·(q + r) is below 0, and with r on the left it is 9/16 − e/8.
    for (const [delta, certain] of [[0.1, false], [0.3, true]] as const) {
      const of = compareLaws({ left, right }, { epsilon: 1, delta, units });
      requireEqual([of.refuted, of.certain], [false, certain], `ε of 1, δ of ${delta}`);
    }
    // The right lacks an output that what was not run may be.
    const lacking = lawOf([0n, one - r], r, second);
    const bound = largestLoss({ left, right: lacking }, { bits })!.loss.lower;
    requireThat(
      bound <= Math.log(8) && bound >= Math.log(8) - 1e-13,
      () => `a loss of ${bound} where an output may be missing`,
    );
  }
}
