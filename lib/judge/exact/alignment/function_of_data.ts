import type { Highs } from "highs";
import { integerSquareRoot } from "../../../core/numeric/integer_square_root.ts";
import { expEnclosure } from "../../../core/numeric/exp_enclosure.ts";
import {
  add,
  bitLength,
  compare,
  divide,
  floor,
  multiply,
  negated,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../../core/numeric/rational.ts";
import {
  type Affine,
  constant,
  formKey,
  minus,
  plus,
  substitute,
  times,
  variable,
} from "./affine.ts";
import { type Combination, largestValue } from "./combination.ts";
import type { Constraint } from "./constraint.ts";

/**
 * Functions of data that are no forms, as x·x or √x. Each is a variable of its own, of which linear inequalities are known that hold wherever its arguments are
 * within their ranges: so all that is proved of forms is proved of it (docs/alignment.md, "Functions of data").
 *
 * @module
 */

/** A function of forms of data, as a program asks for it. */
export interface AskedFunction {
  /** `power 2` and so on, `product`, `hypot`, `max`, `min`, or the name of a function of Math. */
  readonly op: string;
  readonly args: readonly Affine[];
  /** Where the program computes it, for refusals. */
  readonly at: string;
}

/** The same with its name, and what is known of it. */
export interface FunctionOfData extends Pick<AskedFunction, "op" | "args"> {
  /** The variable that stands for its value. */
  readonly name: string;
  /** For each argument, between what it is. */
  readonly ranges: readonly FormRange[];
  /** What holds of it: its value is at most, or at least, a line of the arguments. */
  readonly bounds: readonly LineBound[];
  /** The same of the difference to the same function of other arguments, by the differences of these. */
  readonly pairs: readonly {
    readonly other: string;
    readonly ranges: readonly FormRange[];
    /** For each argument, between what its slope is; none where that is not used. */
    readonly between: readonly Enclosed[];
    readonly bounds: readonly LineBound[];
  }[];
  /** All of these as premises. */
  readonly premises: readonly Constraint[];
}

/** What comparisons find, too. */
export const BENT: ReadonlySet<string> = new Set(["max", "min", "abs", "floor", "ceil", "round"]);

/** Numbers between which a form is, and why. */
export interface FormRange {
  readonly low: Rational;
  readonly high: Rational;
  /** Why it is at most `high`, over the premises so far. */
  readonly above: Combination;
  readonly below: Combination;
}

/** constant + Σ slope·argument. */
export interface LineBound {
  readonly isUpper: boolean;
  readonly slopes: readonly Rational[];
  readonly constant: Rational;
}

type Box = Pick<FormRange, "low" | "high">;

const ZERO = rational(0), ONE = rational(1), TWO = rational(2);
const least = (values: readonly Rational[]): Rational =>
  values.reduce((a, b) => compare(b, a) < 0 ? b : a);
const most = (values: readonly Rational[]): Rational =>
  values.reduce((a, b) => compare(b, a) > 0 ? b : a);

/**
 * Bits to which numbers that are no fractions are enclosed, and to which they are then rounded outward: more than doubles have, and few enough that equal numbers
 * which are computed in two ways become equal fractions. Linear programs do not tell apart what differs by less.
 */
const BITS = 100, KEPT_BITS = 72;
/** Beyond these doubles may overflow. */
const LARGEST = rational(1e300), LARGEST_EXPONENT = rational(600);
/** Beyond it the hyperbolic tangent is ±1 for doubles. */
const FAR = rational(100);

/** Returns a fraction near one, at most or at least it, of few digits. */
function short({ numerator, denominator }: Rational, up: boolean, bits = BITS): Rational {
  const shift = bits - (bitLength(numerator) - bitLength(denominator));
  const [n, d] = shift >= 0
    ? [numerator << BigInt(shift), denominator]
    : [numerator, denominator << BigInt(-shift)];
  const down = floor({ numerator: n, denominator: d });
  const near = n % d === 0n ? down : up ? down + 1n : down;
  return shift >= 0 ? rational(near, 1n << BigInt(shift)) : rational(near << BigInt(-shift), 1n);
}

/** A number between two fractions. */
type Enclosed = readonly [low: Rational, high: Rational];

const both = (
  [low, high]: Enclosed,
  of: (x: Rational) => Rational,
): Enclosed => [of(low), of(high)];
const outward = ([low, high]: Enclosed): Enclosed => [short(low, false), short(high, true)];

const kept = ([low, high]: Enclosed): Enclosed =>
  compare(low, high) === 0
    ? [low, high]
    : [short(low, false, KEPT_BITS), short(high, true, KEPT_BITS)];

function root({ numerator, denominator }: Rational): Enclosed {
  // √(n/d) = √(n·d)/d.
  const product = numerator * denominator, scale = BigInt(BITS) + BigInt(bitLength(denominator));
  const exact = integerSquareRoot(product);
  if (exact * exact === product) {
    return [rational(exact, denominator), rational(exact, denominator)];
  }
  const found = integerSquareRoot(product << 2n * scale), unit = denominator << scale;
  return outward([rational(found, unit), rational(found + 1n, unit)]);
}

function exponential(x: Rational): Enclosed {
  if (x.numerator === 0n) return [ONE, ONE];
  const size = x.numerator < 0n ? negated(x) : x;
  const precision = 2 * BITS + Math.ceil(1.5 * toNumber(size)), unit = 1n << BigInt(precision);
  const { lower, upper } = expEnclosure(size, precision);
  return outward(
    x.numerator < 0n
      ? [rational(lower, unit), rational(upper, unit)]
      : [rational(unit, upper), rational(unit, lower)],
  );
}

/** By one step from the double near it: log z ≤ z − 1, and ≥ z − 1 − (z − 1)² where z is near 1. */
function logarithm(x: Rational): Enclosed {
  if (compare(x, ONE) === 0) return [ZERO, ZERO];
  const near = rational(Math.log(toNumber(x)));
  const [low, high] = both(exponential(negated(near)), (each) => subtract(multiply(each, x), ONE));
  return outward([add(near, subtract(low, multiply(low, low))), add(near, high)]);
}

/** Returns the degree of a power; `undefined` for other operations. */
export function degreeOf(op: string): number | undefined {
  const degree = /^power (\d+)$/.exec(op)?.[1];
  return degree === undefined ? undefined : Number(degree);
}

function power(x: Rational, n: number): Rational {
  return { numerator: x.numerator ** BigInt(n), denominator: x.denominator ** BigInt(n) };
}

const inverse = (x: Rational): Rational => divide(ONE, x);
const exactly = (x: Rational): Enclosed => [x, x];
const plusOne = (x: Rational): Rational => add(x, ONE);

/** A function of one number on an interval. */
interface Curve {
  readonly valueAt: (x: Rational) => Enclosed;
  /** 1 where it is convex on all of the interval, −1 where it is concave. */
  readonly bend?: 1 | -1 | 0;
  /** Where it turns from falling to rising; elsewhere it does one of the two. */
  readonly turn?: Rational;
  /** Numbers between which its slope is. */
  readonly slope?: Enclosed | undefined;
  /** Lines that it is at least. */
  readonly tangents?: readonly (readonly [slope: Rational, constant: Rational])[];
}

const OUT_OF_RANGE = "is not finite on all data of the domain";

/** Returns the curve of an operation on an interval, or why there is none. */
function curveOf(op: string, { low, high }: Box): Curve | string {
  const ends = [low, high], isAbove = (than: Rational): boolean => compare(low, than) > 0;
  /** For slopes that rise or fall. */
  const between = (of: (x: Rational) => Enclosed, more: readonly Rational[] = []): Enclosed => {
    const values = [...ends.flatMap(of), ...more];
    return [least(values), most(values)];
  };
  const n = degreeOf(op);
  if (n !== undefined) {
    const isEven = n % 2 === 0, hasZero = !isAbove(ZERO) && high.numerator > 0n;
    const middle = divide(add(low, high), TWO);
    return {
      valueAt: (x) => exactly(power(x, n)),
      bend: isEven || low.numerator >= 0n ? 1 : high.numerator <= 0n ? -1 : 0,
      ...(isEven && { turn: ZERO }),
      slope: between((x) => exactly(multiply(rational(n), power(x, n - 1))), hasZero ? [ZERO] : []),
      ...(n === 2 && {
        tangents: [low, middle, high].map((x) =>
          [multiply(TWO, x), negated(multiply(x, x))] as const
        ),
      }),
    };
  }
  switch (op) {
    case "reciprocal":
      if (low.numerator <= 0n && high.numerator >= 0n) return OUT_OF_RANGE;
      return {
        valueAt: (x) => exactly(inverse(x)),
        bend: low.numerator > 0n ? 1 : -1,
        slope: between((x) => exactly(negated(inverse(multiply(x, x))))),
      };
    case "sqrt":
      if (low.numerator < 0n) return "is NaN on some data of the domain";
      return {
        valueAt: root,
        bend: -1,
        slope: low.numerator > 0n
          ? between((x) => both(root(x), (each) => inverse(multiply(TWO, each))))
          : undefined,
      };
    case "exp":
    case "expm1": {
      if (compare(high, LARGEST_EXPONENT) > 0) return OUT_OF_RANGE;
      const by = op === "exp" ? ZERO : ONE;
      return {
        valueAt: (x) => both(exponential(x), (each) => subtract(each, by)),
        bend: 1,
        slope: between(exponential),
      };
    }
    case "log":
      if (!isAbove(ZERO)) return OUT_OF_RANGE;
      return { valueAt: logarithm, bend: -1, slope: between((x) => exactly(inverse(x))) };
    case "log1p":
      if (!isAbove(rational(-1))) return OUT_OF_RANGE;
      return {
        valueAt: (x) => logarithm(plusOne(x)),
        bend: -1,
        slope: between((x) => exactly(inverse(plusOne(x)))),
      };
    case "tanh":
      return {
        valueAt: (x) => {
          const near = most([negated(FAR), least([FAR, x])]);
          // 1 − 2/(e^2x + 1).
          const [from, to] = both(
            exponential(multiply(TWO, near)),
            (each) => subtract(ONE, divide(TWO, plusOne(each))),
          );
          return outward([
            compare(x, near) < 0 ? rational(-1) : from,
            compare(x, near) > 0 ? ONE : to,
          ]);
        },
        slope: [ZERO, ONE],
      };
    case "abs":
      return {
        valueAt: (x) => exactly(x.numerator < 0n ? negated(x) : x),
        bend: 1,
        turn: ZERO,
        slope: [rational(-1), ONE],
        tangents: [[ONE, ZERO], [rational(-1), ZERO]],
      };
  }
  return "is not followed";
}

/** Whole numbers near, and how far below and above a number they are at most. */
const ROUNDINGS: Readonly<
  Record<string, { readonly of: (x: Rational) => bigint; readonly off: Enclosed }>
> = {
  floor: { of: floor, off: [rational(-1), ZERO] },
  ceil: { of: (x) => -floor(negated(x)), off: [ZERO, ONE] },
  trunc: {
    of: (x) => x.numerator / x.denominator,
    off: [rational(-1), ONE],
  },
  round: { of: (x) => floor(add(x, rational(1, 2))), off: [rational(-1, 2), rational(1, 2)] },
};

/** Returns what lines a function is between while its arguments are in their ranges, or why that is not known. */
function linesOf(op: string, box: readonly Box[]): LineBound[] | string {
  const lines: LineBound[] = [], flat = box.map(() => ZERO);
  const line = (isUpper: boolean, constant: Rational, slopes: readonly Rational[] = flat): void => {
    lines.push({ isUpper, slopes, constant });
  };
  const [first, second] = box as [Box, Box];
  const lows = box.map(({ low }) => low), highs = box.map(({ high }) => high);
  const alone = (i: number): Rational[] => box.map((_, j) => i === j ? ONE : ZERO);
  switch (op) {
    case "product": {
      const corners = [first.low, first.high].flatMap((a) =>
        [second.low, second.high].map((b) => multiply(a, b))
      );
      line(false, least(corners));
      line(true, most(corners));
      // (x − a)·(y − b) ≥ 0 or ≤ 0 (McCormick 1976).
      for (
        const [a, b, isUpper] of [
          [first.low, second.low, false],
          [first.high, second.high, false],
          [first.low, second.high, true],
          [first.high, second.low, true],
        ] as const
      ) {
        line(isUpper, negated(multiply(a, b)), [b, a]);
      }
      break;
    }
    case "hypot": {
      const squares = (of: (each: Box) => Rational): Rational =>
        box.reduce((sum, each) => add(sum, power(of(each), 2)), ZERO);
      const near = ({ low, high }: Box): Rational =>
        low.numerator > 0n ? low : high.numerator < 0n ? high : ZERO;
      line(false, kept(root(squares(near)))[0]);
      line(true, kept(root(squares(({ low, high }) => most([negated(low), high]))))[1]);
      break;
    }
    case "max":
    case "min": {
      const isMost = op === "max", of = isMost ? most : least;
      line(false, of(lows));
      line(true, of(highs));
      box.forEach((_, i) => line(!isMost, ZERO, alone(i)));
      // With one argument that is not a number, it bends once.
      const moving = box.flatMap(({ low, high }, i) => compare(low, high) < 0 ? [i] : []);
      const [i] = moving;
      if (moving.length !== 1) break;
      const ends = [of(lows), of(highs)] as const, { low, high } = box[i!]!;
      chord(
        line,
        isMost,
        { low, high },
        ends,
        (slope) => box.map((_, j) => i === j ? slope : ZERO),
      );
      break;
    }
    case "sin":
    case "cos":
      line(false, rational(-1));
      line(true, ONE);
      break;
    default: {
      const rounding = ROUNDINGS[op];
      if (rounding !== undefined) {
        line(false, rational(rounding.of(first.low)));
        line(true, rational(rounding.of(first.high)));
        rounding.off.forEach((by, i) => line(i === 1, by, [ONE]));
        break;
      }
      const curve = curveOf(op, first);
      if (typeof curve === "string") return curve;
      const ends = withoutTiny([
        kept(curve.valueAt(first.low)),
        kept(curve.valueAt(first.high)),
      ]);
      const turns = curve.turn !== undefined && compare(first.low, curve.turn) < 0 &&
          compare(curve.turn, first.high) < 0
        ? [curve.valueAt(curve.turn)]
        : [];
      line(false, least([...ends, ...turns].map(([low]) => low)));
      line(true, most([...ends, ...turns].map(([, high]) => high)));
      const { bend = 0 } = curve;
      if (bend !== 0) {
        const place = bend > 0 ? 1 : 0;
        chord(line, bend > 0, first, [ends[0][place]!, ends[1][place]!], (slope) => [slope]);
      }
      for (const [slope, by] of curve.tangents ?? []) line(false, by, [slope]);
    }
  }
  return lines.every(({ constant, slopes }) =>
      [constant, ...slopes].every((each) =>
        compare(each, LARGEST) <= 0 && compare(negated(each), LARGEST) <= 0
      )
    )
    ? lines
    : OUT_OF_RANGE;
}

/** Numbers that linear programs take for 0, beside larger ones. */
const TINY = rational(1, 1n << 24n);

/** Returns two values rounded outward where one is tiny beside the other: to 0, or to what a linear program sees. */
function withoutTiny([one, other]: readonly [Enclosed, Enclosed]): readonly [Enclosed, Enclosed] {
  const size = most([one, other].flat().flatMap((each) => [each, negated(each)]));
  const limit = multiply(TINY, least([ONE, size]));
  const isTiny = (each: Rational): boolean =>
    each.numerator !== 0n && compare(most([each, negated(each)]), limit) < 0;
  const rounded = ([low, high]: Enclosed): Enclosed => [
    !isTiny(low) ? low : low.numerator > 0n ? ZERO : negated(limit),
    !isTiny(high) ? high : high.numerator < 0n ? ZERO : limit,
  ];
  return [rounded(one), rounded(other)];
}

/** Adds the line through the ends of a curve. */
function chord(
  line: (isUpper: boolean, constant: Rational, slopes: readonly Rational[]) => void,
  isUpper: boolean,
  { low, high }: Box,
  [from, to]: readonly [Rational, Rational],
  slopesOf: (slope: Rational) => readonly Rational[],
): void {
  if (compare(low, high) === 0) return;
  const slope = divide(subtract(to, from), subtract(high, low));
  line(isUpper, subtract(from, multiply(slope, low)), slopesOf(slope));
}

/** Returns between what slopes a function changes with each argument; `undefined` where that is not known. */
function slopesOf(op: string, box: readonly Box[]): readonly Enclosed[] | undefined {
  const ends = ({ low, high }: Box): Enclosed => [low, high];
  switch (op) {
    case "product":
      return [ends(box[1]!), ends(box[0]!)];
    case "hypot":
    case "sin":
    case "cos":
      return box.map(() => [rational(-1), ONE]);
    case "max":
    case "min":
      return box.map(() => [ZERO, ONE]);
  }
  const curve = curveOf(op, box[0]!);
  return typeof curve === "string" || curve.slope === undefined ? undefined : [kept(curve.slope)];
}

/** Returns lines that the difference of two values of a function is between, by the differences of its arguments (mean value theorem). */
function differenceLines(
  op: string,
  box: readonly Box[],
  changes: readonly Box[],
): { readonly between: readonly Enclosed[]; readonly bounds: LineBound[] } | undefined {
  const flat = changes.map(() => ZERO), isWhole = ROUNDINGS[op] !== undefined;
  const moving = changes.filter(({ low, high }) => low.numerator !== 0n || high.numerator !== 0n);
  if (isWhole || (op === "max" || op === "min") && moving.length > 1) {
    // Towards 0, numbers on two sides of it may become one: ±.6 are 1.2 apart, and both 0.
    const none = op === "trunc" ? [ZERO] : [];
    const up = most([...changes.map(({ high }) => high), ...none]);
    const down = least([...changes.map(({ low }) => low), ...none]);
    return {
      between: [],
      bounds: [
        {
          isUpper: true,
          slopes: flat,
          constant: isWhole ? rational(-floor(negated(up))) : up,
        },
        { isUpper: false, slopes: flat, constant: isWhole ? rational(floor(down)) : down },
      ],
    };
  }
  const between = slopesOf(op, box);
  if (between === undefined) return undefined;
  const bounds = [true, false].map((isUpper): LineBound => {
    let constant = ZERO;
    const of = isUpper ? most : least;
    const slopes = changes.map(({ low, high }, i) => {
      const from = of(between[i]!.map((each) => multiply(each, low)));
      const to = of(between[i]!.map((each) => multiply(each, high)));
      const slope = compare(low, high) === 0
        ? ZERO
        : divide(subtract(to, from), subtract(high, low));
      constant = add(constant, subtract(from, multiply(slope, low)));
      return slope;
    });
    return { isUpper, slopes, constant };
  });
  return { between, bounds };
}

/** Returns a line as a premise about a value. */
function premiseOf(
  { isUpper, slopes, constant: at }: LineBound,
  value: Affine,
  args: readonly Affine[],
): Constraint {
  const line = slopes.reduce<Affine>((sum, slope, i) => plus(sum, args[i]!, slope), constant(at));
  return { form: isUpper ? minus(line, value) : minus(value, line), strict: false };
}

/** The functions of data that a program computes on both sides of a case, in the order of their names. */
export class FunctionsOfData {
  readonly all: readonly FunctionOfData[];
  readonly #byKey: ReadonlyMap<string, string>;

  /** None, or some. */
  constructor(all: readonly FunctionOfData[] = []) {
    this.all = all;
    this.#byKey = new Map(all.map((each) => [keyOfFunction(each), each.name]));
  }

  /** Returns the name of a function that is known. */
  nameOf(asked: AskedFunction): string | undefined {
    return this.#byKey.get(keyOfFunction(asked));
  }

  /** Returns the function with a name. */
  named(name: string): FunctionOfData | undefined {
    return this.all.find((each) => each.name === name);
  }

  /**
   * Adds a function.
   *
   * @returns a text where it cannot be bounded: why.
   */
  with(
    { op, args }: AskedFunction,
    { premises, highs, isUndecided }: {
      readonly premises: readonly Constraint[];
      readonly highs: Highs;
      /** Whether nothing is known of the data but their domain. */
      readonly isUndecided: boolean;
    },
  ): FunctionsOfData | string {
    const rangeOf = (form: Affine): FormRange | undefined => {
      const over = { highs, isUndecided };
      const up = largestValue(form, premises, over);
      const down = largestValue(minus(new Map(), form), premises, over);
      return up && down &&
        { low: negated(down.value), high: up.value, above: up.why, below: down.why };
    };
    const name = `t${this.all.length}`;
    const ranges = args.map(rangeOf);
    if (!ranges.every((each) => each !== undefined)) return "has no bound on the domain";
    const bounds = linesOf(op, ranges);
    if (typeof bounds === "string") return bounds;
    const own = { op, args }, base = this.#base(own);
    const pairs = this.all.filter((other) => this.#base(other) === base).flatMap((other) => {
      const changes = args.map((arg, i) => minus(arg, other.args[i]!)).map(rangeOf);
      if (!changes.every((each) => each !== undefined)) return [];
      const hull = ranges.map(({ low, high }, i): Box => ({
        low: least([low, other.ranges[i]!.low]),
        high: most([high, other.ranges[i]!.high]),
      }));
      const lines = differenceLines(op, hull, changes);
      return lines === undefined ? [] : [{ other: other.name, ranges: changes, ...lines }];
    });
    const value = variable(name);
    return new FunctionsOfData([...this.all, {
      ...own,
      name,
      ranges,
      bounds,
      pairs,
      premises: [
        ...bounds.map((each) => premiseOf(each, value, args)),
        ...pairs.flatMap(({ other, bounds: lines }) => {
          const than = this.named(other)!;
          const changes = args.map((arg, i) => minus(arg, than.args[i]!));
          return lines.map((each) => premiseOf(each, minus(value, variable(other)), changes));
        }),
      ],
    }]);
  }

  /** Returns a text, the same for what is computed alike of data of both sides. */
  #base({ op, args }: Pick<AskedFunction, "op" | "args">): string {
    const unchanged = (form: Affine): Affine =>
      substitute(
        form,
        new Map([...form.keys()].flatMap((name): [string, Affine][] => {
          if (name.startsWith("c")) return [[name, new Map()]];
          const inner = this.named(name);
          if (inner === undefined) return [];
          const base = this.#base(inner);
          return [[name, variable(this.all.find((each) => this.#base(each) === base)!.name)]];
        })),
      );
    return `${op} of ${args.map((arg) => formKey(unchanged(arg))).join(", ")}`;
  }

  /** Returns those premises that say nothing of what a function is. */
  without(premises: readonly Constraint[]): readonly Constraint[] {
    const own = new Set(this.all.flatMap((each) => each.premises));
    return own.size === 0 ? premises : premises.filter((each) => !own.has(each));
  }

  /** Returns values with those of the functions beside them, computed in floating point. */
  valued(values: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    if (this.all.length === 0) return values;
    const all = new Map(values);
    for (const each of this.all) all.set(each.name, valueOfFunction(each, all));
    return all;
  }
}

/** Returns a text, the same for the same functions only. */
export function keyOfFunction({ op, args }: Pick<AskedFunction, "op" | "args">): string {
  return `${op} of ${args.map(formKey).join(", ")}`;
}

/** Returns the value of a function of data, computed in floating point. */
export function valueOfFunction(
  { op, args }: FunctionOfData,
  values: ReadonlyMap<string, number>,
): number {
  const at = args.map((form) =>
    [...form].reduce(
      (sum, [name, factor]) => sum + toNumber(factor) * (name === "" ? 1 : values.get(name) ?? 0),
      0,
    )
  );
  const [x = 0, y = 0] = at, degree = degreeOf(op);
  if (degree !== undefined) return x ** degree;
  if (op === "product") return x * y;
  if (op === "reciprocal") return 1 / x;
  return (Math[op as "max"] as (...values: number[]) => number)(...at);
}

/** Returns a function of data that a program computes with a product of two forms, and with what that is a form. */
export function productOf(
  left: Affine,
  right: Affine,
  value: (op: string, ...args: Affine[]) => Affine,
  definitionOf: (form: Affine) => Pick<AskedFunction, "op" | "args"> | undefined,
): Affine {
  const [name, factor] = [...left].find(([each]) => each !== "")!;
  // b = k·a + m: then a·b = k·a² + m·a.
  const ratio = divide(right.get(name) ?? ZERO, factor), rest = minus(right, times(ratio, left));
  if (ratio.numerator !== 0n && [...rest.keys()].every((each) => each === "")) {
    return plus(times(ratio, value("power 2", left)), left, rest.get("") ?? ZERO);
  }
  // A power of a form, times the form.
  for (const [a, b] of [[left, right], [right, left]] as const) {
    const { op = "", args = [] } = definitionOf(a) ?? {}, degree = degreeOf(op);
    if (degree !== undefined && formKey(args[0]!) === formKey(b)) {
      return value(`power ${degree + 1}`, b);
    }
  }
  // In the order in which they were made, so that both sides have the same.
  const inOrder = (form: Affine): string =>
    formKey(form).replace(/\d+/g, (each) => each.padStart(9, "0"));
  return value("product", ...[left, right].sort((a, b) => inOrder(a) < inOrder(b) ? -1 : 1));
}
