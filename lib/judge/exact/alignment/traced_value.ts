import type { Real, TracedReal } from "../../../core/mechanism/continuous_draws.ts";
import { divide, type Rational, rational, toNumber } from "../../../core/numeric/rational.ts";
import { BINARY, UNARY } from "../../source/operators.ts";
import { traced } from "../../source/runs.ts";
import { isTraced, operationOf, type Traced } from "../../source/traced.ts";
import { type Affine, constant, hasNoise, minus, numberOf, plus, times } from "./affine.ts";
import { ATOM, FORM, handForm, hasAtoms, singleOf } from "./hand_forms.ts";
import { isToldByRounding } from "./told_by_rounding.ts";

/** A program cannot be traced: it draws otherwise, keeps state, or computes with traced values by itself. */
export class NotTraceable extends Error {
  /** Always `"NotTraceable"`. */
  override readonly name = "NotTraceable";
}

/** What computing with traced values needs of the run that they are from. */
export interface TracedRun {
  /** Returns true if a form is above 0. */
  isPositive(form: Affine): boolean;
  /** Returns the place of the largest of some forms. */
  placeOfLargest(forms: readonly Affine[]): number;
  /** Returns a form with noise in place of what was made of uniform numbers by hand. */
  bound(form: Affine): Affine;
  /** Whether the largest of data, and the like, is found by comparisons; else it is a function of data. */
  readonly splits: boolean;
  /** Returns the form that stands for a function of data. */
  functionOf(op: string, args: readonly Affine[], at: string): Affine;
  /** Ends the run with a reason. */
  refuse(what: string): never;
}

/** Why a value, or a source, of an earlier run is refused. */
export const KEPT =
  "it uses noise, data or a source of an earlier call: it keeps state between calls; draw in each call what that call needs";

/**
 * Returns the traced value of a form. No other run may use it.
 *
 * @param isSigned whether it may be −0.
 * @param isSum whether it was computed, so that doubles round it.
 */
export function tracedValue(
  form: Affine,
  run: TracedRun,
  isSigned = false,
  isSum = false,
): TracedReal {
  const value = traced(NaN, FORM, { operands: [form, run, isSigned, isSum] });
  return Object.freeze(value) as unknown as TracedReal;
}

/** What followed values stand for, for those that operations made. */
const known = { exactly: new WeakMap<Traced, Affine>(), bounded: new WeakMap<Traced, Affine>() };

/**
 * Returns the form of a traced value; `undefined` for anything else.
 *
 * @param exactly whether what is one number on each path must be that number, and not a function of data.
 * @throws {NotTraceable} for a value of another run, and for one that has no form.
 */
export function tracedForm(
  value: unknown,
  run: TracedRun,
  exactly: boolean = run.splits,
): Affine | undefined {
  if (!isTraced(value)) return undefined;
  const { op, operands } = operationOf(value);
  if (op === FORM) {
    if (operands[1] !== run) throw new NotTraceable(KEPT);
    return operands[0] as Affine;
  }
  const found = known[exactly ? "exactly" : "bounded"];
  let form = found.get(value);
  if (form === undefined) found.set(value, form = computed(value, run, exactly));
  if ((op === "*" || op === "/") && [...form.values()].some(isTiny)) {
    return notLinear(value, run, ", so small that doubles may lose it");
  }
  return form;
}

/** Factors by which products come near the least double. */
const TINY = 2 ** -1000;
const isTiny = (factor: Rational): boolean =>
  factor.numerator !== 0n && Math.abs(toNumber(factor)) < TINY;

/** Returns the form of a number, of a truth value as a number, or of a traced value. */
function operand(value: unknown, of: Traced, run: TracedRun, exactly = run.splits): Affine {
  if (isTraced(value)) {
    return typeof operationOf(value).value === "boolean"
      ? constant(rational(isTrue(value, run) ? 1 : 0))
      : tracedForm(value, run, exactly)!;
  }
  if (Object.is(value, -0)) return notLinear(of, run, " with −0");
  if (typeof value === "number" && Number.isFinite(value)) return constant(rational(value));
  if (typeof value === "boolean" || value === null) return constant(rational(Number(value)));
  return notLinear(of, run);
}

