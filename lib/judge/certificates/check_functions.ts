/**
 * Checks what a certificate of alignments says of functions of data: that the lines between which it puts a value, as x·x, hold for all arguments
 * within their ranges. In fractions, with a series of its own for e^x and nothing for other functions but their inverses.
 *
 * @module
 */
import {
  atMost,
  dataForm,
  type Form,
  MINUS,
  ONE,
  plus,
  type Premise,
  shows,
  times,
  why,
  ZERO,
} from "./certificate_forms.ts";
import type { Fraction } from "./exact_fraction.ts";
import { fraction } from "./neighbours_of_domain.ts";
import { demand, list, oneOf, pair, record, string } from "./strict_json.ts";

const range = record({ low: fraction, high: fraction, above: why, below: why });
const line = record({ upper: oneOf(true, false), slopes: list(fraction), constant: fraction });

/** Reads a function of data. */
export const dataFunction = record({
  name: string,
  op: string,
  args: list(dataForm),
  ranges: list(range),
  lines: list(line),
  pairs: list(
    record({
      other: string,
      ranges: list(range),
      between: list(pair(fraction, fraction)),
      lines: list(line),
    }),
  ),
});

/** A function of data. */
export type DataFunction = ReturnType<typeof dataFunction>;
type Range = Pick<DataFunction["ranges"][number], "low" | "high">;
type Line = DataFunction["lines"][number];

const add = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const minus = (a: Fraction, b: Fraction): Fraction => add(a, times(b, MINUS));
const over = ([a, b]: Fraction, [c, d]: Fraction): Fraction =>
  c < 0n ? [-a * d, b * -c] : [a * d, b * c];
const lesser = (a: Fraction, b: Fraction): Fraction => atMost(a, b) ? a : b;
const greater = (a: Fraction, b: Fraction): Fraction => atMost(a, b) ? b : a;
const TWO: Fraction = [2n, 1n], HALF: Fraction = [1n, 2n];

function power([n, d]: Fraction, k: number): Fraction {
  return [n ** BigInt(k), d ** BigInt(k)];
}

function floor([n, d]: Fraction): Fraction {
  return [n / d - (n < 0n && n % d !== 0n ? 1n : 0n), 1n];
}

/** Digits after the point, in binary, of e^−x. */
const DIGITS = 400n;

/** Two fractions around e^x: e^−|x| by halving |x| and squaring back, with a Taylor series whose terms alternate. */
function exponential(x: Fraction): [low: Fraction, high: Fraction] {
  if (x[0] === 0n) return [ONE, ONE];
  const [n, d] = x[0] < 0n ? [-x[0], x[1]] : x;
  demand(n <= 1000n * d, "an exponent that is too large");
  let halvings = 0n;
  while (n > d << halvings) halvings++;
  const digits = DIGITS + 2n * halvings + 1600n, one = 1n << digits, divisor = d << halvings;
  let low = 0n, high = 0n, term: [bigint, bigint] = [one, one];
  for (let k = 1n; term[1] > 1n; k++) {
    if (k % 2n === 1n) [low, high] = [low + term[0], high + term[1]];
    else [low, high] = [low - term[1], high - term[0]];
    term = [term[0] * n / (divisor * k), term[1] * n / (divisor * k) + 1n];
  }
  // What is left out is no more than the next term.
  low -= term[1];
  high += term[1];
  for (let i = 0n; i < halvings; i++) {
    [low, high] = [low * low >> digits, (high * high >> digits) + 1n];
  }
  return x[0] < 0n ? [[low, one], [high, one]] : [[one, high], [one, low]];
}

function degreeOf(op: string): number | undefined {
  const degree = /^power ([1-9]\d?)$/.exec(op)?.[1];
  return degree === undefined ? undefined : Number(degree);
}

