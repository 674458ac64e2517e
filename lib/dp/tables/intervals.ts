import type { IntegerNoise } from "../../core/random/integer_noise.ts";

/** The least t for which noise is beyond ±t with a probability of at most `miss`. */
export function reachOf(law: IntegerNoise, miss: number): number {
  const within = (t: number): boolean => law.logUpperTail(t + 1) <= Math.log(miss / 2);
  let low = 0, high = 1;
  while (!within(high)) high *= 2;
  if (within(0)) return 0;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (within(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Pieces into which the means on each side of 0 are cut. In each the noise is taken as at its outer end. */
const PIECES = 48;
/** Pieces for each scale of the noise of a size, and scales up to which they go: beyond are less than 1e-12. */
const PIECES_A_SCALE = 48, SCALES = 28;

/**
 * Intervals for a mean θ = sum/size of which both have noise: all θ within `lower` and `upper`, which the mean is, for which
 * |noisy sum − θ·noisy size| is at most what the noise, X − θY, exceeds with probability `miss`. The true θ is among them with a probability of at
 * least 1 − miss, whatever sum and size are (Fieller 1954).
 *
 * With X spread over a step, by U on (−1/2, 1/2), P(|X + U − θY| > t) rises with |θ|, for its density is even and falls from 0. X differs from X + U by less than
 * half a step, so that P(|X − θY| > t + 1) is at most P(|X − θ′Y| > t) for |θ| ≤ |θ′|: between points of a grid of θ the outer one counts, and one
 * step more. Of the values of Y in a block the one with the larger tail counts for all.
 */
export function ratioInterval(
  { sum, size, lower, upper, miss }: {
    readonly sum: IntegerNoise;
    readonly size: IntegerNoise;
    readonly lower: number;
    readonly upper: number;
    readonly miss: number;
  },
): (noisySum: number, noisySize: number) => readonly [lower: number, upper: number] {
  const most = Math.max(-lower, upper);
  const masses = blocksOf(size);
  const tail = (t: number, theta: number): number => {
    let total = 0;
    for (const { chance, from } of masses) {
      // y from −∞ is the block beyond, which counts whole.
      total += chance *
        (from === -Infinity ? 1 : Math.exp(sum.logUpperTail(Math.floor(t + theta * from) + 1)));
    }
    return 2 * total;
  };
  const reaches = new Float64Array(PIECES + 1);
  for (let i = 0, low = 0; i <= PIECES; i++) {
    const theta = most * i / PIECES;
    let high = Math.max(1, 2 * low);
    while (tail(high, theta) > miss) high *= 2;
    for (let k = 0; k < 40 && high - low > 1e-4 * high; k++) {
      const middle = (low + high) / 2;
      if (tail(middle, theta) > miss) low = middle;
      else high = middle;
    }
    reaches[i] = high + 1;
  }
  // There may be an interval for each of many groups.
  const count = 2 * PIECES, starts = new Float64Array(count), ends = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    starts[i] = Math.max(lower, most * (i - PIECES) / PIECES);
    ends[i] = Math.min(upper, most * (i - PIECES + 1) / PIECES);
  }
  // Pieces that the widest reach leaves, and one more at each end for rounding.
  const widest = reaches[PIECES]!;
  const pieceAt = (theta: number): number => Math.floor((theta / most + 1) * PIECES);
  return (noisySum, noisySize) => {
    let first = Infinity, last = -Infinity;
    const isPositive = noisySize > 0;
    const begin = isPositive ? Math.max(0, pieceAt((noisySum - widest) / noisySize) - 1) : 0;
    const end = isPositive ? Math.min(count, pieceAt((noisySum + widest) / noisySize) + 2) : count;
    for (let i = begin; i < end; i++) {
      const from = starts[i]!, to = ends[i]!;
      const reach = reaches[i < PIECES ? PIECES - i : i - PIECES + 1]!;
      // |sum − θ·size| ≤ reach
      let least = (noisySum - reach) / noisySize, greatest = (noisySum + reach) / noisySize;
      if (noisySize < 0) [least, greatest] = [greatest, least];
      if (noisySize === 0) {
        [least, greatest] = Math.abs(noisySum) <= reach ? [from, to] : [Infinity, -Infinity];
      }
      if (least < from) least = from;
      if (greatest > to) greatest = to;
      if (least > greatest) continue;
      if (least < first) first = least;
      if (greatest > last) last = greatest;
    }
    return first <= last ? [first, last] : [lower, upper];
  };
}

/** The noise of a size in blocks: the chance of each, and its least value. */
function blocksOf(
  law: IntegerNoise,
): readonly { readonly chance: number; readonly from: number }[] {
  // About the scale of Laplace noise: beyond it is a third of it.
  const scale = Math.max(1, reachOf(law, 0.37)), width = Math.ceil(scale / PIECES_A_SCALE);
  const count = Math.ceil(SCALES * scale / width);
  const from = (block: number): number => block * width;
  const tailFrom = (value: number): number => Math.exp(law.logUpperTail(value));
  const blocks = [{ chance: tailFrom(from(count)), from: from(count) }];
  for (let block = -count; block < count; block++) {
    blocks.push({ chance: tailFrom(from(block)) - tailFrom(from(block + 1)), from: from(block) });
  }
  blocks.push({ chance: tailFrom(from(count) + 1), from: -Infinity });
  return blocks;
}
