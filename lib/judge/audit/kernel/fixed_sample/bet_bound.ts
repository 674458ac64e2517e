import type { Claim } from "../../../../core/claims/claim.ts";
import { parameterOf } from "../../../../core/claims/claim_curve.ts";
import { logAddExp } from "../../../../core/numeric/log_sum_exp.ts";
import { logSmallestWealthOf, logWealthOf, type SharedBet } from "../betting/claim_bet.ts";
import { largestParameter } from "../betting/largest_parameter.ts";
import type { LeafValues } from "../betting/leaf_law.ts";
import type { PredictionBatch } from "../betting/prediction_batch.ts";
import type { FixedSampleBound } from "./fixed_sample_bound.ts";

/** Nats by which the goal is raised: more than the rounding errors of the wealth. */
const ROUNDING_MARGIN = 1e-6;
/** The bound is multiplied by this, which lowers it by more than its rounding errors. */
const DOWNWARDS = 1 - 1e-12;
/** By how much the sum of the shares of the stake may exceed 1, from rounding. */
const ROUNDING = 1e-12;

/** Returns the logarithm of the wealth that refutes at level α, in nats. */
export function natsToRefute(alpha: number): number {
  return Math.log(1 / alpha) + ROUNDING_MARGIN;
}

/**
 * The test at the end of the budget of claims other than pure ones: bets that are fixed before its draws.
 *
 * A partition is fixed, and for each of its leaves and labels the factor of a draw. The counts
 * of the leaves are all that the test needs of the draws. The wealth against a parameter falls as the parameter rises, so the
 * bound is where it crosses 1/α. The wealth is an e-process: it may be read at any time, so nothing depends on when
 * the test ends, and a program that stalls costs power alone.
 */
export class BetBound implements FixedSampleBound {
  readonly #claim: Claim;
  readonly #nats: number;
  readonly #leaves: Int32Array;
  readonly #bets: readonly SharedBet[];
  readonly #counts: LeafValues;
  #draws = 0;
  /** Draws whose outputs satisfy an excepted event. */
  #inNoLeaf = 0;
  /** Draws whose outputs did not come. */
  #lost = { left: 0, right: 0 };
  #bound: number | undefined;
  readonly mostDraws: number = Infinity;

  /**
   * Begins with bets that are fixed already: their cells are the leaves in this order, and a last one for draws in no leaf.
   *
   * @throws {RangeError} when their shares are negative or add up to more than 1.
   */
  constructor(
    leaves: Int32Array,
    { bets, claim, alpha }: {
      readonly bets: readonly SharedBet[];
      readonly claim: Claim;
      readonly alpha: number;
    },
  ) {
    requireShares(bets);
    this.#claim = claim;
    this.#nats = natsToRefute(alpha);
    this.#leaves = leaves;
    this.#bets = bets;
    const none = new Float64Array(leaves.length + 1);
    this.#counts = { left: none, right: none.slice() };
  }

  /** Draws counted that are in a leaf. */
  get draws(): number {
    return this.#draws;
  }

  /** Counts the draws of a batch, in the same partition, and those that are in no leaf. */
  add({ counts, draws, lost }: Pick<PredictionBatch, "counts" | "draws" | "lost">): void {
    if (lost !== undefined) {
      this.#lost = { left: this.#lost.left + lost.left, right: this.#lost.right + lost.right };
    }
    let inLeaves = 0;
    this.#leaves.forEach((leaf, i) => {
      this.#counts.left[i]! += counts[2 * leaf]!;
      this.#counts.right[i]! += counts[2 * leaf + 1]!;
      inLeaves += counts[2 * leaf]! + counts[2 * leaf + 1]!;
    });
    this.#draws += inLeaves;
    this.#inNoLeaf += draws - inLeaves;
    this.#bound = undefined;
  }

  /**
   * Returns the logarithm of the wealth against a parameter: of the bets' average, by their shares. Draws in no leaf are not known by their
   * label: each is taken to have the one with the smaller factor. Lost draws have the smallest factor of their label.
   */
  logWealthAgainst(parameter: number): number {
    const { left, right } = this.#counts, last = left.length - 1;
    const onLeft = { left: left.slice(), right }, onRight = { left, right: right.slice() };
    onLeft.left[last] = onRight.right[last] = this.#inNoLeaf;
    return this.#bets.reduce(
      (log, { bet, share }) =>
        logAddExp(
          log,
          Math.log(share) +
            Math.min(logWealthOf(bet, onLeft, parameter), logWealthOf(bet, onRight, parameter)) +
            logSmallestWealthOf(bet, this.#lost, parameter),
        ),
      -Infinity,
    );
  }

  /** Returns true if the wealth against the claim is 1/α or more. */
  refutes(): boolean {
    return this.logWealthAgainst(parameterOf(this.#claim).value) >= this.#nats;
  }

  /** Returns the lower bound on the claim's parameter, at confidence 1 − α, rounded down; 0 if nothing is shown. */
  lowerBound(): number {
    return this.#bound ??= DOWNWARDS * largestParameter(
      (parameter) => this.logWealthAgainst(parameter) >= this.#nats,
      parameterOf(this.#claim).value,
    );
  }
}

/** Requires shares of bets: the average of e-processes is one if their shares are not negative and add up to at most 1. */
function requireShares(bets: readonly SharedBet[]): void {
  const sum = bets.reduce((total, { share }) => total + share, 0);
  if (!bets.every(({ share }) => share >= 0) || !(sum <= 1 + ROUNDING)) {
    throw new RangeError(
      `Cannot begin a test: shares of the stake must not be negative and add up to at most 1: current value is ${sum}`,
    );
  }
}
