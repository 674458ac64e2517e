import { type Claim, deltaAt } from "../../../core/claims/claim.ts";
import {
  concentratedLoss,
  deltaOfLaws,
  LEAST_LOG,
  renyiDivergence,
  type TwoLaws,
} from "../../recording/two_laws.ts";
import { FALSE_ALARM } from "./same_law.ts";

/** Errors of a computed loss (in nats), of a computed ρ, and of a share of a claim. */
const ROUNDING = 1e-10, RHO_ROUNDING = 1e-12, SHARE_ROUNDING = 1e-6;
/** Multiples of the ε that a claim of a curve has at δ = 1e-3, at which δ is compared with it. */
const EPSILONS = [0, 0.125, 0.25, 0.5, 0.75, 1];

/** Returns true if a share of a claim is more than all of it. */
export function exceeds(share: number): boolean {
  return share > 1 + SHARE_ROUNDING;
}

/** Returns the loss of the left law to the right one as a share of the claim; exact up to rounding. */
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
        ...epsilonsOf(claim).map((epsilon) =>
          (deltaOfLaws(laws, epsilon) - ROUNDING) / deltaAt(claim, epsilon)
        ),
      );
  }
}

/** Returns the loss at one output that was drawn, of a pure claim, as a share of ε. */
export function lossAt(log: number, other: number): number {
  if (Math.max(log, other) < LEAST_LOG || log === other) return 0;
  const rounding = 64 * Number.EPSILON * Math.min(Math.abs(log), Math.abs(other));
  return Math.abs(log - other) - rounding - ROUNDING;
}

/**
 * Returns the share of a claim of a curve that draws of the left law show to be lost: for each ε the mean of
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

function relativeEntropy(p: number, q: number): number {
  const part = (a: number, b: number): number => a === 0 ? 0 : a * Math.log(a / b);
  return part(p, q) + part(1 - p, 1 - q);
}