/** Returns true if the value of a function of one number is certainly at most another one; with `not`, at least. */
function isBelow(op: string, x: Fraction, most: Fraction, not = false): boolean {
  const compared = (value: Fraction, other = most): boolean =>
    not ? atMost(other, value) : atMost(value, other);
  const bounded = (of: Fraction, other: Fraction): boolean =>
    compared(exponential(of)[not ? 0 : 1], other);
  /** Whether e^most is on the other side of a number. */
  const inverse = (of: Fraction): boolean =>
    not ? atMost(exponential(most)[1], of) : atMost(of, exponential(most)[0]);
  const degree = degreeOf(op);
  if (degree !== undefined) return compared(power(x, degree));
  switch (op) {
    case "abs":
      return compared(x[0] < 0n ? times(x, MINUS) : x);
    case "reciprocal":
      return compared(over(ONE, x));
    case "sqrt":
      return most[0] < 0n ? not : compared(x, times(most, most));
    case "exp":
      return bounded(x, most);
    case "expm1":
      return bounded(x, add(most, ONE));
    case "log":
      return inverse(x);
    case "log1p":
      return inverse(add(x, ONE));
    case "tanh":
      // (e^2x − 1)/(e^2x + 1) ≤ q where e^2x ≤ (1 + q)/(1 − q).
      if (atMost(ONE, most)) return !not;
      if (atMost(most, MINUS)) return not;
      // It rises: beyond 100 it is at least, and below −100 at most, what it is there.
      return bounded(
        times(TWO, not ? lesser(x, [100n, 1n]) : greater(x, [-100n, 1n])),
        over(add(ONE, most), minus(ONE, most)),
      );
  }
  return false;
}

/** 1 where a function of one number is convex on a range, −1 where it is concave, 0 where it may be neither; `undefined` where it is not a number everywhere on it. */
function bendOf(op: string, { low, high }: Range): 1 | -1 | 0 | undefined {
  const isPositive = low[0] > 0n, degree = degreeOf(op);
  if (degree !== undefined) return degree % 2 === 0 || low[0] >= 0n ? 1 : high[0] <= 0n ? -1 : 0;
  switch (op) {
    case "abs":
    case "exp":
    case "expm1":
      return 1;
    case "tanh":
      return 0;
    case "reciprocal":
      return isPositive ? 1 : high[0] < 0n ? -1 : undefined;
    case "sqrt":
      return low[0] >= 0n ? -1 : undefined;
    case "log":
      return isPositive ? -1 : undefined;
    case "log1p":
      return low[0] > -low[1] ? -1 : undefined;
  }
  return undefined;
}

/** Whole numbers near, and between what they are beside a number. */
const WHOLE: Readonly<Record<string, readonly [(x: Fraction) => Fraction, Fraction, Fraction]>> = {
  floor: [floor, MINUS, ZERO],
  ceil: [(x) => times(floor(times(x, MINUS)), MINUS), ZERO, ONE],
  round: [(x) => floor(add(x, HALF)), [-1n, 2n], HALF],
  trunc: [([n, d]) => [n / d, 1n], MINUS, ONE],
};

function at({ slopes, constant }: Line, x: readonly Fraction[]): Fraction {
  return slopes.reduce((sum, slope, i) => add(sum, times(slope, x[i]!)), constant);
}

function isFlat({ slopes }: Line): boolean {
  return slopes.every(([n]) => n === 0n);
}

function cornersOf(box: readonly Range[]): Fraction[][] {
  demand(box.length <= 12, "a function of too many arguments");
  return box.reduce<Fraction[][]>(
    (all, { low, high }) => all.flatMap((each) => [[...each, low], [...each, high]]),
    [[]],
  );
}

