import * as shipped from "../../lib/exact/interval.ts";
import { type Interval, interval } from "../../lib/exact/interval.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { exactExp, exactly, UNIT_BITS } from "../checks/dyadic_reference.ts";
import { outcomeOf, requireRefused, requireThat } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const CASES = 400;

/** What an end may be away from the true one, in units in the last place: elementary functions are allowed four. */
const ULPS = { sum: 3, elementary: 8 };

/** The operations of lib/exact/interval. */
type Arithmetic = Pick<
  typeof shipped,
  | "addIntervals"
  | "subtractIntervals"
  | "multiplyIntervals"
  | "squareInterval"
  | "absoluteInterval"
  | "risingInterval"
  | "fallingInterval"
>;

const least = (...values: bigint[]): bigint => values.reduce((a, b) => a < b ? a : b);
const most = (...values: bigint[]): bigint => values.reduce((a, b) => a > b ? a : b);

/** Whether an interval holds all from `from` to `to` (in units) and is no wider than it must be. */
function holds(
  { lower, upper }: Interval,
  { from, to, ulps }: { from: bigint; to: bigint; ulps: number },
): boolean {
  const room = (end: bigint): bigint =>
    BigInt(ulps) * ((end < 0n ? -end : end) >> 52n) + BigInt(ulps) * (1n << (UNIT_BITS - 1074n));
  const low = exactly(lower), high = exactly(upper);
  return low <= from && from - low <= room(from) && high >= to && high - to <= room(to);
}

/** Numbers of either sign and of sizes from e^−14 to e^14, some of them 0, small or whole. */
function number(source: SeededSource): number {
  const kind = source.uint32() % 8;
  if (kind === 0) return 0;
  if (kind === 1) return (source.uint32() % 7) - 3;
  const size = Math.exp(28 * source.uniform() - 14);
  return source.uint32() % 2 === 0 ? size : -size;
}

function generated(source: SeededSource): Interval {
  const a = number(source), b = source.uint32() % 5 === 0 ? a : number(source);
  return interval(Math.min(a, b), Math.max(a, b));
}

/** Interval arithmetic against whole numbers. */
export const intervals = theorem<Arithmetic>({
  id: "exact/intervals",
  statement:
    "Sums, differences, products, squares and absolute values of intervals, and e^x, ln x, ln(1 + x), √x and 1/x over them, hold all " +
    "true values, and their ends are no more than three (elementary functions: eight) units in the last place outside of them.",
  citation: "dpcheck; Moore 1966 on interval arithmetic; IEEE 754 on sums, products and roots",
  source: "lib/exact/interval.ts, on which all certified theorems rest",
  assumptions: [
    "exp, log and log1p of the engine are within four units in the last place: measured here at the same points",
  ],
  kind: "sampled",
  checked:
    "400 generated pairs of intervals with ends of size e^−14 to e^14, 0 among them: sums, differences and products in whole numbers, e^x to 200 bits, ln by e^x, √x and 1/x by products; values that an engine may be off by four units in the last place; ends that are infinite or overflow",
  subject: shipped,
  check: (of, { seed }) =>
    outcomeOf(`${CASES} pairs of intervals`, () => {
      const source = new SeededSource(seed).split("intervals"), ulps = ULPS.sum;
      for (let k = 0; k < CASES; k++) {
        const a = generated(source), b = generated(source);
        const shown = `[${a.lower}, ${a.upper}] and [${b.lower}, ${b.upper}]`;
        const [p, q, r, s] = [a.lower, a.upper, b.lower, b.upper].map(exactly) as [
          bigint,
          bigint,
          bigint,
          bigint,
        ];
        const products = [p * r, p * s, q * r, q * s].map((each) => each >> UNIT_BITS);
        const squares = [p * p, q * q].map((each) => each >> UNIT_BITS);
        const spans = p < 0n && q > 0n;
        const cases = {
          sum: [of.addIntervals(a, b), p + r, q + s],
          difference: [of.subtractIntervals(a, b), p - s, q - r],
          product: [of.multiplyIntervals(a, b), least(...products), most(...products)],
          square: [of.squareInterval(a), spans ? 0n : least(...squares), most(...squares)],
          "absolute value": [
            of.absoluteInterval(a),
            spans ? 0n : least(p < 0n ? -p : p, q < 0n ? -q : q),
            most(-p, q),
          ],
        } as const;
        for (const [name, [found, from, to]] of Object.entries(cases)) {
          const exact = name === "absolute value" ? 0 : ulps;
          requireThat(holds(found, { from, to, ulps: exact }), () => `${name} of ${shown}`);
        }
        requireElementary(of, a, shown);
        requireRoom(of, number(source));
      }
      requireLimits(of);
      requireRefused("an interval whose ends are not in order", () => interval(1, 0));
      requireRefused("an interval with an end that is no number", () => interval(NaN, 0));
    }),
  mutants: {
    "sums rounded to nearest": {
      ...shipped,
      addIntervals: (a, b) => ({ lower: a.lower + b.lower, upper: a.upper + b.upper }),
    },
    "products of equal ends only": {
      ...shipped,
      multiplyIntervals: (a, b) => {
        const [p, q] = [a.lower * b.lower, a.upper * b.upper];
        return shipped.addIntervals(interval(Math.min(p, q), Math.max(p, q)), interval(0));
      },
    },
    "elementary functions as the engine gives them": {
      ...shipped,
      risingInterval: (a, f) => interval(f(a.lower), f(a.upper)),
    },
    "a square below 0": {
      ...shipped,
      squareInterval: (a) => shipped.multiplyIntervals(a, a),
    },
    "ends a thousandth too wide": {
      ...shipped,
      fallingInterval: (a, f) => {
        const { lower, upper } = shipped.fallingInterval(a, f);
        return { lower: lower - 1e-3 * Math.abs(lower), upper: upper + 1e-3 * Math.abs(upper) };
      },
    },
  },
});

