import type { ApproximateClaim } from "../../../core/claims/claim.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import { lossesOf } from "../loss_distribution/known_losses.ts";
import type { RenyiCurve } from "../composition/renyi.ts";

/** Orders less 1 at which a curve is read: from, to, and the factor between two. */
const FROM = 2 ** -7, TO = 4095, FACTOR = 1.1;
/** Far more than the formulas below are rounded. */
const RELATIVE_ERROR = 1e-9;

/** A point of ln E_P[e^(λL)] for the loss L, or more. */
interface Point {
  /** λ, an order less 1. */
  readonly tilt: number;
  readonly moment: number;
}

/**
 * A ρ for which a mechanism whose Rényi divergences between neighbours, either way, are on the curve or below is δ-approximately
 * ρ-zCDP (Bun, Steinke 2016, Definition 8.1): both laws are, but for a share δ of each, laws P′ and Q′ with divergences of
 * at most ρ times every order, either way. Infinity where nothing is found.
 *
 * P′ and Q′ are P and Q given that the loss L = ln(dP/dQ) is from −l to l. By Markov's inequality at the tilt s, with r the
 * divergence at the order 1 + s, P(L > l) and Q(−L > l) are at most e^(s(r − l)), and P(L < −l) is at most e^−l times the
 * latter: l is chosen so that all of it is δ. With η = −ln(1 − δ) the divergence of P′ at the order 1 + λ is then at most
 * (M(λ) + (1 + λ)η)/λ, where M(λ) = ln E_P[e^(λL); |L| ≤ l] is convex, at most λ times the curve, and at most s·r + (λ − s)·l beyond s.
 * It increases with the order, which bounds it near 1.
 */
export function approximateRho(curve: RenyiCurve, { delta }: { delta: number }): number {
  const points: Point[] = [];
  for (let tilt = FROM; tilt <= TO; tilt *= FACTOR) {
    const moment = tilt * curve(1 + tilt);
    if (moment === Infinity) break;
    points.push({ tilt, moment });
  }
  const rare = -Math.log1p(-delta);
  let least = Infinity;
  for (let last = 0; last < points.length; last++) {
    const { tilt, moment } = points[last]!, divergence = moment / tilt;
    const shortest = divergence - Math.log(delta) / tilt;
    const most = divergence + (Math.log1p(Math.exp(-shortest)) - Math.log(delta)) / tilt;
    // Between the first order and this one by chords, beyond by the largest loss.
    let highest = peak({ tilt, moment, slope: most }, { from: tilt, to: Infinity }) + rare / tilt;
    for (let first = last;; first--) {
      const { tilt: from, moment: at } = points[first]!;
      least = Math.min(least, Math.max(highest, (at + (1 + from) * rare) / from));
      if (first === 0) break;
      const below = points[first - 1]!;
      const slope = (at - below.moment) / (from - below.tilt);
      highest = Math.max(
        highest,
        peak({ ...below, slope }, { from: below.tilt, to: from }) + rare / below.tilt,
      );
    }
  }
  return roundUp(least, { relativeError: RELATIVE_ERROR });
}

/**
 * The largest value of m(λ)/(λ(λ + 1)) for the line m through a point. It rises up to a zero of its derivative, and falls from there, where the
 * line is below 0 at 0, as for convex moments.
 */
function peak(
  { tilt, moment, slope }: Point & { readonly slope: number },
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const below = slope * tilt - moment;
  // Moments that were rounded up may bend the other way: the quotient falls from the start then.
  const top = below > 0 && slope > 0
    ? (below + Math.sqrt(below * below + below * slope)) / slope
    : 0;
  const at = Math.min(to, Math.max(from, top));
  return (slope * at - below) / (at * (at + 1));
}

const known = new WeakMap<ApproximateClaim, number>();

/** {@linkcode approximateRho} of outputs with this claim and its δ; `undefined` where no more is known of them than the claim. */
export function rhoBesideDelta(claim: ApproximateClaim): number | undefined {
  const { renyi } = lossesOf(claim) ?? {}, { delta } = claim;
  if (renyi === undefined || delta === 0) return undefined;
  const rho = known.get(claim) ?? approximateRho(renyi, { delta });
  known.set(claim, rho);
  return rho;
}
