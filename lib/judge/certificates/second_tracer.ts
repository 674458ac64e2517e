/**
 * Derives the paths of a certificate of alignments again, from the program, with no line of the tracer that wrote it.
 *
 * @module
 */
import {
  type Data,
  type Form,
  type Noise,
  plus,
  type Proof,
  readAlignment,
  type Tree,
} from "./check_alignment.ts";
import {
  type Arithmetic,
  NotDerived,
  primitiveText,
  type TracedProgram,
  withoutRandomness,
} from "./checked_program.ts";
import { exactFraction, type Fraction } from "./exact_fraction.ts";
import { demand } from "./strict_json.ts";

const ONE: Fraction = [1n, 1n], MINUS: Fraction = [-1n, 1n];

/** Steps of one run at most, so that a loop without an end does not go on. */
const MOST_STEPS = 100_000;

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
    for (const leaf of leavesOf(proof, [])) {
      const outputs = new Map<string, string>();
      for (const side of ["left", "right"] as const) {
        const derived = new Derivation(program, {
          data: side === "left" ? left : right,
          noise,
          known: leaf.known,
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
  readonly left: Tree;
  readonly right: Tree;
}

function leavesOf(proof: Proof, known: Known): Leaf[] {
  if ("empty" in proof) return [];
  if ("left" in proof) return [{ known, left: proof.left, right: proof.right }];
  return [
    ...leavesOf(proof.above, [...known, [proof.split, true]]),
    ...leavesOf(proof.other, [...known, [proof.split, false]]),
  ];
}

interface Place {
  readonly data: Data;
  readonly noise: Noise;
  readonly known: Known;
  readonly where: string;
}

/** A comparison at which a run stops: which way it goes is not decided. */
class Undecided extends Error {
  constructor(readonly forms: readonly Form[]) {
    super("stopped at a comparison");
  }
}

/** The runs of a program on the data of one side. */
class Derivation {
  readonly #program: TracedProgram;
  readonly #place: Place;

  constructor(program: TracedProgram, place: Place) {
    this.#program = program;
    this.#place = place;
  }

  /** Demands that a tree is that of the program. @returns how many paths it has. */
  follow(tree: Tree, outputs: Map<string, string>, ways: readonly number[] = []): number {
    if ("empty" in tree) return 0;
    const end = new Run(this.#place, ways).end(this.#program), { where } = this.#place;
    const at = `${where}, path ${ways.join("") || "0"}`;
    if (end instanceof Undecided) {
      demand("forms" in tree, `${at}: the program compares, and the certificate does not`);
      const { forms, ways: trees } = tree as Extract<Tree, { forms: unknown }>;
      demand(
        forms.length === end.forms.length && forms.every((form, i) => same(form, end.forms[i]!)),
        `${at}: the program compares something else`,
      );
      return trees.reduce((sum, each, way) => sum + this.follow(each, outputs, [...ways, way]), 0);
    }
    demand("label" in tree, `${at}: the certificate compares, and the program does not`);
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
}

/** A value that stands for a form. It has no properties, and refuses to be a number or a text. */
type Value = object;

class Run {
  readonly #place: Place;
  readonly #ways: readonly number[];
  readonly #forms = new WeakMap<Value, Form>();
  /** Differences of which this path knows that they are above 0. */
  readonly #positive: Form[] = [];
  readonly #labels = new Set<string>();
  #depth = 0;
  #draws = 0;
  #steps = 0;
  /** Why the run was ended: a program may have caught it. */
  #stopped: Error | undefined;
  /** What values inherit: it refuses to make a number of a value, or a text. */
  readonly #conversions = Object.freeze({
    [Symbol.toPrimitive]: () =>
      this.#refuse("it computes with noise or data by operators, not by its source"),
  });

  constructor(place: Place, ways: readonly number[]) {
    this.#place = place;
    this.#ways = ways;
  }

  end(program: TracedProgram): End | Undecided {
    const { data } = this.#place;
    const rows = "value" in data
      ? structuredClone(data.value)
      : data.rows.map((row) =>
        Array.isArray(row) ? row.map((each) => this.#value(each)) : this.#value(row)
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
    if (this.#depth < this.#ways.length) {
      this.#refuse("it compares less when it is run again: it keeps state");
    }
    const released: Form[] = [];
    const text = thrown ? `throws ${this.#errorText(output)}` : this.#text(output, released, []);
    return { text, released };
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
    const form = typeof value === "object" && value !== null ? this.#forms.get(value) : undefined;
    return form ??
      this.#refuse("it computes with what is neither a number nor of this run");
  }

  #product(factor: Fraction, value: unknown): Value {
    const form = this.#form(value);
    // Forms do not have the sign of 0.
    if (factor[0] === 0n || (factor[0] < 0n && form.size === 0)) {
      this.#refuse("it computes a 0 of which the sign is not known");
    }
    return this.#value(plus(new Map(), form, factor));
  }

  readonly #arithmetic: Arithmetic = {
    isValue: (value): value is Value =>
      typeof value === "object" && value !== null && this.#forms.has(value),
    number: (value) => this.#value(this.#form(value)),
    sum: (left, right, factor) =>
      this.#value(plus(this.#form(left), this.#form(right), factor === 1 ? ONE : MINUS)),
    multiple: (factor, value) => this.#product(this.#fraction(factor), value),
    quotient: (value, divisor) => {
      const [n, d] = this.#fraction(divisor);
      if (n === 0n) this.#refuse("it divides by 0");
      return this.#product(normal([d, n]), value);
    },
    isAbove: (left, right) => this.#isPositive(plus(this.#form(left), this.#form(right), MINUS)),
    indexOfLargest: (values) => this.#indexOfLargest(values),
    goOn: () => this.#goOn(),
    refuse: (what) => this.#refuse(what),
  };

  #goOn(): void {
    if (this.#stopped !== undefined) throw this.#stopped;
    if (++this.#steps > MOST_STEPS) {
      this.#refuse(`it takes more than ${MOST_STEPS} steps`);
    }
  }

  #stop(reason: Error): never {
    throw this.#stopped ??= reason;
  }

  #refuse(what: string): never {
    return this.#stop(new NotDerived(what));
  }

  /** Returns true if a form is above 0. */
  #isPositive(form: Form): boolean {
    if (form.size === 0) return false;
    const isNumber = [...form.keys()].every((name) => name === "");
    if (isNumber) return form.get("")![0] > 0n;
    const opposite = plus(new Map(), form, MINUS);
    if (!hasNoise(form)) {
      for (const [known, above] of this.#place.known) {
        if (isMultiple(form, known)) return above;
        if (above && isMultiple(opposite, known)) return false;
      }
      return this.#refuse("it compares data where the certificate does not");
    }
    if (this.#positive.some((known) => isMultiple(form, known))) return true;
    if (this.#positive.some((known) => isMultiple(opposite, known))) return false;
    return this.#branch([form, new Map()]) === 0;
  }

  #indexOfLargest(values: readonly unknown[]): number {
    if (!Array.isArray(values) || values.length === 0) {
      throw new RangeError("Cannot find the largest value: values must not be empty");
    }
    const forms = values.map((value) => this.#form(value)), open: number[] = [];
    for (const [i, form] of forms.entries()) {
      const rival = open.findIndex((j) => !hasNoise(plus(form, forms[j]!, MINUS)));
      if (rival < 0) open.push(i);
      else if (this.#isPositive(plus(form, forms[open[rival]!]!, MINUS))) open[rival] = i;
    }
    return open.length === 1 ? open[0]! : open[this.#branch(open.map((i) => forms[i]!))]!;
  }

  #branch(forms: readonly Form[]): number {
    const way = this.#ways[this.#depth];
    if (way === undefined) return this.#stop(new Undecided(forms));
    this.#depth++;
    for (const [i, form] of forms.entries()) {
      if (i !== way) this.#positive.push(plus(forms[way]!, form, MINUS));
    }
    return way;
  }

  /** The name of the draw at this place with this law. */
  #draw(kind: string, size: Fraction): Value {
    this.#goOn();
    const place = this.#draws++;
    for (const [name, law] of this.#place.noise) {
      const isHere = name === `n${place}` || name.startsWith(`n${place}.`);
      if (isHere && law.kind === kind && equal(law.size, size)) {
        return this.#value(new Map([[name, ONE]]));
      }
    }
    return this.#stop(
      new Error(
        `rejected: ${this.#place.where}: draw ${place} has a law that is not written there`,
      ),
    );
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
        this.#value(plus(new Map(), this.#form(value), this.#fraction(factor))),
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
      ...Object.fromEntries(
        [
          "uniform",
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
    const form = this.#forms.get(output);
    if (form !== undefined) {
      released.push(form);
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
  #errorText(error: unknown): string {
    if (!(error instanceof Error)) return this.#refuse("it throws what is no error");
    return `${error.name} ${error.message} ${Reflect.ownKeys(error).map(String).sort().join()}`;
  }

  #fraction(value: unknown): Fraction {
    return exactFraction(value) ??
      this.#refuse("it uses a width or a factor that is no number that is known");
  }
}

function hasNoise(form: Form): boolean {
  return [...form.keys()].some((name) => name.startsWith("n"));
}

function same(left: Form, right: Form): boolean {
  return plus(left, right, MINUS).size === 0;
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

function equal([a, b]: Fraction, [c, d]: Fraction): boolean {
  return a * d === c * b;
}

function normal([n, d]: Fraction): Fraction {
  return d < 0n ? [-n, -d] : [n, d];
}
