import type { Claim } from "../../core/claim.ts";
import { parameterOf } from "../../core/claim_curve.ts";
import { logAddExp } from "../../numeric/log_sum_exp.ts";
import { normalTailQuantile } from "../../numeric/normal_tail.ts";
import { logWealthOf } from "../betting/claim_bet.ts";
import type { LeafValues } from "../betting/leaf_law.ts";
import type { PredictionBatch } from "../betting/prediction_batch.ts";
import type { PredictedLeaves } from "../prediction/choose_guesses.ts";
import { deviationsAboveGoal, largestParameter } from "./bet_prospect.ts";
import { chooseBets, type SharedBet } from "./choose_bets.ts";
import type { FixedSampleBound } from "./fixed_sample_bound.ts";
import { parameterOfLaw } from "./law_parameter.ts";
import { lawOf, type PredictedShares, predictedShares } from "./predicted_law.ts";

/** The goal is raised by so many nats, more than the arithmetic of the wealth can be wrong. */
const MARGIN = 1e-6;
/** The bound is made smaller by this share, more than its arithmetic can be wrong. */
const DOWNWARDS = 1 - 1e-12;
/** Steps in which the smallest multiple of the predicted log odds is found that is refuted, and the largest one tried. */
const SCALE_STEPS = 40, LARGEST_SCALE = 1 << 10;

/**
 * The test at the end of the budget of claims other than pure ones: bets that are fixed before its draws.
 *
 * A partition is fixed, and for each of its leaves and labels the factor of a draw ({@linkcode chooseBets}). The counts
 * of the leaves are all that the test needs of the draws. The wealth against a parameter falls as the parameter rises, so the
 * bound is where it crosses 1/α. The wealth is an e-process: it may be read at any time, so nothing depends on when
 * the test ends, and a program that stalls costs power alone.
 */
export class BetBound implements FixedSampleBound {
  readonly #claim: Claim;
  readonly #nats: number;
  readonly #leaves: Int32Array;
  readonly #predicted: PredictedShares;
  readonly #bets: readonly SharedBet[];
  readonly #counts: LeafValues;
  #draws = 0;
  /** Draws whose outputs satisfy an excepted event. */
  #inNoLeaf = 0;
  #bound: number | undefined;
  readonly mostDraws: number = Infinity;

  /** Chooses bets by the counts so far, for a test of about `draws` draws. */
  constructor(
    learned: PredictedLeaves,
    { claim, alpha, draws }: { claim: Claim; alpha: number; draws: number },
  ) {
    this.#claim = claim;
    this.#nats = Math.log(1 / alpha) + MARGIN;
    this.#leaves = learned.leaves;
    this.#predicted = predictedShares(learned);
    this.#bets = chooseBets(this.#predicted, {
      claim,
      draws: Math.max(1, draws),
      nats: this.#nats,
    });
    const none = new Float64Array(learned.leaves.length + 1);
    this.#counts = { left: none, right: none.slice() };
  }

  /** Counts the draws of a batch, in the same partition, and those that are in no leaf. */
  add({ counts, draws }: Pick<PredictionBatch, "counts" | "draws">): void {
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
   * Logarithm of the wealth against a parameter: of the bets' average, by their shares. Draws in no leaf are not known by their
   * label: each is taken to have the one with the smaller factor.
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
            Math.min(logWealthOf(bet, onLeft, parameter), logWealthOf(bet, onRight, parameter)),
        ),
      -Infinity,
    );
  }

  /** Whether the wealth against the claim is 1/α or more. */
  refutes(): boolean {
    return this.logWealthAgainst(parameterOf(this.#claim).value) >= this.#nats;
  }

  /** The lower bound on the claim's parameter, at confidence 1 − α, rounded down; 0 if nothing is shown. */
  lowerBound(): number {
    return this.#bound ??= DOWNWARDS * largestParameter(
      (parameter) => this.logWealthAgainst(parameter) >= this.#nats,
      parameterOf(this.#claim).value,
    );
  }

  /**
   * The parameter of the law that as many draws refute with this power, among those with the predicted shares of draws in the
   * leaves, and with log odds in proportion to the predicted ones; infinite if there is none.
   */
  detectable(power: number): number | null {
    if (this.#draws === 0) return null;
    const { value } = parameterOf(this.#claim);
    const deviations = normalTailQuantile(1 - power);
    const isSeen = (scale: number): boolean => {
      const law = lawOf(this.#predicted, scale);
      return this.#bets.some(({ bet, share }) =>
        deviationsAboveGoal(bet, {
          law,
          parameter: value,
          draws: this.#draws,
          nats: this.#nats - Math.log(share),
        }) >= deviations
      );
    };
    let low = 0, high = LARGEST_SCALE;
    if (!isSeen(high)) return Infinity;
    for (let step = 0; step < SCALE_STEPS; step++) {
      const middle = low === 0 ? high / 2 : Math.sqrt(low * high);
      if (isSeen(middle)) high = middle;
      else low = middle;
    }
    return parameterOfLaw(lawOf(this.#predicted, high), this.#claim);
  }
}
