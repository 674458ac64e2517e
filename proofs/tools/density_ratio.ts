import { requireInteger } from "../../lib/core/numeric/require.ts";
import { floatNormal } from "../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";

/** Two neighbouring datasets. */
export interface Sides<Data> {
  /** The one. */
  readonly left: Data;
  /** The other. */
  readonly right: Data;
}

/** The largest log-ratio of densities that was found, and where. */
interface WorstRatio<Data> extends Sides<Data> {
  /** |ln p(output | left) − ln p(output | right)|, in nats: a lower bound on the privacy loss. */
  readonly loss: number;
  /** Where the two densities differ that much. */
  readonly output: Float64Array;
}

/** What a search looks through. */
interface RatioSearch<Data> {
  /** Neighbours to start from. */
  readonly pairs: Iterable<Sides<Data>>;
  /** ln of the density of an output on a dataset, up to a constant shared by all datasets. */
  readonly logDensity: (output: Float64Array, data: Data) => number;
  /** Numbers in an output. */
  readonly dimension: number;
  /** Random outputs that each pair is started from, on scales from 0.01 to 100. */
  readonly starts: number;
  /** Outputs to start from as well: the places that theory names. */
  readonly outputs?: readonly Float64Array[];
  /** Of the random outputs. */
  readonly seed: number;
}

/**
 * Searches pairs of neighbours and outputs for the largest log-ratio of densities: from random outputs
 * on all scales, each improved by a pattern search along the axes. What it finds is a lower bound on
 * ε, with a witness; that nothing was found above a claim is evidence, and a proof only together with
 * a certificate such as `certifiedMaximum`.
 *
 * @throws {RangeError} unless dimension and starts are positive integers.
 *
 * @example
 * ```ts
 * import { largestLogRatio } from "./density_ratio.ts";
 * largestLogRatio({
 *   pairs: [{ left: 0, right: 1 }],
 *   logDensity: ([y], mean: number) => -Math.abs(y! - mean),
 *   dimension: 1,
 *   starts: 4,
 *   seed: 1,
 * }).loss; // 1: Laplace noise of scale 1
 * ```
 */
export function largestLogRatio<Data>(
  { pairs, logDensity, dimension, starts, outputs = [], seed }: RatioSearch<Data>,
): WorstRatio<Data> {
  requireInteger("search densities", "dimension", dimension, { min: 1 });
  requireInteger("search densities", "starts", starts, { min: 1 });
  const source = new SeededSource(seed).split("outputs");
  let worst: WorstRatio<Data> | undefined;
  for (const { left, right } of pairs) {
    const ratio = (output: Float64Array): number => {
      const p = logDensity(output, left), q = logDensity(output, right);
      // Where neither side can be there is nothing to compare.
      return p === q ? 0 : Math.abs(p - q);
    };
    for (let start = -outputs.length; start < starts; start++) {
      const scale = start < 0 ? 1 : 10 ** (4 * source.uniform() - 2);
      const output = start < 0
        ? outputs[start + outputs.length]!.slice()
        : floatNormal(source, new Float64Array(dimension), { scale });
      const loss = climb(output, { ratio, scale });
      if (worst === undefined || loss > worst.loss) worst = { loss, left, right, output };
    }
  }
  if (worst === undefined) throw new RangeError("Cannot search densities: pairs must not be empty");
  return worst;
}

/** Moves `output` along the axes, by ever smaller steps, while the ratio rises. */
function climb(
  output: Float64Array,
  { ratio, scale }: { ratio: (output: Float64Array) => number; scale: number },
): number {
  let best = ratio(output);
  if (!(best < Infinity)) return best;
  for (let step = scale; step > 1e-4 * scale; step /= 2) {
    for (let improved = true, rounds = 0; improved && rounds < 20; rounds++) {
      improved = false;
      for (let move = 0; move < 2 * output.length; move++) {
        const j = move >> 1, from = output[j]!;
        output[j] = move % 2 === 0 ? from + step : from - step;
        const here = ratio(output);
        if (here > best) [best, improved] = [here, true];
        else output[j] = from;
      }
    }
  }
  return best;
}
