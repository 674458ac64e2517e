import type { Highs } from "highs";
import {
  add,
  compare,
  divide,
  multiply,
  negated,
  type Rational,
  rational,
} from "../../../core/numeric/rational.ts";
import { type Affine, coefficient, constant, formKey, minus, normalised, plus } from "./affine.ts";
import type { Constraint } from "./constraint.ts";
import { ExactProgram } from "./exact_program.ts";

/** A sum of constraints: their places in a list, and multipliers above 0 (Farkas 1902). */
export type Combination = readonly (readonly [place: number, multiplier: Rational])[];

const zero = rational(0);

/** Returns Σ multiplier·form. */
export function combined(premises: readonly Constraint[], combination: Combination): Affine {
  return combination.reduce<Affine>(
    (sum, [place, multiplier]) => plus(sum, premises[place]!.form, multiplier),
    new Map(),
  );
}

/** Returns true if a combination shows that form ≥ 0 where all premises hold: form − Σ is a constant of at least 0. */
export function shows(
  form: Affine,
  premises: readonly Constraint[],
  combination: Combination,
): boolean {
  if (
    !combination.every(([place, multiplier]) => premises[place] && compare(multiplier, zero) > 0)
  ) {
    return false;
  }
  const rest = minus(form, combined(premises, combination));
  return [...rest].every(([name, value]) => name === "" && value.numerator > 0n);
}

/**
 * Returns true if a combination shows that the premises hold together nowhere, or with noise with probability 0: Σ is a constant below 0, or
 * is 0 with a strict constraint in it.
 */
export function excludes(premises: readonly Constraint[], combination: Combination): boolean {
  if (
    !combination.every(([place, multiplier]) => premises[place] && compare(multiplier, zero) > 0)
  ) {
    return false;
  }
  const sum = combined(premises, combination);
  if (![...sum].every(([name, value]) => name === "" && value.numerator < 0n)) return false;
  return sum.size > 0 || combination.some(([place]) => premises[place]!.strict);
}

/** Returns a combination that shows form ≥ 0, or `undefined` where there is none. */
export function implication(
  form: Affine,
  premises: readonly Constraint[],
  highs: Highs,
): Combination | undefined {
  const checked = (found: Combination | undefined): Combination | undefined =>
    found !== undefined && shows(form, premises, found) ? found : undefined;
  if (shows(form, premises, [])) return [];
  const key = formKey(normalised(form));
  const same = premises.findIndex((premise) => formKey(normalised(premise.form)) === key);
  if (same >= 0) {
    const [name, value] = [...form].find(([each]) => each !== "")!;
    const other = premises[same]!.form.get(name)!;
    return checked([[same, divide(value, other)]]);
  }
  const program = new ExactProgram();
  const columns = premises.map(() => program.column({ cost: 1 }));
  const slack = program.column();
  for (const name of namesOf([form, ...premises.map((each) => each.form)])) {
    const terms = termsOf(premises, columns, name);
    if (name === "") terms.set(slack, rational(1));
    program.equation(terms, form.get(name) ?? zero);
  }
  return checked(combinationOf(program.solve(highs), columns));
}

/**
 * Returns a number that a form nowhere exceeds, shown by a sum of premises: near the least one, or, where `isUndecided`, what one premise alone says; `undefined` where none is found.
 */
export function largestValue(
  form: Affine,
  premises: readonly Constraint[],
  { highs, isUndecided = false }: { readonly highs: Highs; readonly isUndecided?: boolean },
): { readonly value: Rational; readonly why: Combination } | undefined {
  const own = coefficient(form, "");
  if ([...form.keys()].every((name) => name === "")) return { value: own, why: [] };
  const single = isUndecided ? largestByOne(form, premises) : undefined;
  if (single !== undefined) return single;
  const program = new ExactProgram();
  const most = program.column({ free: true, cost: 1 }), slack = program.column();
  const columns = premises.map(() => program.column());
  for (const name of new Set(["", ...namesOf([form, ...premises.map((each) => each.form)])])) {
    // most − form = Σ multiplier·premise + slack.
    const terms = termsOf(premises, columns, name);
    if (name === "") terms.set(slack, rational(1)).set(most, rational(-1));
    program.equation(terms, negated(coefficient(form, name)));
  }
  const solution = program.solve(highs), why = combinationOf(solution, columns);
  if (solution === undefined || why === undefined) return undefined;
  const value = solution[most]!;
  return shows(minus(constant(value), form), premises, why) ? { value, why } : undefined;
}

