import type { ProgramSource, Real, TracedReal } from "../../../core/mechanism/continuous_draws.ts";
import type { ExactNumber } from "../../../core/mechanism/discrete_source.ts";
import { compare, rational } from "../../../core/numeric/rational.ts";
import { exactNumber } from "../../../core/random/exact_number.ts";
import { requireSome } from "../../../core/random/program_source.ts";
import { SplitLabels, withSplit } from "../../../core/random/split_labels.ts";
import {
  type Affine,
  formKey,
  hasNoise,
  minus,
  normalised,
  numberOf,
  plus,
  times,
  variable,
} from "./affine.ts";
import { type Branching, branchingKey, constraintKey, constraintsOf } from "./constraint.ts";
import { ComputedOutput } from "./computed_output.ts";
import {
  type AskedFunction,
  type FunctionsOfData,
  keyOfFunction,
  productOf,
} from "./function_of_data.ts";
import { HandDrawer, type HandDraws } from "./hand_draws.ts";
import { hasAtoms, uniformForm } from "./hand_forms.ts";
import { type NoiseLaw, type NoiseLaws, rateOf, varianceOf } from "./noise_laws.ts";
import { isToldByRounding } from "./told_by_rounding.ts";
import {
  formOf,
  isTraced,
  isTrue,
  KEPT,
  mayBeMinusZero,
  NotTraceable,
  placeOfKnown,
  seenForm,
  type TracedRun,
  tracedValue,
} from "./traced_value.ts";
import type { Follower } from "../../source/run.ts";
import { operationOf, type Traced } from "../../source/traced.ts";

const ONE = rational(1);

/** What to do where a number must be known. */
const NUMBERS =
  "give rows of finitely many values, so that pairs are traced one by one, or audit it";

/** Why a run is refused that goes on with 0. */
export const NOT_DRAWN_AGAIN =
  "where Math.random is exactly 0 it does something else than drawing again: draw by the methods of its source, or audit it";

/** Draws and undecided comparisons of one run from which a program is not traced further. */
const MOST_DRAWS = 2000, MOST_COMPARISONS = 200;

/** A branching of a path, and the way that it took. */
export interface Step {
  readonly way: number;
  /** The key of the branching. */
  readonly key: string;
  /** Keys of what is known from here on. */
  readonly known: readonly string[];
}

/** Returns the step of a branching that goes this way. */
export function stepOf(branching: Branching, way: number): Step {
  return {
    way,
    key: branchingKey(branching),
    known: constraintsOf(branching, way).map(constraintKey),
  };
}

/** Comparisons of data that were decided, by the key of the form that is above 0 or not. */
export type DataDecisions = ReadonlyMap<string, boolean>;

/** Why a run was ended before the program returned. */
export class RunPaused extends Error {
  /** At a branching that the path does not decide, a comparison of data that was not decided, or functions of data of which nothing is known yet; with what was drawn by hand before it. */
  constructor(
    readonly at:
      | Branching
      | { readonly kind: "data"; readonly form: Affine }
      | { readonly kind: "functions"; readonly asked: readonly AskedFunction[] },
    readonly hand: HandDraws = [],
  ) {
    super("dpcheck ended this run at a comparison");
  }
}

/** A source whose continuous draws are variables, and which takes a program along one path. */
export class TracingSource implements ProgramSource, TracedRun {
  readonly kind = "seeded";
  readonly #path: readonly Step[];
  readonly #data: DataDecisions;
  readonly #laws: NoiseLaws;
  readonly #functions: FunctionsOfData;
  readonly #asked: AskedFunction[] = [];
  readonly #known = new Set<string>();
  readonly #labels = new SplitLabels();
  readonly #hand: HandDrawer;
  /** Draws of `Math.random`, which may be exactly 0. */
  readonly #own = new Set<number>();
  readonly #zeroAt: number | undefined;
  #zeros = 0;
  #atZero: number | undefined;
  #isDrawnAgain = false;
  #draws = 0;
  #depth = 0;
  #ended: RunPaused | NotTraceable | undefined;

