import { logSumExp } from "../../../core/numeric/log_sum_exp.ts";
import { logNormalTail } from "../../../core/numeric/normal_tail.ts";

const UNIT_ROUNDOFF = 2 ** -53;
/** Terms of the series at most; what is left out is bounded by the first of it. */
const MOST_TERMS = 2048;
/** Nats below the greatest term at which a term is the last: below 1e-16 of it. */
const NEGLIGIBLE = 37;
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
 * 2019, Theorem 5).
 */
export function logSampledGaussianMoment(order: number, options: SampledGaussian): number {
  const chord = chordAt(order, options);
  if (order > LARGEST_FRACTIONAL || Number.isInteger(order)) return chord;
  const series = fractionalOrder(order, options);
  // A μ near 0 leaves no number of its terms: distances in units of it are beyond the range of doubles.
  return series < chord ? series : chord;
}

/**
 * The same from whole orders alone, for every noise that is symmetric and whose exponential moments are no larger than those of Gaussian
 * noise, as those of discrete Gaussian noise are (Canonne, Kamath, Steinke 2020). Below order 2, with x = rate·(dP′/dQ − 1), where P′
 * is the noise about what the row adds, x is at least −rate and has mean 0 under Q:
 * (1 + x)^a ≤ 1 + ax + a(a − 1)/2·(1 − rate)^(a − 2)·x² by Taylor's remainder.
 */
export function logSampledMoment(order: number, options: SampledGaussian): number {
  const chord = chordAt(order, options);
  if (order >= 2) return chord;
  const square = 0.5 * order * (order - 1) *
    Math.exp((order - 2) * Math.log1p(-options.rate)) * Math.expm1(wholeOrder(2, options));
  const taylor = Math.log1p(square * (1 + 64 * UNIT_ROUNDOFF)) * (1 + 8 * UNIT_ROUNDOFF);
  return Math.min(chord, taylor);
}

/** Moments are convex in the order, so that the chord between whole orders is an upper bound as well. */
function chordAt(order: number, options: SampledGaussian): number {
  const low = Math.floor(order);
  if (low === order) return wholeOrder(order, options);
  const from = wholeOrder(low, options), to = wholeOrder(low + 1, options);
  // Its three roundings are within the factor that both ends have.
  return from + (order - low) * (to - from);
}

/** ln |C(order, k)| at k = 0, 1, 2, …, and how far it may be off. */
class LogBinomial {
  /** The logarithm at the present k. */
  log = 0;
  /** Of all steps so far: twice two roundings of logarithms, one of their difference and of the sum. */
  off = 0;
  /** The sign of C(order, k). */
  positive = true;

  constructor(readonly order: number) {}

  /** Goes from k − 1 to k. */
  step(k: number): void {
    const factor = this.order - k + 1;
    if (factor < 0) this.positive = !this.positive;
    const more = Math.log(Math.abs(factor)), less = Math.log(k);
    this.log += more - less;
    this.off += 4 * UNIT_ROUNDOFF * (Math.abs(more) + less + Math.abs(this.log));
  }
}

/**
 * ln(1 + Σ_k C(a, k)·(1 − rate)^(a − k)·rate^k·(e^((k² − k)·μ²/2) − 1)) (ibid., section 3.3): the 1 is the
 * sum of the binomial probabilities, taken out so that small rates keep their digits.
 */
function wholeOrder(order: number, { mu, rate }: SampledGaussian): number {
  const stay = Math.log1p(-rate), go = Math.log(rate), choose = new LogBinomial(order);
  choose.step(1);
  const logs: number[] = [];
  for (let k = 2; k <= order; k++) {
    choose.step(k);
    const exponent = 0.5 * (k * k - k) * mu * mu;
    const growth = exponent > 700 ? exponent : Math.log(Math.expm1(exponent));
    logs.push(choose.log + (order - k) * stay + k * go + growth);
  }
  // The parts of a logarithm at their largest, and the sum of all terms.
  const size = order * (Math.abs(stay) + Math.abs(go) + 0.5 * order * mu * mu);
  const raised = logSumExp(logs) + choose.off + 8 * UNIT_ROUNDOFF * (size + order + 8);
  return (raised > 700 ? raised : Math.log1p(Math.exp(raised))) * (1 + 8 * UNIT_ROUNDOFF);
}

/** The logarithm of a term, and how far it may be off. */
export interface SeriesTerm {
  readonly log: number;
  readonly off: number;
}

/**
 * The fractional orders (ibid., section 3.3). Below the output z₀ at which the row is as likely in the
 * sample as not, (1 − rate + rate·e^g)^a is expanded in powers of rate·e^g/(1 − rate), above it in those of
 * the inverse; each power's integral is a normal tail. From k > a on the terms alternate and fall, so that
 * the first one left out bounds the rest.
 */
function fractionalOrder(order: number, options: SampledGaussian): number {
  const choose = new LogBinomial(order), gains: SeriesTerm[] = [], losses: SeriesTerm[] = [];
  let greatest = -Infinity;
  const add = (k: number): { terms: SeriesTerm[]; last: number } => {
    if (k > 0) choose.step(k);
    const terms = ([1, -1] as const).map((side) => {
      const { log, off } = seriesTerm(k, { side, order, ...options });
      return { log: choose.log + log, off: choose.off + off };
    });
    (choose.positive ? gains : losses).push(...terms);
    const last = Math.max(...terms.map(({ log, off }) => log + off));
    greatest = Math.max(greatest, last);
    return { terms, last };
  };
  let k = 0;
  for (; k < order; k++) add(k);
  for (;; k++) {
    const { terms, last } = add(k);
    if (k === MOST_TERMS || last < greatest - NEGLIGIBLE) {
      return logDifference([...gains, ...terms], losses);
    }
  }
}

/** The k-th term of one side of the series, without its binomial coefficient. */
function seriesTerm(
  k: number,
  { side, order, mu, rate }: SampledGaussian & {
    /** 1 below z₀, −1 above. */
    readonly side: 1 | -1;
    readonly order: number;
  },
): SeriesTerm {
  const stay = Math.log1p(-rate), go = Math.log(rate);
  const middle = (stay - go + 0.5 * mu * mu) / mu;
  const power = side === 1 ? k : order - k; // of rate·e^g
  const exponent = 0.5 * (power * power - power) * mu * mu;
  const edge = side * (power * mu - middle), tail = logNormalTail(edge);
  const log = (order - power) * stay + power * go + exponent + tail;
  // Above the sum of all their parts: ln of a tail is less than edge² + 2, |edge| at most this reach.
  const reach = Math.abs(power) * mu + Math.abs(middle);
  const powers = Math.abs(power) + Math.abs(order - power);
  const size = 5 * (1 + reach) ** 2 + 2 * powers * (Math.abs(stay) + Math.abs(go));
  return { log, off: UNIT_ROUNDOFF * (128 + 8 * size) };
}

/** At least ln(Σ gains − Σ losses), by what each may be off, and the sums. */
function logDifference(
  gains: readonly SeriesTerm[],
  losses: readonly SeriesTerm[],
): number {
  const gain = logSumExp(gains.map(({ log, off }) => log + off));
  const lost = Math.exp(logSumExp(losses.map(({ log, off }) => log - off)) - gain);
  // Rounding error of the sums and their logarithms, relative to the gains.
  const off = 8 * UNIT_ROUNDOFF * (gains.length + losses.length + Math.abs(gain));
  return gain + Math.log1p(off - lost);
}
