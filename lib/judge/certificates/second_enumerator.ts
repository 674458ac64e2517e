/**
 * Derives the laws of a certificate of enumeration again, from the program, with no line of the enumeration that wrote it: every path of
 * choices is run, and none is merged.
 *
 * @module
 */
import {
  exponential,
  type Law,
  plus,
  readEnumeration,
  shifted,
  type Sum,
  times,
} from "./check_enumeration.ts";
import {
  type CheckedProgram,
  NotDerived,
  primitiveText,
  withoutRandomness,
} from "./checked_program.ts";
import { exactFraction, type Fraction } from "./exact_fraction.ts";
import { demand } from "./strict_json.ts";

/** Paths of a dataset, and draws of a run, from which a program is not followed. */
const MOST_PATHS = 200_000, MOST_DRAWS = 10_000;
/** Binary places of bounds of probabilities. */
const PLACES = 256n, UNIT = 1n << PLACES;

/**
 * Runs a program on every path of each dataset of a certificate, and demands that its outputs have the probabilities that are written there:
 * exactly where the laws are complete, and at least those where something is left over.
 *
 * @returns how many paths were run.
 * @throws {NotDerived} for a program whose draws, outputs or number of paths are beyond this enumerator.
 * @throws {Error} where a law is not the program's.
 */
export function enumerateAgain(text: string, program: CheckedProgram): number {
  const { datasets, places, laws, scale } = readEnumeration(text), drawn = new Laws(scale);
  let paths = 0;
  for (const [i, data] of datasets.entries()) {
    const of = { program, data, scale, drawn, where: `dataset ${i}` }, law = laws[places[i]!]!;
    paths += law.remainder.size === 0 ? compareExactly(law, of) : compareBounds(law, of);
  }
  return paths;
}

interface Enumerated {
  readonly program: CheckedProgram;
  readonly data: unknown;
  readonly scale: bigint;
  /** The laws that the program has drawn from. */
  readonly drawn: Laws;
  readonly where: string;
}

function compareExactly({ denominator, outputs }: Law, of: Enumerated): number {
  const derived = new Map<string, Map<string, [numerator: Sum, over: Sum]>>();
  let paths = 0;
  for (const { output, steps } of pathsOf(of, 0n)) {
    paths++;
    let numerator: Sum = new Map([[0n, 1n]]), over: Sum = new Map([[0n, 1n]]);
    for (const { law, index } of steps) {
      numerator = times(numerator, law.at(index)!.weight);
      over = times(over, law.total);
    }
    const key = [...over].sort(([a], [b]) => a < b ? -1 : 1).join(";");
    const sums = derived.get(output) ?? new Map();
    const [before] = sums.get(key) ?? [new Map()];
    derived.set(output, sums.set(key, [plus(before, numerator, 1n), over]));
  }
  demand(derived.size === outputs.size, `${of.where}: the program has other outputs`);
  for (const [output, sums] of derived) {
    const written = outputs.get(output);
    demand(written !== undefined, `${of.where}: the program has another output`);
    let numerator: Sum = new Map(), over: Sum = new Map([[0n, 1n]]);
    for (const [n, d] of sums.values()) {
      numerator = plus(times(numerator, d), times(n, over), 1n);
      over = times(over, d);
    }
    const difference = plus(times(numerator, denominator), times(written, over), -1n);
    demand(difference.size === 0, `${of.where}: an output has another probability`);
  }
  return paths;
}

