import type { ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import type { DiscreteLaw } from "../../../core/mechanism/discrete_law.ts";
import {
  add,
  compare,
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
} from "../../../core/numeric/rational.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { programSource } from "../../../core/random/program_source.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import { drawingOwn } from "../own_randomness.ts";
import { withDecided } from "../with_decided.ts";
import { NotEnumerable } from "./branching_source.ts";
import { gcd } from "./law_outcomes.ts";
import { outputKey, thrownKey } from "./output_key.ts";
import { handForm, singleOf, uniformForm } from "../alignment/hand_forms.ts";
import { minus } from "../alignment/affine.ts";
import { BINARY } from "../../source/operators.ts";
import { recompute } from "../../source/recompute.ts";
import type { Follower } from "../../source/run.ts";
import { traced } from "../../source/runs.ts";
import { isTraced, operationOf, type Traced } from "../../source/traced.ts";

/** Values that one rounded uniform number may have, at most. */
const MOST_VALUES = 10_000;

/** What the uniform numbers of a run need of it. */
export interface UniformRun {
  /** Draws from a law, or takes the outcome that the uniform number of a place gives. */
  choose(law: DiscreteLaw, of: { readonly place: number; outcomeOf(u: number): number }): number;
  /** Draws the uniform number of the next place, where runs have numbers. */
  next?(): void;
  /** Ends the run with a reason. */
  refuse(what: string): never;
}

/** What is known of a uniform number: that it is between these. Absent: it was used up. */
type Known = readonly [low: Rational, high: Rational] | undefined;

const FORM = "uniform";
const ZERO = rational(0), ONE = rational(1);
const COMPARISONS: ReadonlySet<string> = new Set(["<", ">", "<=", ">=", "===", "!==", "==", "!="]);
const ROUNDING: ReadonlySet<string> = new Set(
  ["floor", "ceil", "round", "trunc"].map((name) => `Math.${name}`),
);
const USED =
  "it puts out a uniform number, or computes with it otherwise than by comparing it with known numbers and rounding multiples of it: draw by the methods of its source, or audit it";

/**
 * The uniform numbers of a run on one path of its draws: a comparison with a known number, and a rounded multiple, are discrete draws. The
 * same number again is compared within what is known of it.
 */
export class UniformBranches {
  readonly #run: UniformRun;
  #known: Known[] = [];
  /** Draws of `Math.random`, which may be exactly 0. */
  readonly #own = new Set<number>();
  #values = new Map<Traced, unknown>();

  /** Of a run that has drawn nothing. */
  constructor(run: UniformRun) {
    this.#run = run;
  }

  /** Begins the run again. */
  begin(): void {
    this.#known = [];
    this.#own.clear();
    this.#values = new Map();
  }

  /** Draws in place of `Math.random`. */
  ownUniform(): number {
    this.#own.add(this.#known.length);
    return this.uniform();
  }

  /** Returns the next uniform number. */
  uniform(): number {
    this.#run.next?.();
    const form = uniformForm(this.#known.push([ZERO, ONE]) - 1);
    return traced(NaN, FORM, { operands: [form, this] }) as unknown as number;
  }

  /** What rewritten programs, and native code that meets such a number, are told. */
  readonly follower: Follower = {
    decide: (condition) => !!this.#plain(condition),
    pin: (value) => this.#plain(value),
    plain: (value) => this.#plain(value),
  };

  /** Returns an output with known values alone. */
  resolved(output: unknown): unknown {
    return withDecided(output, (value) => this.#plain(value));
  }

  #plain(value: Traced): unknown {
    return recompute(value, (each) => this.#decided(each), this.#values);
  }

  /** Returns the value of an operation that has few values. */
  #decided(value: Traced): { readonly value: unknown } | undefined {
    const { op, operands } = operationOf(value);
    if (op === FORM) {
      return this.#run.refuse(
        operands[1] === this
          ? USED
          : "it uses a uniform number of an earlier call: it keeps state between calls",
      );
    }
    if (operands.length === 2 && COMPARISONS.has(op)) {
      const [left, right] = operands.map((each) => handForm(each, FORM));
      const single = left && right && singleOf(minus(left, right));
      if (single?.kind !== "u") return undefined;
      const at = divide(single.middle, multiply(rational(-1), single.factor));
      const isOwn = this.#own.has(Number(single.rest));
      if (isOwn && at.numerator === 0n && !isStrict(op, single.factor.numerator > 0n)) {
        return this.#run.refuse(
          "it compares Math.random with 0, which it is with a probability of 2^−53: audit it",
        );
      }
      const way = this.#cell(Number(single.rest), [at], value);
      // Below the number, or above it: it is the number itself with probability 0.
      const sign = single.factor.numerator > 0n ? 1 : -1;
      return { value: BINARY[op]!(way === 0 ? -sign : sign, 0) };
    }
    const rounding = op === "|" && operands[1] === 0 ? "Math.trunc" : op;
    if (!ROUNDING.has(rounding)) return undefined;
    const form = handForm(operands[0], FORM), single = form && singleOf(form);
    if (single === undefined) return undefined;
    const { kind, rest, factor, middle } = single, place = Number(rest);
    if (kind === "u") return { value: this.#rounded(rounding, { place, factor, middle }, value) };
    return kind === "e" || kind === "o"
      ? { value: this.#geometric(rounding, { kind, place, factor, middle }, value) }
      : undefined;
  }

  #knownOf(place: number, value: Traced): readonly [Rational, Rational] {
    requireOf(value, this, (what) => this.#run.refuse(what));
    return this.#known[place] ?? this.#run.refuse(
      "it uses one uniform number in two ways: draw another number for each, or audit it",
    );
  }

  /** Returns in which cell between some numbers, in their order, a uniform number is: 0 below the first one. */
  #cell(place: number, bounds: readonly Rational[], value: Traced): number {
    const [low, high] = this.#knownOf(place, value);
    const inside = bounds.filter((at) => compare(at, low) > 0 && compare(at, high) < 0);
    const before = bounds.filter((at) => compare(at, low) <= 0).length;
    if (inside.length === 0) return before;
    const ends = [low, ...inside, high];
    const widths = ends.slice(1).map((end, i) => subtract(end, ends[i]!));
    const common = widths.reduce(
      (product, { denominator }) => product / gcd(product, denominator) * denominator,
      1n,
    );
    const way = this.#run.choose({
      kind: "choice",
      weights: widths.map(({ numerator, denominator }) => ({
        exponent: ZERO,
        multiplicity: numerator * (common / denominator),
      })),
    }, {
      place,
      outcomeOf: (u) => inside.filter((at) => compare(at, rational(u)) <= 0).length,
    });
    this.#known[place] = [ends[way]!, ends[way + 1]!];
    return before + way;
  }

  #rounded(
    op: string,
    { place, factor, middle }: { place: number; factor: Rational; middle: Rational },
    value: Traced,
  ): number {
    const [low, high] = this.#knownOf(place, value);
    const shift = op === "Math.round" ? rational(1, 2) : ZERO;
    // Where factor·u + middle + shift is whole.
    const ends = [low, high].map((u) => floor(add(add(multiply(factor, u), middle), shift)));
    const [least, most] = ends[0]! < ends[1]! ? ends as [bigint, bigint] : [ends[1]!, ends[0]!];
    if (most - least > MOST_VALUES) {
      return this.#run.refuse(
        `it rounds a uniform number to more than ${MOST_VALUES} values: audit it`,
      );
    }
    const bounds: Rational[] = [];
    for (let whole = least; whole <= most + 1n; whole++) {
      bounds.push(divide(subtract(subtract(rational(whole), shift), middle), factor));
    }
    // What is rounded to 0 shows its sign.
    if (op === "Math.round") bounds.push(divide(subtract(ZERO, middle), factor));
    this.#cell(place, bounds.sort(compare), value);
    const [from, to] = this.#known[place]!;
    const at = add(multiply(factor, multiply(add(from, to), rational(1, 2))), middle);
    const down = floor(at), isBelow = at.numerator < 0n;
    const whole = op === "Math.floor"
      ? down
      : op === "Math.round"
      ? floor(add(at, shift))
      : op === "Math.ceil" || isBelow
      ? down + 1n
      : down;
    if (operationOf(value).op === "|") return Number(whole) | 0;
    // What is rounded up to 0 keeps its sign.
    return whole === 0n && isBelow ? -0 : Number(whole);
  }

  /** Returns exponential noise that was rounded. */
  #geometric(
    op: string,
    { kind, place, factor, middle }: {
      kind: string;
      place: number;
      factor: Rational;
      middle: Rational;
    },
    value: Traced,
  ): number {
    const [low, high] = this.#knownOf(place, value);
    const isWhole = middle.denominator === 1n, isUp = factor.numerator > 0n;
    if (op === "Math.round" || !isWhole || op === "Math.trunc" && middle.numerator !== 0n) {
      return this.#run.refuse(
        "it rounds exponential noise in a way whose law is not known: audit it",
      );
    }
    if (compare(low, ZERO) !== 0 || compare(high, ONE) !== 0) {
      return this.#run.refuse("it uses one uniform number in two ways: audit it");
    }
    const rate = divide(rational(isUp ? 1 : -1), factor);
    const size = Math.abs(Number(factor.numerator) / Number(factor.denominator));
    const drawn = this.#run.choose({ kind: "geometric", rate }, {
      place,
      outcomeOf: (u) => Math.floor(size * -(kind === "e" ? Math.log(u) : Math.log1p(-u))),
    });
    this.#known[place] = undefined;
    const isDown = op === "Math.trunc" || (op === "Math.floor") === isUp;
    const whole = isDown ? drawn : drawn + 1;
    const rounded = Number(middle.numerator) + (isUp ? whole : -whole);
    if (operationOf(value).op === "|") return rounded | 0;
    // What is rounded up to 0 keeps its sign: nothing else than what is below 0 is.
    return rounded === 0 && (op === "Math.ceil" || op === "Math.trunc" && !isUp) ? -0 : rounded;
  }
}

