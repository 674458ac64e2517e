/**
 * What programs compute of uniform numbers to draw noise by hand, as forms over atoms: names of variables that are not noise yet. Their
 * names begin as those of noise do, so that a form that still has one is never taken for data.
 *
 * - `u:i` the uniform number of draw i, and `f:i` = |2u − 1|, `s:i` the sign of 2u − 1;
 * - exponential noise `z`: `e:i` = −log u, `o:i` = −log(1 − u), `zo:i` = −log(1 − f), `zi:i` = −log f, and the same where u is known to be below
 *   or above ½: `lo:i` = −log 2u, `ho:i` = −log(2 − 2u), `li:i` = −log(1 − 2u), `hi:i` = −log(2u − 1);
 * - `d:z-z` the difference of such noise, `s:i*z` a sign times exponential noise, `g:z` = −log z, `r:c:z` = √(c·z), `cos:i` and `sin:i` of 2π·u, and `n:r*cos:i`, standard normal noise.
 *
 * @module
 */
import {
  compare,
  divide,
  multiply,
  type Rational,
  rational,
} from "../../../core/numeric/rational.ts";
import { isTraced, operationOf } from "../../source/traced.ts";
import { type Affine, constant, minus, plus, times, variable } from "./affine.ts";

/** The name of values that stand for a form, and of what they are made of by operations of programs. */
export const FORM = "form";

/** What the name of an atom begins with. */
export const ATOM = "n?";

const HALF = rational(1, 2), ONE = rational(1), TWO = rational(2);
const TURN = rational(2 * Math.PI);

/** Returns the form of the uniform number of a draw. */
export function uniformForm(place: number): Affine {
  return variable(`${ATOM}u:${place}`);
}

/** Returns true if a form is made of uniform numbers that no law was found for yet. */
export function hasAtoms(form: Affine): boolean {
  for (const name of form.keys()) if (name.startsWith(ATOM)) return true;
  return false;
}

/** One atom times a factor, and a number. */
interface Single {
  readonly kind: string;
  /** What comes after the kind: places and other atoms. */
  readonly rest: string;
  readonly factor: Rational;
  readonly middle: Rational;
}

/** Returns the only atom of a form, without data or other noise. */
export function singleOf(form: Affine): Single | undefined {
  let name: string | undefined;
  for (const each of form.keys()) {
    if (each === "") continue;
    if (name !== undefined || !each.startsWith(ATOM)) return undefined;
    name = each;
  }
  if (name === undefined) return undefined;
  const end = name.indexOf(":");
  return {
    kind: name.slice(ATOM.length, end),
    rest: name.slice(end + 1),
    factor: form.get(name)!,
    middle: form.get("") ?? rational(0),
  };
}

const SIZES: ReadonlySet<string> = new Set(["e", "o", "zo", "zi", "lo", "ho", "li", "hi"]);

function is(value: Rational, other: Rational): boolean {
  return compare(value, other) === 0;
}

const NOUGHT = rational(0), MINUS = rational(-1);

/** Exponential noise that is −log of a linear function of a uniform number, by factor and middle. */
const LOGARITHMS: Readonly<Record<string, readonly (readonly [Rational, Rational, string])[]>> = {
  u: [
    [ONE, NOUGHT, "e"],
    [MINUS, ONE, "o"],
    [TWO, NOUGHT, "lo"],
    [rational(-2), TWO, "ho"],
    [rational(-2), ONE, "li"],
    [TWO, MINUS, "hi"],
  ],
  f: [[MINUS, ONE, "zo"], [ONE, NOUGHT, "zi"]],
};

function logarithm(form: Affine): Affine | undefined {
  const single = singleOf(form);
  if (single === undefined) return undefined;
  const { kind, rest, factor, middle } = single;
  const found = LOGARITHMS[kind]?.find(([a, b]) => is(a, factor) && is(b, middle));
  if (found !== undefined) return times(MINUS, variable(`${ATOM}${found[2]}:${rest}`));
  // The logarithm of exponential noise.
  return SIZES.has(kind) && is(factor, ONE) && is(middle, NOUGHT)
    ? times(MINUS, variable(`${ATOM}g:${kind}:${rest}`))
    : undefined;
}

/** Returns the parts of a multiple of u − ½, for a uniform number u; `undefined` of other forms. */
export function aroundHalf(form: Affine): Single | undefined {
  const single = singleOf(form);
  return single?.kind === "u" && is(single.middle, multiply(single.factor, rational(-1, 2)))
    ? single
    : undefined;
}

function product(left: Affine, right: Affine): Affine | undefined {
  const [a, b] = [singleOf(left), singleOf(right)];
  if (a === undefined || b === undefined || !is(a.middle, NOUGHT) || !is(b.middle, NOUGHT)) {
    return undefined;
  }
  const factor = multiply(a.factor, b.factor);
  for (const [one, other] of [[a, b], [b, a]] as const) {
    const [first, second] = [one, other].map(({ kind, rest }) => `${kind}:${rest}`);
    if (one.kind === "s" && SIZES.has(other.kind)) {
      return times(factor, variable(`${ATOM}${first}*${second}`));
    }
    if (one.kind === "r" && (other.kind === "cos" || other.kind === "sin")) {
      return times(factor, variable(`${ATOM}n:${one.rest}*${second}`));
    }
  }
  return undefined;
}