function compareBounds({ denominator, outputs }: Law, of: Enumerated): number {
  const [least, most] = boundsOf(denominator, of.scale);
  const written = [...outputs].map(([output, sum]) => ({
    output,
    bounds: boundsOf(sum, of.scale),
  }));
  for (let cut = UNIT >> 16n; cut > 0n; cut >>= 4n) {
    const derived = new Map<string, bigint>();
    let paths = 0, rest = UNIT;
    for (const { output, steps } of pathsOf(of, cut)) {
      paths++;
      const { lower } = steps.at(-1) ?? { lower: UNIT };
      derived.set(output, (derived.get(output) ?? 0n) + lower);
      rest -= lower;
    }
    let isShown = true;
    for (const { output, bounds: [lower, upper] } of written) {
      const at = derived.get(output) ?? 0n;
      demand(
        (at + rest) * most >= lower << PLACES,
        `${of.where}: an output has a smaller probability`,
      );
      isShown &&= at * least >= upper << PLACES;
    }
    if (isShown) return paths;
  }
  throw new NotDerived("its probabilities are written with more digits than are computed");
}

/** Lower and upper bounds of a sum, in units of 2^−PLACES. */
function boundsOf(sum: Sum, scale: bigint): [lower: bigint, upper: bigint] {
  let lower = 0n, upper = 0n;
  for (const [x, c] of sum) {
    const [low, high] = x >= 0n ? exponential(x, scale, PLACES) : [0n, 0n];
    demand(x >= 0n, "an exponent");
    lower += c * (c > 0n ? low : high);
    upper += c * (c > 0n ? high : low);
  }
  return [lower, upper];
}

/** One value of a law. Where a law is endless it has no weight, and its probability is known by a lower bound. */
interface Value {
  readonly value: number | boolean;
  readonly weight: Sum;
  readonly lower: bigint;
}

/** A law of a draw: values in an order in which those of endless laws become ever less likely. */
interface DrawnLaw {
  readonly name: string;
  readonly total: Sum;
  readonly endless: boolean;
  at(index: number): Value | undefined;
}

/** Values of an endless law, and lower bounds of their probabilities by their size. */
interface EndlessLaw {
  readonly valueAt: (index: number) => number;
  readonly lowerAt: (size: bigint) => bigint;
}

interface Step {
  readonly law: DrawnLaw;
  readonly index: number;
  /** Of the probability of the path up to here, in units of 2^−PLACES. */
  readonly lower: bigint;
}

/** The paths whose probability is at least a cut; 0 for all. */
function* pathsOf(
  of: Enumerated,
  cut: bigint,
): Generator<{ readonly output: string; readonly steps: readonly Step[] }> {
  const steps: Step[] = [];
  let runs = 0;
  do {
    if (++runs > MOST_PATHS) throw new NotDerived(`it has more than ${MOST_PATHS} paths`);
    const run = new Run(of.drawn, steps, cut), output = run.end(of);
    if (output !== undefined) yield { output, steps };
  } while (advance(steps, cut));
}

/** Goes to the next path. @returns true if there is one. */
function advance(steps: Step[], cut: bigint): boolean {
  for (let last = steps.pop(); last !== undefined; last = steps.pop()) {
    const next = stepFrom(last.law, last.index + 1, { before: steps.at(-1)?.lower ?? UNIT, cut });
    if (next === undefined) continue;
    steps.push(next);
    return true;
  }
  return false;
}

/** The first value from a place on that is possible, and likely enough. */
function stepFrom(
  law: DrawnLaw,
  from: number,
  { before, cut }: { readonly before: bigint; readonly cut: bigint },
): Step | undefined {
  for (let index = from;; index++) {
    const value = law.at(index);
    if (value === undefined) return undefined;
    const lower = before * value.lower >> PLACES;
    if (cut === 0n || lower >= cut) return { law, index, lower };
    if (law.endless) return undefined;
  }
}

/** A run was ended: what is left of its path is too unlikely. */
class Cut extends Error {}

class Run {
  readonly #laws: Laws;
  readonly #steps: Step[];
  readonly #cut: bigint;
  readonly #labels = new Set<string>();
  #depth = 0;
  /** Why the run was ended: a program may have caught it. */
  #stopped: Error | undefined;

  constructor(laws: Laws, steps: Step[], cut: bigint) {
    this.#laws = laws;
    this.#steps = steps;
    this.#cut = cut;
  }

