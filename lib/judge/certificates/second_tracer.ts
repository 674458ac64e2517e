/**
 * Derives the paths of a certificate of alignments again, from the program, with no line of the tracer that wrote it.
 *
 * @module
 */
import {
  equal,
  type Form,
  isData,
  MINUS,
  numberOf,
  ONE,
  plus,
  same,
  scaled,
  ZERO,
} from "./certificate_forms.ts";
import { type Data, type Noise, type Proof, readAlignment, type Tree } from "./check_alignment.ts";
import type { DataFunction } from "./check_functions.ts";
import {
  type Arithmetic,
  NotDerived,
  primitiveText,
  type TracedProgram,
  withoutRandomness,
} from "./checked_program.ts";
import { exactFraction, type Fraction } from "./exact_fraction.ts";
import {
  aroundHalf,
  isOpen,
  logarithmOf,
  madeByHand,
  NoiseByHand,
  sideOf,
  uniformNumber,
} from "./noise_by_hand.ts";
import { demand } from "./strict_json.ts";

/** Steps of one run at most, so that a loop without an end does not go on. */
const MOST_STEPS = 100_000;
/** Runs on the data of one side at most. */
const MOST_RUNS = 100_000;
/** Whole numbers to which data are rounded, at most, on each side of 0. */
const MOST_WHOLE = 65;

/**
 * Runs a program on every path that a certificate writes, and demands that its comparisons, its draws with their laws, and its outputs are
 * those of the certificate; that ways which are left out there are the only ones that were not run; and that paths with one
 * label have one output.
 *
 * @returns how many paths were derived.
 * @throws {NotDerived} for a program that does more than compare and compute by its source or by what it is handed to compute with.
 * @throws {Error} where a path is not the program's.
 */
export function deriveAgain(text: string, program: TracedProgram): number {
  let paths = 0;
  for (const [place, { left, right, noise, proof }] of readAlignment(text).cases.entries()) {
    for (const leaf of leavesOf(proof, [], [])) {
      const outputs = new Map<string, string>();
      for (const side of ["left", "right"] as const) {
        const derived = new Derivation(program, {
          data: side === "left" ? left : right,
          noise,
          known: leaf.known,
          functions: leaf.functions,
          where: `case ${place}, ${side}`,
        });
        paths += derived.follow(leaf[side], outputs);
      }
    }
  }
  return paths;
}

/** Forms of data, and whether each is above 0. */
type Known = readonly (readonly [form: Form, above: boolean])[];

interface Leaf {
  readonly known: Known;
  readonly functions: readonly DataFunction[];
  readonly left: Tree;
  readonly right: Tree;
}

function leavesOf(proof: Proof, known: Known, functions: readonly DataFunction[]): Leaf[] {
  if ("empty" in proof) return [];
  if ("left" in proof) return [{ known, functions, left: proof.left, right: proof.right }];
  if ("rest" in proof) return leavesOf(proof.rest, known, [...functions, ...proof.functions]);
  return [
    ...leavesOf(proof.above, [...known, [proof.split, true]], functions),
    ...leavesOf(proof.other, [...known, [proof.split, false]], functions),
  ];
}

interface Place {
  readonly data: Data;
  readonly noise: Noise;
  readonly known: Known;
  readonly functions: readonly DataFunction[];
  readonly where: string;
}

/** A comparison at which a run stops: which way it goes is not decided. */
class Undecided extends Error {
  constructor(readonly forms: readonly Form[]) {
    super("stopped at a comparison");
  }
}

/** A comparison, and the way that it goes. */
interface Step {
  readonly forms: readonly Form[];
  readonly way: number;
  /** Whether the certificate has it. */
  readonly written: boolean;
}

/** The runs of a program on the data of one side. */
class Derivation {
  readonly #program: TracedProgram;
  readonly #place: Place;
  #runs = 0;

  constructor(program: TracedProgram, place: Place) {
    this.#program = program;
    this.#place = place;
  }