function largestByOne(
  form: Affine,
  premises: readonly Constraint[],
): { readonly value: Rational; readonly why: Combination } | undefined {
  const key = withoutConstant(form)!;
  let least: { readonly value: Rational; readonly why: Combination } | undefined;
  for (const [place, premise] of premises.entries()) {
    if (withoutConstant(premise.form)?.opposite !== key.same) continue;
    const [name, factor] = [...form].find(([each]) => each !== "")!;
    const by = divide(factor, negated(premise.form.get(name)!));
    const value = add(coefficient(form, ""), multiply(by, coefficient(premise.form, "")));
    if (least === undefined || compare(value, least.value) < 0) {
      least = { value, why: [[place, by]] };
    }
  }
  return least;
}

/** Returns a combination that shows that premises exclude each other, or `undefined` where there is none. */
export function contradiction(
  premises: readonly Constraint[],
  highs: Highs,
): Combination | undefined {
  const checked = (found: Combination | undefined): Combination | undefined =>
    found !== undefined && excludes(premises, found) ? found : undefined;
  const opposite = oppositesIn(premises);
  if (opposite !== undefined) return checked(opposite);
  const program = new ExactProgram();
  const columns = premises.map(({ strict }) => program.column({ cost: strict ? -1 : 0 }));
  const slack = program.column({ cost: -1 }), unused = program.column();
  for (const name of new Set(["", ...namesOf(premises.map((each) => each.form))])) {
    const terms = termsOf(premises, columns, name);
    if (name === "") terms.set(slack, rational(1));
    program.equation(terms);
  }
  const total = new Map(columns.map((column) => [column, rational(1)]));
  program.equation(total.set(slack, rational(1)).set(unused, rational(1)), rational(1));
  return checked(combinationOf(program.solve(highs), columns));
}

/** Returns two premises that are f ≥ 0 and −f − c ≥ 0 up to factors. */
function oppositesIn(premises: readonly Constraint[]): Combination | undefined {
  const places = new Map<string, number>();
  for (const [place, { form }] of premises.entries()) {
    const key = withoutConstant(form);
    if (key === undefined) continue;
    const against = places.get(key.opposite);
    if (against !== undefined) {
      const [name, value] = [...form].find(([each]) => each !== "")!;
      const other = premises[against]!.form.get(name)!;
      const found: Combination = [[place, rational(1)], [against, divide(value, negated(other))]];
      if (excludes(premises, found)) return found;
    }
    places.set(key.same, place);
  }
  return undefined;
}

function withoutConstant(form: Affine): { same: string; opposite: string } | undefined {
  const rest = new Map([...form].filter(([name]) => name !== ""));
  if (rest.size === 0) return undefined;
  return {
    same: formKey(normalised(rest)),
    opposite: formKey(normalised(minus(constant(zero), rest))),
  };
}

function namesOf(forms: readonly Affine[]): Set<string> {
  return new Set(forms.flatMap((form) => [...form.keys()]));
}

function termsOf(
  premises: readonly Constraint[],
  columns: readonly number[],
  name: string,
): Map<number, Rational> {
  return new Map(premises.flatMap(({ form }, i) => {
    const value = form.get(name);
    return value === undefined ? [] : [[columns[i]!, value]];
  }));
}

/** Returns the combination that the positive columns of a solution stand for. */
export function combinationOf(
  solution: readonly Rational[] | undefined,
  columns: readonly number[],
): Combination | undefined {
  return solution &&
    columns.flatMap((column, place): Combination => {
      const value = solution[column]!;
      return value.numerator > 0n ? [[place, value]] : [];
    });
}