  /** The text of the output; `undefined` where the path was cut. */
  end({ program, data, where }: Enumerated): string | undefined {
    let output: unknown, thrown = false;
    try {
      output = withoutRandomness(
        (what) => this.#refuse(what),
        () => program(structuredClone(data), this.#source("")),
      );
    } catch {
      thrown = true;
    }
    if (this.#stopped instanceof Cut) return undefined;
    if (this.#stopped !== undefined) throw this.#stopped;
    if (thrown) throw new NotDerived(`it throws on ${where}`);
    if (this.#depth < this.#steps.length) {
      throw new NotDerived("it draws less when it is run again: it keeps state");
    }
    return textOf(output, new Set());
  }

  #stop(reason: Error): never {
    throw this.#stopped ??= reason;
  }

  #refuse(what: string): never {
    return this.#stop(new NotDerived(what));
  }

  #draw(make: () => DrawnLaw): never | number | boolean {
    if (this.#stopped !== undefined) throw this.#stopped;
    let law: DrawnLaw;
    try {
      law = make();
    } catch (error) {
      return this.#stop(error as Error);
    }
    const known = this.#steps[this.#depth];
    if (known === undefined) {
      if (this.#depth >= MOST_DRAWS) this.#refuse(`one run draws more than ${MOST_DRAWS} times`);
      if (this.#cut === 0n && law.endless) {
        this.#stop(new Error(`rejected: ${law.name} is endless, and nothing is left over`));
      }
      const before = this.#steps.at(-1)?.lower ?? UNIT;
      const step = stepFrom(law, 0, { before, cut: this.#cut });
      if (step === undefined) return this.#stop(new Cut());
      this.#steps.push(step);
    } else if (known.law !== law) {
      this.#refuse("it draws otherwise when it is run again: it keeps state");
    }
    const { index } = this.#steps[this.#depth++]!;
    return law.at(index)!.value;
  }

  #source(path: string): object {
    const laws = this.#laws, draw = (make: () => DrawnLaw) => this.#draw(make);
    const refused = (name: string) => () =>
      this.#refuse(`it calls ${name}() of its source, which this enumerator does not follow`);
    return {
      kind: "seeded",
      bernoulli: (given: unknown) => draw(() => laws.coin(field(given, "probability"))),
      integer: (given: unknown) => draw(() => laws.uniform(field(given, "below"))),
      choice: (given: unknown) => draw(() => laws.choice(Object(given))),
      geometric: (given: unknown) => draw(() => laws.geometric(field(given, "rate"))),
      discreteLaplace: (given: unknown) => draw(() => laws.laplace(field(given, "rate"))),
      discreteGaussian: (given: unknown) => draw(() => laws.gaussian(field(given, "variance"))),
      branch: (law: unknown) => Number(draw(() => laws.named(Object(law)))),
      merge: () => {},
      split: (label: unknown) => {
        const own = `${path}/${String(label)}`;
        if (this.#labels.has(own)) this.#refuse("it splits its source twice alike");
        this.#labels.add(own);
        return this.#source(own);
      },
      ...Object.fromEntries(
        [
          "uniform",
          "uint32",
          "fillUint32",
          "laplace",
          "exponential",
          "gumbel",
          "gaussian",
          "sum",
          "difference",
          "multiple",
          "less",
          "indexOfLargest",
        ].map((name) => [name, refused(name)]),
      ),
    };
  }
}

/** The laws that a program has drawn from, each made once. */
class Laws {
  readonly #known = new Map<string, DrawnLaw>();
  readonly #scale: bigint;

  constructor(scale: bigint) {
    this.#scale = scale;
  }

  coin(probability: unknown): DrawnLaw {
    const [n, d] = fractionOf(probability);
    if (n < 0n || n > d) throw new NotDerived("it draws with a probability that is none");
    return this.#finite(`a coin of ${n}/${d}`, () => [
      [true, term(0n, n)],
      [false, term(0n, d - n)],
    ]);
  }

  uniform(below: unknown): DrawnLaw {
    const [n, d] = typeof below === "bigint" ? [below, 1n] : fractionOf(below);
    if (d !== 1n || n < 1n || n > BigInt(MOST_PATHS)) {
      throw new NotDerived("it draws from whole numbers below what is none, or too many");
    }
    return this.#finite(
      `a whole number below ${n}`,
      () => Array.from({ length: Number(n) }, (_, i) => [i, term(0n, 1n)]),
    );
  }

  choice({ weights, exponents }: { weights?: unknown; exponents?: unknown }): DrawnLaw {
    if (Array.isArray(weights)) {
      const read = weights.map(fractionOf);
      if (read.some(([n]) => n < 0n)) throw new NotDerived("it chooses by weights below 0");
      const common = read.reduce((product, [, d]) => product * d, 1n);
      return this.#weighted(read.map(([n, d]) => term(0n, n * (common / d))));
    }
    if (!Array.isArray(exponents)) {
      throw new NotDerived("it chooses by neither weights nor exponents");
    }
    return this.#weighted(exponents.map((each) => term(this.#scaled(fractionOf(each)), 1n)));
  }

  geometric(rate: unknown): DrawnLaw {
    const [n, d] = positive(rate);
    return this.#endless(`geometric noise of rate ${n}/${d}`, () => {
      const [, high] = exponential(n, d, PLACES);
      return {
        valueAt: (index) => index,
        lowerAt: (k) => (UNIT - high) * exponential(n * k, d, PLACES)[0] >> PLACES,
      };
    });
  }

  laplace(rate: unknown): DrawnLaw {
    const [n, d] = positive(rate);
    return this.#endless(`discrete Laplace noise of rate ${n}/${d}`, () => {
      const [, high] = exponential(n, d, PLACES);
      const first = ((UNIT - high) << PLACES) / (UNIT + high);
      return {
        valueAt: onBothSides,
        lowerAt: (k) => first * exponential(n * k, d, PLACES)[0] >> PLACES,
      };
    });
  }

  gaussian(variance: unknown): DrawnLaw {
    const [n, d] = positive(variance);
    return this.#endless(`discrete Gaussian noise of variance ${n}/${d}`, () => {
      const weight = (k: bigint): [bigint, bigint] => exponential(k * k * d, 2n * n, PLACES);
      let total = UNIT;
      for (let k = 1n;; k++) {
        const [, high] = weight(k);
        total += 2n * high;
        // Ratios of neighbours fall, so that the rest is below a geometric series.
        const [, ratio] = exponential((2n * k + 1n) * d, 2n * n, PLACES);
        const rest = 2n * (high * ratio / (UNIT - ratio) + 1n);
        if (rest >> (PLACES / 2n) > 0n) continue;
        total += rest;
        break;
      }
      return { valueAt: onBothSides, lowerAt: (k) => (weight(k)[0] << PLACES) / total };
    });
  }

  /** A law as mechanisms name it. */
  named(law: Record<string, unknown>): DrawnLaw {
    switch (law["kind"]) {
      case "choice": {
        const weights = law["weights"] as { exponent: unknown; multiplicity?: bigint }[];
        return this.#weighted(
          weights.map(({ exponent, multiplicity = 1n }) =>
            term(this.#scaled(fractionOf(exponent)), multiplicity)
          ),
        );
      }
      case "uniform":
        return this.uniform(law["below"]);
      case "exponential coin": {
        const x = this.#scaled(fractionOf(law["exponent"])), one = term(x, 1n);
        return this.#finite(`a coin of exp(−${x}/scale)`, () => [
          [1, one],
          [0, plus(term(0n, 1n), one, -1n)],
        ]);
      }
      case "geometric":
        return this.geometric(law["rate"]);
      case "discrete laplace":
        return this.laplace(law["rate"]);
      case "discrete gaussian":
        return this.gaussian(law["variance"]);
    }
    throw new NotDerived("it draws from a law that this enumerator does not know");
  }

  #weighted(weights: readonly Sum[]): DrawnLaw {
    return this.#finite(
      `a choice of ${weights.map((each) => [...each].join()).join(" ")}`,
      () => weights.map((each, i) => [i, each]),
    );
  }

  #finite(name: string, values: () => (readonly [Value["value"], Sum])[]): DrawnLaw {
    return this.#once(name, () => {
      const possible = values().filter(([, weight]) => weight.size > 0);
      let total: Sum = new Map();
      for (const [, weight] of possible) total = plus(total, weight, 1n);
      // Exponents of at least 0, for bounds.
      const least = [...total.keys()].reduce((a, b) => b < a ? b : a, 0n);
      const bounds = (sum: Sum): [bigint, bigint] => boundsOf(shifted(sum, -least), this.#scale);
      const [, most] = bounds(total);
      if (most <= 0n) throw new NotDerived("it chooses among nothing");
      const all = possible.map(([value, weight]): Value => {
        const [lower] = bounds(weight);
        return { value, weight, lower: (lower > 0n ? lower << PLACES : 0n) / most };
      });
      return { name, total, endless: false, at: (index) => all[index] };
    });
  }

  #endless(name: string, make: () => EndlessLaw): DrawnLaw {
    return this.#once(name, () => {
      const { valueAt, lowerAt } = make(), values: Value[] = [], none: Sum = new Map();
      const at = (index: number): Value => {
        const value = valueAt(index);
        return values[index] ??= { value, weight: none, lower: lowerAt(BigInt(Math.abs(value))) };
      };
      return { name, total: none, endless: true, at };
    });
  }

  #once(name: string, make: () => DrawnLaw): DrawnLaw {
    let law = this.#known.get(name);
    if (law === undefined) this.#known.set(name, law = make());
    return law;
  }

  /** An exponent in units of 1/scale. */
  #scaled([n, d]: Fraction): bigint {
    const exponent = n * this.#scale;
    demand(exponent % d === 0n, "an exponent of the program is no multiple of 1/scale");
    return exponent / d;
  }
}

