import {
  composeMeanConcentrated,
  type MeanConcentrated,
  meanConcentratedEpsilon,
  meanConcentratedOfGaussian,
  meanConcentratedOfPure,
  zcdpOfMeanConcentrated,
} from "../../lib/accounting/mean_concentrated.ts";
import {
  gaussianRenyi,
  laplaceRenyi,
  pureRenyi,
  type RenyiCurve,
  renyiDelta,
  renyiEpsilon,
  renyiOfClaim,
  zcdpRenyi,
} from "../../lib/accounting/renyi.ts";
import {
  poissonSubsampledGaussianRenyi,
  subsampledParameters,
  subsampledRenyi,
} from "../../lib/accounting/subsampling.ts";
import {
  largestRho,
  zcdpComposition,
  type ZcdpConversion,
  zcdpDelta,
  zcdpEpsilon,
  zcdpOfBoundedRange,
  zcdpOfClaim,
} from "../../lib/accounting/zcdp.ts";
import { type Claim, renyi } from "../../lib/core/claim.ts";
import {
  AT_LEAST_0,
  BELOW_1,
  COPIES,
  DELTA,
  LEAST,
  NEARLY_1,
  POSITIVE,
  RATE,
  type Refusing,
  relation,
} from "./refused_values.ts";

const curve: RenyiCurve = (order) => 0.1 * order;

/** Conversions between measures of privacy, as {@linkcode ACCOUNTING_OPTIONS}. */
export const CONVERSION_OPTIONS: readonly Refusing[] = [
  ["gaussianRenyi", gaussianRenyi, { mu: 1 }, { mu: POSITIVE }, { mu: [LEAST] }],
  ["zcdpRenyi", zcdpRenyi, { rho: 1 }, { rho: POSITIVE }, { rho: [LEAST] }],
  ["laplaceRenyi", laplaceRenyi, { epsilon: 1 }, { epsilon: POSITIVE }, { epsilon: [LEAST] }],
  ["pureRenyi", pureRenyi, { epsilon: 1 }, { epsilon: POSITIVE }, { epsilon: [LEAST] }],
  ["renyiOfClaim", ({ claim }: { claim: Claim }) => renyiOfClaim(claim), {
    claim: renyi({ order: 2, epsilon: 1, relation }),
  }, { claim: COPIES }],
  [
    "renyiEpsilon",
    (options: { delta: number; orders: readonly number[] }) => renyiEpsilon(curve, options),
    { delta: 0.1, orders: [2] },
    { delta: BELOW_1, orders: [[1], [2, 0.5], [NaN], [-1], [Infinity]] },
    { delta: [LEAST, NEARLY_1], orders: [[1 + 2 ** -52], []] },
  ],
  [
    "renyiDelta",
    (options: { epsilon: number; orders: readonly number[] }) => renyiDelta(curve, options),
    { epsilon: 1, orders: [2] },
    { epsilon: AT_LEAST_0, orders: [[1], [2, 0.5], [NaN], [-1], [Infinity]] },
    { epsilon: [0], orders: [[1 + 2 ** -52], []] },
  ],
  [
    "subsampledParameters",
    ({ rate, ...part }: { rate: number; epsilon: number; delta: number }) =>
      subsampledParameters(part, { rate }),
    { epsilon: 1, delta: 0.1, rate: 0.5 },
    { epsilon: AT_LEAST_0, delta: DELTA, rate: RATE },
    { epsilon: [0], delta: [0, NEARLY_1], rate: [LEAST, 1] },
  ],
  [
    "poissonSubsampledGaussianRenyi",
    poissonSubsampledGaussianRenyi,
    { mu: 1, rate: 0.5 },
    { mu: POSITIVE, rate: RATE },
    { rate: [LEAST, 1] },
  ],
  [
    "subsampledRenyi",
    (options: { rate: number; pureEpsilon: number }) => subsampledRenyi(curve, options),
    { rate: 0.5, pureEpsilon: 1 },
    { rate: RATE, pureEpsilon: POSITIVE.filter((value) => value !== Infinity) },
    { rate: [LEAST, 1], pureEpsilon: [LEAST, Infinity] },
  ],
  ["zcdpOfClaim", ({ claim }: { claim: Claim }) => zcdpOfClaim(claim), {
    claim: renyi({ order: 2, epsilon: 1, relation }),
  }, { claim: COPIES }],
  ["zcdpOfBoundedRange", zcdpOfBoundedRange, { epsilon: 1 }, { epsilon: POSITIVE }],
  ["zcdpComposition", (part: { rho: number }) => zcdpComposition([{ rho: 1 }, part]), { rho: 1 }, {
    rho: AT_LEAST_0,
  }, { rho: [0] }],
  ...(["optimal", "bun-steinke"] as const).map((conversion: ZcdpConversion): Refusing => [
    `zcdpEpsilon, ${conversion}`,
    ({ rho, delta }: { rho: number; delta: number }) => zcdpEpsilon({ rho }, { delta, conversion }),
    { rho: 1, delta: 0.1 },
    { rho: POSITIVE, delta: BELOW_1 },
    { rho: [LEAST], delta: [LEAST, NEARLY_1] },
  ]),
  [
    "zcdpDelta",
    ({ rho, epsilon }: { rho: number; epsilon: number }) => zcdpDelta({ rho }, { epsilon }),
    { rho: 1, epsilon: 1 },
    { rho: POSITIVE, epsilon: AT_LEAST_0 },
    { epsilon: [0] },
  ],
  ["largestRho", largestRho, { epsilon: 1, delta: 0.1 }, { epsilon: POSITIVE, delta: BELOW_1 }],
  ["meanConcentratedOfPure", meanConcentratedOfPure, { epsilon: 1 }, { epsilon: POSITIVE }],
  ["meanConcentratedOfGaussian", meanConcentratedOfGaussian, { mu: 1 }, { mu: POSITIVE }],
  [
    "composeMeanConcentrated",
    (part: MeanConcentrated) => composeMeanConcentrated([{ mean: 1, spread: 1 }, part]),
    { mean: 1, spread: 1 },
    { mean: AT_LEAST_0, spread: AT_LEAST_0 },
    { mean: [0], spread: [0] },
  ],
  [
    "meanConcentratedEpsilon",
    ({ delta, ...claim }: MeanConcentrated & { delta: number }) =>
      meanConcentratedEpsilon(claim, { delta }),
    { mean: 1, spread: 1, delta: 0.1 },
    { mean: AT_LEAST_0, spread: AT_LEAST_0, delta: BELOW_1 },
    { mean: [0], spread: [0], delta: [LEAST, NEARLY_1] },
  ],
  ["zcdpOfMeanConcentrated", zcdpOfMeanConcentrated, { mean: 1, spread: 1 }, {
    mean: AT_LEAST_0,
    spread: AT_LEAST_0,
  }, { mean: [0], spread: [0] }],
];
