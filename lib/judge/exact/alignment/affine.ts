import {
  add,
  divide,
  multiply,
  negated,
  type Rational,
  rational,
} from "../../../core/numeric/rational.ts";

/**
 * Σ coefficient·variable + constant, with exact fractions: coefficients by variable, the constant under "". Zeros are left out.
 * Variables that begin with n are draws of noise; others stand for data.
 */
export type Affine = ReadonlyMap<string, Rational>;

/** Returns the form that is this number. */
export function constant(value: Rational): Affine {
  return value.numerator === 0n ? new Map() : new Map([["", value]]);
}

/** Returns the form that is this variable. */
export function variable(name: string): Affine {
  return new Map([[name, rational(1)]]);
}

/** Returns left + factor·right. */
export function plus(left: Affine, right: Affine, factor: Rational = rational(1)): Affine {
  const sum = new Map(left);
  for (const [name, value] of right) {
    const old = sum.get(name), product = multiply(value, factor);
    const total = old === undefined ? product : add(old, product);
    if (total.numerator === 0n) sum.delete(name);
    else sum.set(name, total);
  }
  return sum;
}

/** Returns left − right. */
export function minus(left: Affine, right: Affine): Affine {
  return plus(left, right, rational(-1));
}

/** Returns factor·form. */
export function times(factor: Rational, form: Affine): Affine {
  return plus(new Map(), form, factor);
}

/** Returns the coefficient of a variable, or with "" the constant. */
export function coefficient(form: Affine, name: string): Rational {
  return form.get(name) ?? rational(0);
}

/** Returns the number that a form is, where it is one. */
export function numberOf(form: Affine): Rational | undefined {
  for (const name of form.keys()) if (name !== "") return undefined;
  return form.get("") ?? rational(0);
}

/** Returns true if a variable is a draw of noise. */
export function isNoise(name: string): boolean {
  return name.startsWith("n");
}

/** Returns true if noise is in a form. */
export function hasNoise(form: Affine): boolean {
  for (const name of form.keys()) if (isNoise(name)) return true;
  return false;
}

/** Returns the part of a form that is noise, or the rest. */
export function part(form: Affine, noise: boolean): Affine {
  return new Map([...form].filter(([name]) => isNoise(name) === noise));
}

/** Returns the form with other forms in place of some variables. */
export function substitute(form: Affine, values: ReadonlyMap<string, Affine>): Affine {
  let sum: Affine = new Map();
  for (const [name, value] of form) {
    const other = values.get(name);
    sum = other === undefined ? plus(sum, new Map([[name, value]])) : plus(sum, other, value);
  }
  return sum;
}

/** Returns a text, the same for equal forms only. */
export function formKey(form: Affine): string {
  return [...form].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, { numerator, denominator }]) => `${name}:${numerator}/${denominator}`).join(" ");
}

/** Returns a form of which this one is a positive multiple, the same for all of them. */
export function normalised(form: Affine): Affine {
  const [first] = [...form].filter(([name]) => name !== "").sort(([a], [b]) => a < b ? -1 : 1);
  if (first === undefined) return form;
  const [, factor] = first;
  return times(divide(rational(1), factor.numerator < 0n ? negated(factor) : factor), form);
}