/** 0, 1, −1, 2, −2, … */
function onBothSides(index: number): number {
  const magnitude = Math.ceil(index / 2);
  return index % 2 === 1 ? magnitude : -magnitude + 0;
}

function term(exponent: bigint, coefficient: bigint): Sum {
  return new Map(coefficient === 0n ? [] : [[exponent, coefficient]]);
}

function field(given: unknown, name: string): unknown {
  return (Object(given) as Record<string, unknown>)[name];
}

function fractionOf(value: unknown): Fraction {
  const found = exactFraction(value);
  if (found === undefined) throw new NotDerived("it draws by what is no number that is known");
  return found;
}

function positive(value: unknown): Fraction {
  const found = fractionOf(value);
  if (found[0] <= 0n) throw new NotDerived("it draws noise of a width that is not above 0");
  return found;
}

/** The text by which a certificate calls an output of plain lists, plain records and primitive values. */
function textOf(value: unknown, seen: Set<object>): string {
  const primitive = primitiveText(value);
  if (primitive !== undefined) return primitive;
  const output = value as object;
  if (seen.has(output)) throw new NotDerived("it puts out one object twice");
  seen.add(output);
  const isList = Array.isArray(output), keys = Reflect.ownKeys(output);
  const items = isList ? keys.filter((key) => key !== "length") : keys;
  const isPlain = Object.getPrototypeOf(output) === (isList ? Array : Object).prototype &&
    Object.isExtensible(output) && (!isList || items.length === output.length) &&
    items.every((key) => {
      const found = Object.getOwnPropertyDescriptor(output, key)!;
      return typeof key === "string" && found.get === undefined && found.set === undefined &&
        found.enumerable && found.writable && found.configurable;
    });
  if (!isPlain) throw new NotDerived("it puts out more than plain lists and records");
  if (isList) return `[${output.map((item) => textOf(item, seen)).join()}]`;
  return `{${
    Object.entries(output).map(([key, item]) => `${JSON.stringify(key)}:${textOf(item, seen)}`)
      .join()
  }}`;
}
