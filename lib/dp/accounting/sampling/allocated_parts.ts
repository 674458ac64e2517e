import { requireFields, requireInteger, requireKind } from "../../../core/numeric/require.ts";
import type { LossLaw, PairMass, PrivacyLoss } from "../loss_distribution/privacy_loss.ts";
import type { LossPart } from "../loss_distribution/privacy_loss_distribution.ts";
import { pairSum } from "./pair_sum.ts";
import { type RatioSum, ratioSum, type SpreadSum } from "./ratio_sum.ts";

/** Allocation of rows to steps. */
export interface AllocationOptions {
  /** Number of steps. */
  readonly steps: number;
  /** Number of steps in which each row takes part. Default: 1. */
  readonly chosen?: number;
  /** Number of times that rows are allocated anew, as in epochs. Default: 1. */
  readonly count?: number;
}

/** Loss parts to compose for upper and lower bounds. */
export interface AllocatedParts {
  /** For upper bounds: `epsilonBounds(upper, { delta }).upper`. */
  readonly upper: readonly LossPart[];
  /** For lower bounds: `epsilonBounds(lower, { delta }).lower`. `undefined` for rows in more than eight of the steps. */
  readonly lower: readonly LossPart[] | undefined;
}

const ACTION = "allocate rows to steps";
/** The largest loss of a step, in nats: ratios stay within the range of doubles. */
const LARGEST_LOSS = 300;
/** In how many steps a row may be for lower bounds: products of so many ratios are kept apart. */
const MOST_CHOSEN = 8;
/** Size of a group, about, up to which two of its steps are taken together: points of larger ones would be too far apart. */
const LARGEST_PAIRED = 12;

/**
 * Returns the losses of steps of which each row takes part in one, or in `chosen`, that are drawn at random for each row by itself: batches of balls in bins (Chua, Ghazi, Harrison,
 * Kamath, Kumar, Leeman, Manurangsi, Sinha, Zhang 2024), random allocation (Feldman, Shenfeld 2025). For one row more or less, where `loss` is that of a step's own worst
 * pair: P with the row, Q without. Later steps may depend on the outputs of earlier ones.
 *
 * With the row in one random step of t the outputs have the density M = (X₁ + … + X_t)/t relative to those without it, where X_i is dP/dQ of step i
 * given all outputs before it. δ at ε is E_Q[(M − e^ε)⁺], or E_Q[(1 − e^ε·M)⁺] the other way round: expectations of convex functions. That the pair dominates a step says that X_i is, given
 * the past, at most the pair's own ratio in convex order; putting independent ones of these in place of X_t, …, X₁, one after the other, therefore only adds. Without
 * dependence and with steps that attain their pair δ is this, so that there are lower bounds too. The law of the sum is kept on a logarithmic grid, larger and smaller in convex order ({@linkcode RatioSum}).
 *
 * A row in k of t steps is in one step of each of k groups of ⌊t/k⌋ or ⌈t/k⌉ steps, for a random division into such groups, so that their composition is an upper bound (Feldman, Shenfeld 2025): δ is convex
 * in the pair. Where groups are small a row is in two steps of each of half as many, which is nearer to the truth: the mean of the products of two ratios is kept beside their sum ({@linkcode pairSum}). The lower bound is by
 * M itself, the mean of the products of any k ratios, which is linear in each: what about one point of a grid is merged has the mean of M there. The grid is that of the sum of the ratios, and where groups are small of their
 * square roots. Gaussian noise with σ = 1, 2 of 5 steps: δ at ε = 3 is between 0.00156 and 0.00184 (0.00180 by draws); σ = 2: between 2.8e-11 and 4.5e-11 (4.0e-11 by draws); σ = 1, 2 of 50 steps: between
 * 2.4e-9 and 1.2e-8 (5.6e-9 by draws), 9% of ε; σ = 3, 5 of 100 steps: 0.2% of ε apart.
 *
 * Beside a Poisson sample of rate 1/t in each step, as {@linkcode poissonSubsampledLoss} has it, ε is smaller at small δ: no row takes part often by chance. At δ = 1e-6 or 1e-8 that is 5 to 10% of ε
 * with noise of σ = 1 to 3, and half of it with σ = 0.3 and ten steps. At δ = 0.1 samples are smaller, for a row may be in none.
 *
 * @param loss the loss of a step, at most 300 nats.
 * @throws {RangeError} when a number is no positive integer, rows are to be in more steps than there are, or losses are larger.
 *
 * @example
 * ```ts
 * import { allocatedParts, epsilonBounds, gaussianLoss } from "@dpcheck/dpcheck/accounting";
 * // 10,000 rows in batches of 50, five epochs
 * const { upper, lower } = allocatedParts(gaussianLoss({ mu: 1 }), { steps: 200, count: 5 });
 * epsilonBounds(upper, { delta: 1e-8 }).upper; // 1.3356; 1.4073 on Poisson samples
 * epsilonBounds(lower!, { delta: 1e-8 }).lower; // 1.3351
 * ```
 */
