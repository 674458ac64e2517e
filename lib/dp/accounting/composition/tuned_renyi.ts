import {
  requireChance,
  requireFields,
  requireKind,
  requirePositive,
} from "../../../core/numeric/require.ts";
import { roundDown, roundUp } from "../../../core/numeric/round_outward.ts";
import { leastOverOrders, type RenyiCurve, renyiDelta } from "./renyi.ts";

/** Number of runs of a tuning procedure: random, drawn without a look at the data or at what the runs put out. */
export type TuningRuns =
  | {
    /** Truncated negative binomial, above −1: 0 is the logarithmic law, 1 the geometric one. */
    readonly eta: number;
    /** Its probability, in (0, 1): the smaller, the more runs. */
    readonly gamma: number;
  }
  | {
    /** The mean of a Poisson law; where it gives no run, something fixed is put out. */
    readonly mean: number;
  };

const ACTION = "account for tuning";
const ROUNDING = 1e-13;

/**
 * Returns the Rényi curve of the best of a random number of runs: for each run, parameters are drawn at random and a result is scored, and only the best is put out. The score is part of what a run
 * gives away, or comes from other data. Of negative binomial numbers it is some 2 + η times one run's ε where that is small, whatever their mean.
 *
 * For one run with divergences `curve`, at the order a, by Papernot and Steinke (2022):
 * - negative binomial (Theorem 2): curve(a) + (1 + η)·((1 − 1/b)·curve(b) + ln(1/γ)/b) + ln(E K)/(a − 1), at the best order b;
 * - Poisson (Theorem 6): curve(a) + mean·δ + ln(mean)/(a − 1), for the δ of one run at ε = ln(1 + 1/(a − 1)).
 *
 * @throws {RangeError} unless eta is above −1 and gamma in (0, 1), or the mean is positive.
 *
 * @example
 * ```ts
 * import { gaussianRenyi, meanRuns, renyiEpsilon, tunedRenyi } from "@dpcheck/dpcheck/accounting";
 * const run = gaussianRenyi({ mu: 0.2 });
 * renyiEpsilon(run, { delta: 1e-6 }); // 0.90
 * const runs = { eta: 0, gamma: 0.0018 };
 * meanRuns(runs); // 88
 * renyiEpsilon(tunedRenyi(run, runs), { delta: 1e-6 }); // 1.77
 * ```
 */
export function tunedRenyi(curve: RenyiCurve, runs: TuningRuns): RenyiCurve {
  requireKind("tunedRenyi", "curve", curve, "function");
  const mean = meanRuns(runs);
  const most = (order: number): number =>
    roundUp(Math.max(0, Math.log(mean)) / (order - 1), { relativeError: ROUNDING });
  if ("mean" in runs) {
    return (order) => {
      const epsilon = roundDown(Math.log1p(1 / (order - 1)), { relativeError: ROUNDING });
      const rare = mean * renyiDelta(curve, { epsilon });
      return roundUp(curve(order) + rare + most(order), { relativeError: ROUNDING });
    };
  }
  const { eta, gamma } = runs;
  const least = leastOverOrders(
    (order) => (1 - 1 / order) * curve(order) - Math.log(gamma) / order,
    undefined,
  );
  return (order) =>
    roundUp(curve(order) + (1 + eta) * least + most(order), { relativeError: ROUNDING });
}

/**
 * The mean number of runs of a tuning procedure.
 *
 * @throws {RangeError} as {@linkcode tunedRenyi}.
 */
export function meanRuns(runs: TuningRuns): number {
  const given = requireFields("meanRuns", runs, {});
  if ("mean" in given) {
    requirePositive(ACTION, "mean", given.mean);
    return given.mean;
  }
  const { eta, gamma } = given;
  if (!(eta > -1 && Number.isFinite(eta))) {
    throw new RangeError(
      `Cannot ${ACTION}: eta must be above -1 and finite: current value is ${eta}`,
    );
  }
  requireChance(ACTION, "gamma", gamma);
  const log = Math.log(gamma);
  return (1 - gamma) / gamma * (eta === 0 ? -1 / log : -eta / Math.expm1(eta * log));
}