/** Returns true if a value is a form whatever conditions hold. */
export function isLinear(value: unknown): boolean {
  if (!isTraced(value)) {
    return typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0);
  }
  return asked(linear, value, isLinearOperation);
}

const linear = new WeakMap<Traced, boolean>(), decidable = new WeakMap<Traced, boolean>();

/** Asks each value once: what values are made of may be deep. */
function asked(
  known: WeakMap<Traced, boolean>,
  value: Traced,
  is: (value: Traced) => boolean,
): boolean {
  let answer = known.get(value);
  if (answer === undefined) known.set(value, answer = is(value));
  return answer;
}

function isLinearOperation(value: Traced): boolean {
  const { op, operands, value: is } = operationOf(value);
  if (op === FORM) return true;
  if (typeof is !== "number") return false;
  if (isFunctionOfData(operationOf(value))) return true;
  const isNumber = (each: unknown): boolean => typeof each === "number" && isLinear(each);
  switch (op) {
    case "+":
    case "-":
      return operands.every(isLinear);
    case "unary -":
    case "unary +":
    case "Number":
    case "parseFloat":
    case "Number.parseFloat":
      return operands.length === 1 && isLinear(operands[0]);
    case "*":
      return operands.every(isLinear) &&
          operands.some((each) => isNumber(each) && each !== 0) ||
        handForm(value, FORM) !== undefined;
    case "/":
      return isLinear(operands[0]) && isNumber(operands[1]) && operands[1] !== 0;
  }
  return handForm(value, FORM) !== undefined;
}

/** Returns true if a value is a form, or a truth value, on each path. */
export function isDecidable(value: unknown): boolean {
  if (typeof value === "boolean" || value === null || isLinear(value)) return true;
  return isTraced(value) && asked(decidable, value, isDecidableOperation);
}

function isDecidableOperation(value: Traced): boolean {
  const { op, operands, value: is } = operationOf(value);
  if (roundedComparison(value) !== undefined) return true;
  if (!operands.every(isDecidable)) return false;
  if (typeof is === "number" && isKnown(value)) return true;
  return typeof is === "boolean" ? CONDITIONS.has(op) : FORMS.has(op) &&
    (op !== "*" || operands.some((each) => !isTraced(each) && each !== 0) ||
      operands.every(isOfData)) &&
    (op !== "/" || !isTraced(operands[1]) && operands[1] !== 0);
}

/** Returns true if a value is one number on each path: made of truth values, of data that are rounded, and of numbers. */
function isKnown(value: unknown): boolean {
  if (!isTraced(value)) return isDecidable(value);
  const { op, operands, value: is } = operationOf(value);
  if (typeof is === "boolean") return isDecidable(value);
  if (ROUNDING.has(op)) return operands.every((each) => isDecidable(each) && isOfData(each));
  if (op === "/" && (isTraced(operands[1]) || operands[1] === 0)) return false;
  return (BITS.has(op) || FORMS.has(op)) && operands.every(isKnown);
}

/** Returns the number or the truth value that an index or a key is; `undefined` where it is none on each path. */
export function placeOfKnown(value: Traced, run: TracedRun): number | boolean | undefined {
  if (!isKnown(value)) return undefined;
  if (typeof operationOf(value).value === "boolean") return isTrue(value, run);
  const number = numberOf(tracedForm(value, run, true)!);
  return number && toNumber(number);
}

/** Returns true if a value is not made of noise. */
function isOfData(value: unknown): boolean {
  if (!isTraced(value)) return true;
  const { op, operands } = operationOf(value);
  return op === FORM ? !hasNoise(operands[0] as Affine) : operands.every(isOfData);
}

const named = (names: string): ReadonlySet<string> =>
  new Set(names.split(" ").map((name) => `Math.${name}`));
