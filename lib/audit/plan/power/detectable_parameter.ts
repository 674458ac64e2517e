import { type Claim, deltaAt } from "../../../core/claim.ts";
import { parameterOf, pointsOf, scaledClaim } from "../../../core/claim_curve.ts";
import { normalTailQuantile } from "../../../numeric/normal_tail.ts";
import { betApproximate, chooseCap } from "../../kernel/betting/bet_approximate.ts";
import { ONE_STANDARD_ERROR } from "../../kernel/betting/shares.ts";
import type { PredictedLeaves } from "../../kernel/betting/prediction_batch.ts";
import { chooseGuesses } from "../bet_choice/choose_guesses.ts";

/** The claim, level, draws and power of bets on a partition. */
export interface BetsMade {
  readonly claim: Claim;
  /** The level at which the bets refute. */
  readonly alpha: number;
  /** Draws on the pair, both sides together. */
  readonly draws: number;
  /** The probability with which the violation is to be refuted. */
  readonly power: number;
}

interface Point {
  readonly epsilon: number;
  readonly delta: number;
}

/** The ratio of each parameter that is tried to the one before, from the claimed one on, and the largest as a multiple of it. */
const RATIO = 1.01, LARGEST = 1e4;
/**
 * Nats that the engine loses against a bettor that knows the odds from the first draw on: its stake is shared among bettors,
 * and odds are learned. The second number is for each factor of e in the number of draws. Measured: see
 * tests/mirror/audit/plan/power/detectable_parameter_test.ts, in which violations of this size are refuted as often as is said
 * here.
 */
const LOST_NATS = { atFirst: 4, perLogDraw: 0.5 };
/** Cumulative events that are compared. */
const MOST_EVENTS = 64;

/**
 * The smallest parameter (ε, ρ or μ) above the claimed one with which the bets would have refuted the claim with the given
 * power, by as many draws on a pair with the same event: the event that comes closest to the claim in the leaves learned, with
 * its probability averaged over both datasets kept, and its two probabilities as far apart as a claim with that parameter
 * allows. Infinite if there is none, `null` without draws.
 *
 * The growth of the bets is that of the best stake, the deviation of their sum is taken to be normal. So the figure is an
 * estimate: it says what a run was able to see, and never refutes a claim.
 */
export function detectableParameter(
  learned: PredictedLeaves,
  { claim, alpha, draws, power }: BetsMade,
): number | null {
  if (draws === 0) return null;
  const { value } = parameterOf(claim);
  const nats = natsOfBets({ alpha, draws });
  const deviations = normalTailQuantile(1 - power);
  const claimed = pointsOf(claim);
  const mass = claim.kind === "pure"
    ? massOfGuesses(learned, { alpha, draws })
    : massOfEvent(learned, { claim, claimed, draws });
  const isSeen = (parameter: number): boolean => {
    // Guesses are made in both directions at once, so that all draws may be guesses; an event has one direction.
    const rate = claim.kind === "pure"
      ? 1 / (1 + Math.exp(-parameter))
      : favouredShare(pointsWith(claim, parameter, claimed), mass);
    return claimed.some((point) => {
      const { mean, variance } = growthOfBet(point, { rate, mass });
      return draws * mean - deviations * Math.sqrt(draws * variance) >= nats;
    });
  };
  if (!isSeen(LARGEST * value)) return Infinity;
  // More is seen of a larger violation: the smallest one seen is found by halving.
  let low = 0, high = Math.ceil(Math.log(LARGEST) / Math.log(RATIO));
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isSeen(value * RATIO ** middle)) high = middle;
    else low = middle;
  }
  return value * RATIO ** high;
}

/** What the best stake must win for the engine to refute, in nats: it has to share its stake, and to learn the odds. */
export function natsOfBets({ alpha, draws }: Pick<BetsMade, "alpha" | "draws">): number {
  return Math.log(1 / alpha) + LOST_NATS.atFirst + LOST_NATS.perLogDraw * Math.log(draws);
}

/** The share of draws in the leaves in which a test of a pure claim would guess. */
function massOfGuesses(
  learned: PredictedLeaves,
  horizon: { readonly alpha: number; readonly draws: number },
): number {
  const { guess } = chooseGuesses(learned, horizon);
  let chosen = 0, all = 0;
  for (const leaf of learned.leaves) {
    const count = learned.counts[2 * leaf]! + learned.counts[2 * leaf + 1]!;
    all += count;
    if (guess[leaf]! >= 0) chosen += count;
  }
  return all === 0 ? 1 : chosen / all;
}

