import { pexp, pgamma, pnorm, punif, qexp, qgamma, qnorm, qunif } from "lib-r-math.js";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { floatExponential } from "../../../lib/core/random/float_exponential.ts";
import { floatGamma } from "../../../lib/core/random/float_gamma.ts";
import { floatLaplace } from "../../../lib/core/random/float_laplace.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { floatUniform } from "../../../lib/core/random/float_uniform.ts";
import type { Law } from "./goodness_of_fit.ts";

/** Fills an array with draws. */
export type Sampler = (source: Source, out: Float64Array) => Float64Array;

const exponential = (scale: number): Law => ({
  quantile: (p, lowerTail) => qexp(p, 1 / scale, lowerTail),
  cumulative: (x) => pexp(x, 1 / scale),
  mean: scale,
  variance: scale ** 2,
  kurtosis: 9,
});

const laplace = (scale: number): Law => ({
  quantile: (p, lowerTail) => (lowerTail ? -scale : scale) * qexp(2 * p, 1, false),
  cumulative: (x) => {
    const tail = pexp(Math.abs(x) / scale, 1, false) / 2;
    return x < 0 ? tail : 1 - tail;
  },
  mean: 0,
  variance: 2 * scale ** 2,
  kurtosis: 6,
});

const normal = (scale: number): Law => ({
  quantile: (p, lowerTail) => qnorm(p, 0, scale, lowerTail),
  cumulative: (x) => pnorm(x, 0, scale),
  mean: 0,
  variance: scale ** 2,
  kurtosis: 3,
});

/** The gamma law. */
export const gammaLaw = (shape: number, scale: number): Law => ({
  quantile: (p, lowerTail) => qgamma(p, shape, undefined, scale, lowerTail),
  cumulative: (x) => pgamma(x, shape, undefined, scale),
  mean: shape * scale,
  variance: shape * scale ** 2,
  kurtosis: 3 + 6 / shape,
});

const uniform: Law = {
  quantile: (p, lowerTail) => qunif(p, 0, 1, lowerTail),
  cumulative: (x) => punif(x, 0, 1),
  mean: 1 / 2,
  variance: 1 / 12,
  kurtosis: 9 / 5,
};

/** The float samplers and their laws. */
export const SAMPLERS: readonly { name: string; sample: Sampler; law: Law }[] = [
  { name: "floatUniform", sample: floatUniform, law: uniform },
  {
    name: "floatExponential",
    sample: (source, out) => floatExponential(source, out, { scale: 2 }),
    law: exponential(2),
  },
  {
    name: "floatLaplace",
    sample: (source, out) => floatLaplace(source, out, { scale: 0.5 }),
    law: laplace(0.5),
  },
  {
    name: "floatNormal",
    sample: (source, out) => floatNormal(source, out, { scale: 3 }),
    law: normal(3),
  },
  ...[0.3, 1, 4.5].map((shape) => ({
    name: `floatGamma of shape ${shape}`,
    sample: (source: Source, out: Float64Array): Float64Array =>
      floatGamma(source, out, { shape, scale: 2 }),
    law: gammaLaw(shape, 2),
  })),
];