/** Functions of which is known between what lines they are (`function_of_data.ts`). */
const FUNCTIONS: ReadonlySet<string> = named("sqrt exp expm1 log log1p tanh sin cos hypot trunc");
const POWERS: ReadonlySet<string> = new Set(["**", "Math.pow"]);
const HIGHEST_POWER = 64;

function degreeOf(exponent: unknown): number | undefined {
  if (exponent === 0.5 || exponent === -1) return exponent;
  return Number.isInteger(exponent) && exponent as number > 0 && exponent as number <= HIGHEST_POWER
    ? exponent as number
    : undefined;
}

/** Returns true if a value is a function of data, and no form: `function_of_data.ts` knows of it. */
function isFunctionOfData({ op, operands }: ReturnType<typeof operationOf>): boolean {
  const isTracedAt = (place: number): boolean => isTraced(operands[place]);
  const isOne = op === "*"
    ? isTracedAt(0) && isTracedAt(1)
    : op === "/"
    ? isTracedAt(1) && operands[0] !== 0
    : POWERS.has(op)
    ? isTracedAt(0) && degreeOf(operands[1]) !== undefined
    : FUNCTIONS.has(op) && operands.length > 0;
  return isOne && operands.every((each) => isTraced(each) ? isNumberOfData(each) : isLinear(each));
}

/** Returns true if a value is a form on each path, whatever noise is: sums and multiples of forms, and numbers that are made of data alone. */
export function isFormOfNoise(value: unknown): boolean {
  if (isLinear(value)) return true;
  if (!isTraced(value)) return false;
  const { op, operands } = operationOf(value), [left, right] = operands;
  const isNumber = (each: unknown): boolean => !isTraced(each) && each !== 0 && isLinear(each);
  switch (op) {
    case "+":
    case "-":
    case "unary -":
    case "unary +":
      return operands.every(isFormOfNoise);
    case "*":
      return operands.some(isNumber) && operands.every(isFormOfNoise) || isNumberOfData(value);
    case "/":
      return isNumber(right) && isFormOfNoise(left) || isNumberOfData(value);
  }
  return isNumberOfData(value);
}

/** Returns true if a value is a number on each path that is made of data alone. */
function isNumberOfData(value: Traced): boolean {
  return typeof operationOf(value).value === "number" && isOfData(value) && isDecidable(value);
}

const FORMS: ReadonlySet<string> = new Set([
  ...["+", "-", "*", "/", "unary -", "unary +", "Number", "parseFloat", "Number.parseFloat"],
  ...["max", "min", "abs", "sign"].map((name) => `Math.${name}`),
]);
const BITS: ReadonlySet<string> = new Set(["|", "&", "^", "<<", ">>", ">>>", "unary ~"]);
const ROUNDING: ReadonlySet<string> = new Set(
  ["floor", "ceil", "round"].map((name) => `Math.${name}`),
);
/** Whole numbers to which data are rounded, at most, on each side of 0. */
const MOST_WHOLE = 64;
const CONDITIONS: ReadonlySet<string> = new Set([
  ...["<", ">", "<=", ">=", "===", "!==", "==", "!=", "unary !", "Boolean"],
  ...["isNaN", "Number.isNaN", "isFinite", "Number.isFinite"],
]);

/** Returns the number of a comparison of a value with a number that is infinite or not a number: it goes one way, whatever the value. */
function farNumber(value: Traced): number | undefined {
  const { op, operands } = operationOf(value);
  if (!Object.hasOwn(MIRRORED, op)) return undefined;
  for (const [place, number] of operands.entries()) {
    const other = operands[1 - place];
    if (typeof number !== "number" || Number.isFinite(number) || !isTraced(other)) continue;
    if (typeof operationOf(other).value === "number") return number;
  }
  return undefined;
}

/** A value that is rounded to a whole number, and compared with a number. */
interface RoundedComparison {
  readonly op: string;
  readonly rounded: Traced;
  readonly number: number;
}

