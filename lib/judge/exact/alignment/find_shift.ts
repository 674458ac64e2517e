import type { Highs } from "highs";
import {
  add,
  multiply,
  type Rational,
  rational,
  toNumber,
} from "../../../core/numeric/rational.ts";
import {
  type Affine,
  coefficient,
  formKey,
  hasNoise,
  isNoise,
  minus,
  normalised,
  part,
  variable,
} from "./affine.ts";
import { type Combination, combinationOf } from "./combination.ts";
import type { Constraint } from "./constraint.ts";
import { ExactProgram } from "./exact_program.ts";
import { type NoiseLaws, supportConstraints } from "./noise_laws.ts";
import { type ClassPair, isShift, type Shift } from "./shift.ts";

/** Where shifts are looked for. */
export interface ShiftOptions {
  /** What the data are known to satisfy. */
  readonly premises: readonly Constraint[];
  readonly laws: NoiseLaws;
  readonly highs: Highs;
  /** Shifts that depend on changes alone, and comparisons that stay as they are: quick, and enough for most. */
  readonly narrow: boolean;
}

const one = rational(1), minusOne = rational(-1);

/** A form of data whose coefficients are columns. */
type Unknown = ReadonlyMap<string, number>;

interface Target {
  readonly columns: readonly number[];
}

/**
 * Returns shifts of least cost, one for each class: on all data that satisfy the premises, noise of the left class goes to noise of the
 * right one, and released values stay. Gaussian noise has one shift for all classes. `undefined` where none is found.
 */
export function findShifts(
  pairs: readonly ClassPair[],
  options: ShiftOptions,
): readonly Shift[] | undefined {
  const search = new ShiftSearch(options);
  const gaussian = pairs.flatMap(noisesOf).filter((name) =>
    options.laws.of(name).kind === "gaussian"
  );
  const planned = pairs.map((pair) => search.plan(pair, [...noisesOf(pair), ...gaussian]));
  const solution = search.program.solve(options.highs);
  if (solution === undefined) return undefined;
  const shifts = planned.map((read) => read(solution));
  return shifts.every((shift, i) => isShift(shift, pairs[i]!, options)) ? shifts : undefined;
}

/** Returns the noise that decides about a class on the right. */
function noisesOf({ right, released }: ClassPair): string[] {
  return [...right.map(({ form }) => form), ...released.map(([, form]) => form)]
    .flatMap((form) => [...form.keys()].filter(isNoise));
}

class ShiftSearch {
  readonly program = new ExactProgram();
  readonly #options: ShiftOptions;
  readonly #support: readonly Constraint[];
  /** Premises that are used, with their places. */
  readonly #premises: readonly (readonly [place: number, Constraint])[];
  readonly #symbols: readonly string[];
  readonly #gaussian = new Map<string, { readonly shift: Unknown; readonly bound: number }>();

  constructor(options: ShiftOptions) {
    this.#options = options;
    this.#support = supportConstraints(options.laws);
    const usable = (name: string): boolean => name === "" || !options.narrow || /^[ct]/.test(name);
    this.#premises = [...options.premises.entries()]
      .filter(([, { form }]) => [...form.keys()].every(usable));
    const names = options.premises.flatMap(({ form }) => [...form.keys()]);
    this.#symbols = [...new Set(["", ...names.filter(usable)])];
  }

