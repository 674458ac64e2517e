import type { ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import type { DiscreteLaw } from "../../../core/mechanism/discrete_law.ts";
import {
  add,
  compare,
  divide,
  floor,
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

/** A number at which uniform numbers part, and whether they may be this number itself. */
interface End {
  readonly at: Rational;
  readonly isIn: boolean;
}

/** A number at which uniform numbers part; it goes with those above it, or below. */
interface Bound {
  readonly at: Rational;
  readonly isUp: boolean;
}

/** What is known of a uniform number: that it is between these. Absent: it was used up. */
type Known = readonly [low: End, high: End] | undefined;

const FORM = "uniform";
const ZERO = rational(0), ONE = rational(1);
/** Numbers that Math.random has. */
const GRID = rational(2 ** 53);
const SINGLE =
  "it asks whether a uniform number is one number exactly, as 0, which Math.random is with a probability of 2^−53: compare by < alone, or audit it";
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
  #values = new Map<Traced, unknown>();

  /** Of a run that has drawn nothing. */
  constructor(run: UniformRun) {
    this.#run = run;
  }

  /** Begins the run again. */
  begin(): void {
    this.#known = [];
    this.#values = new Map();
  }

  /** Draws in place of `Math.random`. */
  ownUniform(): number {
    return this.uniform(true);
  }

  /** Returns the next uniform number, which may be exactly 0 or not. */
  uniform(mayBeZero = false): number {
    this.#run.next?.();
    const ends = [{ at: ZERO, isIn: mayBeZero }, { at: ONE, isIn: false }] as const;
    const form = uniformForm(this.#known.push(ends) - 1);
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
      const sign = single.factor.numerator > 0n ? 1 : -1, goesWith = BINARY[op]!(0, 0);
      // The number itself goes with those above it or below it; with neither where it is asked for by ===.
      const [isUp, isDown] = [sign, -sign].map((by) => BINARY[op]!(by, 0) === goesWith);
      const place = Number(single.rest);
      if (!isUp && !isDown) this.#requireNot(at, place, value);
      const way = this.#cell(place, [{ at, isUp: isUp! }], value);
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

  #knownOf(place: number, value: Traced): readonly [End, End] {
    requireOf(value, this, (what) => this.#run.refuse(what));
    return this.#known[place] ?? this.#run.refuse(
      "it uses one uniform number in two ways: draw another number for each, or audit it",
    );
  }

  /** Refuses where a uniform number may be one number exactly. */
  #requireNot(at: Rational, place: number, value: Traced): void {
    const [low, high] = this.#knownOf(place, value);
    const [below, above] = [compare(at, low.at), compare(high.at, at)];
    if (below < 0 || above < 0 || below === 0 && !low.isIn || above === 0 && !high.isIn) return;
    this.#run.refuse(SINGLE);
  }

  /**
   * Returns whether a uniform number is the end of its range that may be asked for, as 0: it is with a probability of 2⁻⁵³, as any number
   * that Math.random gives.
   */
  #isEnd(at: Rational, place: number, value: Traced): boolean {
    const [low, high] = this.#knownOf(place, value), isLow = compare(at, low.at) === 0;
    if (!(isLow ? low : high).isIn) return false;
    const width = multiply(subtract(high.at, low.at), GRID);
    if (width.numerator === 0n) return true;
    const is = this.#run.choose({
      kind: "choice",
      weights: [width.denominator, width.numerator - width.denominator].map((multiplicity) => ({
        exponent: ZERO,
        multiplicity,
      })),
    }, { place, outcomeOf: (u) => compare(at, rational(u)) === 0 ? 0 : 1 }) === 0;
    const end = { at, isIn: is };
    this.#known[place] = is ? [end, end] : isLow ? [end, high] : [low, end];
    return is;
  }

  /** Returns in which cell between some numbers, in their order, a uniform number is: 0 below the first one. */
  #cell(place: number, bounds: readonly Bound[], value: Traced): number {
    const [low, high] = this.#knownOf(place, value);
    for (const { at, isUp } of bounds) {
      if (compare(at, isUp ? high.at : low.at) === 0 && this.#isEnd(at, place, value)) {
        return bounds.filter((each) => compare(each.at, at) < (each.isUp ? 1 : 0)).length;
      }
    }
    const inside = bounds.filter(({ at }) => compare(at, low.at) > 0 && compare(at, high.at) < 0);
    const before = bounds.filter(({ at }) => compare(at, low.at) <= 0).length;
    if (inside.length === 0) return before;
    const ends = [low.at, ...inside.map(({ at }) => at), high.at];
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
      outcomeOf: (u) => inside.filter(({ at }) => compare(at, rational(u)) <= 0).length,
    });
    const [from, to] = [inside[way - 1], inside[way]];
    this.#known[place] = [
      from === undefined ? low : { at: from.at, isIn: from.isUp },
      to === undefined ? high : { at: to.at, isIn: !to.isUp },
    ];
    return before + way;
  }

  #rounded(
    op: string,
    { place, factor, middle }: { place: number; factor: Rational; middle: Rational },
    value: Traced,
  ): number {
    const [low, high] = this.#knownOf(place, value);
    const shift = op === "Math.round" ? rational(1, 2) : ZERO;
    // 0 times a number below 0 is −0, and that and more is 0.
    const isZero = [low, high].some(({ at, isIn }) =>
      isIn && add(multiply(factor, at), middle).numerator === 0n
    );
    if (isZero && factor.numerator < 0n) return this.#run.refuse(SINGLE);
    // Where factor·u + middle + shift is whole.
    const ends = [low, high].map(({ at }) => floor(add(add(multiply(factor, at), middle), shift)));
    const [least, most] = ends[0]! < ends[1]! ? ends as [bigint, bigint] : [ends[1]!, ends[0]!];
    if (most - least > MOST_VALUES) {
      return this.#run.refuse(
        `it rounds a uniform number to more than ${MOST_VALUES} values: audit it`,
      );
    }
    const bounds: Bound[] = [];
    const part = (number: Rational, isRoundedUp: boolean): void => {
      const at = divide(subtract(number, middle), factor);
      bounds.push({ at, isUp: isRoundedUp === (factor.numerator < 0n) });
    };
    for (let whole = least; whole <= most + 1n; whole++) {
      const isUp = op === "Math.ceil" || op === "Math.trunc" && whole < 0n;
      part(subtract(rational(whole), shift), isUp);
    }
    // What is rounded to 0 shows its sign.
    if (op === "Math.round") part(ZERO, false);
    this.#cell(place, bounds.sort((one, other) => compare(one.at, other.at)), value);
    const [from, to] = this.#known[place]!;
    const at = add(multiply(factor, multiply(add(from.at, to.at), rational(1, 2))), middle);
    const down = floor(at), up = -floor(multiply(rational(-1), at)), isBelow = at.numerator < 0n;
    const whole = op === "Math.floor"
      ? down
      : op === "Math.round"
      ? floor(add(at, shift))
      : op === "Math.ceil" || isBelow
      ? up
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
    if (compare(low.at, ZERO) !== 0 || compare(high.at, ONE) !== 0) {
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

/** Refuses what is made of uniform numbers of another run. */
function requireOf(value: Traced, by: UniformBranches, refuse: (what: string) => never): void {
  const { op, operands } = operationOf(value);
  if (op === FORM && operands[1] !== by) {
    refuse("it uses a uniform number of an earlier call: it keeps state between calls");
  }
  if (op !== FORM) { for (const each of operands) if (isTraced(each)) requireOf(each, by, refuse); }
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