/** Returns true if a line is certainly on its side of a function, for all arguments within a box. */
function holds(op: string, box: readonly Range[], line: Line): boolean {
  const { upper, slopes, constant } = line;
  const ordered = (value: Fraction, other: Fraction): boolean =>
    upper ? atMost(value, other) : atMost(other, value);
  const [first] = box as [Range];
  const atCorners = (value: (x: readonly Fraction[]) => Fraction): boolean =>
    cornersOf(box).every((x) => ordered(value(x), at(line, x)));
  switch (op) {
    case "product":
      // Linear in each argument: the difference is least in a corner.
      return box.length === 2 && atCorners(([a, b]) => times(a!, b!));
    case "hypot": {
      const squares = (x: readonly Fraction[]): Fraction =>
        x.reduce((sum, each) => add(sum, times(each, each)), ZERO);
      if (upper) {
        // Convex.
        return cornersOf(box).every((x) => {
          const height = at(line, x);
          return height[0] >= 0n && atMost(squares(x), times(height, height));
        });
      }
      const near = box.map(({ low, high }) => low[0] > 0n ? low : high[0] < 0n ? high : ZERO);
      return isFlat(line) &&
        (constant[0] <= 0n || atMost(times(constant, constant), squares(near)));
    }
    case "max":
    case "min": {
      const of = op === "max" ? greater : lesser;
      // The largest is convex, the least is concave: lines on that side are compared in the corners.
      if (upper === (op === "max")) return atCorners((x) => x.reduce(of));
      if (isFlat(line)) {
        return ordered(box.map((each) => op === "max" ? each.low : each.high).reduce(of), constant);
      }
      const [only, ...others] = slopes.flatMap((slope, i) => slope[0] === 0n ? [] : [i]);
      return others.length === 0 && constant[0] === 0n && slopes[only!]![0] === slopes[only!]![1];
    }
    case "sin":
    case "cos":
      return box.length === 1 && isFlat(line) && ordered(upper ? ONE : MINUS, constant);
  }
  if (box.length !== 1) return false;
  const [slope] = slopes as [Fraction], whole = Object.hasOwn(WHOLE, op) ? WHOLE[op] : undefined;
  if (whole !== undefined) {
    const [of, least, most] = whole;
    if (slope[0] === 0n) return ordered(of(upper ? first.high : first.low), constant);
    return slope[0] === slope[1] && ordered(upper ? most : least, constant);
  }
  const bend = bendOf(op, first), isEven = (degreeOf(op) ?? 1) % 2 === 0;
  if (bend === undefined) return false;
  const atEnds = [first.low, first.high].every((x) => isBelow(op, x, at(line, [x]), !upper));
  // A rising or falling function is between its ends, and the others are at least 0.
  if (bend === (upper ? 1 : -1)) return atEnds;
  if (slope[0] === 0n) {
    return (isEven || op === "abs") && !upper && constant[0] <= 0n ||
      !isTurning(op, first) && atEnds;
  }
  if (upper) return false;
  if (op === "power 2") return add(times(slope, slope), times([4n, 1n], constant))[0] <= 0n;
  return op === "abs" && constant[0] <= 0n && atMost(MINUS, slope) && atMost(slope, ONE);
}

/** Returns true if a function falls first on a range, and then rises. */
function isTurning(op: string, { low, high }: Range): boolean {
  const turns = op === "abs" || (degreeOf(op) ?? 1) % 2 === 0;
  return turns && low[0] < 0n && high[0] > 0n;
}

/** Returns true if the slope of a function in one argument is certainly between two numbers. */
function hasSlope(
  op: string,
  box: readonly Range[],
  i: number,
  [least, most]: readonly [Fraction, Fraction],
): boolean {
  const within = (...values: readonly Fraction[]): boolean =>
    values.every((each) => atMost(least, each) && atMost(each, most));
  const { low, high } = box[i]!, ends = [low, high], degree = degreeOf(op);
  if (degree !== undefined) {
    const slopes = ends.map((x) => times([BigInt(degree), 1n], power(x, degree - 1)));
    return within(...slopes, ...low[0] < 0n && high[0] > 0n ? [ZERO] : []);
  }
  const isKnown = box.length === 1 && bendOf(op, box[0]!) !== undefined;
  switch (op) {
    case "product":
      return within(box[1 - i]!.low, box[1 - i]!.high);
    case "max":
    case "min":
    case "tanh":
      return within(ZERO, ONE);
    case "hypot":
    case "sin":
    case "cos":
    case "abs":
      return within(MINUS, ONE);
    case "reciprocal":
      return isKnown && within(...ends.map((x) => over(MINUS, times(x, x))));
    case "log":
      return isKnown && within(...ends.map((x) => over(ONE, x)));
    case "log1p":
      return isKnown && within(...ends.map((x) => over(ONE, add(x, ONE))));
    case "exp":
    case "expm1":
      return ends.every((x) => isBelow("exp", x, most) && isBelow("exp", x, least, true));
    case "sqrt":
      // 1/(2·√x).
      return low[0] > 0n && least[0] > 0n && ends.every((x) => {
        const root = (slope: Fraction): Fraction => over(HALF, slope);
        return isBelow("sqrt", x, root(least)) && isBelow("sqrt", x, root(most), true);
      });
  }
  return false;
}

