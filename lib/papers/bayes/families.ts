import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireInteger, requirePositive } from "../../core/numeric/require.ts";
import type { PosteriorFamily } from "./posterior_sampling.ts";

/**
 * Returns the family of coin flips with a Beta prior, on `resolution` equally spaced probabilities from `least` to 1 −
 * `least`. One flip's log-likelihood varies by ln((1 − least)/least), which has no bound as least
 * falls to 0: the Beta posterior on all of (0, 1) keeps no ε at all.
 *
 * @param options `ones` and `zeros` are the prior's shapes, as if so many flips less one had been seen.
 * @throws {RangeError} unless shapes are positive and least is in (0, ½).
 *
 * @example
 * ```ts
 * import { betaBernoulli } from "./families.ts";
 * betaBernoulli({ ones: 1, zeros: 1, least: 0.25, resolution: 3 }).parameters; // 0.25, 0.5, 0.75
 * ```
 */
export function betaBernoulli(
  options: {
    readonly ones: number;
    readonly zeros: number;
    readonly least: number;
    readonly resolution: number;
  },
): PosteriorFamily<boolean, number> {
  const { ones, zeros, least, resolution } = requireFields("betaBernoulli", options, {});
  requireKnown("call betaBernoulli()", options, ["ones", "zeros", "least", "resolution"]);
  const action = "make a Beta-Bernoulli family";
  requirePositive(action, "ones", ones);
  requirePositive(action, "zeros", zeros);
  requireInteger(action, "resolution", resolution, { min: 2 });
  if (!(least > 0 && least < 0.5)) {
    throw new RangeError(`Cannot ${action}: least must be in (0, 1/2): current value is ${least}`);
  }
  return {
    parameters: equallySpaced({ lower: least, upper: 1 - least, resolution }),
    logPrior: (p) => (ones - 1) * Math.log(p) + (zeros - 1) * Math.log1p(-p),
    logLikelihood: (flip, p) => flip ? Math.log(p) : Math.log1p(-p),
    range: Math.log1p(-least) - Math.log(least),
  };
}

/**
 * Returns the family of categories with a Dirichlet prior, on all probability vectors whose entries are multiples of
 * 1/`resolution` and at least one step: C(resolution − 1, K − 1) of them, at most 65,536. One row's
 * log-likelihood varies by ln(resolution − K + 1).
 *
 * @param options `prior` has one shape a category; a row is the index of its category.
 * @throws {RangeError} unless shapes are positive, and resolution an integer above their number.
 *
 * @example
 * ```ts
 * import { dirichletMultinomial } from "./families.ts";
 * dirichletMultinomial({ prior: [1, 1, 1], resolution: 4 }).parameters.length; // 3
 * ```
 */
export function dirichletMultinomial(
  options: { readonly prior: readonly number[]; readonly resolution: number },
): PosteriorFamily<number, readonly number[]> {
  const { prior, resolution } = requireFields("dirichletMultinomial", options, { prior: "list" });
  requireKnown("call dirichletMultinomial()", options, ["prior", "resolution"]);
  const action = "make a Dirichlet-multinomial family";
  const categories = prior.length;
  requireInteger(action, "length of prior", categories, { min: 2 });
  prior.forEach((shape, k) => requirePositive(action, `prior[${k}]`, shape));
  requireInteger(action, "resolution", resolution, { min: categories + 1 });
  let cells = 1;
  for (let k = 1; k < categories; k++) cells = cells * (resolution - k) / k;
  requireInteger(action, "parameters", Math.round(cells), { max: 2 ** 16 });
  return {
    parameters: compositions(resolution, categories).map((parts) =>
      parts.map((part) => part / resolution)
    ),
    logPrior: (p) => p.reduce((sum, share, k) => sum + (prior[k]! - 1) * Math.log(share), 0),
    // A row that is not a category is as likely under every parameter.
    logLikelihood: (category, p) => Math.log(p[category] ?? 1),
    range: Math.log(resolution - categories + 1),
  };
}

/**
 * Returns the family of numbers in bounds, normal with known deviation around an unknown mean, itself normal beforehand:
 * on `resolution` equally spaced means between the bounds. Rows are brought into the bounds; one
 * row's log-likelihood varies by (upper − lower)²/(2·deviation²).
 *
 * @throws {RangeError} unless deviations and upper − lower are positive.
 *
 * @example
 * ```ts
 * import { gaussianMean } from "./families.ts";
 * const bounds = { lower: 0, upper: 10 };
 * gaussianMean({ bounds, deviation: 5, prior: { mean: 5, deviation: 100 }, resolution: 101 }).range; // 2
 * ```
 */
export function gaussianMean(
  options: {
    readonly bounds: { readonly lower: number; readonly upper: number };
    readonly deviation: number;
    readonly prior: { readonly mean: number; readonly deviation: number };
    readonly resolution: number;
  },
): PosteriorFamily<number, number> {
  const { bounds: { lower, upper }, deviation, prior, resolution } = requireFields(
    "gaussianMean",
    options,
    { bounds: "record", prior: "record" },
  );
  requireKnown("call gaussianMean()", options, ["bounds", "deviation", "prior", "resolution"]);
  const action = "make a Gaussian family";
  requirePositive(action, "bounds.upper - bounds.lower", upper - lower);
  requirePositive(action, "deviation", deviation);
  requirePositive(action, "prior.deviation", prior.deviation);
  requireInteger(action, "resolution", resolution, { min: 2 });
  return {
    parameters: equallySpaced({ lower, upper, resolution }),
    logPrior: (mean) => -0.5 * ((mean - prior.mean) / prior.deviation) ** 2,
    logLikelihood: (row, mean) =>
      -0.5 * ((Math.min(upper, Math.max(lower, row)) - mean) / deviation) ** 2,
    range: 0.5 * ((upper - lower) / deviation) ** 2,
  };
}

function equallySpaced(
  { lower, upper, resolution }: { lower: number; upper: number; resolution: number },
): number[] {
  return Array.from(
    { length: resolution },
    (_, i) => lower + (upper - lower) * (i / (resolution - 1)),
  );
}

/** All ways to write `total` as `parts` positive integers in order. */
function compositions(total: number, parts: number): number[][] {
  if (parts === 1) return [[total]];
  return Array.from({ length: total - parts + 1 }, (_, i) => i + 1)
    .flatMap((first) => compositions(total - first, parts - 1).map((rest) => [first, ...rest]));
}