/** The same comparison with its sides exchanged. */
const MIRRORED: Readonly<Record<string, string>> = {
  "<": ">",
  ">": "<",
  "<=": ">=",
  ">=": "<=",
  "===": "===",
  "!==": "!==",
  "==": "==",
  "!=": "!=",
};

function roundedComparison(value: Traced): RoundedComparison | undefined {
  const { op, operands } = operationOf(value);
  if (!Object.hasOwn(MIRRORED, op)) return undefined;
  for (const [place, each] of operands.entries()) {
    const number = operands[1 - place];
    if (!isTraced(each) || typeof number !== "number" || !Number.isFinite(number)) continue;
    const { op: by, operands: [inner] } = operationOf(each);
    if (!ROUNDING.has(by) || !isTraced(inner) || !isDecidable(inner)) continue;
    return { op: place === 0 ? op : MIRRORED[op]!, rounded: each, number };
  }
  return undefined;
}

/** Returns the form that is rounded down where round(f) = ⌊f + ½⌋ and ⌈f⌉ = −⌊−f⌋ are written so, and whether its opposite is. */
function isRoundedTrue(
  { op, rounded, number }: RoundedComparison,
  run: TracedRun,
  exactly = run.splits,
): boolean {
  const { op: by, operands: [inner] } = operationOf(rounded);
  const form = tracedForm(inner, run, exactly)!;
  const above = (than: number): boolean => run.isPositive(minus(form, constant(rational(than))));
  const below = (than: number): boolean => run.isPositive(minus(constant(rational(than)), form));
  const shift = by === "Math.round" ? 0.5 : 0, known = numberOf(form);
  if (known !== undefined) {
    const step = Math.round(toNumber(known) + shift) - shift;
    requireTold(known, [inner, step], rounded, run);
  }
  // Whether it is at least a whole number, exactly.
  const reaches = (whole: number): boolean =>
    by === "Math.ceil" ? above(whole - 1) : !below(whole - shift);
  const low = Math.floor(number), high = Math.ceil(number);
  switch (op) {
    case ">=":
      return reaches(high);
    case ">":
      return reaches(low + 1);
    case "<":
      return !reaches(high);
    case "<=":
      return !reaches(low + 1);
  }
  const isSame = low === high && reaches(low) && !reaches(low + 1);
  return isSame === (op === "===" || op === "==");
}

/** Returns the whole number to which data are rounded on this path. */
function rounded(value: Traced, form: Affine, run: TracedRun): number {
  const { op } = operationOf(value), known = numberOf(form);
  const reaches = (number: number): boolean =>
    isRoundedTrue({ op: ">=", rounded: value, number }, run, true);
  const start = known === undefined ? 0 : Math.floor(toNumber(known));
  let whole = start;
  while (Math.abs(whole - start) <= MOST_WHOLE && reaches(whole + 1)) whole++;
  while (Math.abs(whole - start) <= MOST_WHOLE && !reaches(whole)) whole--;
  if (Math.abs(whole - start) > MOST_WHOLE) {
    return notLinear(value, run, `, with more than ${MOST_WHOLE} values`);
  }
  if (whole === 0 && op !== "Math.floor" && run.isPositive(minus(new Map(), form))) {
    return notLinear(value, run, ", of which the sign of 0 is not followed");
  }
  return whole;
}

const minusZero = new WeakMap<Traced, boolean>();

/** Returns true if a value that is 0 may be −0 on some data: forms do not say. */
export function mayBeMinusZero(value: unknown): boolean {
  return isTraced(value) && asked(minusZero, value, mayBeMinusZeroByOperation);
}

