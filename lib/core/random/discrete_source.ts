import type { DiscreteLaw } from "../mechanism/discrete_law.ts";
import type { DiscreteSource, ExactNumber } from "../mechanism/discrete_source.ts";
import type { Source } from "../mechanism/source.ts";
import { type Rational, rational } from "../numeric/rational.ts";
import { drawDiscreteGaussian } from "./discrete_gaussian.ts";
import { drawDiscreteLaplace } from "./discrete_laplace.ts";
import { drawGeometric } from "./draw_geometric.ts";
import { exactBernoulli } from "./exact_bernoulli.ts";
import { exactNumber } from "./exact_number.ts";
import { type Choice, type ChoiceSampler, exactChoice } from "./exact_choice.ts";
import { randomInteger } from "./random_integer.ts";

/** Numbers of one kind of draw that are kept; a program that draws with ever new ones does not fill the memory. */
const MOST_KEPT = 1000;

const numbers = new Map<number, Rational>();
const coins = new Map<number, (source: Source) => boolean>();
const choices = new Map<string, ChoiceSampler>();
/** Laws for sources that enumerate, which know them by identity. */
const laws = {
  geometric: new Map<number, DiscreteLaw>(),
  "discrete laplace": new Map<number, DiscreteLaw>(),
  "discrete gaussian": new Map<number, DiscreteLaw>(),
};

/**
 * A source with exact discrete draws as its methods, drawn from `source`, which it shares: both go on in one stream.
 *
 * @throws {RangeError} from a draw whose options are out of range.
 *
 * @example
 * ```ts
 * import { SeededSource } from "./seeded_source.ts";
 * import { discreteSource } from "./discrete_source.ts";
 * const source = discreteSource(new SeededSource(1));
 * const noisyCount = 17 + source.discreteLaplace({ rate: 0.5 });
 * ```
 */
export function discreteSource(source: Source): DiscreteSource {
  const { branch } = source;
  const enumerates = branch !== undefined;
  return {
    kind: source.kind,
    uint32: () => source.uint32(),
    uniform: () => source.uniform(),
    fillUint32: (out) => source.fillUint32(out),
    split: (label) => discreteSource(source.split(label)),
    ...(enumerates ? { branch: (law) => branch.call(source, law) } : {}),
    bernoulli({ probability }): boolean {
      const coin = typeof probability === "number"
        ? known(coins, probability, () => exactBernoulli(rational(probability)))
        : exactBernoulli(exactNumber("draw", "probability", probability));
      return coin(source);
    },
    integer: (options) => randomInteger(source, options),
    choice: (options) =>
      known(choices, keyOf(options), () => exactChoice(choicesOf(options)))(source),
    geometric: ({ rate }) =>
      enumerates
        ? branch.call(source, lawOf("geometric", rate))
        : Number(drawGeometric(source, { rate: positive("geometric", rate) })),
    discreteLaplace: ({ rate }) =>
      enumerates ? branch.call(source, lawOf("discrete laplace", rate)) : Number(
        drawDiscreteLaplace(source, { scale: inverse(positive("discrete laplace", rate)) }),
      ),
    discreteGaussian: ({ variance }) =>
      enumerates ? branch.call(source, lawOf("discrete gaussian", variance)) : Number(
        drawDiscreteGaussian(source, { variance: positive("discrete gaussian", variance) }),
      ),
    merge: (state) => source.merge?.(state),
  };
}

/** Returns the cached value of a key, and makes it at first use. */
function known<Key, Value>(made: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = made.get(key);
  if (value === undefined) {
    if (made.size >= MOST_KEPT) made.clear();
    made.set(key, value = make());
  }
  return value;
}

function exact(name: string, value: ExactNumber): Rational {
  const make = (): Rational => exactNumber("draw", name, value);
  return typeof value === "number" ? known(numbers, value, make) : make();
}

function inverse({ numerator, denominator }: Rational): Rational {
  return { numerator: denominator, denominator: numerator };
}

type Noise = keyof typeof laws;

/** The number of a kind of noise as a fraction. @throws {RangeError} unless it is positive. */
function positive(kind: Noise, value: ExactNumber): Rational {
  const name = kind === "discrete gaussian" ? "variance" : "rate", number = exact(name, value);
  if (number.numerator <= 0n) {
    throw new RangeError(`Cannot draw ${kind} noise: ${name} must be positive`);
  }
  return number;
}

/** The law of a kind of noise. @throws {RangeError} unless its number is positive. */
function lawOf(kind: Noise, value: ExactNumber): DiscreteLaw {
  const make = (): DiscreteLaw => {
    const number = positive(kind, value);
    return kind === "discrete gaussian" ? { kind, variance: number } : { kind, rate: number };
  };
  return typeof value === "number" ? known(laws[kind], value, make) : make();
}

type ChoiceOptions = Parameters<DiscreteSource["choice"]>[0];

/** A text for a choice, the same for equal ones. */
function keyOf(options: ChoiceOptions): string {
  const values = "weights" in options ? options.weights : options.exponents;
  let key = "weights" in options ? "w" : "e";
  for (const value of values) {
    key += typeof value === "number" ? ` ${value}` : ` ${value.numerator}/${value.denominator}`;
  }
  return key;
}

/** Weights over a common denominator, or exponents as they are. */
function choicesOf(options: ChoiceOptions): Choice[] {
  if ("exponents" in options) {
    return options.exponents.map((exponent) => ({ exponent: exact("exponents", exponent) }));
  }
  const weights = options.weights.map((weight) => exact("weights", weight));
  if (weights.some(({ numerator }) => numerator < 0n)) {
    throw new RangeError("Cannot choose: weights must be at least 0");
  }
  const common = weights.reduce((product, { denominator }) => product * denominator, 1n);
  return weights.map(({ numerator, denominator }) => ({
    exponent: rational(0),
    multiplicity: numerator * (common / denominator),
  }));
}