/** Returns √ of a positive multiple of exponential noise. */
function root(form: Affine): Affine | undefined {
  const single = singleOf(form);
  if (single === undefined || !SIZES.has(single.kind) || !is(single.middle, NOUGHT)) {
    return undefined;
  }
  const { kind, rest, factor } = single;
  if (factor.numerator <= 0n) return undefined;
  return variable(`${ATOM}r:${factor.numerator}/${factor.denominator}:${kind}:${rest}`);
}

/** Returns the difference of two draws of exponential noise as one atom, so that both are one draw of Laplace noise. */
function paired(form: Affine): Affine {
  if (form.size !== 2) return form;
  const [[left, a], [right, b]] = [...form].sort(([one], [other]) => one < other ? -1 : 1) as [
    [string, Rational],
    [string, Rational],
  ];
  const areSizes = [left, right].every((name) => /^n\?[eo]:/.test(name));
  if (!areSizes || !is(a, multiply(b, MINUS))) return form;
  return times(a, variable(`${ATOM}d:${left.slice(ATOM.length)}-${right.slice(ATOM.length)}`));
}

function coordinate(name: string, form: Affine): Affine | undefined {
  const single = singleOf(form);
  return single?.kind === "u" && is(single.middle, NOUGHT) && is(single.factor, TURN)
    ? variable(`${ATOM}${name}:${single.rest}`)
    : undefined;
}

const found = new WeakMap<object, Affine | "none">();

/** Returns the form of a value where that needs no comparison; `undefined` where it has none. Values that stand for forms are `leaf`. */
export function handForm(value: unknown, leaf: string): Affine | undefined {
  if (!isTraced(value)) {
    return typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)
      ? constant(rational(value))
      : undefined;
  }
  const { op, operands } = operationOf(value);
  if (op === leaf) return operands[0] as Affine;
  const known = found.get(value);
  if (known !== undefined) return known === "none" ? undefined : known;
  const form = computed(op, operands, leaf);
  found.set(value, form ?? "none");
  return form;
}

function computed(op: string, operands: readonly unknown[], leaf: string): Affine | undefined {
  if (op === "Math.log" && isTraced(operands[0])) {
    // log(a/b) and log(a·b), before these are found to be no forms.
    const { op: by, operands: parts } = operationOf(operands[0]);
    const whole = handForm(operands[0], leaf);
    if (whole === undefined && (by === "/" || by === "*")) {
      const [a, b] = parts.map((part) => {
        if (part === 1) return new Map() as Affine;
        const form = handForm(part, leaf);
        return form && logarithm(form);
      });
      return a && b && paired(plus(a, b, by === "/" ? MINUS : ONE));
    }
    return whole && logarithm(whole);
  }
  const [a, b] = operands.map((each) => handForm(each, leaf));
  if (a === undefined || operands.length > 1 && b === undefined) return undefined;
  switch (op) {
    case "+":
      return paired(plus(a, b!));
    case "-":
      return paired(minus(a, b!));
    case "unary -":
      return a.size === 0 ? undefined : times(MINUS, a);
    case "unary +":
    case "Number":
    case "parseFloat":
    case "Number.parseFloat":
      return a;
    case "/": {
      const by = numberIn(b!);
      return by === undefined || by.numerator === 0n || a.size === 0
        ? undefined
        : times(divide(ONE, by), a);
    }
    case "*": {
      const [left, right] = [numberIn(a), numberIn(b!)];
      if (left !== undefined && left.numerator !== 0n && b!.size > 0) return times(left, b!);
      if (right !== undefined && right.numerator !== 0n && a.size > 0) return times(right, a);
      return left === undefined && right === undefined ? product(a, b!) : undefined;
    }
    case "**":
    case "Math.pow":
      return is(numberIn(b!) ?? NOUGHT, HALF) ? root(a) : undefined;
    case "Math.log1p":
      return logarithm(plus(a, constant(ONE)));
    case "Math.sqrt":
      return root(a);
    case "Math.cos":
    case "Math.sin":
      return coordinate(op.slice("Math.".length), a);
    case "Math.abs": {
      const { factor, rest } = aroundHalf(a) ?? {};
      if (factor === undefined) return undefined;
      const size = factor.numerator < 0n ? multiply(factor, MINUS) : factor;
      return times(multiply(size, HALF), variable(`${ATOM}f:${rest}`));
    }
    case "Math.sign": {
      const { factor, rest } = aroundHalf(a) ?? {};
      if (factor === undefined) return undefined;
      return times(factor.numerator < 0n ? MINUS : ONE, variable(`${ATOM}s:${rest}`));
    }
  }
  return undefined;
}

/** Returns the number that a form is, where it is one. */
function numberIn(form: Affine): Rational | undefined {
  for (const name of form.keys()) if (name !== "") return undefined;
  return form.get("") ?? NOUGHT;
}
