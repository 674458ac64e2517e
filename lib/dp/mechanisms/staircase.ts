import { requireKnown } from "../../core/text/known_options.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Relation } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { requireFields, requireInteger } from "../../core/numeric/require.ts";
import { divide, rational } from "../../core/numeric/rational.ts";
import { fairBit } from "../../core/random/exact_bernoulli.ts";
import { exactChoice } from "../../core/random/exact_choice.ts";
import { discreteLaplace } from "../../core/random/discrete_laplace.ts";
import type { IntegerNoise } from "../../core/random/integer_noise.ts";
import { randomInteger } from "../../core/random/random_integer.ts";
import { computedSensitivity, gridSensitivity, gridStep, NUMBER_OPTIONS } from "./grid.ts";
import { type GridMechanism, gridNumber } from "./grid_mechanism.ts";

/**
 * The staircase mechanism (Geng, Viswanath 2016) on a grid: noise whose probabilities fall by e^−ε
 * from one stair to the next, each as long as the sensitivity, of which the first `tread` steps keep
 * the level of the stair before. Of all ε-DP noise it has the least expected absolute value, with the
 * tread of {@linkcode staircaseTread}. Here the values are rounded to whole steps of `granularity`, the
 * sensitivity is ⌈sensitivity/granularity⌉ steps, and the noise is the discrete staircase (their
 * section on integer-valued queries), drawn exactly.
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { staircase } from "./staircase.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const mechanism = staircase<number>({
 *   query: (rows) => rows[0]!,
 *   epsilon: 2,
 *   sensitivity: 1,
 *   relation: replaceOne,
 * });
 * ```
 */
export function staircase<Row>(
  given: {
    readonly query: (data: Dataset<Row>) => number;
    readonly epsilon: number;
    readonly sensitivity: number;
    /** The most that the value as computed differs from the exact one; the noise pays for it. Default 0. */
    readonly queryError?: number | undefined;
    /** The step of the grid of outputs: a power of two. Default: small beside the sensitivity. */
    readonly granularity?: number | undefined;
    readonly relation: Relation;
    readonly domain?: Domain;
  },
): GridMechanism<Row, number> {
  const { query, epsilon, relation, domain, ...options } = requireFields("staircase", given, {
    query: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call staircase()", given, NUMBER_OPTIONS);
  const claim = pure({ epsilon, relation });
  const action = "make the staircase mechanism";
  const sensitivity = computedSensitivity(action, options);
  const granularity = gridStep(action, { ...options, sensitivity, scale: sensitivity });
  const steps = gridSensitivity(action, { sensitivity, granularity });
  requireInteger(action, "sensitivity in steps", steps, { max: 2 ** 30 });
  const tread = staircaseTread({ epsilon, steps });
  return gridNumber({
    name: "staircase",
    claim,
    grid: { granularity, sensitivityInSteps: steps, scaleInSteps: steps / epsilon },
    noise: staircaseNoise({ epsilon, steps, tread }),
    query,
    domain,
  });
}

/**
 * The length of the upper part of a stair, in 1 to `steps`, with the least expected absolute noise: the share
 * 1/(1 + e^(ε/2)) of them (Geng, Viswanath 2016, Theorem 4), rounded up. Any tread keeps ε.
 *
 * @example
 * ```ts
 * import { staircaseTread } from "./staircase.ts";
 * staircaseTread({ epsilon: 2, steps: 1000 }); // 269
 * ```
 */
export function staircaseTread(options: { epsilon: number; steps: number }): number {
  const { epsilon, steps } = requireFields("staircaseTread", options, {});
  requireKnown("call staircaseTread()", options, ["epsilon", "steps"]);
  // The exponential may overflow.
  return Math.max(1, Math.ceil(steps / (1 + Math.exp(epsilon / 2))));
}

/**
 * The discrete staircase law: a magnitude kΔ + w, 0 ≤ w < Δ, has probability ∝ q^k for w < r and
 * ∝ q^(k+1) from there on, with q = e^−ε, stairs of length Δ = `steps` and r = `tread`. Drawn exactly:
 * k is geometric, w is chosen between the two parts and uniform within, the sign is a coin.
 */
function staircaseNoise(
  { epsilon, steps, tread }: { epsilon: number; steps: number; tread: number },
): Pick<IntegerNoise, "fill" | "logProbability"> {
  const q = Math.exp(-epsilon);
  const stair = tread + (steps - tread) * q;
  // Both signs of every magnitude, and 0 once.
  const logTotal = Math.log(2 * stair / (1 - q) - 1);
  const rate = rational(epsilon);
  const symmetric = discreteLaplace({ scale: divide(rational(1), rate) });
  const part = exactChoice([
    { exponent: rational(0), multiplicity: BigInt(tread) },
    { exponent: rational(epsilon), multiplicity: BigInt(steps - tread) },
  ]);
  const one = new Float64Array(1);
  const draw = (source: Source): number => {
    // A discrete Laplace variable that is not negative is geometric.
    if (source.branch !== undefined) one[0] = source.branch({ kind: "geometric", rate });
    else do symmetric.fill(source, one); while (one[0]! < 0);
    const within = part(source) === 0
      ? randomInteger(source, { below: tread })
      : tread + randomInteger(source, { below: steps - tread });
    return one[0]! * steps + within;
  };
  return {
    fill(source: Source, out: Float64Array): Float64Array {
      for (let i = 0; i < out.length;) {
        const magnitude = draw(source);
        const negative = fairBit(source) === 1;
        if (!(negative && magnitude === 0)) out[i++] = negative ? -magnitude : magnitude;
      }
      return out;
    },
    logProbability: (value) =>
      -epsilon *
        (Math.floor(Math.abs(value) / steps) + (Math.abs(value) % steps < tread ? 0 : 1)) -
      logTotal,
  };
}