/** The share of draws in the event that comes closest to the claim, in either direction. */
function massOfEvent(
  { leaves, counts, logOdds }: PredictedLeaves,
  { claim, claimed, draws }: {
    readonly claim: Claim;
    readonly claimed: readonly Point[];
    readonly draws: number;
  },
): number {
  const shrunk = logOdds[ONE_STANDARD_ERROR]!;
  const countOf = (leaf: number): number => counts[2 * leaf]! + counts[2 * leaf + 1]!;
  const all = leaves.reduce((sum, leaf) => sum + countOf(leaf), 0);
  if (all === 0) return 1;
  const { value } = parameterOf(claim);
  const families = Array.from({ length: 2 * FAMILY_STEPS + 1 }, (_, k) => {
    const parameter = value * FAMILY_RATIO ** (k - FAMILY_STEPS);
    return pointsWith(claim, parameter, claimed);
  });
  let mass = 1, closest = -1;
  for (const sign of [1, -1]) {
    const order = leaves.toSorted((a, b) => sign * (shrunk[b]! - shrunk[a]!));
    const every = Math.max(1, Math.ceil(order.length / MOST_EVENTS));
    let favoured = 0, other = 0;
    order.forEach((leaf, k) => {
      const r = 1 / (1 + Math.exp(-sign * shrunk[leaf]!));
      favoured += countOf(leaf) * r / all;
      other += countOf(leaf) * (1 - r) / all;
      if (k % every !== every - 1 && k !== order.length - 1) return;
      // Rates on either side are twice the shares of all draws; one standard error in favour of the claim.
      const error = (share: number): number => 2 * Math.sqrt((share + 1 / draws) / draws);
      const p = Math.min(1, 2 * favoured - error(favoured)), q = 2 * other + error(other);
      const needed = families.findIndex((points) => isAllowed(points, { p, q }));
      const reached = needed < 0 ? families.length : needed;
      if (reached > closest) {
        closest = reached;
        mass = favoured + other;
      }
    });
  }
  return mass;
}

/** The parameters by which events are compared: their ratio, and how many lie on either side of the claimed one. */
const FAMILY_RATIO = 1.15, FAMILY_STEPS = 20;

/** The ε of a curve at which events are compared, as multiples of those at which the claim is tested. */
const EPSILON_MULTIPLES = [1, 2, 4];

/** Points of the claim with another parameter. To find those at which it would be tested takes long for some curves. */
function pointsWith(claim: Claim, parameter: number, claimed: readonly Point[]): Point[] {
  const scaled = scaledClaim(claim, parameter);
  if (claim.kind === "pure" || claim.kind === "approximate") return pointsOf(scaled);
  return claimed.flatMap(({ epsilon: own }) =>
    EPSILON_MULTIPLES.map((times) => {
      const epsilon = times * own;
      return { epsilon, delta: deltaAt(scaled, epsilon) };
    })
  );
}

function isAllowed(points: readonly Point[], { p, q }: { p: number; q: number }): boolean {
  return points.every(({ epsilon, delta }) => p <= Math.exp(epsilon) * q + delta);
}

/** The largest share of the favoured dataset in an event of this mass, averaged over both datasets, that points allow. */
function favouredShare(points: readonly Point[], mass: number): number {
  const most = Math.min(
    ...points.map(({ epsilon, delta }) => {
      const odds = Math.exp(epsilon);
      return odds === Infinity ? 2 * mass : (2 * mass * odds + delta) / (1 + odds);
    }),
  );
  // Neither probability is above 1.
  return Math.min(2 * mass, 1, most) / (2 * mass);
}

/** Mean and variance of the logarithm by which a draw multiplies the wealth of the best bet on an event. */
export function growthOfBet(
  point: Point,
  { rate, mass }: { readonly rate: number; readonly mass: number },
): { mean: number; variance: number } {
  const cell = { probability: Float64Array.of(rate), mass: Float64Array.of(mass) };
  const bet = { ...point, cap: chooseCap(point, cell) };
  const logOf = (favoured: number, other: number): number =>
    betApproximate(bet, {
      probability: cell.probability,
      favoured: Float64Array.of(favoured),
      other: Float64Array.of(other),
      draws: 1,
    });
  const outcomes = [
    { chance: mass * rate, log: logOf(1, 0) },
    { chance: mass * (1 - rate), log: logOf(0, 1) },
    { chance: 1 - mass, log: logOf(0, 0) },
  ].filter(({ chance }) => chance > 0);
  const mean = outcomes.reduce((sum, { chance, log }) => sum + chance * log, 0);
  const variance = outcomes.reduce((sum, { chance, log }) => sum + chance * (log - mean) ** 2, 0);
  return { mean, variance };
}