  /** A source at the beginning of a run that begins with these steps. */
  constructor(
    { path, data, laws, functions, splits, zeroAt }: {
      readonly path: readonly Step[];
      readonly data: DataDecisions;
      readonly laws: NoiseLaws;
      readonly functions: FunctionsOfData;
      /** Whether the largest of data, and the like, is asked for by comparisons. Default: it is a function of data. */
      readonly splits?: boolean;
      /** Which comparison of `Math.random` with 0 finds it to be 0. Default: none. */
      readonly zeroAt?: number;
    },
  ) {
    this.#path = path;
    this.#data = data;
    this.#laws = laws;
    this.#functions = functions;
    this.splits = splits ?? false;
    this.#zeroAt = zeroAt;
    this.#hand = new HandDrawer({
      isPositive: (form) => this.isPositive(form),
      isZero: (place) => this.#isZero(place),
      nameOf: (...at) => laws.nameOf(...at),
      refuse: (what) => this.refuse(what),
    });
  }

  /** @inheritdoc */
  readonly splits: boolean;

  /** @inheritdoc */
  functionOf(op: string, args: readonly Affine[], at: string): Affine {
    const value = (name: string, ...of: Affine[]): Affine => {
      const asked = { op: name, args: of, at };
      const known = this.#functions.nameOf(asked);
      if (known !== undefined) return variable(known);
      let place = this.#asked.findIndex((each) => keyOfFunction(each) === keyOfFunction(asked));
      if (place < 0) place = this.#asked.push(asked) - 1;
      return variable(`t${this.#functions.all.length + place}`);
    };
    if (op !== "product") return value(op, ...args);
    return productOf(args[0]!, args[1]!, value, (form) => {
      const [[name, factor] = ["", ONE]] = form;
      if (form.size !== 1 || compare(factor, ONE) !== 0 || !name.startsWith("t")) return undefined;
      return this.#functions.named(name) ??
        this.#asked[Number(name.slice(1)) - this.#functions.all.length];
    });
  }

  /** Ends the run where it goes on by functions of data of which nothing is known yet. */
  requireKnown(): void {
    if (this.#asked.length === 0 || this.#ended !== undefined) return;
    this.#end(new RunPaused({ kind: "functions", asked: this.#asked }));
  }

  /** Why the run did not end as the program would; a program may have caught what was thrown at it. */
  get ended(): RunPaused | NotTraceable | undefined {
    return this.#ended;
  }

  /** What it drew by hand so far. */
  get hand(): HandDraws {
    return this.#hand.draws;
  }

  /** @inheritdoc */
  bound(form: Affine): Affine {
    this.#goOn();
    return hasAtoms(form) ? this.#hand.bound(form) : form;
  }

  /** How often it compared `Math.random` with 0. */
  get zeros(): number {
    return this.#zeros;
  }

  /** Whether it drew another number where one was 0, before it compared or put out anything. */
  get isDrawnAgain(): boolean {
    return this.#isDrawnAgain;
  }

  #isZero(place: number): boolean {
    if (this.#own.has(place) && this.#zeros++ === this.#zeroAt) this.#atZero = place;
    return this.#atZero === place;
  }

  /** Whether the run passed all steps of its path. */
  get arrived(): boolean {
    return this.#depth === this.#path.length;
  }

  /** Returns a traced value of this run. */
  value(form: Affine): TracedReal {
    return tracedValue(form, this);
  }

  /** Returns the output of a value that a program computed by other operations than linear ones. */
  computed(value: Traced): ComputedOutput {
    return this.#refusing(() => new ComputedOutput(value, this));
  }

  /** What rewritten programs, and native code that meets a traced value, are told in this run. */
  get follower(): Follower {
    return {
      decide: (condition) => {
        this.#goOn();
        return this.#refusing(() => isTrue(condition, this));
      },
      pin: (value, at) => {
        this.#goOn();
        const place = this.#refusing(() => placeOfKnown(value, this));
        return place ?? this.refuse(
          `it looks something up by ${operationOf(value).op} of data or noise at ${at}: ${NUMBERS}`,
        );
      },
      plain: (_, what, at) =>
        this.refuse(
          at === ""
            ? "it computes with an operator or a function of JavaScript where the source has methods: sum, difference, multiple, less, indexOfLargest"
            : `not followed: ${what} at ${at}: audit it`,
        ),
    };
  }

  /** Ends the run: a program that has kept its source and draws from it later is refused. */
  close(): void {
    this.#ended ??= new NotTraceable(KEPT);
  }

  /** @inheritdoc */
  laplace(width: Parameters<ProgramSource["laplace"]>[0]): TracedReal {
    return this.#draw(width, () => ({ kind: "laplace", rate: rateOf(width) }));
  }

  /** @inheritdoc */
  exponential(width: Parameters<ProgramSource["exponential"]>[0]): TracedReal {
    return this.#draw(width, () => ({ kind: "exponential", rate: rateOf(width) }));
  }

  /** @inheritdoc */
  gumbel(width: Parameters<ProgramSource["gumbel"]>[0]): TracedReal {
    return this.#draw(width, () => ({ kind: "gumbel", rate: rateOf(width) }));
  }

  /** @inheritdoc */
  gaussian(width: Parameters<ProgramSource["gaussian"]>[0]): TracedReal {
    return this.#draw(width, () => ({ kind: "gaussian", variance: varianceOf(width) }));
  }

  /** @inheritdoc */
  sum(...terms: readonly Real[]): TracedReal {
    const form = terms.reduce<Affine>((sum, term) => plus(sum, this.#form(term)), new Map());
    return tracedValue(form, this, false, true);
  }

  /** @inheritdoc */
  difference(left: Real, right: Real): TracedReal {
    const form = minus(this.#form(left), this.#form(right));
    return tracedValue(form, this, mayBeMinusZero(left), true);
  }

  /** @inheritdoc */
  multiple(factor: ExactNumber, value: Real): TracedReal {
    this.#goOn();
    if (isTraced(factor)) {
      return this.refuse(`it multiplies by what is computed from data or noise: ${NUMBERS}`);
    }
    if (typeof factor === "number" && !Number.isFinite(factor)) {
      return this.refuse(`it multiplies by ${factor}: the factor must be finite`);
    }
    const by = exactNumber("multiply", "factor", factor);
    const isSigned = by.numerator <= 0n || mayBeMinusZero(value);
    return tracedValue(times(by, this.#form(value)), this, isSigned, true);
  }

  /** @inheritdoc */
  less(left: Real, right: Real): boolean {
    const form = minus(this.#form(right), this.#form(left));
    this.#requireTold("less", form, [left, right]);
    return this.isPositive(form);
  }

  /** Refuses a comparison of two values of which data and noise fall out, where doubles may go another way than reals. */
  #requireTold(method: string, difference: Affine, values: readonly [Real, Real]): void {
    if (
      numberOf(difference) !== undefined &&
      isToldByRounding(values, (each) => this.#form(each as unknown as Real))
    ) {
      this.refuse(`it compares by ${method}() what differs by rounding alone`);
    }
  }

  /** @inheritdoc */
  indexOfLargest(values: readonly Real[]): number {
    requireSome(values);
    const forms = values.map((value) => this.#form(value));
    const withoutConstant = (form: Affine): Affine => {
      const own = new Map(form);
      own.delete("");
      return own;
    };
    const firsts = new Map<string, number>();
    for (const [i, form] of forms.entries()) {
      const key = formKey(withoutConstant(form)), first = firsts.get(key);
      if (first === undefined) firsts.set(key, i);
      else {
        const difference = minus(form, forms[first]!);
        this.#requireTold("indexOfLargest", difference, [values[first]!, values[i]!]);
      }
    }
    return this.placeOfLargest(forms);
  }

  /** @inheritdoc */
  placeOfLargest(given: readonly Affine[]): number {
    const forms = given.map((form) => this.bound(form));
    // Of values that differ by data alone one is known to be larger; equal ones are told apart by their places.
    const left: number[] = [];
    forms.forEach((form, i) => {
      const rival = left.findIndex((j) => !hasNoise(minus(form, forms[j]!)));
      if (rival < 0) left.push(i);
      else if (this.isPositive(minus(form, forms[left[rival]!]!))) left[rival] = i;
    });
    if (left.length === 1) return left[0]!;
    const way = this.#branch({ kind: "largest", forms: left.map((i) => forms[i]!) });
    return left[way]!;
  }

  /** @inheritdoc */
  isPositive(given: Affine): boolean {
    this.#goOn();
    this.requireKnown();
    const known = hasAtoms(given) ? this.#hand.isPositive(given) : undefined;
    if (known !== undefined) return known;
    if (this.#atZero !== undefined) return this.refuse(NOT_DRAWN_AGAIN);
    const form = this.bound(given);
    if (hasNoise(form)) return this.#branch({ kind: "less", forms: [form] }) === 0;
    const number = numberOf(form);
    if (number !== undefined) return number.numerator > 0n;
    const decided = this.#data.get(formKey(normalised(form)));
    return decided ?? this.#end(new RunPaused({ kind: "data", form: normalised(form) }));
  }

  /** Returns the way that a run goes on: the one that its comparisons so far leave, or that of its path. */
  #branch(branching: Branching): number {
    this.#goOn();
    this.requireKnown();
    if (branching.kind === "less") {
      const [yes, no] = [0, 1].map((way) => constraintKey(constraintsOf(branching, way)[0]!));
      if (this.#known.has(yes!)) return 0;
      if (this.#known.has(no!)) return 1;
    }
    if (this.#depth >= MOST_COMPARISONS) {
      return this.#end(
        new NotTraceable(
          `one path compares noise more than ${MOST_COMPARISONS} times: give its loop an end, or audit it`,
        ),
      );
    }
    const step = this.#path[this.#depth];
    if (step === undefined) return this.#end(new RunPaused(branching, this.hand));
    if (step.key !== branchingKey(branching)) {
      return this.#end(
        new NotTraceable(
          "it compares otherwise when it is run again: it keeps state or reads a clock",
        ),
      );
    }
    this.#depth++;
    for (const each of step.known) this.#known.add(each);
    return step.way;
  }

  #draw(width: object, lawOf: () => NoiseLaw): TracedReal {
    const place = this.#nextPlace();
    // An accessor is read once, by what makes the law of it, as where noise is drawn.
    const given = Object.values(Object.getOwnPropertyDescriptors(width ?? {}));
    if (given.some(({ value }) => isTraced(value))) {
      return this.refuse(`the width of its noise is computed from data or noise: ${NUMBERS}`);
    }
    return this.value(variable(this.#laws.nameOf(place, lawOf())));
  }

  #nextPlace(): number {
    this.#goOn();
    if (this.#atZero !== undefined) {
      this.#isDrawnAgain = true;
      return this.refuse("another number was drawn");
    }
    if (this.#draws >= MOST_DRAWS) {
      return this.refuse(
        `one path draws more than ${MOST_DRAWS} times: give its loop an end, or audit it`,
      );
    }
    return this.#draws++;
  }

  #form(value: Real): Affine {
    this.#goOn();
    return this.#refusing(() => formOf(value, this));
  }

  #refusing<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw error instanceof NotTraceable ? this.#end(error) : error;
    }
  }

  #goOn(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  #end(reason: RunPaused | NotTraceable): never {
    throw this.#ended ??= reason;
  }

  /** Returns the form of what a program puts out. */
  formOf(value: Traced): Affine {
    this.#goOn();
    return this.#refusing(() => seenForm(value, this));
  }

  /** @inheritdoc */
  refuse(what: string): never {
    return this.#end(new NotTraceable(what));
  }

  /** @inheritdoc */
  uint32(): number {
    return this.refuse("it draws raw bits (uint32()), as samplers in floating point do: audit it");
  }

  /** @inheritdoc */
  uniform(): number {
    // Not a number, as all that the draws of this source give.
    return this.value(uniformForm(this.#nextPlace())) as unknown as number;
  }

  /** Draws in place of `Math.random`. */
  ownUniform(): number {
    this.#own.add(this.#draws);
    return this.uniform();
  }

  /** @inheritdoc */
  fillUint32(): void {
    this.refuse("it draws raw bits (fillUint32()), as samplers in floating point do: audit it");
  }

  /** Returns this source: independent draws are further draws of the same path. A label that was used in this run is refused. */
  split(label: string | number): ProgramSource {
    return this.#splitAt("", label);
  }

  #splitAt(path: string, label: string | number): ProgramSource {
    this.#goOn();
    const own = this.#labels.take(path, label, (reason) => this.refuse(reason));
    return withSplit<ProgramSource>(this, (inner) => this.#splitAt(own, inner));
  }

  /** @inheritdoc */
  bernoulli(): boolean {
    return this.#discrete("bernoulli");
  }

  /** @inheritdoc */
  integer(): number {
    return this.#discrete("integer");
  }

  /** @inheritdoc */
  choice(): number {
    return this.#discrete("choice");
  }

  /** @inheritdoc */
  geometric(): number {
    return this.#discrete("geometric");
  }

  /** @inheritdoc */
  discreteLaplace(): number {
    return this.#discrete("discreteLaplace");
  }

  /** @inheritdoc */
  discreteGaussian(): number {
    return this.#discrete("discreteGaussian");
  }

  /** Paths are not merged: there are few. */
  merge(): void {}

  /** Refuses discrete noise beside continuous noise or for data that are not finitely many. */
  #discrete(name: string): never {
    return this.refuse(
      this.#draws > 0
        ? `it draws discrete noise (${name}) beside continuous noise: audit it`
        : `it draws discrete noise (${name}) on some data, and none or continuous noise on others: audit it`,
    );
  }
}