function mayBeMinusZeroByOperation(value: Traced): boolean {
  const { op, operands, value: is } = operationOf(value), [left, right] = operands;
  const isAbove = (each: unknown): boolean => typeof each === "number" && each > 0;
  // A row of 0 may be −0, which is another row.
  if (op === FORM) {
    const form = left as Affine;
    return operands[2] === true || form.size > 0 && !hasNoise(form);
  }
  if (typeof is !== "number" || BITS.has(op) || NEVER_MINUS_ZERO.has(op)) return false;
  if (POWERS.has(op)) return right as number % 2 !== 0 && mayBeMinusZero(left);
  switch (op) {
    case "+":
      return operands.every(mayBeMinusZero);
    case "-":
    case "unary +":
    case "Number":
    case "Math.floor":
    case "Math.sign":
    case "Math.sqrt":
      return mayBeMinusZero(left);
    case "*":
      if (isAbove(left) || isAbove(right)) return operands.some(mayBeMinusZero);
      return left !== right;
    case "/":
      return !isAbove(right) || mayBeMinusZero(left);
    case "Math.max":
      return !operands.includes(0) && operands.some(mayBeMinusZero);
    case "Math.min":
      return operands.some(mayBeMinusZero);
  }
  return true;
}

const NEVER_MINUS_ZERO = named("abs exp cos hypot");

/**
 * Returns the form of a value that is put out.
 *
 * @throws {NotTraceable} where it is 0, and may be −0 for some data.
 */
export function seenForm(value: Traced, run: TracedRun): Affine {
  const form = tracedForm(value, run)!;
  return form.size === 0 && mayBeMinusZero(value)
    ? run.refuse("it puts out a 0 that may be −0, and its sign is not followed: add 0 to it")
    : form;
}

/** Ends the run at a value that is no form. */
export function notLinear(value: Traced, run: TracedRun, why = ""): never {
  const { op, at } = operationOf(value);
  return run.refuse(
    `it computes ${op} at ${
      at || "an unknown line"
    } of what depends on data or noise${why}: only sums, differences, ` +
      "multiples, comparisons, Math.max, min, abs and sign of them are decided, and functions of data on a range; audit it",
  );
}

