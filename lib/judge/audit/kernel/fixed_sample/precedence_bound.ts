import type { Claim } from "../../../../core/claims/claim.ts";
import { parameterOf, scaledClaim } from "../../../../core/claims/claim_curve.ts";
import type { Source } from "../../../../core/mechanism/source.ts";
import type { PredictionBatch } from "../betting/prediction_batch.ts";
import type { FixedSampleBound } from "./fixed_sample_bound.ts";
import { precedenceLowerBound, type Scores } from "./precedence.ts";

/** The grid of parameters: the ratio of each value to the one before, and how many lie on either side of the claimed one. */
const RATIO = 1.05, VALUES_EITHER_SIDE = 40;
/** Draws of the calibration: at least `fewest`, and at least `perAlpha`/α, so that its least p-value is a tenth of α. */
const REPLICATES = { fewest: 1999, perAlpha: 20 };

/**
 * The precedence test at the end of recorded samples, for claims of every kind: outputs are scored by the log odds learned
 * from earlier outputs, and the ranks of the scores are compared with those that the claim allows. It shows nothing before it
 * has counted all of its draws.
 */
export class PrecedenceBound implements FixedSampleBound {
  readonly #claim: Claim;
  readonly #alpha: number;
  readonly #source: Source;
  readonly #logOdds: Float64Array;
  readonly #counts: Float64Array;
  /** Draws that are still to be counted. */
  #left: number;
  #bound: number | undefined;

  /** Scores `draws` outputs by these log odds at the nodes of a partition that is fixed already. */
  constructor(
    logOdds: Float64Array,
    { claim, alpha, draws, source }: {
      claim: Claim;
      alpha: number;
      draws: number;
      source: Source;
    },
  ) {
    this.#claim = claim;
    this.#alpha = alpha;
    this.#source = source;
    this.#left = Math.max(1, Math.floor(draws));
    this.#logOdds = logOdds.slice();
    this.#counts = new Float64Array(2 * this.#logOdds.length);
  }

  /** The draws that are left. */
  get mostDraws(): number {
    return this.#left <= 0 ? Infinity : this.#left;
  }

  /** Counts a batch of no more draws than are left. */
  add({ counts, leaves, draws }: PredictionBatch): void {
    if (this.#left <= 0) return;
    this.#left -= draws;
    for (const leaf of leaves) {
      this.#counts[2 * leaf]! += counts[2 * leaf]!;
      this.#counts[2 * leaf + 1]! += counts[2 * leaf + 1]!;
    }
  }

  /** Returns true if the bound reaches the claim. */
  refutes(): boolean {
    return this.lowerBound() >= parameterOf(this.#claim).value;
  }

  /** Returns the largest parameter of a grid, the claimed one among them, refuted together with all smaller ones. */
  lowerBound(): number {
    if (this.#left !== 0) return 0;
    this.#bound ??= this.#boundOf(this.#scores());
    return this.#bound;
  }

  #boundOf(scores: Scores | undefined): number {
    if (scores === undefined) return 0;
    const { value } = parameterOf(this.#claim);
    return precedenceLowerBound(scores, {
      family: (parameter) => scaledClaim(this.#claim, parameter),
      alpha: this.#alpha,
      source: this.#source,
      replicates: Math.max(REPLICATES.fewest, Math.ceil(REPLICATES.perAlpha / this.#alpha)),
      grid: Array.from(
        { length: 2 * VALUES_EITHER_SIDE + 1 },
        (_, k) => k === VALUES_EITHER_SIDE ? value : value * RATIO ** (k - VALUES_EITHER_SIDE),
      ),
    });
  }

  /** Returns the score of each output: minus the log odds of its leaf. The test orders equal ones at random. */
  #scores(): Scores | undefined {
    const side = (label: 0 | 1): Float64Array => {
      const scores: number[] = [];
      this.#logOdds.forEach((odds, leaf) => {
        const count = this.#counts[2 * leaf + label]!;
        for (let k = 0; k < count; k++) scores.push(-odds);
      });
      return Float64Array.from(scores);
    };
    const scores = { left: side(0), right: side(1) };
    return scores.left.length > 0 && scores.right.length > 0 ? scores : undefined;
  }
}
