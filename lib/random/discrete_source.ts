import type { DiscreteSource, ExactNumber } from "../core/discrete_source.ts";
import type { Source } from "../core/source.ts";
import { type Rational, rational } from "../numeric/rational.ts";
import { drawDiscreteGaussian } from "./discrete_gaussian.ts";
import { drawDiscreteLaplace } from "./discrete_laplace.ts";
import { drawGeometric } from "./draw_geometric.ts";
import { exactBernoulli } from "./exact_bernoulli.ts";
import { type Choice, type ChoiceSampler, exactChoice } from "./exact_choice.ts";
import { randomInteger } from "./random_integer.ts";

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
  const coins = new Map<number, (source: Source) => boolean>();
  const choices = new Map<string, ChoiceSampler>();
  const numbers = new Map<number, Rational>();
  const exact = (value: ExactNumber): Rational =>
    typeof value === "number" ? known(numbers, value, () => rational(value)) : value;
  const inverse = (value: ExactNumber): Rational => {
    const { numerator, denominator } = exact(value);
    return { numerator: denominator, denominator: numerator };
  };
  const { branch } = source;
  return {
    kind: source.kind,
    uint32: () => source.uint32(),
    uniform: () => source.uniform(),
    fillUint32: (out) => source.fillUint32(out),
    split: (label) => discreteSource(source.split(label)),
    ...(branch === undefined ? {} : { branch: (law) => branch.call(source, law) }),
    bernoulli({ probability }): boolean {
      const coin = typeof probability === "number"
        ? known(coins, probability, () => exactBernoulli(rational(probability)))
        : exactBernoulli(probability);
      return coin(source);
    },
    integer: (options) => randomInteger(source, options),
    choice(options): number {
      const key = JSON.stringify(
        options,
        (_, value) => typeof value === "bigint" ? `${value}` : value,
      );
      return known(choices, key, () => exactChoice(choicesOf(options)))(source);
    },
    geometric: ({ rate }) => Number(drawGeometric(source, { rate: exact(rate) })),
    discreteLaplace: ({ rate }) => Number(drawDiscreteLaplace(source, { scale: inverse(rate) })),
    discreteGaussian: ({ variance }) =>
      Number(drawDiscreteGaussian(source, { variance: exact(variance) })),
    merge: (state) => source.merge?.(state),
  };
}

/** What was made for this key before, or is made now. */
function known<Key, Value>(made: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = made.get(key);
  if (value === undefined) made.set(key, value = make());
  return value;
}

/** Weights over a common denominator, or exponents as they are. */
function choicesOf(options: Parameters<DiscreteSource["choice"]>[0]): Choice[] {
  const exact = (value: ExactNumber): Rational =>
    typeof value === "number" ? rational(value) : value;
  if ("exponents" in options) {
    return options.exponents.map((exponent) => ({ exponent: exact(exponent) }));
  }
  const weights = options.weights.map(exact);
  if (weights.some(({ numerator }) => numerator < 0n)) {
    throw new RangeError("Cannot choose: weights must be at least 0");
  }
  const common = weights.reduce((product, { denominator }) => product * denominator, 1n);
  return weights.map(({ numerator, denominator }) => ({
    exponent: rational(0),
    multiplicity: numerator * (common / denominator),
  }));
}