/** Returns true if a line is certainly on its side of what a function changes by, for all changes within a box. */
function holdsOfChange(
  op: string,
  { box, changes, between, line }: {
    readonly box: readonly Range[];
    readonly changes: readonly Range[];
    readonly between: readonly (readonly [Fraction, Fraction])[];
    readonly line: Line;
  },
): boolean {
  const { upper, slopes, constant } = line, of = upper ? greater : lesser;
  const ordered = (value: Fraction): boolean =>
    upper ? atMost(value, constant) : atMost(constant, value);
  if (between.length === 0) {
    const isWhole = Object.hasOwn(WHOLE, op);
    if (!isFlat(line) || !isWhole && op !== "max" && op !== "min") return false;
    // The largest of several changes by no more than they do, and a whole number by a whole number; towards 0 perhaps not at all.
    const ends = changes.map((each) => upper ? each.high : each.low);
    const end = (op === "trunc" ? [...ends, ZERO] : ends).reduce(of);
    return ordered(!isWhole ? end : upper ? WHOLE.ceil![0](end) : floor(end));
  }
  if (between.length !== box.length || !between.every((each, i) => hasSlope(op, box, i, each))) {
    return false;
  }
  // Σ slope·change is largest in a corner, each part by itself.
  return ordered(changes.reduce((sum, { low, high }, i) => {
    const parts = [low, high].map((change) =>
      minus(between[i]!.map((each) => times(each, change)).reduce(of), times(slopes[i]!, change))
    );
    return add(sum, parts.reduce(of));
  }, ZERO));
}

/**
 * Returns what is known of functions of data beside what was known.
 *
 * @param before the functions above these.
 * @throws {Error} where that is not shown.
 */
export function knownOf(
  functions: readonly DataFunction[],
  known: readonly Premise[],
  before: readonly DataFunction[],
): readonly Premise[] {
  const all = [...before];
  let premises = known;
  const inRange = (
    form: Form,
    { low, high, above, below }: DataFunction["ranges"][number],
  ): void => {
    shows(plus(new Map([["", high]]), form, MINUS), premises, above);
    shows(plus(form, new Map([["", low]]), MINUS), premises, below);
  };
  for (const each of functions) {
    const { name, op, args, ranges, lines, pairs } = each;
    demand(name === `t${all.length}`, "the name of a function of data");
    const isKnown = (form: Form): boolean =>
      [...form.keys()].every((of) => !of.startsWith("t") || all.some((one) => one.name === of));
    demand(args.length > 0 && args.every(isKnown), "an argument of a function of data");
    const inSize = (of: readonly unknown[]): boolean => of.length === args.length;
    demand(
      [ranges, ...lines.map(({ slopes }) => slopes)].every(inSize),
      "arguments of a function of data",
    );
    args.forEach((arg, i) => inRange(arg, ranges[i]!));
    const more: Premise[] = [];
    const add = (value: Form, { upper, slopes, constant }: Line, of: readonly Form[]): void => {
      const right = slopes.reduce<Form>(
        (sum, slope, i) => plus(sum, of[i]!, slope),
        new Map([["", constant]]),
      );
      more.push([upper ? plus(right, value, MINUS) : plus(value, right, MINUS), false]);
    };
    const value: Form = new Map([[name, ONE]]);
    for (const line of lines) {
      demand(holds(op, ranges, line), `a line of ${op}`);
      add(value, line, args);
    }
    for (const { other, ranges: changes, between, lines } of pairs) {
      const than = all.find((one) => one.name === other);
      demand(than !== undefined && than.op === op && inSize(than.args), "another function of data");
      demand(
        [changes, ...lines.map(({ slopes }) => slopes)].every(inSize),
        "changes of a function of data",
      );
      const differences = args.map((arg, i) => plus(arg, than.args[i]!, MINUS));
      differences.forEach((form, i) => inRange(form, changes[i]!));
      const box = ranges.map(({ low, high }, i): Range => ({
        low: lesser(low, than.ranges[i]!.low),
        high: greater(high, than.ranges[i]!.high),
      }));
      for (const line of lines) {
        demand(holdsOfChange(op, { box, changes, between, line }), `a change of ${op}`);
        add(plus(value, new Map([[other, ONE]]), MINUS), line, differences);
      }
    }
    all.push(each);
    premises = [...premises, ...more];
  }
  return premises;
}