/** e^x and e^−x over the interval; ln, ln(1 + x), √ and 1/x over its absolute values. */
function requireElementary(of: Arithmetic, a: Interval, shown: string): void {
  const ulps = ULPS.elementary, one = exactly(1);
  const small = interval(Math.max(-600, a.lower / 2000), Math.min(600, a.upper / 2000));
  const exp = of.risingInterval(small, Math.exp);
  const [from, to] = [exactExp(small.lower), exactExp(small.upper)];
  requireThat(holds(exp, { from, to, ulps }), () => `e^x of ${shown}`);
  const fall = of.fallingInterval(small, (x) => Math.exp(-x));
  requireThat(
    holds(fall, { from: exactExp(-small.upper), to: exactExp(-small.lower), ulps }),
    () => `e^−x of ${shown}`,
  );
  const ends = [Math.abs(a.lower) + 1e-9, Math.abs(a.upper) + 1e-9].sort((x, y) => x - y);
  const positive = interval(ends[0]!, ends[1]!);
  const log = of.risingInterval(positive, Math.log);
  // ln is enclosed when e^lower ≤ x ≤ e^upper; the width by a doubled unit in the last place.
  const encloses = (found: Interval, low: bigint, high: bigint): boolean =>
    exactExp(found.lower) <= low && exactExp(found.upper) >= high &&
    exactExp(found.lower + 2 * ulps * ulp(found.lower)) >= low &&
    exactExp(found.upper - 2 * ulps * ulp(found.upper)) <= high;
  requireThat(
    encloses(log, exactly(positive.lower), exactly(positive.upper)),
    () => `ln of ${shown}`,
  );
  requireThat(
    encloses(
      of.risingInterval(positive, Math.log1p),
      one + exactly(positive.lower),
      one + exactly(positive.upper),
    ),
    () => `ln(1 + x) of ${shown}`,
  );
  const root = of.risingInterval(positive, Math.sqrt);
  const squared = (x: number): bigint => exactly(x) * exactly(x) >> UNIT_BITS;
  requireThat(
    squared(root.lower) <= exactly(positive.lower) &&
      squared(root.upper) >= exactly(positive.upper) &&
      squared(root.upper * (1 - ulps * 2 ** -52)) <= exactly(positive.upper) &&
      squared(root.lower * (1 + ulps * 2 ** -52)) >= exactly(positive.lower),
    () => `√ of ${shown}`,
  );
  const inverse = of.fallingInterval(positive, (x) => 1 / x);
  const quotient = (x: number): bigint => (one << UNIT_BITS) / exactly(x);
  requireThat(
    holds(inverse, {
      from: quotient(positive.upper),
      to: quotient(positive.lower) + 1n,
      ulps,
    }),
    () => `1/x of ${shown}`,
  );
}

/** Whatever an engine returns within four units in the last place, the true value is enclosed. */
function requireRoom(of: Arithmetic, value: number): void {
  const last = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 52);
  for (const enclose of [of.risingInterval, of.fallingInterval]) {
    const { lower, upper } = enclose(interval(1), () => value);
    requireThat(
      exactly(upper) - exactly(value) >= 4n * exactly(last) &&
        exactly(value) - exactly(lower) >= 4n * exactly(last),
      () => `[${lower}, ${upper}] for ${value}, give or take four units in the last place`,
    );
  }
}

function ulp(value: number): number {
  return Math.abs(value) * 2 ** -52 + Number.MIN_VALUE;
}

/** Infinite ends, and ends that overflow. */
function requireLimits(of: Arithmetic): void {
  const zero = interval(0), all = interval(-Infinity, Infinity);
  for (const product of [of.multiplyIntervals(zero, all), of.multiplyIntervals(all, zero)]) {
    requireThat(
      product.lower <= 0 && product.upper >= 0 && product.lower > -1e-300 && product.upper < 1e-300,
      "0 times what is finite",
    );
  }
  // e^1000 is a number, though no double is as large.
  const large = of.risingInterval(interval(1000), Math.exp);
  requireThat(large.lower === Number.MAX_VALUE && large.upper === Infinity, "e^1000");
  const small = of.fallingInterval(interval(1000), (x) => -Math.exp(x));
  requireThat(small.upper === -Number.MAX_VALUE && small.lower === -Infinity, "−e^1000");
  const logarithm = of.risingInterval(interval(0, 1), Math.log);
  requireThat(logarithm.lower === -Infinity && logarithm.upper < 1e-300, "ln over (0, 1)");
}
