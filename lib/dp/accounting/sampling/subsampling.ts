import { requireKnown } from "../../../core/text/known_options.ts";
import { logGamma } from "../../../core/numeric/log_gamma.ts";
import { logSumExp } from "../../../core/numeric/log_sum_exp.ts";
import { requireFields, requireKind, requirePositive } from "../../../core/numeric/require.ts";
import { roundUp } from "../../../core/numeric/round_outward.ts";
import {
  type PrivacyParameters,
  type PrivacyTotal,
  requireParameters,
} from "../composition/privacy_parameters.ts";
import { gaussianRenyi, LEAST_DIVERGENCE, type RenyiCurve } from "../composition/renyi.ts";
import {
  logSampledGaussianMoment,
  logSampledMoment,
  type SampledGaussian,
} from "./sampled_gaussian_moment.ts";

function requireRate(rate: number): void {
  requirePositive("amplify by subsampling", "rate", rate);
  if (rate > 1) {
    throw new RangeError(
      `Cannot amplify by subsampling: rate must be at most 1: current value is ${rate}`,
    );
  }
}

/**
 * Returns the (ε, δ)-DP claim of a mechanism that sees only a secret random sample:
 * (ln(1 + rate·(e^ε − 1)), rate·δ). It holds for Poisson samples of that rate under add/remove
 * neighbours, and for samples of m of n rows without replacement, rate m/n, under replace-one
 * neighbours; in each case for the same relation before and after (Balle, Barthe, Gaboardi 2018,
 * Theorems 8 and 9). Rounded up.
 *
 * @throws {RangeError} unless rate is in (0, 1] and the parameters are in range.
 *
 * @example
 * ```ts
 * import { subsampledParameters } from "./subsampling.ts";
 * subsampledParameters({ epsilon: Math.log(3) }, { rate: 0.5 }); // ε = ln 2
 * ```
 */
export function subsampledParameters(
  part: PrivacyParameters,
  options: { rate: number },
): PrivacyTotal {
  requireKind("subsampledParameters", "part", part, "record");
  const { rate } = requireFields("subsampledParameters", options, {});
  requireKnown("call subsampledParameters()", options, ["rate"]);
  requireParameters("amplify by subsampling", part);
  requireRate(rate);
  const { epsilon, delta = 0 } = part;
  if (rate === 1) return { epsilon, delta };
  return {
    // Rounding must not make it worse than no sampling at all.
    epsilon: Math.min(
      epsilon,
      roundUp(Math.log1p(rate * Math.expm1(epsilon)), { relativeError: 1e-14 }),
    ),
    delta: roundUp(rate * delta, { relativeError: Number.EPSILON }),
  };
}

function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}

const RELATIVE_ERROR = 1e-10;
/** Orders beyond this are not computed: sums of that many terms for little gain. */
const MAX_ORDER = 4096;

/** A curve known at whole orders from 2 on, read at the next whole order: divergences increase. */
function fromWholeOrders(divergenceAt: (order: number) => number): RenyiCurve {
  const known = new Map<number, number>();
  return (order) => {
    const whole = Math.max(2, Math.ceil(order));
    if (whole > MAX_ORDER) return Infinity;
    let value = known.get(whole);
    if (value === undefined) {
      value = Math.max(
        LEAST_DIVERGENCE,
        roundUp(divergenceAt(whole), { relativeError: RELATIVE_ERROR }),
      );
      known.set(whole, value);
    }
    return value;
  };
}

/**
 * Returns the Rényi curve of Gaussian noise on a Poisson sample, for add/remove neighbours, at any order up to 4096;
 * μ = sensitivity / standard deviation (Mironov, Talwar, Zhang 2019, section 3.3). Rounded up.
 *
 * @throws {RangeError} unless μ is positive and rate in (0, 1].
 *
 * @example
 * ```ts
 * import { renyiEpsilon } from "../composition/renyi.ts";
 * import { poissonSubsampledGaussianRenyi } from "./subsampling.ts";
 * const one = poissonSubsampledGaussianRenyi({ mu: 1, rate: 0.01 });
 * renyiEpsilon((order) => 1000 * one(order), { delta: 1e-6 }); // 2.44
 * ```
 */