export function allocatedParts(loss: PrivacyLoss, options: AllocationOptions): AllocatedParts {
  requireKind("allocatedParts", "loss", loss, "record");
  const { steps, chosen = 1, count = 1 } = requireFields("allocatedParts", options, {});
  requireInteger(ACTION, "steps", steps, { min: 1, max: 2 ** 20 });
  requireInteger(ACTION, "chosen", chosen, { min: 1, max: steps });
  requireInteger(ACTION, "count", count, { min: 1 });
  const largest = Math.max(
    ...[loss.forward, loss.backward].flatMap(({ lowest, highest }) => [-lowest, highest]),
  );
  if (!(largest <= LARGEST_LOSS)) {
    throw new RangeError(
      `Cannot ${ACTION}: the loss of a step must be at most ${LARGEST_LOSS}: current value is ${largest}`,
    );
  }
  const all = { loss, count: chosen * count };
  if (steps === chosen) return { upper: [all], lower: [all] };
  const power = isPaired(steps, chosen) ? 0.5 : 1;
  const whole = chosen <= MOST_CHOSEN ? ratioSum(loss, steps, chosen, power) : undefined;
  return {
    upper: groupsOf(steps, chosen).map(({ size, taken, times }) => ({
      loss: size === taken ? loss : spreadLoss(
        taken === 2 ? pairSum(loss, size) : chosen === 1 ? whole! : ratioSum(loss, size),
      ),
      count: times * count * (size === taken ? taken : 1),
    })),
    lower: whole && [{ loss: mergedLoss(whole, loss), count }],
  };
}

/** Steps that are taken together: so many groups of a size, with a row in one or two steps of each. */
interface Group {
  readonly size: number;
  readonly taken: number;
  readonly times: number;
}

/** Whether groups of steps are so small that pairs of steps are kept. */
function isPaired(steps: number, chosen: number): boolean {
  return chosen > 1 && 2 * steps <= chosen * LARGEST_PAIRED;
}

/** Groups of nearly the same number of steps for each in which a row is: of two where they are small. */
function groupsOf(steps: number, chosen: number): Group[] {
  if (isPaired(steps, chosen)) {
    const single = chosen % 2 === 1 ? Math.floor(steps / chosen) : 0;
    return [
      ...(single > 0 ? [{ size: single, taken: 1, times: 1 }] : []),
      ...divided(steps - single, (chosen - chosen % 2) / 2, 2),
    ];
  }
  return divided(steps, chosen, 1);
}

/** So many groups of sizes that differ by 1 at most. */
function divided(steps: number, groups: number, taken: number): Group[] {
  const size = Math.floor(steps / groups), larger = steps - size * groups;
  return [{ size, taken, times: groups - larger }, { size: size + 1, taken, times: larger }]
    .filter(({ times }) => times > 0);
}

/** An outcome of a mean of ratios. */
interface Atom extends PairMass {
  readonly loss: number;
}

/** Error and infinite losses of a law, without its outcomes. */
interface Beside {
  readonly relativeError: number;
  /** P's probability of what Q never gives. */
  readonly infinite: number;
  /** Q's probability of what P never gives. */
  readonly opposite: number;
}

function spreadLoss(
  { count, first, step, spread, zero, infinite, relativeError }: SpreadSum,
): PrivacyLoss {
  const more = Math.exp(relativeError), shift = Math.log(count);
  const atoms = Array.from(spread, (q, i): Atom => {
    const loss = (first + i) * step - shift;
    return { loss, p: q * Math.exp(loss), q };
  });
  const beside = { infinite: infinite / count * more, opposite: zero * more };
  return lossOf(atoms, { relativeError, ...beside });
}

/** The mean of the products of so many ratios as there are moments: of `chosen` of them. */
function mergedLoss(
  { count, merged, moments, least, relativeError }: RatioSum,
  { forward }: PrivacyLoss,
): PrivacyLoss {
  const chosen = moments.length;
  const subsets = moments.reduce((product, _, i) => product * (count - i) / (i + 1), 1);
  const atoms = Array.from(merged, (q, i): Atom => {
    const p = moments[chosen - 1]![i]! / subsets;
    return { loss: Math.log(p) - Math.log(q), p, q };
  });
  const less = Math.exp(-relativeError);
  const infinite = -Math.expm1(chosen * Math.log1p(-forward.infinite)) * less;
  return lossOf(atoms, { relativeError: 2 * relativeError, infinite, opposite: least * less });
}

function lossOf(
  all: readonly Atom[],
  { relativeError, infinite, opposite }: Beside,
): PrivacyLoss {
  const atoms = all.filter(({ p, q }) => p > 0 && q > 0);
  const back = atoms.map(({ loss, p, q }) => ({ loss: -loss, p: q, q: p }));
  return {
    forward: lawOf(atoms, { relativeError, infinite }),
    backward: lawOf(back, { relativeError, infinite: opposite }),
  };
}

function lawOf(
  atoms: readonly Atom[],
  known: Pick<LossLaw, "relativeError" | "infinite">,
): LossLaw {
  const mean = atoms.reduce((sum, { loss, p }) => sum + p * loss, 0);
  const variance = atoms.reduce((sum, { loss, p }) => sum + p * (loss - mean) ** 2, 0);
  const losses = atoms.map(({ loss }) => loss);
  return {
    atoms,
    ...known,
    lowest: Math.min(...losses),
    highest: Math.max(...losses),
    deviation: Math.sqrt(variance),
  };
}
