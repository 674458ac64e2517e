import { requireKnown } from "../../core/text/known_options.ts";
import { evaluatedOnce } from "../../dp/mechanisms/evaluated_once.ts";
import { alsoConcentrated, boundedRangeRho } from "../../core/claims/bounded_range.ts";
import { pure } from "../../core/claims/claim.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { logSumExp } from "../../core/numeric/log_sum_exp.ts";
import {
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../core/numeric/rational.ts";
import { requireFields, requireInteger, requirePositive } from "../../core/numeric/require.ts";
import { nextUp } from "../../core/numeric/round_outward.ts";
import { type ChoiceSampler, exactChoice } from "../../core/random/exact_choice.ts";

/** A Bayesian model over finitely many parameters, on which likelihoods are bounded. */
export interface PosteriorFamily<Row, Parameter> {
  /** The parameters that a sample may be; not taken from the data. */
  readonly parameters: readonly Parameter[];
  /** Logarithm of the prior, up to a constant; finite. */
  readonly logPrior: (parameter: Parameter) => number;
  /** Logarithm of the likelihood of one row, up to a constant that may depend on the row. */
  readonly logLikelihood: (row: Row, parameter: Parameter) => number;
  /**
   * Maximum range, in nats, of the log-likelihood of one row over the parameters. Rows that
   * vary more are clamped to it.
   */
  readonly range: number;
}

/** Options of posterior sampling, beside its family. */
export interface PosteriorSamplingOptions {
  /** The claim, in nats: of all samples together. */
  readonly epsilon: number;
  /** When two datasets are neighbours: replace-one or add-remove-one. */
  readonly relation: Relation;
  /** Independent samples of the posterior. Default 1. */
  readonly samples?: number;
  /** The datasets that the mechanism is for: what a search may try. */
  readonly domain?: Domain;
}

/** Posterior sampling, and how much it was tempered. */
export type PosteriorSampling<Row, Parameter> = Mechanism<Row, Parameter[]> & {
  /** The power in (0, 1] to which the likelihood is raised: 1 is the posterior itself. */
  readonly temper: number;
};

/** Log-likelihoods are whole multiples of this many nats, so that their sums are exact. */
const STEP = 2 ** -24;
/** Sums up to here are exact as doubles; the rest is counted apart. */
const MOST_EXACT = 2 ** 52;

/**
 * Returns the mechanism that draws one sample of the posterior, or several (Dimitrakakis et al. 2014; Wang,
 * Fienberg, Smola 2015, Theorem 1; Foulds et al. 2016): the exponential mechanism whose utility is
 * the log-likelihood. Where the log-likelihood of a row varies by at most C over the parameters, a
 * sample is 2C-DP when a row is replaced and C-DP when one is added; for a smaller ε the likelihood
 * is raised to the power ε/(2C), for a larger one the posterior is left as it is and the claim is
 * the smaller number. Each of k samples is of bounded range ε/k, so all of them also keep ε²/(8k)-zCDP (Cesar, Rogers
 * 2021).
 *
 * The parameter space must be truncated for C to exist: no family here reaches the edge of the
 * probability simplex. Log-likelihoods are rounded to 2⁻²⁴ nats row by row and added as integers,
 * and the choice is exact: the claim holds as it stands, floating point included.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { replaceOne } from "../../core/relations/relation.ts";
 * import { SeededSource } from "../../core/random/seeded_source.ts";
 * import { betaBernoulli } from "./families.ts";
 * import { posteriorSampling } from "./posterior_sampling.ts";
 * const sampling = posteriorSampling(
 *   betaBernoulli({ ones: 1, zeros: 1, least: 0.05, resolution: 91 }),
 *   { epsilon: 1, relation: replaceOne },
 * );
 * sampling.sample([true, true, false, true], new SeededSource(1)); // one probability, as 0.62
 * ```
 */
export function posteriorSampling<Row, Parameter>(
  options: PosteriorFamily<Row, Parameter>,
  given: PosteriorSamplingOptions,
): PosteriorSampling<Row, Parameter> {
  const { parameters, logPrior, logLikelihood, range } = requireFields(
    "posteriorSampling",
    options,
    { parameters: "list", logPrior: "function", logLikelihood: "function" },
  );
  requireKnown("call posteriorSampling()", options, [
    "parameters",
    "logPrior",
    "logLikelihood",
    "range",
  ]);
  const { epsilon, relation, samples = 1, domain } = requireFields("posteriorSampling", given, {
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call posteriorSampling()", given, ["epsilon", "relation", "samples", "domain"]);
  const action = "sample a posterior";
  requirePositive(action, "epsilon", epsilon);
  requirePositive(action, "range", range);
  requireInteger(action, "samples", samples, { min: 1 });
  requireInteger(action, "parameters", parameters.length, { min: 1, max: 2 ** 16 });
  if (relation !== replaceOne && relation !== addRemoveOne) {
    throw new RangeError(
      `Cannot ${action}: relation must be replace-one or add-remove-one: current value is ${relation.name}`,
    );
  }
  const priors = parameters.map((parameter) => rational(logPrior(parameter)));
  const rangeSteps = Math.ceil(range / STEP);
  // ε of samples of the posterior itself, in whole numbers: 2C or C each.
  const untempered = multiply(
    rational(BigInt(relation === replaceOne ? 2 * samples : samples)),
    multiply(rational(rangeSteps), rational(STEP)),
  );
  const claimed = Math.min(epsilon, nextUp(toNumber(untempered)));
  // Each sample is of bounded range claimed/samples. The square is rounded up by more than a quotient may lose.
  const rho = boundedRangeRho(claimed) / samples;
  const tempered = divide(rational(epsilon), untempered);
  const temper = subtract(tempered, rational(1)).numerator < 0n ? tempered : rational(1);
  const scale = multiply(temper, rational(STEP));

  /** −log of the tempered posterior of every parameter, up to one constant: exact fractions. */
  const exponents = evaluatedOnce((data: Dataset<Row>): Rational[] => {
    const near = new Float64Array(parameters.length);
    const far = new Array<bigint>(parameters.length).fill(0n);
    for (const [row, times] of occurrences(data)) {
      const logs = parameters.map((parameter) => logLikelihood(row, parameter));
      const finite = logs.filter(Number.isFinite);
      // A row that is impossible whatever the parameter is says nothing: a refusal would tell of it.
      if (finite.length === 0) continue;
      const most = finite.reduce((a, b) => Math.max(a, b));
      logs.forEach((log, i) => {
        // A log-likelihood that is not finite counts as impossible, and is clamped to the range.
        const steps = Number.isFinite(log) ? Math.round((most - log) / STEP) : rangeSteps;
        const held = Math.min(steps, rangeSteps);
        if (near[i]! + times * held <= MOST_EXACT) near[i]! += times * held;
        else far[i]! += BigInt(times) * BigInt(held);
      });
    }
    return priors.map((prior, i) =>
      subtract(multiply(scale, rational(far[i]! + BigInt(near[i]!))), prior)
    );
  });

  const chooser = (data: Dataset<Row>): ChoiceSampler =>
    exactChoice(exponents(data).map((exponent) => ({ exponent })));
  const numbers = parameters.every((parameter) => typeof parameter === "number")
    ? parameters as readonly number[]
    : undefined;
  return {
    name: "posterior sampling",
    claim: pure({ epsilon: claimed, relation }),
    alsoKeeps: alsoConcentrated({ rho, relation }),
    ...(domain === undefined ? {} : { domain }),
    temper: toNumber(temper),
    check: (data) => void exponents(data),
    sample(data: Dataset<Row>, source: Source): Parameter[] {
      const choose = chooser(data);
      return Array.from({ length: samples }, () => parameters[choose(source)]!);
    },
    ...(numbers === undefined ? {} : {
      width: samples,
      sampleMany(data: Dataset<Row>, count: number, source: Source): Float64Array {
        const choose = chooser(data);
        return Float64Array.from({ length: count * samples }, () => numbers[choose(source)]!);
      },
    }),
    ...(samples > 1 ? {} : {
      distribution(data: Dataset<Row>): { output: Parameter[]; probability: number }[] {
        const logs = exponents(data).map((exponent) => -toNumber(exponent));
        const total = logSumExp(logs);
        return parameters.map((parameter, i) => ({
          output: [parameter],
          probability: Math.exp(logs[i]! - total),
        }));
      },
    }),
  };
}

/** Rows that are values and not objects are looked at once, however often they occur. */
function occurrences<Row>(data: Dataset<Row>): Map<Row, number> {
  const times = new Map<Row, number>();
  for (const row of data) times.set(row, (times.get(row) ?? 0) + 1);
  return times;
}