/** Returns the form of what an operation of a program makes. */
function computed(value: Traced, run: TracedRun, exactly: boolean): Affine {
  const { op, operands, value: is, at } = operationOf(value);
  const isByBits = BITS.has(op);
  const of = (i: number): Affine => operand(operands[i], value, run, exactly || isByBits);
  const functionOf = (name: string, ...args: Affine[]): Affine => {
    if (args.some(hasNoise)) return notLinear(value, run);
    if (args.some((form, i) => form.size === 0 && mayBeMinusZero(operands[i]))) {
      return notLinear(value, run, ", of which the sign of 0 is not followed");
    }
    return run.functionOf(name, args, at);
  };
  /** Returns a form that is not 0: an operation shows the sign of zero, which forms do not have. */
  const signed = (form: Affine): Affine =>
    form.size === 0 ? notLinear(value, run, ", of which the sign of 0 is not followed") : form;
  if (typeof is !== "number") return notLinear(value, run);
  const hand = handForm(value, FORM);
  if (hand !== undefined && hasAtoms(hand)) {
    requireOfRun(value, run);
    return hand;
  }
  switch (op) {
    case "+":
    case "-": {
      const form = (op === "+" ? plus : minus)(of(0), of(1));
      for (const name of of(0).keys()) {
        // Infinite noise that is taken from itself is not a number.
        if (name.startsWith(ATOM) && !form.has(name)) {
          return notLinear(value, run, ", and takes noise made of uniform numbers from itself");
        }
      }
      return form;
    }
    case "unary -":
      return minus(new Map(), signed(of(0)));
    case "unary +":
    case "Number":
    case "parseFloat":
    case "Number.parseFloat":
      return of(0);
    case "*": {
      const [left, right] = [of(0), of(1)], factor = numberOf(left) ?? numberOf(right);
      if (factor === undefined) {
        return hasNoise(left) || hasNoise(right)
          ? notLinear(value, run, ", which are multiplied with each other")
          : functionOf("product", left, right);
      }
      const form = numberOf(left) === undefined ? left : right;
      // Zero times a number has its sign.
      if (factor.numerator === 0n) {
        return hasNoise(form) || run.isPositive(minus(new Map(), form))
          ? notLinear(value, run, ", times 0")
          : new Map();
      }
      return times(factor, factor.numerator < 0n ? signed(form) : form);
    }
    case "/": {
      const divisor = numberOf(of(1));
      if (divisor === undefined && !hasNoise(of(1))) {
        const [whole, part] = [of(0), functionOf("reciprocal", of(1))], number = numberOf(whole);
        if (number === undefined && !hasNoise(whole)) return functionOf("product", whole, part);
        if (number !== undefined && number.numerator !== 0n) return times(number, part);
      }
      if (divisor === undefined || divisor.numerator === 0n) {
        return notLinear(value, run, ", or by it");
      }
      return times(divide(rational(1), divisor), divisor.numerator < 0n ? signed(of(0)) : of(0));
    }
    case "Math.max":
    case "Math.min": {
      const sign = op === "Math.max" ? 1 : -1;
      // The first of a loop: it is never the largest.
      const forms = operands.flatMap((each, i) => each === -sign * Infinity ? [] : [of(i)]);
      if (!exactly && forms.length > 1 && !forms.some(hasNoise) && !forms.every(numberOf)) {
        return functionOf(op.slice("Math.".length), ...forms);
      }
      return forms[run.placeOfLargest(forms.map((form) => times(rational(sign), form)))]!;
    }
    case "Math.floor":
    case "Math.ceil":
    case "Math.round":
      if (!exactly && numberOf(of(0)) === undefined) {
        return functionOf(op.slice("Math.".length), of(0));
      }
      if (!isKnown(value)) break;
      return constant(rational(rounded(value, of(0), run)));
    case "Math.abs": {
      const form = of(0);
      if (!exactly && !hasNoise(form) && numberOf(form) === undefined) {
        return functionOf("abs", form);
      }
      return run.isPositive(form) ? form : minus(new Map(), form);
    }
    case "Math.sign": {
      const form = of(0);
      requireTold(numberOf(form), [operands[0], 0], value, run);
      if (run.isPositive(form)) return constant(rational(1));
      return constant(rational(run.isPositive(minus(new Map(), form)) ? -1 : 0));
    }
  }
  if (FUNCTIONS.has(op)) {
    const name = op.slice("Math.".length), args = name === "hypot" ? operands : [operands[0]];
    return functionOf(name, ...args.map((_, i) => of(i)));
  }
  const degree = POWERS.has(op) ? degreeOf(operands[1]) : undefined;
  if (degree === 1) return of(0);
  if (degree !== undefined) {
    return functionOf(
      degree === 0.5 ? "sqrt" : degree === -1 ? "reciprocal" : `power ${degree}`,
      of(0),
    );
  }
  if (!isByBits) return notLinear(value, run);
  const numbers = operands.map((_, i) => {
    const number = numberOf(of(i));
    return number === undefined ? notLinear(value, run) : toNumber(number);
  });
  const bits = numbers.length === 1 ? UNARY["~"]! : BINARY[op]!;
  return constant(rational(bits(...numbers) as number));
}

const checked = new WeakMap<Traced, TracedRun>();

/** @throws {NotTraceable} where something that a value is made of is of another run. */
function requireOfRun(value: unknown, run: TracedRun): void {
  if (!isTraced(value) || checked.get(value) === run) return;
  const { op, operands } = operationOf(value);
  if (op === FORM) tracedForm(value, run);
  else for (const each of operands) requireOfRun(each, run);
  checked.set(value, run);
}

