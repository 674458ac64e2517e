import type { OutputParts } from "./output_parts.ts";

/** Numbers that differ by no more than this share are equal: sums in another order round otherwise. */
const ROUNDING = 1e-9;

/**
 * Returns the distance of the outputs on two datasets at the same seeds, as a multiple of that on one dataset at different seeds:
 * 0 where they are equal at every seed, `Infinity` where something differs that chance does not change. Item k of each list is at seed k.
 */
export function distanceAtSeeds(
  left: readonly OutputParts[],
  right: readonly OutputParts[],
): number {
  const apart = shareOf(left.map((one, k) => [one, right[k]!]), hasOtherShape);
  if (apart > 0) return ratio(apart, shareOf([...others(left), ...others(right)], hasOtherShape));
  if (shareOf(others(left), hasOtherShape) > 0) {
    // Numbers at different places have no common spread.
    return shareOf(left.map((one, k) => [one, right[k]!]), hasOtherNumber);
  }
  return left[0]!.numbers.reduce((sum, _, i) => {
    const gap = meanGap(left.map((one, k) => [one, right[k]!]), i);
    return sum + ratio(gap, meanGap([...others(left), ...others(right)], i));
  }, 0);
}

/** Returns the ratio of two distances; 1 for two infinite ones. */
function ratio(apart: number, spread: number): number {
  return apart === 0 ? 0 : apart === spread ? 1 : apart / spread;
}

type Two = readonly [OutputParts, OutputParts];

/** Returns each output with the one of the next seed. */
function others(outputs: readonly OutputParts[]): Two[] {
  return outputs.map((one, k) => [one, outputs[(k + 1) % outputs.length]!]);
}

function shareOf(pairs: readonly Two[], differs: (pair: Two) => boolean): number {
  return pairs.filter(differs).length / pairs.length;
}

function hasOtherShape([a, b]: Two): boolean {
  return a.shape !== b.shape;
}

function hasOtherNumber([a, b]: Two): boolean {
  return a.numbers.some((x, i) => gapOf(x, b.numbers[i]!) > 0);
}

/** Returns the mean distance of the numbers at one place. */
function meanGap(pairs: readonly Two[], place: number): number {
  return pairs.reduce((sum, [a, b]) => sum + gapOf(a.numbers[place]!, b.numbers[place]!), 0) /
    pairs.length;
}

function gapOf(a: number, b: number): number {
  if (Object.is(a, b)) return 0;
  const gap = Math.abs(a - b);
  if (Number.isNaN(gap)) return Infinity;
  return gap <= ROUNDING * Math.max(Math.abs(a), Math.abs(b)) ? 0 : gap;
}
