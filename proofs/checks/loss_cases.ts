import { compareLaws, fraction } from "../../lib/exact/enumeration/compare_laws.ts";
import type { OutputLaw } from "../../lib/exact/enumeration/enumerate_outputs.ts";
import { FactorProducts } from "../../lib/exact/enumeration/factor_products.ts";
import { outcomesOf } from "../../lib/exact/enumeration/law_outcomes.ts";
import { largestLoss, leastEpsilon } from "../../lib/exact/enumeration/least_epsilon.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { rational } from "../../lib/numeric/rational.ts";
import { requireEqual, requireThat } from "../engine/requirement.ts";
import { exactLog, LOG_BITS } from "./exact_logarithm.ts";

/** For laws of draws. */
export const shipped = { outcomesOf, fraction, largestLoss, leastEpsilon, compareLaws };

/** For laws of draws. */
export type Laws = typeof shipped;

/** For laws of draws. */
export const BITS = 200, ONE = 2n ** 200n;

/** A law of outputs with these lower bounds in units; those of 0 are not in it. */
export function lawOf(lower: readonly bigint[], remainder: bigint, complete: boolean): OutputLaw {
  return {
    outputs: new Map(
      lower.map((p, i) => [String(i), { output: i, lower: p, terms: new Map() }] as const)
        .filter(([, { lower }]) => lower > 0n),
    ),
    remainder,
    complete,
    cut: 0n,
    branches: 0,
  };
}

/** Losses of thousands of nats are enclosed as those near 0 are: in logarithms of 300 bits. */
function requireFarLosses(largestLoss: Laws["largestLoss"], source: SeededSource): void {
  for (let k = 0; k < 60; k++) {
    const bits = [10, 100, 1000, 9000][k % 4]! + source.uint32() % 50;
    const p = BigInt(1 + source.uint32()) << BigInt(bits), q = BigInt(1 + source.uint32());
    const [left, right] = [p, q].map((value) => lawOf([value], 0n, true));
    const { loss } = largestLoss({ left: left!, right: right! }, { bits: bits + 40 })!;
    const exact = exactLog(p, q);
    const scaled = (value: number): bigint => {
      const { numerator, denominator } = rational(value);
      return (numerator << LOG_BITS) / denominator;
    };
    const room = scaled(2 ** -46 * (1 + Math.abs(loss.upper)));
    requireThat(
      scaled(loss.lower) <= exact && exact <= scaled(loss.upper) &&
        scaled(loss.upper) - scaled(loss.lower) <= room,
      () => `a loss of ${Number(exact >> 200n) / 2 ** 100} in [${loss.lower}, ${loss.upper}]`,
    );
  }
}