/** Returns the way that a condition goes. */
export function isTrue(condition: Traced, run: TracedRun): boolean {
  const { op, operands, value: is } = operationOf(condition);
  const rounded = roundedComparison(condition);
  if (rounded !== undefined) return isRoundedTrue(rounded, run);
  const opposite = (form: Affine): Affine => minus(new Map(), form);
  if (typeof is === "number") {
    // Not 0.
    const form = tracedForm(condition, run)!;
    requireTold(numberOf(form), [condition, 0], condition, run);
    return run.isPositive(form) || run.isPositive(opposite(form));
  }
  if (typeof is !== "boolean") return notLinear(condition, run);
  const far = farNumber(condition);
  if (far !== undefined) {
    // Loops that look for the largest begin with −∞, and ask by <.
    if (/^[=!]/.test(op)) requireFinite(condition, run);
    // Forms are finite, so that 0 stands for each.
    const [left, right] = operands.map((each) => {
      if (!isTraced(each)) return far;
      operand(each, condition, run);
      return 0;
    });
    return BINARY[op]!(left, right) as boolean;
  }
  const difference = (): Affine => {
    const form = minus(operand(operands[0], condition, run), operand(operands[1], condition, run));
    requireTold(numberOf(form), [operands[0], operands[1]], condition, run);
    return form;
  };
  const types = operands.map((each) => typeof (isTraced(each) ? operationOf(each).value : each));
  switch (op) {
    case "unary !":
      return !truth(operands[0], run);
    case "Boolean":
      return truth(operands[0], run);
    case "<":
      return run.isPositive(opposite(difference()));
    case ">":
      return run.isPositive(difference());
    case "<=":
      return !run.isPositive(difference());
    case ">=":
      return !run.isPositive(opposite(difference()));
    case "===":
    case "==":
    case "!==":
    case "!=": {
      const isEqual = op === "===" || op === "==";
      if (types[0] !== types[1]) {
        const isLoose = op.length === 2 &&
          !operands.some((each) => each === null || each === undefined);
        return isLoose ? notLinear(condition, run) : !isEqual;
      }
      if (types[0] === "boolean") {
        return (truth(operands[0], run) === truth(operands[1], run)) === isEqual;
      }
      if (types[0] !== "number") return notLinear(condition, run);
      const form = difference();
      if (singleOf(form)?.kind === "u" && singleOf(form)!.middle.numerator !== 0n) {
        return notLinear(condition, run, ", which is one uniform number exactly");
      }
      return (run.isPositive(form) || run.isPositive(opposite(form))) !== isEqual;
    }
    case "isNaN":
    case "Number.isNaN":
    case "isFinite":
    case "Number.isFinite":
      requireFinite(condition, run);
      operand(operands[0], condition, run);
      return op.endsWith("isFinite");
  }
  return notLinear(condition, run);
}

/** Refuses where a condition asks whether noise is infinite that a program makes of uniform numbers: the logarithm of 0 is. */
function requireFinite(condition: Traced, run: TracedRun): void {
  const isByHand = (value: unknown): boolean => {
    if (!isTraced(value)) return false;
    const { op, operands } = operationOf(value);
    return op === FORM ? hasAtoms(operands[0] as Affine) : operands.some(isByHand);
  };
  if (isByHand(condition)) notLinear(condition, run, ", made of uniform numbers, which may be 0");
}

/** Refuses a comparison of which data and noise fall out, where doubles may go another way than reals. */
function requireTold(
  difference: Rational | undefined,
  values: readonly [left: unknown, right: unknown],
  of: Traced,
  run: TracedRun,
): void {
  const formOf = (each: Traced): Affine => operand(each, of, run);
  if (difference !== undefined && isToldByRounding(values, formOf)) {
    notLinear(of, run, ", which differ by rounding alone");
  }
}

function truth(value: unknown, run: TracedRun): boolean {
  return isTraced(value) ? isTrue(value, run) : !!value;
}

/**
 * Returns the form of a number or a traced value.
 *
 * @throws {NotTraceable} for anything else, for numbers that are not finite, and for a value of another run.
 */
export function formOf(value: Real, run: TracedRun): Affine {
  if (typeof value === "number" && Number.isFinite(value)) return constant(rational(value));
  const form = tracedForm(value, run);
  if (form !== undefined) return form;
  throw new NotTraceable(
    `it computes with ${
      typeof value === "number" || value === undefined || value === null
        ? value
        : `a value of type ${typeof value}`
    } where there must be a finite number, or what its data and its source gave it`,
  );
}

export { isTraced };