  /**
   * Demands that a tree is that of the program: for all noise of a path, the output is the one that is written there. Comparisons may come in
   * another order, and there may be others that the output does not depend on. @returns how many paths were run.
   */
  follow(tree: Tree, outputs: Map<string, string>, steps: readonly Step[] = []): number {
    if ("empty" in tree) return 0;
    if (++this.#runs > MOST_RUNS) throw new NotDerived(`it has more than ${MOST_RUNS} paths`);
    const end = new Run(this.#place, steps).end(this.#program), { where } = this.#place;
    const at = `${where}, path ${steps.map(({ way }) => way).join("") || "0"}`;
    if (end instanceof Undecided) {
      const written = "forms" in tree, forms = written ? tree.forms : end.forms;
      return forms.reduce((sum, _, way) => {
        const next = written ? tree.ways[way]! : tree;
        return sum + this.follow(next, outputs, [...steps, { forms, way, written }]);
      }, 0);
    }
    demand("label" in tree, `${at}: the certificate compares, and the program does not`);
    demand(
      steps.every(({ written }, i) => !written || end.used.has(i)),
      `${at}: the certificate compares, and the program does not`,
    );
    if (end.used.size < steps.length) {
      throw new NotDerived("it compares less when it is run again: it keeps state");
    }
    const { label, released } = tree as Extract<Tree, { label: unknown }>;
    demand(
      released.length === end.released.length &&
        released.every((form, i) => same(form, end.released[i]!)),
      `${at}: the program puts out other values`,
    );
    const known = outputs.get(label);
    demand(known === undefined || known === end.text, `${at}: another output has this label`);
    outputs.set(label, end.text);
    return 1;
  }
}

interface End {
  /** The same for equal outputs alone, values of noise and data taken out. */
  readonly text: string;
  readonly released: readonly Form[];
  /** Places of the steps that decided something. */
  readonly used: ReadonlySet<number>;
}

/** What a value was computed from, where that is no sum of multiples. */
interface Made {
  readonly name: string;
  readonly given: readonly unknown[];
}

/** A value that stands for a form. It has no properties, and refuses to be a number or a text. */
type Value = object;

class Run {
  readonly #place: Place;
  readonly #steps: readonly Step[];
  readonly #forms = new WeakMap<Value, Form>();
  readonly #made = new WeakMap<Value, Made>();
  /** The forms of values that were made, where something depended on them. */
  #decided = new WeakMap<Value, Form>();
  /** Whether values that are 0 may be −0. */
  readonly #signed = new WeakMap<Value, boolean>();
  /** Differences of which this path knows that they are above 0, each with the place of its step. */
  readonly #positive: readonly (readonly [form: Form, step: number])[];
  /** Functions of data that are taken for those of the certificate. */
  #functions: readonly DataFunction[];
  readonly #used = new Set<number>();
  readonly #labels = new Set<string>();
  readonly #hand = new NoiseByHand({
    lawOf: (draw, kind, size) => this.#nameOf(draw, kind, size),
    isPositive: (form) => this.#isPositive(form),
    refuse: (what) => this.#refuse(what),
  });
  #draws = 0;
  #taken = 0;
  /** Why the run was ended: a program may have caught it. */
  #stopped: Error | undefined;
  /** What values inherit: it refuses to make a number of a value, or a text. */
  readonly #conversions = Object.freeze({
    [Symbol.toPrimitive]: () =>
      this.#refuse("it computes with noise or data by operators, not by its source"),
  });

  constructor(place: Place, steps: readonly Step[]) {
    this.#place = place;
    this.#functions = place.functions;
    this.#steps = steps;
    this.#positive = steps.flatMap(({ forms, way }, step) =>
      forms.flatMap((form, i) => i === way ? [] : [[plus(forms[way]!, form, MINUS), step] as const])
    );
  }

  end(program: TracedProgram): End | Undecided {
    const { data } = this.#place;
    const rows = "value" in data
      ? structuredClone(data.value)
      : data.rows.map((row) =>
        Array.isArray(row)
          ? row.map((each) => this.#value(each))
          : row instanceof Map
          ? this.#value(row)
          : Object.fromEntries(
            row.fields.map(([name, field]) =>
              [
                name,
                "form" in field ? this.#value(field.form) : structuredClone(field.value),
              ] as const
            ),
          )
      );
    let output: unknown, thrown = false;
    try {
      output = withoutRandomness(
        (what) => this.#refuse(what),
        () => program(rows, this.#source(""), this.#arithmetic),
      );
    } catch (error) {
      output = error;
      thrown = true;
    }
    if (this.#stopped instanceof Undecided) return this.#stopped;
    if (this.#stopped !== undefined) throw this.#stopped;
    const released: Form[] = [];
    try {
      const text = thrown ? `throws ${this.#errorText(output)}` : this.#text(output, released, []);
      return { text, released, used: this.#used };
    } catch (error) {
      // What is put out is compared at the end.
      if (error instanceof Undecided) return error;
      throw error;
    }
  }

  #value(form: Form): Value {
    const value = Object.freeze(Object.create(this.#conversions));
    this.#forms.set(value, form);
    return value;
  }

  #form(value: unknown): Form {
    this.#goOn();
    if (typeof value === "number") {
      if (!Number.isFinite(value)) this.#refuse(`it computes with ${value}`);
      return constant(this.#fraction(value));
    }
    const key = value as Value, isObject = typeof value === "object" && value !== null;
    const form = isObject ? this.#forms.get(key) ?? this.#decided.get(key) : undefined;
    if (form !== undefined) return form;
    const made = isObject ? this.#made.get(key) : undefined;
    if (made === undefined) {
      return this.#refuse("it computes with what is neither a number nor of this run");
    }
    const decided = this.#decide(made);
    this.#decided.set(key, decided);
    return decided;
  }

  #product(factor: Fraction, form: Form): Form {
    // Forms do not have the sign of 0.
    if (factor[0] === 0n || (factor[0] < 0n && form.size === 0)) {
      this.#refuse("it computes a 0 of which the sign is not known");
    }
    return scaled(form, factor);
  }

  /** Returns the form of a value that was made, once something depends on it. */
  #decide({ name, given }: Made): Form {
    const of = (i: number): Form => this.#form(given[i]);
    if (FUNCTIONS.has(name)) {
      if (given.some((each) => this.#form(each).size === 0 && this.#mayBeMinusZero(each))) {
        this.#refuse("it computes with a 0 of which the sign is not known");
      }
    }
    // The first of a loop is never the largest.
    const start = name === "Math.max" ? -Infinity : Infinity;
    const all = (): Form[] =>
      given.filter((each) => each !== start).map((each) => this.#form(each));
    if (name.startsWith("Math.") && name !== "Math.pow") {
      // What the certificate does not write as a function of data is found by comparisons, or not known.
      const found = this.#written(name.slice("Math.".length), all());
      if (found !== undefined) return found;
    }
    switch (name) {
      case "+":
      case "-":
        return plus(of(0), of(1), name === "+" ? ONE : MINUS);
      case "unary -":
        return this.#product(MINUS, of(0));
      case "unary +":
        return of(0);
      case "*": {
        const [left, right] = [of(0), of(1)], factor = numberOf(left);
        if (factor !== undefined) return this.#product(factor, right);
        const other = numberOf(right);
        if (other !== undefined) return this.#product(other, left);
        return this.#productOf(left, right);
      }
      case "/": {
        const divisor = numberOf(of(1)), [n, d] = divisor ?? ZERO;
        if (n !== 0n) return this.#product(normal([d, n]), of(0));
        if (divisor !== undefined) break;
        const part = this.#functionOf("reciprocal", [of(1)]), factor = numberOf(of(0));
        return factor === undefined ? this.#productOf(of(0), part) : this.#product(factor, part);
      }
      case "**":
      case "Math.pow": {
        const [, exponent] = given;
        if (exponent === 1) return of(0);
        const op = exponent === 0.5 ? "sqrt" : exponent === -1 ? "reciprocal" : `power ${exponent}`;
        return this.#functionOf(op, [of(0)]);
      }
      case "Math.max":
      case "Math.min": {
        const forms = all();
        return forms[this.#placeOfLargest(name === "Math.max" ? forms : forms.map(opposite))]!;
      }
      case "Math.abs": {
        const form = of(0);
        return this.#isPositive(form) ? form : opposite(form);
      }
      case "Math.sign": {
        const form = of(0);
        if (this.#isPositive(form)) return constant(ONE);
        return this.#isPositive(opposite(form)) ? constant(MINUS) : new Map();
      }
    }
    if (ROUNDING.has(name)) return this.#rounded(name, of(0));
    return this.#refuse(`it goes on with ${name} of noise or data`);
  }

  /** Returns the number that a value is, found by comparisons and by no function of data. */
  #numberOf(value: unknown): Fraction | undefined {
    const { functions } = this.#place, decided = this.#decided;
    this.#functions = [];
    this.#decided = new WeakMap();
    try {
      return numberOf(this.#form(value));
    } finally {
      this.#functions = functions;
      this.#decided = decided;
    }
  }

  /** Returns the variable of a function of data; `undefined` where the certificate does not write it. */
  #written(op: string, args: readonly Form[]): Form | undefined {
    if (args.some(hasNoise)) return undefined;
    const found = this.#functions.find((each) =>
      each.op === op && each.args.length === args.length &&
      (each.args.every((arg, i) => same(arg, args[i]!)) ||
        op === "product" && each.args.every((arg, i) => same(arg, args[1 - i]!)))
    );
    return found && new Map([[found.name, ONE]]);
  }

  #functionOf(op: string, args: readonly Form[]): Form {
    return this.#written(op, args) ??
      this.#refuse(`it computes ${op} of noise, or of data where the certificate does not`);
  }

  /** Returns a product of data: squares of forms and powers are written as such. */
  #productOf(left: Form, right: Form): Form {
    const [name, [n, d]] = [...left].find(([each]) => each !== "")!;
    const [m, e] = right.get(name) ?? ZERO, ratio = normal([m * d, e * n]);
    const rest = numberOf(plus(right, left, [-ratio[0], ratio[1]]));
    if (ratio[0] !== 0n && rest !== undefined) {
      return plus(scaled(this.#functionOf("power 2", [left]), ratio), left, rest);
    }
    for (const [one, other] of [[left, right], [right, left]] as const) {
      const power = this.#place.functions.find((each) =>
        each.op.startsWith("power ") && same(one, new Map([[each.name, ONE]])) &&
        same(each.args[0]!, other)
      );
      if (power === undefined) continue;
      return this.#functionOf(`power ${Number(power.op.slice("power ".length)) + 1}`, [other]);
    }
    return this.#functionOf("product", [left, right]);
  }

  /** Returns true if the left value is the larger one. */
  #isAbove(left: unknown, right: unknown): boolean {
    // A whole number is compared by what is rounded to it: ⌊f⌋ > w where f ≥ ⌊w⌋ + 1, and ⌊f⌋ < w where f < ⌈w⌉.
    for (const [value, number, isLeft] of [[left, right, true], [right, left, false]] as const) {
      const made = this.#made.get(value as Value);
      if (typeof number !== "number" || !made || !ROUNDING.has(made.name)) continue;
      const { down, isUp } = roundedDown(made.name, this.#form(made.given[0]));
      const than = isUp ? -number : number, isMore = isLeft !== isUp;
      const whole = constant(this.#fraction(isMore ? Math.floor(than) + 1 : Math.ceil(than)));
      return this.#isPositive(plus(whole, down, MINUS)) !== isMore;
    }
    return this.#isPositive(plus(this.#form(left), this.#form(right), MINUS));
  }

  /** Returns the whole number to which data are rounded, by what the certificate knows of them. */
  #rounded(name: string, form: Form): Form {
    if (hasNoise(form)) return this.#refuse("it goes on with noise that it rounds");
    const { down, isUp } = roundedDown(name, form);
    const above = (number: number): boolean | undefined =>
      this.#known(plus(constant([BigInt(number), 1n]), down, MINUS));
    for (let whole = -MOST_WHOLE; whole <= MOST_WHOLE; whole++) {
      if (above(whole) !== false || above(whole + 1) !== true) continue;
      if (whole === 0 && name !== "Math.floor" && this.#known(opposite(form)) !== false) {
        return this.#refuse("it rounds to a 0 of which the sign is not known");
      }
      return constant([BigInt(isUp ? -whole : whole), 1n]);
    }
    return this.#refuse("it rounds data where the certificate does not part them");
  }

  /** Returns true if a value is a form on each path. */
  #isDecidable(value: unknown): boolean {
    const made = this.#made.get(value as Value);
    if (made === undefined) return true;
    const { name, given } = made;
    if (!given.every((each) => this.#isDecidable(each))) return false;
    switch (name) {
      case "*":
        return given.some(isFactor) || this.#isData(value);
      case "/":
        return isFactor(given[1]) || this.#isData(value);
    }
    if (DECIDED.has(name)) return true;
    return (ROUNDING.has(name) || FUNCTIONS.has(name)) && this.#isData(value);
  }

  /** Returns true for sums and multiples of forms, and of numbers that are made of data alone. */
  #isFormOfNoise(value: unknown): boolean {
    const made = this.#made.get(value as Value);
    if (made === undefined) {
      return typeof value === "number" && Number.isFinite(value) || this.#forms.has(value as Value);
    }
    const { name, given: [left, right] } = made;
    const isSum = isSumOfMultiples(name, left, right);
    return isSum && made.given.every((each) => this.#isFormOfNoise(each)) ||
      this.#isData(value) && this.#isDecidable(value);
  }

  #isData(value: unknown): boolean {
    const form = this.#forms.get(value as Value);
    return form !== undefined
      ? !hasNoise(form)
      : this.#made.get(value as Value)?.given.every((each) => this.#isData(each)) ?? true;
  }

  #typeOf(value: unknown): "number" | "string" {
    return this.#made.get(value as Value)?.name === "toFixed" ? "string" : "number";
  }

  #apply(name: string, given: readonly unknown[]): Value {
    this.#goOn();
    if (given.some((each) => this.#typeOf(each) === "string") && name !== "unary +") {
      return this.#refuse("it computes with the text of noise or data");
    }
    const isLinear = given.every((each) =>
      typeof each === "number" && Number.isFinite(each) || this.#forms.has(each as Value)
    );
    if (isLinear && isSumOfMultiples(name, given[0], given[1])) {
      return this.#value(this.#decide({ name, given }));
    }
    const hand = this.#byHand(name, given, isLinear);
    if (hand !== undefined) return this.#value(hand);
    const value = Object.freeze(Object.create(this.#conversions));
    this.#made.set(value, { name, given });
    return value;
  }

  /** Returns the form of noise that is made of uniform numbers; `undefined` for what is none. */
  #byHand(name: string, given: readonly unknown[], isLinear: boolean): Form | undefined {
    if (!isLinear) {
      // The logarithm of a quotient or a product.
      const made = name === "Math.log" ? this.#made.get(given[0] as Value) : undefined;
      if (made === undefined || made.name !== "/" && made.name !== "*") return undefined;
      const parts = made.given.filter((each) =>
        typeof each === "number" || this.#forms.has(each as Value)
      );
      const [left, right] = parts.map((each) => logarithmOf(this.#form(each)));
      return left && right && plus(left, right, made.name === "/" ? MINUS : ONE);
    }
    const forms = given.map((each) => this.#form(each));
    return forms.some(isOpen) ? madeByHand(name, forms) : undefined;
  }

  readonly #arithmetic: Arithmetic = {
    isValue: (value): value is Value =>
      typeof value === "object" && value !== null &&
      (this.#forms.has(value) || this.#made.has(value)),
    apply: (name, given) => this.#apply(name, given),
    isAbove: (left, right) => this.#isAbove(left, right),
    numberOf: (value) => {
      const number = this.#isDecidable(value) ? this.#numberOf(value) : undefined;
      return number && Number(number[0]) / Number(number[1]);
    },
    typeOf: (value) => this.#typeOf(value),
    uniform: () => this.#value(uniformNumber(this.#draws++)),
    goOn: () => this.#goOn(),
    refuse: (what) => this.#refuse(what),
  };

  #goOn(): void {
    if (this.#stopped !== undefined) throw this.#stopped;
    if (++this.#taken > MOST_STEPS) {
      this.#refuse(`it takes more than ${MOST_STEPS} steps`);
    }
  }

  #stop(reason: Error): never {
    throw this.#stopped ??= reason;
  }

  #refuse(what: string): never {
    return this.#stop(new NotDerived(what));
  }

  /** Returns whether a form of data is above 0, where the certificate knows it. */
  #known(form: Form): boolean | undefined {
    const number = numberOf(form);
    if (number !== undefined) return number[0] > 0n;
    for (const [known, above] of this.#place.known) {
      if (isMultiple(form, known)) return above;
      if (above && isMultiple(opposite(form), known)) return false;
    }
    return undefined;
  }

  /** Returns true if a form is above 0. */
  #isPositive(form: Form): boolean {
    if (!hasNoise(form)) {
      return this.#known(form) ?? this.#refuse("it compares data where the certificate does not");
    }
    if (isOpen(form)) {
      const half = aroundHalf(form);
      if (half !== undefined) return this.#hand.isPositive(half);
      return sideOf(form) ?? this.#isPositive(this.#hand.told(form));
    }
    for (const [sign, each] of [[true, form], [false, opposite(form)]] as const) {
      const found = this.#positive.find(([known]) => isMultiple(each, known));
      if (found === undefined) continue;
      this.#used.add(found[1]);
      return sign;
    }
    return this.#stop(new Undecided([form, new Map()]));
  }

  #indexOfLargest(values: readonly unknown[]): number {
    if (!Array.isArray(values) || values.length === 0) {
      throw new RangeError("Cannot find the largest value: values must not be empty");
    }
    return this.#placeOfLargest(values.map((value) => this.#form(value)));
  }

  #placeOfLargest(given: readonly Form[]): number {
    const forms = given.map((form) => this.#told(form));
    const open: number[] = [];
    for (const [i, form] of forms.entries()) {
      const rival = open.findIndex((j) => !hasNoise(plus(form, forms[j]!, MINUS)));
      if (rival < 0) open.push(i);
      else if (this.#isPositive(plus(form, forms[open[rival]!]!, MINUS))) open[rival] = i;
    }
    if (open.length === 1) return open[0]!;
    const rest = open.map((i) => forms[i]!);
    const step = this.#steps.findIndex(({ forms: each }) =>
      each.length === rest.length && each.every((form, i) => same(form, rest[i]!))
    );
    if (step < 0) return this.#stop(new Undecided(rest));
    this.#used.add(step);
    return open[this.#steps[step]!.way]!;
  }

  /** The name of the draw at this place with this law. */
  #draw(kind: string, size: Fraction): Value {
    this.#goOn();
    const place = this.#draws++, name = this.#nameOf(place, kind, size);
    if (name !== undefined) return this.#value(new Map([[name, ONE]]));
    return this.#stop(
      new Error(
        `rejected: ${this.#place.where}: draw ${place} has a law that is not written there`,
      ),
    );
  }

  #nameOf(draw: number, kind: string, size: Fraction): string | undefined {
    for (const [name, law] of this.#place.noise) {
      const isHere = name === `n${draw}` || name.startsWith(`n${draw}.`);
      if (isHere && law.kind === kind && equal(law.size, size)) return name;
    }
    return undefined;
  }

  #source(path: string): object {
    const width = (given: unknown): Fraction => {
      const { scale, rate } = Object(given) as Record<string, unknown>;
      if (rate !== undefined) return this.#fraction(rate);
      const [n, d] = this.#fraction(scale);
      return normal([d, n]);
    };
    const variance = (given: unknown): Fraction => {
      const { deviation, variance } = Object(given) as Record<string, unknown>;
      if (variance !== undefined) return this.#fraction(variance);
      const [n, d] = this.#fraction(deviation);
      return normal([n * n, d * d]);
    };
    const other = (name: string) => () =>
      this.#refuse(`it draws ${name}(), which this tracer does not follow`);
    return {
      kind: "seeded",
      laplace: (given: unknown) => this.#draw("laplace", width(given)),
      exponential: (given: unknown) => this.#draw("exponential", width(given)),
      gumbel: (given: unknown) => this.#draw("gumbel", width(given)),
      gaussian: (given: unknown) => this.#draw("gaussian", variance(given)),
      sum: (...terms: unknown[]) =>
        this.#value(terms.reduce<Form>((sum, term) => plus(sum, this.#form(term), ONE), new Map())),
      difference: (left: unknown, right: unknown) =>
        this.#value(plus(this.#form(left), this.#form(right), MINUS)),
      multiple: (factor: unknown, value: unknown) =>
        this.#value(scaled(this.#form(value), this.#fraction(factor))),
      less: (left: unknown, right: unknown) =>
        this.#isPositive(plus(this.#form(right), this.#form(left), MINUS)),
      indexOfLargest: (values: readonly unknown[]) => this.#indexOfLargest(values),
      split: (label: unknown) => {
        const own = `${path}/${String(label)}`;
        if (this.#labels.has(own)) this.#refuse("it splits its source twice alike");
        this.#labels.add(own);
        return this.#source(own);
      },
      merge: () => {},
      uniform: () => this.#arithmetic.uniform(),
      ...Object.fromEntries(
        [
          "uint32",
          "fillUint32",
          "bernoulli",
          "integer",
          "choice",
          "geometric",
          "discreteLaplace",
          "discreteGaussian",
        ].map((name) => [name, other(name)]),
      ),
    };
  }

  /** A text for an output of plain lists, plain records and primitive values; its values of noise and data go to a list. */
  #text(value: unknown, released: Form[], above: readonly object[]): string {
    const primitive = primitiveText(value);
    if (primitive !== undefined) return primitive;
    const output = value as object;
    if (this.#forms.has(output) || this.#made.has(output)) {
      if (!this.#isDecidable(output)) return this.#functionText(output, released, new Map());
      released.push(this.#seen(output));
      return "#";
    }
    if (above.includes(output)) return this.#refuse("it puts out an object that holds itself");
    const inside = [...above, output], keys = Reflect.ownKeys(output);
    const items = (names: readonly (string | symbol)[]): string =>
      names.map((name) => {
        const { value: item, get, enumerable } = Object.getOwnPropertyDescriptor(output, name)!;
        if (typeof name === "symbol" || get !== undefined || !enumerable) {
          return this.#refuse("it puts out an object with more than plain properties");
        }
        return `${JSON.stringify(name)}:${this.#text(item, released, inside)}`;
      }).join();
    if (Array.isArray(output) && Object.getPrototypeOf(output) === Array.prototype) {
      return `[${output.length}:${items(keys.filter((name) => name !== "length"))}]`;
    }
    const parent = Object.getPrototypeOf(output);
    if (parent !== Object.prototype && parent !== null) {
      return this.#refuse("it puts out an object of a class");
    }
    return `${parent === null ? "null " : ""}{${items(keys)}}`;
  }

  /** Returns the form of a value that is put out. Forms do not have the sign of 0. */
  #seen(value: unknown): Form {
    const form = this.#form(value);
    if (form.size === 0 && this.#mayBeMinusZero(value)) {
      this.#refuse("it puts out a 0 of which the sign is not known");
    }
    return this.#told(form);
  }

  #mayBeMinusZero(value: unknown): boolean {
    if (typeof value === "number") return Object.is(value, -0);
    let answer = this.#signed.get(value as Value);
    if (answer === undefined) {
      this.#signed.set(value as Value, answer = this.#mayBeMadeMinusZero(value as Value));
    }
    return answer;
  }

  #mayBeMadeMinusZero(value: Value): boolean {
    const made = this.#made.get(value);
    // A row of 0 may be −0, which is another row.
    if (made === undefined) return !hasNoise(this.#form(value));
    const { name, given } = made, isAbove = (each: unknown) => typeof each === "number" && each > 0;
    const some = given.some((each) => this.#mayBeMinusZero(each));
    switch (name) {
      case "Math.abs":
        return false;
      case "+":
        return given.every((each) => this.#mayBeMinusZero(each));
      case "*":
        return given[0] !== given[1] && (some || !given.some(isAbove));
      case "/":
        return some || !isAbove(given[1]);
      case "Math.max":
        return some && !given.some((each) => Object.is(each, 0));
      case "-":
      case "unary +":
      case "Math.floor":
      case "Math.sign":
      case "Math.min":
        return some;
    }
    return true;
  }

  #told(form: Form): Form {
    return isOpen(form) ? this.#hand.told(form) : form;
  }

  /** A text for a function of values, the same for the same function alone; the values go to a list. */
  #functionText(value: unknown, released: Form[], places: Map<Value, number>): string {
    const made = this.#made.get(value as Value), isForm = this.#isFormOfNoise(value);
    if (made !== undefined && !isForm) {
      const given = made.given.map((each) => this.#functionText(each, released, places));
      return `${made.name}(${given.join()})`;
    }
    const form = isForm && typeof value === "object" ? this.#form(value) : undefined;
    if (form === undefined) {
      return primitiveText(value) ?? this.#refuse("it puts out a function of an object");
    }
    if (!places.has(value as Value)) {
      places.set(value as Value, places.size);
      released.push(this.#seen(value));
    }
    return `#${places.get(value as Value)}`;
  }

  #errorText(error: unknown): string {
    if (!(error instanceof Error)) return this.#refuse("it throws what is no error");
    return `${error.name} ${error.message} ${Reflect.ownKeys(error).map(String).sort().join()}`;
  }

  #fraction(value: unknown): Fraction {
    return exactFraction(value) ??
      this.#refuse("it uses a width or a factor that is no number that is known");
  }
}