/** For laws of draws. */
export function requireLosses({ largestLoss, leastEpsilon }: Laws, seed: number): void {
  const source = new SeededSource(seed).split("losses"),
    units = { scale: 1n, bits: BITS, products: new FactorProducts() };
  const mass = (): bigint => {
    const kind = source.uint32() % 4;
    return kind === 0
      ? 0n
      : BigInt(1 + source.uint32()) << BigInt(kind === 1 ? 164 : source.uint32() % 160);
  };
  for (let k = 0; k < 60; k++) {
    const p = Array.from({ length: 6 }, mass), q = Array.from({ length: 6 }, mass);
    const [r, s] = [BigInt(source.uint32() % 4), BigInt(source.uint32() % 4)],
      complete = k % 2 === 0;
    const found = largestLoss({ left: lawOf(p, r, complete), right: lawOf(q, s, complete) }, {
      bits: BITS,
    });
    const against = q.map((value) => value + (complete ? 0n : s));
    let best: number | undefined;
    p.forEach((value, i) => {
      if (value === 0n) return;
      if (best === undefined || value * against[best]! > p[best]! * against[i]!) best = i;
    });
    if (best === undefined || found === undefined) continue;
    const place = Number(found.key);
    requireThat(
      found.left.upper <= 1 && found.right.upper <= 1 && found.left.lower >= 0,
      "chances beyond 1",
    );
    if (against[best] === 0n || against[place] === 0n) {
      requireEqual(found.loss.lower, Infinity);
      continue;
    }
    requireThat(
      p[place]! * against[best]! === p[best]! * against[place]!,
      "another output loses more",
    );
    const log = (a: bigint, b: bigint): number =>
      Math.log(Number((a << 400n) / b)) - 400 * Math.LN2;
    const lower = log(p[place]!, against[place]! + (complete ? s : 0n));
    requireThat(
      found.loss.lower <= lower + 1e-9 && found.loss.lower >= lower - 1e-6 * (1 + Math.abs(lower)),
      () => `a loss of at least ${found.loss.lower}, not ${lower}`,
    );
    if (!complete) requireEqual(found.loss.upper, Infinity);
    else if (q[place]! > 0n) {
      const upper = log(p[place]! + r, q[place]!);
      requireThat(
        found.loss.upper >= upper - 1e-9 &&
          found.loss.upper <= upper + 1e-6 * (1 + Math.abs(upper)),
        () => `a loss of at most ${found.loss.upper}, not ${upper}`,
      );
    }
  }
  requireFarLosses(largestLoss, source);
  // An output whose bound has no digit, of complete laws: its loss may be any, and is at least what the remainder allows.
  const vague = (lower: bigint): OutputLaw => ({
    ...lawOf([], 8n, true),
    outputs: new Map([["0", { output: 0, lower, terms: new Map() }]]),
  });
  const { loss } = largestLoss({ left: vague(1n << 20n), right: vague(0n) }, { bits: BITS })!;
  requireEqual([loss.upper, loss.lower > 11 && loss.lower < 12], [Infinity, true], "a vague loss");
  // Ratios that doubles cannot tell apart.
  const third = ONE / 3n;
  for (const way of [1n, -1n]) {
    const left = lawOf([third, third + way, third], 0n, true),
      right = lawOf([third, third, third], 0n, true);
    requireEqual(largestLoss({ left, right }, { bits: BITS })!.key, way > 0n ? "1" : "0");
  }
  const half = ONE / 2n,
    even = lawOf([half, half], 0n, false),
    one = lawOf([ONE - (ONE >> 10n), 0n, ONE >> 10n], 0n, false);
  requireEqual(leastEpsilon([{ left: even, right: even }], { delta: 0, units }), {
    lower: 0,
    upper: 0,
  });
  requireEqual(leastEpsilon([{ left: one, right: even }], { delta: 0, units }), {
    lower: 700,
    upper: Infinity,
  });
  // 1 − 2^−10 − e^ε/2 + 2^−10 = 2^−9.
  const { lower, upper } = leastEpsilon([{ left: even, right: even }, { left: one, right: even }], {
    delta: 2 ** -9,
    units,
  });
  const edge = Math.log(2 * (1 - 2 ** -9));
  requireThat(
    lower <= edge && upper >= edge - 1e-10 && upper - lower < 1e-9,
    () => `[${lower}, ${upper}] for ${edge}`,
  );
  for (let k = 0; k < 30; k++) {
    const row = (): bigint[] =>
      Array.from({ length: 5 }, () => (ONE >> 8n) + BigInt(source.uint32()) * (ONE >> 36n));
    const [p, q] = [row(), row()], delta = [0, 1e-3, 0.05][k % 3]!;
    const found = leastEpsilon([{ left: lawOf(p, 0n, false), right: lawOf(q, 0n, false) }], {
      delta,
      units,
    });
    const share = (value: bigint): number => Number(value >> 100n) / 2 ** 100;
    const excess = (epsilon: number): number =>
      p.reduce(
        (sum, value, i) => sum + Math.max(0, share(value) - Math.exp(epsilon) * share(q[i]!)),
        0,
      ) - delta;
    requireThat(
      excess(found.upper) <= 1e-9 && (found.lower === 0 || excess(found.lower) >= -1e-9) &&
        found.upper - found.lower <= 1e-9 * (1 + found.lower),
      () => `[${found.lower}, ${found.upper}]`,
    );
  }
}
