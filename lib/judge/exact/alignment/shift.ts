import {
  add,
  compare,
  divide,
  multiply,
  type Rational,
  rational,
} from "../../../core/numeric/rational.ts";
import {
  type Affine,
  coefficient,
  constant,
  hasNoise,
  minus,
  plus,
  substitute,
  variable,
} from "./affine.ts";
import { type Combination, shows } from "./combination.ts";
import type { Constraint } from "./constraint.ts";
import { type NoiseLaws, supportConstraints } from "./noise_laws.ts";

/** Noise with which an output comes out on the left, and noise with which it does on the right. */
export interface ClassPair {
  /** The left noise satisfies these. */
  readonly left: readonly Constraint[];
  /** Noise that satisfies these gives the output on the right. */
  readonly right: readonly Constraint[];
  /** Values that come out with it, on the left and on the right. */
  readonly released: readonly (readonly [left: Affine, right: Affine])[];
}

/** A shift of noise for one class of outputs, and why it does what it must. */
export interface Shift {
  /** Forms of data by draws of noise; other draws stay. */
  readonly shift: ReadonlyMap<string, Affine>;
  /** For each right constraint, why the shifted noise satisfies it: over the left ones, the premises and the support of noise. */
  readonly mapped: readonly Combination[];
  /** For each draw that must not leave its support, why it does not: over the same. */
  readonly supported: readonly (readonly [noise: string, why: Combination])[];
  /** Upper bounds on what each shift is, and why: over the premises. */
  readonly bounds: readonly ShiftBound[];
  /** The privacy loss of all noise but Gaussian is at most this. */
  readonly epsilon: Rational;
  /** Why: over the premises. */
  readonly total: Combination;
}

/** A bound on |shift| of Laplace and Gaussian noise. */
export interface ShiftBound {
  readonly noise: string;
  /** A form of data; a number for Gaussian noise. */
  readonly bound: Affine;
  readonly above: Combination;
  readonly below: Combination;
}

const zero = rational(0), minusOne = rational(-1);

/** Returns true if a shift takes outputs of the left class to equal ones of the right class at no more than its cost, in exact fractions. */
export function isShift(
  { shift, mapped, supported, bounds, epsilon, total }: Shift,
  { left, right, released }: ClassPair,
  { premises, laws }: { readonly premises: readonly Constraint[]; readonly laws: NoiseLaws },
): boolean {
  const known = [...left, ...premises, ...supportConstraints(laws)];
  const moved = new Map([...shift].map(([name, form]) => [name, plus(variable(name), form)]));
  let cost: Affine = constant(epsilon);
  for (const [noise, form] of shift) {
    if (hasNoise(form)) return false;
    const law = laws.of(noise);
    const bound = bounds.find((each) => each.noise === noise);
    switch (law.kind) {
      case "gaussian":
      case "laplace":
        if (
          bound === undefined ||
          !shows(minus(bound.bound, form), premises, bound.above) ||
          !shows(plus(bound.bound, form), premises, bound.below)
        ) return false;
        if (law.kind === "laplace") cost = plus(cost, bound.bound, multiply(minusOne, law.rate));
        else if ([...bound.bound.keys()].some((name) => name !== "")) return false;
        break;
      case "exponential":
      case "gumbel": {
        const [, why] = supported.find(([name]) => name === noise) ?? [];
        const stays = law.kind === "gumbel" ? form : plus(variable(noise), form);
        if (why === undefined || !shows(stays, known, why)) return false;
        cost = plus(cost, form, multiply(minusOne, law.rate));
      }
    }
  }
  return right.length === mapped.length &&
    right.every(({ form }, i) => shows(substitute(form, moved), known, mapped[i]!)) &&
    released.every(([from, to]) => minus(from, substitute(to, moved)).size === 0) &&
    shows(cost, premises, total);
}

/** Returns μ² of the Gaussian noise in shifts: Σ (bound/deviation)². */
export function muSquaredOf(shifts: readonly Shift[], laws: NoiseLaws): Rational {
  const bounds = new Map<string, Rational>();
  for (const { noise, bound } of shifts.flatMap((each) => each.bounds)) {
    const law = laws.of(noise);
    if (law.kind !== "gaussian") continue;
    const square = divide(multiply(coefficient(bound, ""), coefficient(bound, "")), law.variance);
    const old = bounds.get(noise);
    if (old === undefined || compare(old, square) < 0) bounds.set(noise, square);
  }
  return [...bounds.values()].reduce<Rational>(add, zero);
}
