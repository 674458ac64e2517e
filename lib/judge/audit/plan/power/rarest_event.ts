import { pointsOf } from "../../../../core/claims/claim_curve.ts";
import { logBinomialTail } from "../../../../core/numeric/binomial_tail.ts";
import { normalTailQuantile } from "../../../../core/numeric/normal_tail.ts";
import { logWealthOfNextCell } from "../../kernel/betting/rare_wealth.ts";
import { RARE_SHARE } from "../../kernel/betting/shares.ts";
import { growthOfBet, natsOfBets, type TestsMade } from "./detectable_parameter.ts";

/** Draws of an event that are lost before its cell is known, or to other cells: texts that never repeat have several lengths. */
const BEFORE_KNOWN = 12;
/** Batches that go by before a cell that is known is bet on. */
const BATCHES_BEFORE = 2;
/** The draws that a tree is grown on, where there are as many, and those of an event from which it has a leaf. */
const GROWN_ON = 1 << 15, DRAWS_OF_A_LEAF = 20;
/**
 * How many times likelier an event must be that is refuted in a leaf than for the best stake on it from the first draw on: the
 * leaf has to be found first. Measured on events of several kinds (tests/quality/rare_events_test.ts).
 */
const TIMES_LEARNED = 2;
/** Steps in which the least probability is found, each halving the interval of its logarithm. */
const STEPS = 50;

/**
 * Returns the least probability of an event on one of the two datasets, never to be seen on the other, that the bets refute with the
 * given power; 1 if none is. Where draws are few, the event is in a leaf of the partition. Where they are many, it may be so
 * rare that it first comes when no partition is grown any more: bets on rare cells then refute it.
 */
export function rarestRefuted(
  run: TestsMade & {
    /** Draws since cells may be rare. */
    readonly rareDraws: number;
    /** Draws of the largest batch. */
    readonly batch: number;
    /** Cells of each family that were bet on. */
    readonly begun: readonly number[];
    /** The share of the draws above which a cell is rare no more. */
    readonly rareUpTo: number;
  },
): number {
  const { draws } = run.bets;
  if (draws === 0) return 1;
  const leaf = leastSeen(draws, leafIsSeen(run));
  // What is too likely for a rare cell must be refuted by its leaf. Half of the draws are on the dataset that has it.
  const rare = leaf <= 2 * run.rareUpTo ? leastSeen(draws, rareIsSeen(run)) : 1;
  const fewest = 2 * DRAWS_OF_A_LEAF / Math.min(draws, GROWN_ON);
  return Math.min(rare, Math.max(fewest, TIMES_LEARNED * leaf), 1);
}

/** Returns true if an event of this probability is refuted by bets on its cell. */
function rareIsSeen(
  { claim, bets, rareDraws: draws, batch, begun, power }: Parameters<typeof rarestRefuted>[0],
): (probability: number) => boolean {
  const points = pointsOf(claim), nats = Math.log(1 / (bets.alpha * RARE_SHARE));
  const refutes = (hits: number): boolean =>
    logWealthOfNextCell(hits, { begun, points, draws }) >= nats;
  // No event has more draws than one side.
  let few = 0, enough = Math.floor(draws / 2);
  if (!refutes(enough)) return () => false;
  while (enough - few > 1) {
    const middle = (few + enough) >> 1;
    if (refutes(middle)) enough = middle;
    else few = middle;
  }
  const trials = Math.floor(draws - BATCHES_BEFORE * batch), needed = enough + BEFORE_KNOWN;
  return (probability) =>
    trials >= needed && logBinomialTail(needed, trials, probability / 2) >= Math.log(power);
}

/** Returns true if an event of this probability is refuted by bets on a leaf for it alone. */
function leafIsSeen({ claim, bets, power }: TestsMade): (probability: number) => boolean {
  const { draws } = bets, nats = natsOfBets(bets), deviations = normalTailQuantile(1 - power);
  const points = pointsOf(claim);
  return (probability) =>
    points.some((point) => {
      const { mean, variance } = growthOfBet(point, { rate: 1, mass: probability / 2 });
      return draws * mean - deviations * Math.sqrt(draws * variance) >= nats;
    });
}

/** Returns the least probability at which something is seen that is seen at every larger one; 1 if it is seen at none. */
function leastSeen(draws: number, isSeen: (probability: number) => boolean): number {
  if (!isSeen(1)) return 1;
  let low = Math.log(1 / draws), high = 0;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (isSeen(Math.exp(middle))) high = middle;
    else low = middle;
  }
  return Math.exp(high);
}
