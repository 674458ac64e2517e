/**
 * Forms of a certificate of alignments: how they are read, and when one is at least 0.
 *
 * @module
 */
import type { Fraction } from "./exact_fraction.ts";
import { fraction as fractionOf } from "./neighbours_of_domain.ts";
import { demand, entries, list, pair, place, type Reader } from "./strict_json.ts";

/** Σ coefficient·variable; the constant under "". Noise begins with n. */
export type Form = Map<string, Fraction>;
/** A form that is at least 0; with true it is above 0. */
export type Premise = readonly [form: Form, strict: boolean];
/** Places of premises, and multipliers. */
export type Why = readonly (readonly [place: number, multiplier: Fraction])[];

/** 0, 1 and −1. */
export const ZERO: Fraction = [0n, 1n], ONE: Fraction = [1n, 1n], MINUS: Fraction = [-1n, 1n];
/** Returns a product. */
export function times([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return [a * c, b * d];
}

/** Returns true if the left fraction is at most the right one. */
export function atMost([a, b]: Fraction, [c, d]: Fraction): boolean {
  return a * d <= c * b;
}

/** Returns true for equal fractions. */
export function equal([a, b]: Fraction, [c, d]: Fraction): boolean {
  return a * d === c * b;
}

/** Returns true for equal forms. */
export function same(left: Form, right: Form): boolean {
  return plus(left, right, MINUS).size === 0;
}

/** Returns true if no noise is in a form. */
export function isData(form: Form): boolean {
  return [...form.keys()].every((name) => !name.startsWith("n"));
}

/** Returns the number that a form is, where it is one. */
export function numberOf(form: Form): Fraction | undefined {
  return [...form.keys()].every((name) => name === "") ? form.get("") ?? ZERO : undefined;
}

/** Returns factor·form. */
export function scaled(form: Form, factor: Fraction): Form {
  return plus(new Map(), form, factor);
}

/** Returns left + factor·right. */
export function plus(left: Form, right: Form, factor: Fraction): Form {
  const sum = new Map(left);
  for (const [name, value] of right) {
    const [a, b] = sum.get(name) ?? ZERO, [c, d] = times(value, factor);
    const total: Fraction = b === d ? [a + c, b] : [a * d + c * b, b * d];
    if (total[0] === 0n) sum.delete(name);
    else sum.set(name, total);
  }
  return sum;
}

/** Reads a form. */
export const form: Reader<Form> = (value: unknown, where: string): Form =>
  scaled(entries(fractionOf)(value, where) as Form, ONE);
/** Reads a form of data. */
export const dataForm: Reader<Form> = (value: unknown, where: string): Form => {
  const read = form(value, where);
  demand(isData(read), `${where}: noise among data`);
  return read;
};
/** Reads places and multipliers. */
export const why: Reader<Why> = (value: unknown, where: string): Why => {
  const read = list(pair(place, fractionOf))(value, where);
  demand(read.every(([, [n]]) => n > 0n), `${where}: a multiplier`);
  return read;
};

function combined(premises: readonly Premise[], why: Why): Form {
  demand(why.every(([place]) => place < premises.length), "a premise that is not there");
  return why.reduce<Form>((sum, [place, by]) => plus(sum, premises[place]![0], by), new Map());
}

/** form ≥ 0 where the premises hold: it is their sum and a constant. */
export function shows(form: Form, premises: readonly Premise[], why: Why): void {
  const rest = plus(form, combined(premises, why), MINUS);
  demand([...rest].every(([name, [n]]) => name === "" && n >= 0n), "an inequality");
}

/** The premises hold together with probability 0: their sum is below 0, or 0 with a strict one in it. */
export function excludes(premises: readonly Premise[], why: Why, what: string): void {
  const sum = combined(premises, why);
  demand([...sum].every(([name, [n]]) => name === "" && n < 0n), what);
  demand(sum.size > 0 || why.some(([place]) => premises[place]![1]), what);
}