/** Returns true if a comparison of a number that is at least 0 with 0 goes the same way for 0 as above it. */
function isStrict(op: string, isUp: boolean): boolean {
  return isUp ? op === "<" || op === ">=" : op === ">" || op === "<=";
}

/** Refuses what is made of uniform numbers of another run. */
function requireOf(value: Traced, by: UniformBranches, refuse: (what: string) => never): void {
  const { op, operands } = operationOf(value);
  if (op === FORM && operands[1] !== by) {
    refuse("it uses a uniform number of an earlier call: it keeps state between calls");
  }
  if (op !== FORM) { for (const each of operands) if (isTraced(each)) requireOf(each, by, refuse); }
}

function floor({ numerator, denominator }: Rational): bigint {
  const quotient = numerator / denominator;
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient;
}

const known = new WeakMap<object, UniformBranches>();

/** Has programs that are followed draw the uniform numbers of a source by these branches. */
export function branchUniforms(source: ProgramSource, uniforms: UniformBranches): ProgramSource {
  known.set(source, uniforms);
  return source;
}

/** Returns the branches of the uniform numbers of a source; `undefined` where programs get numbers. */
export function uniformsOf(source: ProgramSource): UniformBranches | undefined {
  return known.get(source);
}

/** Returns a source with numbers, of which programs that are followed may do with uniform numbers what has few outcomes alone. */
export function numbersAsBranches(numbers: Source): ProgramSource {
  const draws = programSource(numbers), drawn: number[] = [];
  return branchUniforms(
    draws,
    new UniformBranches({
      next: () => drawn.push(numbers.uniform()),
      choose: (_, { place, outcomeOf }) => outcomeOf(drawn[place]!),
      refuse(what): never {
        throw new NotEnumerable(what);
      },
    }),
  );
}

