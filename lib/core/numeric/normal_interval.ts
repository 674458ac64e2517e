import { normalTail } from "./normal_tail.ts";

/** Abscissae and weights of Gauss–Legendre rules on [−1, 1], positive halves: 8 points and 4. */
const EIGHT_POINTS = [
  [0.1834346424956498, 0.362683783378362],
  [0.525532409916329, 0.3137066458778873],
  [0.7966664774136267, 0.2223810344533745],
  [0.9602898564975363, 0.1012285362903763],
] as const;
const FOUR_POINTS = [
  [0.3399810435848563, 0.6521451548625461],
  [0.8611363115940526, 0.3478548451374538],
] as const;
const ROOT_TAU = Math.sqrt(2 * Math.PI);

/**
 * P(from < Z ≤ to) for a standard normal Z. A difference of tails would lose the digits of a short
 * interval, so that is integrated instead: 8 points are right to 1e-13 for widths up to 1/4 within 13
 * standard deviations, and 4 points for widths up to 1/50.
 */
export function normalMass(from: number, to: number): number {
  if (!(to > from)) return 0;
  if (from > 0) {
    return to - from > 0.25 ? normalTail(from) - normalTail(to) : normalIntegral(from, to);
  }
  if (to < 0) return normalMass(-to, -from);
  if (to - from <= 0.25) return normalIntegral(from, to);
  return 1 - normalTail(to) - normalTail(-from);
}

function normalIntegral(from: number, to: number): number {
  const middle = 0.5 * (from + to), half = 0.5 * (to - from);
  let sum = 0;
  for (const [abscissa, weight] of half > 0.01 ? EIGHT_POINTS : FOUR_POINTS) {
    const left = middle - half * abscissa, right = middle + half * abscissa;
    sum += weight * (Math.exp(-0.5 * left * left) + Math.exp(-0.5 * right * right));
  }
  return (sum * half) / ROOT_TAU;
}

/** Panels of an integral at most: beyond that, a difference of probabilities keeps its digits. */
const MOST_PANELS = 100;

/**
 * E[1 − e^(−slope·(Z − from)); from < Z ≤ to] for a standard normal Z: an integral of what is never
 * negative, so that no digits are lost however small slope·(to − from) is. Undefined where that is so
 * large that P(from < Z ≤ to) and the shifted probability are far apart, and their difference does.
 */
export function normalRise(
  { from, to }: { from: number; to: number },
  { slope }: { slope: number },
): number | undefined {
  const panels = Math.max(1, Math.ceil((to - from) / Math.min(0.25, 0.5 / slope)));
  if (!(panels <= MOST_PANELS)) return undefined;
  const width = (to - from) / panels;
  let sum = 0;
  for (let panel = 0; panel < panels; panel++) {
    for (const [abscissa, weight] of EIGHT_POINTS) {
      for (const sign of [-1, 1]) {
        const step = width * (panel + 0.5 * (1 + sign * abscissa));
        const z = from + step;
        sum -= weight * Math.exp(-0.5 * z * z) * Math.expm1(-slope * step);
      }
    }
  }
  return (sum * width) / (2 * ROOT_TAU);
}
