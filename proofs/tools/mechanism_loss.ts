import type { Dataset } from "../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import { requireInteger } from "../../lib/core/numeric/require.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { largestLogRatio, type Sides } from "./density_ratio.ts";

/** The largest privacy loss of a mechanism that was found, and where. */
interface WorstLoss<Row, Output> extends Sides<Dataset<Row>> {
  /** |ln P(output | left) − ln P(output | right)|, in nats. */
  readonly loss: number;
  /** The output that tells the two apart. */
  readonly output: Output;
}

/** What a search looks through. */
interface LossSearch<Row, Output> {
  /** Neighbours: from `cornerPairs`, from the fast-check arbitraries of `lib/judge/testing`, or by hand. */
  readonly pairs: Iterable<Sides<Dataset<Row>>>;
  /** Outputs drawn from either side of a pair, where there are too many to look at all; 20. */
  readonly draws?: number;
  /** Outputs to look at as well. */
  readonly outputs?: readonly Output[];
  /** Of the draws. */
  readonly seed: number;
}

/** Where nothing was drawn, densities below e^−40 count as that: sums leave out what is rarer. */
const LEAST_LOG = -40;

/**
 * Searches neighbours and outputs for the largest loss of a mechanism whose law is known: all outputs
 * of a finite law (`distribution`); else, by `logDensity`, those that are drawn on either side, of
 * which outputs that are numbers are improved by a pattern search (`largestLogRatio`). Exact on the
 * pairs for finite laws; otherwise a lower bound on ε with its witness.
 *
 * @throws {RangeError} when pairs are empty, draws are not positive or no law is known.
 *
 * @example
 * ```ts
 * import { replaceOne } from "../../lib/core/relations/relation.ts";
 * import { pure } from "../../lib/core/claims/claim.ts";
 * import { largestMechanismLoss } from "./mechanism_loss.ts";
 * const coin = {
 *   name: "coin",
 *   claim: pure({ epsilon: 1, relation: replaceOne }),
 *   sample: () => true,
 *   distribution: ([row]: readonly boolean[]) =>
 *     [true, false].map((output) => ({ output, probability: output === row ? 0.75 : 0.25 })),
 * };
 * largestMechanismLoss(coin, { pairs: [{ left: [true], right: [false] }], seed: 1 }).loss; // ln 3
 * ```
 */
export function largestMechanismLoss<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  { pairs, draws = 20, outputs = [], seed }: LossSearch<Row, Output>,
): WorstLoss<Row, Output> {
  requireInteger("search a mechanism", "draws", draws, { min: 1 });
  const source = new SeededSource(seed).split(mechanism.name);
  let worst: WorstLoss<Row, Output> | undefined;
  for (const sides of pairs) {
    for (const found of lossesOf(mechanism, { sides, draws, outputs, source, seed })) {
      if (worst === undefined || found.loss > worst.loss) worst = { ...sides, ...found };
    }
  }
  if (worst === undefined) {
    throw new RangeError("Cannot search a mechanism: pairs must not be empty");
  }
  return worst;
}

/** The losses at all outputs that are looked at. */
function* lossesOf<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  { sides: { left, right }, draws, outputs, source, seed }:
    & Required<Omit<LossSearch<Row, Output>, "pairs">>
    & { readonly sides: Sides<Dataset<Row>>; readonly source: SeededSource },
): Generator<{ loss: number; output: Output }> {
  if (mechanism.distribution !== undefined) {
    const others = mechanism.distribution(right);
    for (const [i, { output, probability }] of mechanism.distribution(left).entries()) {
      const other = others[i]!.probability;
      // Both zero only by underflow: nothing to compare.
      yield { output, loss: probability === other ? 0 : Math.abs(Math.log(probability / other)) };
    }
    return;
  }
  if (mechanism.logDensity === undefined) {
    throw new RangeError("Cannot search a mechanism: distribution or logDensity must be known");
  }
  const logDensity = (output: Output, data: Dataset<Row>): number =>
    mechanism.logDensity!(output, data);
  const tried = [...outputs];
  for (let i = 0; i < draws; i++) {
    tried.push(mechanism.sample(left, source), mechanism.sample(right, source));
  }
  for (const output of tried) {
    const p = logDensity(output, left), q = logDensity(output, right);
    yield { output, loss: p === q ? 0 : Math.abs(p - q) };
  }
  const numbers = tried.map((output) => [output].flat() as unknown[]);
  if (!numbers.every((output) => output.every((value) => typeof value === "number"))) return;
  const single = !tried.some(Array.isArray);
  const shaped = (values: Float64Array): Output =>
    (single ? values[0] : Array.from(values)) as Output;
  const { loss, output } = largestLogRatio({
    pairs: [{ left, right }],
    logDensity: (values, data) => Math.max(LEAST_LOG, logDensity(shaped(values), data)),
    dimension: numbers[0]!.length,
    starts: 2,
    outputs: numbers.slice(0, 4).map((values) => Float64Array.from(values as number[])),
    seed,
  });
  yield { output: shaped(output), loss };
}
