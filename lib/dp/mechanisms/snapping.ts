import { requireKnown } from "../../core/text/known_options.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Relation } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { requireFields, requirePositive } from "../../core/numeric/require.ts";
import { evaluatedOnce } from "./evaluated_once.ts";
import { computedSensitivity } from "./grid.ts";

/** Options of the snapping mechanism. */
export interface SnappingOptions<Row> {
  /** The number to release. */
  readonly query: (data: Dataset<Row>) => number;
  /** The claim, in nats. */
  readonly epsilon: number;
  /** The most the query changes between neighbours. */
  readonly sensitivity: number;
  /** The most that the value as computed differs from the exact one: the noise pays for it. Default 0. */
  readonly queryError?: number | undefined;
  /** The value is brought into [−bound, bound], and so is the output. */
  readonly bound: number;
  /** When two datasets are neighbours. */
  readonly relation: Relation;
  /** The datasets for which the sensitivity holds. */
  readonly domain?: Domain;
}

/**
 * The snapping mechanism (Mironov 2012, Theorem 1): the value, divided by the sensitivity and brought
 * into the bounds, plus ±λ·ln U with U drawn over all doubles of (0, 1), each with the probability of
 * the reals it stands for; rounded to Λ, the least power of two that is at least λ; brought into the
 * bounds again. With λ = (1 + 2⁻⁴⁹·B)/ε (B the bound in sensitivities, λ < B < 2⁴⁶·λ) it is ε-DP.
 *
 * Mironov asks for a correctly rounded logarithm; the platform's is within one unit in the last place,
 * twice that error. The grid mechanisms ({@linkcode laplace}) rest on no such assumption and lose less
 * to rounding: this one is here to be compared with.
 *
 * @throws {RangeError} when a parameter is out of range, or at release the value is not finite.
 *
 * @example
 * ```ts
 * import { snapping } from "./snapping.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const mechanism = snapping<number>({
 *   query: (rows) => rows[0]!,
 *   epsilon: 0.5,
 *   sensitivity: 1,
 *   bound: 100,
 *   relation: replaceOne,
 * });
 * ```
 */
export function snapping<Row>(
  given: SnappingOptions<Row>,
): Mechanism<Row, number> {
  const { query, epsilon, bound, relation, domain, ...options } = requireFields("snapping", given, {
    query: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call snapping()", given, [
    "query",
    "epsilon",
    "sensitivity",
    "queryError",
    "bound",
    "relation",
    "domain",
  ]);
  const action = "make the snapping mechanism";
  const claim = pure({ epsilon, relation });
  const sensitivity = computedSensitivity(action, options);
  requirePositive(action, "bound", bound);
  const most = bound / sensitivity;
  const scale = snappingScale({ epsilon, most });
  if (!(scale < most && most < scale * 2 ** 46)) {
    throw new RangeError(
      `Cannot ${action}: bound must be between 1 and 2^46 noise scales: current value is ${bound}`,
    );
  }
  const step = 2 ** Math.ceil(Math.log2(scale));
  const within = (value: number): number => Math.min(most, Math.max(-most, value));
  const center = evaluatedOnce((data: Dataset<Row>): number => {
    const value = query(data);
    if (!Number.isFinite(value)) {
      throw new RangeError("Cannot release by snapping: the value must be a finite number");
    }
    return within(value / sensitivity);
  });
  const snap = (at: number, source: Source): number => {
    const noise = scale * Math.log(fullUniform(source));
    const noisy = source.uint32() >>> 31 === 1 ? at + noise : at - noise;
    return within(step * Math.round(noisy / step)) * sensitivity + 0;
  };
  // Cells of the rounding: from the lower bound's to the upper bound's.
  const last = Math.ceil(most / step);
  const outputOf = (cell: number): number => within(cell * step) * sensitivity;
  const chance = (cell: number, at: number): number => {
    const low = cell <= -last ? -Infinity : (cell - 0.5) * step - at;
    const high = cell >= last ? Infinity : (cell + 0.5) * step - at;
    return laplaceMass(low / scale, high / scale);
  };
  return {
    name: "snapping",
    claim,
    ...(domain === undefined ? {} : { domain }),
    width: 1,
    check: (data) => void center(data),
    sample: (data, source) => snap(center(data), source),
    sampleMany(data: Dataset<Row>, count: number, source: Source): Float64Array {
      const at = center(data);
      const out = new Float64Array(count);
      for (let i = 0; i < count; i++) out[i] = snap(at, source);
      return out;
    },
    distribution(data: Dataset<Row>): { output: number; probability: number }[] {
      const at = center(data);
      return Array.from({ length: 2 * last + 1 }, (_, i) => ({
        output: outputOf(i - last),
        probability: chance(i - last, at),
      }));
    },
  };
}

/**
 * Mironov's λ for a bound of `most` sensitivities, (1 + 2⁻⁴⁹·most)/ε, rounded up.
 *
 * @example
 * ```ts
 * import { snappingScale } from "./snapping.ts";
 * snappingScale({ epsilon: 0.5, most: 100 }); // 2, and a little more
 * ```
 */
export function snappingScale({ epsilon, most }: { epsilon: number; most: number }): number {
  return (1 + most * 2 ** -49) / epsilon * (1 + 2 ** -50);
}

/** A double of (0, 1) with the probability of the reals that round down to it: 52 bits of fraction. */
function fullUniform(source: Source): number {
  let exponent = -1;
  for (let word = source.uint32();; word = source.uint32()) {
    exponent -= Math.clz32(word);
    if (word !== 0) break;
  }
  const fraction = source.uint32() * 2 ** -32 + (source.uint32() >>> 12) * 2 ** -52;
  return (1 + fraction) * 2 ** exponent;
}

/** The mass of the standard Laplace law between two points. */
function laplaceMass(low: number, high: number): number {
  if (high <= 0) return 0.5 * Math.exp(high) * -Math.expm1(low - high);
  if (low >= 0) return 0.5 * Math.exp(-low) * -Math.expm1(low - high);
  return 1 - 0.5 * Math.exp(low) - 0.5 * Math.exp(-high);
}