/** A program of data and a source. */
type Program = (data: unknown, source: ProgramSource) => unknown;

/** Runs on each dataset with numbers. */
const SEEDS = 16;

/** Returns true if a followed program does with uniform numbers what has few outcomes alone, in a few runs. */
export function comparesUniforms(program: Program, data: unknown): boolean {
  try {
    for (let seed = 0; seed < SEEDS; seed++) {
      const source = numbersAsBranches(new SeededSource(seed));
      try {
        program(structuredClone(data), source);
      } catch (error) {
        if (error instanceof NotEnumerable) throw error;
      }
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * Demands that a program puts out the same as it is written, with numbers, and as it is followed.
 *
 * @throws {NotEnumerable} where it does not.
 */
export function requireSameWithNumbers(
  program: Program,
  { written, datasets }: { readonly written: Program; readonly datasets: readonly unknown[] },
): void {
  const answer = (run: () => unknown): string => {
    try {
      return outputKey(run());
    } catch (error) {
      if (error instanceof NotEnumerable) throw error;
      return thrownKey(error);
    }
  };
  for (const data of datasets) {
    for (let seed = 0; seed < SEEDS; seed++) {
      const numbers = programSource(new SeededSource(seed));
      const one = answer(() =>
        drawingOwn(numbers.uniform, () => written(structuredClone(data), numbers))
      );
      const other = answer(() =>
        program(structuredClone(data), numbersAsBranches(new SeededSource(seed)))
      );
      if (one !== other) {
        throw new NotEnumerable(
          "with numbers it puts out something else than on the paths of its draws: it looks at uniform numbers in a way that is not followed; audit it",
        );
      }
    }
  }
}