export function poissonSubsampledGaussianRenyi(
  options: { mu: number; rate: number },
): RenyiCurve {
  const { mu, rate } = requireFields("poissonSubsampledGaussianRenyi", options, {});
  requireKnown("call poissonSubsampledGaussianRenyi()", options, ["mu", "rate"]);
  requirePositive("amplify by subsampling", "mu", mu);
  requireRate(rate);
  return fromMoments(logSampledGaussianMoment, { mu, rate });
}

/** {@linkcode poissonSubsampledGaussianRenyi} from whole orders alone, which is quicker, and holds for discrete Gaussian noise too. */
export function wholeOrderSampledRenyi(options: SampledGaussian): RenyiCurve {
  return fromMoments(logSampledMoment, options);
}

function fromMoments(
  logMomentAt: (order: number, options: SampledGaussian) => number,
  options: SampledGaussian,
): RenyiCurve {
  if (options.rate === 1) return gaussianRenyi(options);
  const known = new Map<number, number>();
  return (order) => {
    if (!(order > 1 && order <= MAX_ORDER)) return Infinity;
    let value = known.get(order);
    if (value === undefined) {
      const moment = logMomentAt(order, options);
      value = Math.max(
        LEAST_DIVERGENCE,
        roundUp(moment / (order - 1), { relativeError: Number.EPSILON }),
      );
      known.set(order, value);
    }
    return value;
  };
}

/**
 * Returns the Rényi curve of any mechanism on a sample without replacement of m of n rows, rate m/n, for replace-one neighbours:
 * the bound of Wang, Balle, Kasiviswanathan 2019, Theorem 9, for whole orders. `pureEpsilon` is the ε of
 * the mechanism if it is ε-DP too, which sharpens it.
 *
 * @throws {RangeError} unless rate is in (0, 1] and pureEpsilon, if given, is positive.
 *
 * @example
 * ```ts
 * import { pureRenyi } from "../composition/renyi.ts";
 * import { subsampledRenyi } from "./subsampling.ts";
 * const curve = subsampledRenyi(pureRenyi({ epsilon: 1 }), { rate: 0.01, pureEpsilon: 1 });
 * ```
 */
export function subsampledRenyi(
  curve: RenyiCurve,
  options: { rate: number; pureEpsilon?: number },
): RenyiCurve {
  requireKind("subsampledRenyi", "curve", curve, "function");
  const { rate, pureEpsilon = Infinity } = requireFields("subsampledRenyi", options, {});
  requireKnown("call subsampledRenyi()", options, ["rate", "pureEpsilon"]);
  requireRate(rate);
  if (pureEpsilon !== Infinity) {
    requirePositive("amplify by subsampling", "pureEpsilon", pureEpsilon);
  }
  const gap = Math.expm1(pureEpsilon);
  return fromWholeOrders((order) => {
    const second = curve(2);
    const logs = [
      2 * Math.log(rate) + logChoose(order, 2) +
      Math.log(
        Math.min(4 * Math.expm1(second), Math.exp(second) * Math.min(2, gap * gap)),
      ),
    ];
    for (let j = 3; j <= order; j++) {
      logs.push(
        j * Math.log(rate) + logChoose(order, j) + (j - 1) * curve(j) +
          Math.min(Math.LN2, j * Math.log(gap)),
      );
    }
    const log = logSumExp(logs);
    // Small terms keep their digits beside 1, and large ones do not overflow.
    const moment = log > 700 ? log : Math.log1p(Math.exp(log));
    // Sampling is no worse than not sampling.
    return Math.min(curve(order), moment / (order - 1));
  });
}
