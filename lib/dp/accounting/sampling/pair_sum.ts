import type { PrivacyLoss } from "../loss_distribution/privacy_loss.ts";
import { offsets, oneRatio, type SpreadSum } from "./ratio_sum.ts";

/** Pairs of sums with points of a ratio, at most, of all steps. */
const MOST_WORK = 3e8;
/** Probability and share of the mean below which a pair of sums is not followed. */
const RARE = 1e-33;
/** Nats after which a summand is as one that far away. */
const FAR = 30;
const UNIT_ROUNDOFF = 2 ** -53;

/**
 * The larger law, in convex order, of the sum of the products of any two of `steps` independent likelihood ratios.
 *
 * With S the sum of the ratios so far and W that of their products, one more ratio x makes them S + x and W + S·x. What comes of W in the end is linear in S and W, so that the expectation of a convex
 * function of it is convex in both: splitting what is between four points of a logarithmic grid of both among these, with its means, only adds to it (Jensen).
 */
export function pairSum(loss: PrivacyLoss, steps: number): SpreadSum {
  const fine = oneRatio(loss, 1);
  const points = Math.cbrt(MOST_WORK / (2 * steps));
  const { first, step, spread, zero: none } = coarser(
    fine,
    Math.ceil(fine.spread.length / points),
  );
  const count = steps * (steps - 1) / 2, length = spread.length;
  const sums = length + Math.ceil(Math.log(steps) / step) + 1;
  const width = 2 * length + Math.ceil(Math.log(count) / step) + 1;
  const farthest = Math.ceil(FAR / step), { places, shares } = offsets(farthest, step);
  /** Masses of S where W = 0, and of both, W by W. */
  let alone = new Float64Array(sums), both = new Float64Array(sums * width);
  let before = 1, zero = 0, infinite = count * (1 - (1 - fine.infinite) ** 2);
  for (let left = steps; left > 0; left--) {
    const nextAlone = alone.map((mass) => mass * none), next = new Float64Array(sums * width);
    for (let l = 0; l < length; l++) nextAlone[l]! += before * spread[l]!;
    before *= none;
    for (let i = 0; i < sums; i++) {
      const sum = Math.exp((first + i) * step);
      for (let j = -1; j < width; j++) {
        const mass = j < 0 ? alone[i]! : both[i * width + j]!;
        if (mass === 0) continue;
        const products = j < 0 ? 0 : Math.exp((2 * first + j) * step);
        const mean = products + sum * left + left * (left - 1) / 2;
        if (mass < RARE && mass * mean < RARE * count) {
          zero += mass;
          infinite += mass * mean;
          continue;
        }
        if (j >= 0) next[i * width + j]! += mass * none;
        for (let l = 0; l < length; l++) {
          const part = mass * spread[l]!;
          if (part === 0) continue;
          const apart = Math.min(farthest, Math.abs(i - l)), above = part * shares[apart]!;
          const row = ((i > l ? i : l) + places[apart]!) * width;
          const product = i + l;
          if (j < 0) {
            next[row + product]! += part - above;
            next[row + width + product]! += above;
            continue;
          }
          const off = Math.min(farthest, Math.abs(product - j)), share = shares[off]!;
          const at = row + (product > j ? product : j) + places[off]!;
          const low = (part - above) * share, high = above * share;
          next[at]! += part - above - low;
          next[at + 1]! += low;
          next[at + width]! += above - high;
          next[at + width + 1]! += high;
        }
      }
    }
    alone = nextAlone;
    both = next;
  }
  const law = new Float64Array(width);
  both.forEach((mass, at) => law[at % width]! += mass);
  return {
    count,
    step,
    first: 2 * first,
    spread: law,
    zero: alone.reduce((all, mass) => all + mass, zero + before),
    infinite,
    // No point gets more masses than four of every pair of sums and point of a ratio.
    relativeError: steps * (fine.relativeError + Math.exp(-FAR) +
      UNIT_ROUNDOFF * (64 + 4 * sums * width * length)),
  };
}

/** The law on every so many points alone, those between split with their mean. */
function coarser({ first, step, spread, zero, infinite }: SpreadSum, times: number): SpreadSum {
  const start = Math.floor(first / times), wide = step * times;
  const end = Math.ceil((first + spread.length - 1) / times);
  const fewer = new Float64Array(end - start + 2);
  spread.forEach((mass, i) => {
    const place = Math.floor((first + i) / times);
    const above = Math.expm1((first + i - place * times) * step) / Math.expm1(wide) * mass;
    fewer[place - start]! += mass - above;
    fewer[place - start + 1]! += above;
  });
  return { count: 1, first: start, step: wide, spread: fewer, zero, infinite, relativeError: 0 };
}