  /** Adds one class. @returns what reads its shift from a solution. */
  plan(pair: ClassPair, noises: readonly string[]): (solution: readonly Rational[]) => Shift {
    const { program } = this, { laws } = this.#options;
    const known = pair.left;
    const shifts = new Map<string, Unknown>();
    for (const noise of new Set(noises)) {
      shifts.set(
        noise,
        laws.of(noise).kind === "gaussian" ? this.#shared(noise).shift : this.#unknown(),
      );
    }
    for (const [from, to] of pair.released) this.#stays(from, { to, shifts });
    const mapped = pair.right.map(({ form }) => this.#target(form, { known, shifts }));
    const epsilon = program.column({ cost: 1 });
    const cost: [Unknown, Rational][] = [[new Map([["", epsilon]]), one]];
    const supported: [string, Target][] = [], bounds: [string, Unknown, Target, Target][] = [];
    for (const [noise, shift] of shifts) {
      const law = laws.of(noise);
      if (law.kind === "laplace" || law.kind === "gaussian") {
        const bound = law.kind === "laplace"
          ? this.#unknown()
          : new Map([["", this.#shared(noise).bound]]);
        const above = this.#target(new Map(), {
          known: [],
          unknown: [[bound, one], [shift, minusOne]],
        });
        const below = this.#target(new Map(), { known: [], unknown: [[bound, one], [shift, one]] });
        bounds.push([noise, bound, above, below]);
        if (law.kind === "laplace") cost.push([bound, multiply(minusOne, law.rate)]);
      } else {
        const form = law.kind === "gumbel" ? new Map() : variable(noise);
        supported.push([noise, this.#target(form, { known, unknown: [[shift, one]] })]);
        cost.push([shift, multiply(minusOne, law.rate)]);
      }
    }
    const total = this.#target(new Map(), { known: [], unknown: cost });
    return (solution) => {
      const read = (unknown: Unknown): Affine =>
        new Map(
          [...unknown].map(([name, column]) => [name, solution[column]!] as const)
            .filter(([, value]) => value.numerator !== 0n),
        );
      const why = ({ columns }: Target): Combination => combinationOf(solution, columns)!;
      // A draw that stays may have a bound all the same, which the total counts.
      const bounded = new Set(
        bounds.filter(([, bound]) => read(bound).size > 0).map(([noise]) => noise),
      );
      const moving = new Map(
        [...shifts].map(([noise, unknown]) => [noise, read(unknown)] as const)
          .filter(([noise, form]) => form.size > 0 || bounded.has(noise)),
      );
      return {
        shift: moving,
        mapped: mapped.map(why),
        supported: supported.filter(([noise]) => moving.has(noise))
          .map(([noise, target]) => [noise, why(target)] as const),
        bounds: bounds.filter(([noise]) => moving.has(noise))
          .map(([noise, bound, above, below]) => ({
            noise,
            bound: read(bound),
            above: why(above),
            below: why(below),
          })),
        epsilon: solution[epsilon]!,
        total: why(total),
      };
    };
  }

  #unknown(): Unknown {
    return new Map(this.#symbols.map((name) => [name, this.program.column({ free: true })]));
  }

  /** Returns the shift of Gaussian noise, and the bound on it. */
  #shared(noise: string): { readonly shift: Unknown; readonly bound: number } {
    let known = this.#gaussian.get(noise);
    if (known === undefined) {
      const law = this.#options.laws.of(noise) as { readonly variance: Rational };
      known = { shift: this.#unknown(), bound: this.program.column() };
      this.program.square(known.bound, 1 / toNumber(law.variance));
      this.#gaussian.set(noise, known);
    }
    return known;
  }

  /** Demands that a released value stays. */
  #stays(from: Affine, { to, shifts }: { to: Affine; shifts: ReadonlyMap<string, Unknown> }): void {
    const rest = minus(from, to);
    for (const name of new Set([...rest.keys(), ...this.#symbols])) {
      const terms = new Map<number, Rational>();
      addShifted(terms, to, { shifts, name });
      this.program.equation(terms, coefficient(rest, name));
    }
  }

  /**
   * Demands that form, with noise shifted, plus unknown forms is at least 0 where the known constraints and the premises hold. The
   * columns are multipliers of the known ones, of all premises of the options, and of the support.
   */
  #target(
    form: Affine,
    { known, shifts = new Map(), unknown = [] }: {
      readonly known: readonly Constraint[];
      readonly shifts?: ReadonlyMap<string, Unknown>;
      readonly unknown?: readonly (readonly [Unknown, Rational])[];
    },
  ): Target {
    const { program } = this;
    // Premises stand between what a class knows and the support of noise, which may grow.
    const own = known.length, all = [...known, ...this.#support];
    const used = this.#known(form, all);
    const unused = program.column();
    program.equation(new Map([[unused, one]]));
    const columns = all.map((_, i) => used.has(i) ? program.column() : unused);
    const others = this.#options.premises.map(() => unused);
    for (const [place] of this.#premises) others[place] = program.column();
    const slack = program.column();
    const names = new Set(this.#symbols);
    for (const name of form.keys()) names.add(name);
    for (const i of used) for (const name of all[i]!.form.keys()) names.add(name);
    for (const name of names) {
      const terms = new Map<number, Rational>();
      for (const i of used) {
        const value = all[i]!.form.get(name);
        if (value !== undefined) terms.set(columns[i]!, value);
      }
      for (const [place, premise] of this.#premises) {
        const value = premise.form.get(name);
        if (value !== undefined) terms.set(others[place]!, value);
      }
      const shifted = new Map<number, Rational>();
      addShifted(shifted, form, { shifts, name });
      for (const [each, factor] of unknown) {
        const column = each.get(name);
        if (column !== undefined) addTo(shifted, column, factor);
      }
      for (const [column, value] of shifted) addTo(terms, column, multiply(minusOne, value));
      if (name === "") terms.set(slack, one);
      program.equation(terms, coefficient(form, name));
    }
    return { columns: [...columns.slice(0, own), ...others, ...columns.slice(own)] };
  }

  /** Returns the known constraints that a target may use: in a narrow search those with the same noise, where there are some. */
  #known(form: Affine, known: readonly Constraint[]): Set<number> {
    const all = known.map((_, i) => i);
    if (!hasNoise(form)) return new Set();
    if (!this.#options.narrow) return new Set(all);
    const key = formKey(normalised(part(form, true)));
    const same = all.filter((i) => formKey(normalised(part(known[i]!.form, true))) === key);
    return new Set(same.length > 0 ? same : all);
  }
}

/** Adds Σ coefficient·(column of the shift) over the noise in a form. */
function addShifted(
  terms: Map<number, Rational>,
  form: Affine,
  { shifts, name }: { readonly shifts: ReadonlyMap<string, Unknown>; readonly name: string },
): void {
  for (const [noise, factor] of form) {
    const column = shifts.get(noise)?.get(name);
    if (column !== undefined) addTo(terms, column, factor);
  }
}

function addTo(terms: Map<number, Rational>, column: number, value: Rational): void {
  const old = terms.get(column);
  const sum = old === undefined ? value : add(old, value);
  if (sum.numerator === 0n) terms.delete(column);
  else terms.set(column, sum);
}
