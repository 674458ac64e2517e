import { logSumExp } from "../numeric/log_sum_exp.ts";
import { logNormalTail } from "../numeric/normal_tail.ts";

const UNIT_ROUNDOFF = 2 ** -53;
/** Terms of the series at most; what is left out is bounded by the first of it. */
const MOST_TERMS = 2048;
/** Orders up to which the series is summed; above, the chord between whole orders is as good. */
const LARGEST_FRACTIONAL = 64;

/** μ = sensitivity / standard deviation, and the probability of a row to be in the sample. */
export interface SampledGaussian {
  readonly mu: number;
  readonly rate: number;
}

/**
 * At least ln E_Q[(dP/dQ)^order] of Gaussian noise on a Poisson sample, where P is with the row and Q
 * without: order − 1 times the Rényi divergence. The other direction is no larger (Mironov, Talwar, Zhang
 * 2019, Theorem 5). Convex in the order, so that the chord between whole orders is an upper bound as well.
 */
export function logSampledGaussianMoment(order: number, options: SampledGaussian): number {
  const low = Math.floor(order);
  if (low === order) return wholeOrder(order, options);
  const from = wholeOrder(low, options), to = wholeOrder(low + 1, options);
  const chord = (from + (order - low) * (to - from)) * (1 + 8 * UNIT_ROUNDOFF);
  return order > LARGEST_FRACTIONAL ? chord : Math.min(chord, fractionalOrder(order, options));
}

/**
 * ln(1 + Σ_k C(a, k)·(1 − rate)^(a − k)·rate^k·(e^((k² − k)·μ²/2) − 1)) (ibid., section 3.3): the 1 is the
 * sum of the binomial probabilities, taken out so that small rates keep their digits.
 */
function wholeOrder(order: number, { mu, rate }: SampledGaussian): number {
  let logChoose = Math.log(order);
  const logs: number[] = [];
  let largest = 1;
  for (let k = 2; k <= order; k++) {
    logChoose += Math.log(order - k + 1) - Math.log(k);
    const exponent = 0.5 * (k * k - k) * mu * mu;
    const growth = exponent > 700 ? exponent : Math.log(Math.expm1(exponent));
    const log = logChoose + (order - k) * Math.log1p(-rate) + k * Math.log(rate) + growth;
    largest = Math.max(largest, Math.abs(logChoose) + k * Math.abs(Math.log(rate)) + exponent);
    logs.push(log);
  }
  const sum = logSumExp(logs), error = 8 * UNIT_ROUNDOFF * (largest + 2 * order + 8);
  const raised = sum + error;
  return (raised > 700 ? raised : Math.log1p(Math.exp(raised))) * (1 + 8 * UNIT_ROUNDOFF);
}

/**
 * The fractional orders (ibid., section 3.3). Below the output z₀ at which the row is as likely in the
 * sample as not, (1 − rate + rate·e^g)^a is expanded in powers of rate·e^g/(1 − rate), above it in those of
 * the inverse; each power's integral is a normal tail. From k > a on the terms alternate and fall, so that
 * the first one left out bounds the rest.
 */
function fractionalOrder(order: number, { mu, rate }: SampledGaussian): number {
  const stay = Math.log1p(-rate), go = Math.log(rate);
  const middle = (stay - go + 0.5 * mu * mu) / mu;
  const term = (k: number, side: 1 | -1): { log: number; error: number } => {
    const power = side === 1 ? k : order - k; // of rate·e^g
    const exponent = 0.5 * (power * power - power) * mu * mu;
    const edge = side * (power * mu - middle), tail = logNormalTail(edge);
    const log = (order - power) * stay + power * go + exponent + tail;
    const size = Math.abs((order - power) * stay) + Math.abs(power * go) + Math.abs(exponent) +
      Math.abs(tail) + edge * edge + Math.abs(edge) * (Math.abs(power * mu) + Math.abs(middle));
    return { log, error: UNIT_ROUNDOFF * (128 + 8 * size) };
  };
  // The scale: the largest term of all is among those of k up to the order.
  let logChoose = 0, scale = -Infinity;
  for (let k = 0; k <= order + 1; k++) {
    if (k > 0) logChoose += Math.log(Math.abs(order - k + 1)) - Math.log(k);
    scale = Math.max(scale, logChoose + term(k, 1).log, logChoose + term(k, -1).log);
  }
  logChoose = 0;
  let sum = 0, left = 0, added = 0;
  for (let k = 0; k <= MOST_TERMS; k++) {
    if (k > 0) logChoose += Math.log(Math.abs(order - k + 1)) - Math.log(k);
    // C(order, k) is positive up to order + 1, then its sign alternates.
    const positive = k < order + 1 || (k - Math.ceil(order)) % 2 === 0;
    let size = 0;
    for (const side of [1, -1] as const) {
      const { log, error } = term(k, side);
      const off = error + 8 * UNIT_ROUNDOFF * (k + Math.abs(logChoose));
      const value = Math.exp(logChoose + log - scale + (positive ? off : -off));
      size += value * Math.exp(positive ? 0 : 2 * off);
      sum += positive ? value : -value;
      added += value;
    }
    left = size;
    if (k > order + 1 && size < 1e-16 * sum) break;
  }
  const upper = sum + left + 4 * UNIT_ROUNDOFF * (MOST_TERMS + 8) * added;
  const log = scale + Math.log(upper);
  return Math.max(0, log + 8 * UNIT_ROUNDOFF * (Math.abs(scale) + Math.abs(log) + 1));
}