/** Functions of forms that are a form on each path. */
const DECIDED: ReadonlySet<string> = new Set(
  ["+", "-", "unary -", "unary +", "Math.max", "Math.min", "Math.abs", "Math.sign"],
);

/** Functions of data that a certificate may write. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  "**",
  ...["pow", "sqrt", "exp", "expm1", "log", "log1p", "tanh", "sin", "cos", "hypot", "trunc"]
    .map((name) => `Math.${name}`),
]);

const ROUNDING: ReadonlySet<string> = new Set(["Math.floor", "Math.ceil", "Math.round"]);

/** Returns the form that is rounded down where ⌈f⌉ is −⌊−f⌋ and f is rounded to ⌊f + ½⌋, and whether the opposite is meant. */
function roundedDown(name: string, form: Form): { readonly down: Form; readonly isUp: boolean } {
  const isUp = name === "Math.ceil";
  if (name === "Math.round") return { down: plus(form, constant([1n, 2n]), ONE), isUp };
  return { down: isUp ? opposite(form) : form, isUp };
}

/** Returns true for a number that is not 0. */
function isFactor(value: unknown): boolean {
  return typeof value === "number" && !!value;
}

/** Returns true for operations that make a form of forms. */
function isSumOfMultiples(name: string, left: unknown, right: unknown): boolean {
  return /^(unary )?[+-]$/.test(name) || name === "*" && (isFactor(left) || isFactor(right)) ||
    name === "/" && isFactor(right);
}

function opposite(form: Form): Form {
  return scaled(form, MINUS);
}

function hasNoise(form: Form): boolean {
  return !isData(form);
}

/** Returns true if a form is a multiple of another by a number above 0. */
function isMultiple(form: Form, of: Form): boolean {
  if (form.size !== of.size) return false;
  let factor: Fraction | undefined;
  for (const [name, [n, d]] of form) {
    const other = of.get(name);
    if (other === undefined) return false;
    const ratio = normal([n * other[1], d * other[0]]);
    if (ratio[0] <= 0n || (factor !== undefined && !equal(factor, ratio))) return false;
    factor = ratio;
  }
  return true;
}

function constant(value: Fraction): Form {
  return value[0] === 0n ? new Map() : new Map([["", value]]);
}

function normal([n, d]: Fraction): Fraction {
  return d < 0n ? [-n, -d] : [n, d];
}
