import { type Claim, deltaAt } from "../../core/claim.ts";
import { logSumExp } from "../../numeric/log_sum_exp.ts";
import { FALSE_ALARM } from "./same_law.ts";

/** Two laws of one output: logarithms of chances, outcome by outcome. */
export interface TwoLaws {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** Chances below this are rounded: what they tell apart is rarer than any claim cares for. */
const LEAST_LOG = Math.log(1e-280);
/** What a computed loss may be wrong by, in nats, and a computed ρ, and a share of a claim. */
const ROUNDING = 1e-10, RHO_ROUNDING = 1e-12, SHARE_ROUNDING = 1e-6;
/** Orders at which Rényi divergences are compared with a concentrated claim. */
const ORDERS = [1.01, 1.5, 2, 3, 5, 10, 30, 100];
/** Multiples of the ε that a claim of a curve has at δ = 1e-3, at which δ is compared with it. */
const EPSILONS = [0, 0.125, 0.25, 0.5, 0.75, 1];

/** Whether a share of a claim is more than all of it. */
export function exceeds(share: number): boolean {
  return share > 1 + SHARE_ROUNDING;
}

/** How much of the claim the left law loses to the right one, as a share of what it allows; exact up to rounding. */
export function lossOfLaws(claim: Claim, laws: TwoLaws): number {
  const { left, right } = laws;
  switch (claim.kind) {
    case "pure":
      return Math.max(0, ...left.map((log, i) => lossAt(log, right[i]!))) / claim.epsilon;
    case "renyi":
      return Math.max(0, renyiDivergence(laws, claim.order) - ROUNDING) / claim.epsilon;
    case "zcdp":
      return Math.max(0, concentratedLoss(laws) - RHO_ROUNDING) / claim.rho;
    case "approximate":
    case "gaussian":
      return Math.max(
        0,
        ...epsilonsOf(claim).map((epsilon) => {
          const excess = left.map((log, i) =>
            excessOf(epsilon, { log, other: right[i]! }) * Math.exp(log)
          );
          const delta = excess.reduce((sum, part) => sum + part, 0);
          return (delta - ROUNDING) / deltaAt(claim, epsilon);
        }),
      );
  }
}

/** The loss at one output that was drawn, of a pure claim, as a share of ε. */
export function lossAt(log: number, other: number): number {
  if (Math.max(log, other) < LEAST_LOG || log === other) return 0;
  const rounding = 64 * Number.EPSILON * Math.min(Math.abs(log), Math.abs(other));
  return Math.abs(log - other) - rounding - ROUNDING;
}

/**
 * How much of a claim of a curve the draws of the left law show to be lost, as a share: for each ε the mean of
 * max(0, 1 − e^(ε − loss)) is δ, and its lower bound by Chernoff and Hoeffding (1963) is compared with the claim's.
 */
export function lossOfDraws(claim: Claim, losses: readonly number[]): number {
  return Math.max(
    ...epsilonsOf(claim).map((epsilon) => {
      const mean = losses.reduce((sum, loss) => sum + Math.max(0, -Math.expm1(epsilon - loss)), 0) /
        losses.length;
      const allowed = deltaAt(claim, epsilon);
      const bound = Math.log(EPSILONS.length / FALSE_ALARM) / losses.length;
      const shown = mean > allowed && relativeEntropy(mean, allowed) > bound;
      return shown ? mean / allowed : 0;
    }),
  );
}

/** The ε at which δ is compared with the claim's: that of an (ε, δ) claim, or some along a curve. */
function epsilonsOf(claim: Claim): readonly number[] {
  if (claim.kind === "approximate") return [claim.epsilon];
  let far = 2 ** -20;
  while (deltaAt(claim, far) > 1e-3 && far < 2 ** 10) far *= 2;
  return EPSILONS.map((share) => share * far);
}

/** max(0, 1 − e^ε·Q/P) */
function excessOf(
  epsilon: number,
  { log, other }: { readonly log: number; readonly other: number },
): number {
  return log === -Infinity ? 0 : Math.max(0, -Math.expm1(epsilon + other - log));
}

function relativeEntropy(p: number, q: number): number {
  const part = (a: number, b: number): number => a === 0 ? 0 : a * Math.log(a / b);
  return part(p, q) + part(1 - p, 1 - q);
}

/** The least ρ that the left law keeps against the right one at the orders that are tried. */
export function concentratedLoss(laws: TwoLaws): number {
  return Math.max(...ORDERS.map((order) => renyiDivergence(laws, order) / order));
}

/**
 * The Rényi divergence of one order; infinite where the left law has outputs that the right one lacks. Of the power of each ratio of
 * chances only what lies above its tangent at 1 is summed: that is never negative, and keeps the digits of near laws.
 */
function renyiDivergence({ left, right }: TwoLaws, order: number): number {
  let excess = 0;
  for (const [i, log] of left.entries()) {
    const other = right[i]!, loss = log - other;
    if (Math.max(log, other) < LEAST_LOG) continue;
    excess += Math.exp(other) * (Math.expm1(order * loss) - order * Math.expm1(loss));
  }
  if (Number.isFinite(excess)) return Math.log1p(excess) / (order - 1);
  const logs = left.flatMap((log, i) =>
    log < LEAST_LOG ? [] : [order * log - (order - 1) * right[i]!]
  );
  return logSumExp(logs) / (order - 1);
}
