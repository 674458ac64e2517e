import type { Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { addRemoveOne, replaceOne } from "../../core/relations/relation.ts";
import { requireFields, requirePositive } from "../../core/numeric/require.ts";
import {
  attributes,
  bits,
  chosen,
  disc,
  fewSteps,
  granularity,
  letters,
  manyLetters,
  oneLetter,
  only,
  onUnit,
  people,
  stream,
  unit,
  units,
  whole,
} from "./audit_inputs.ts";
import { baseTwoExponential } from "./base_two_exponential.ts";
import { boundedMean, boundedSum } from "./bounded_sum.ts";
import { contingencyTable, type TableRow } from "./contingency_table.ts";
import { count } from "./count.ts";
import { exponentialMechanism } from "./exponential_mechanism.ts";
import { floatGaussianMechanism } from "./float_gaussian_mechanism.ts";
import { floatLaplaceMechanism } from "./float_laplace_mechanism.ts";
import { floatSphericalLaplace } from "./float_spherical_laplace.ts";
import {
  analyticGaussian,
  classicalGaussian,
  integerGaussian,
  vectorGaussian,
} from "./gaussian.ts";
import { geometric, integerLaplace, truncatedGeometric } from "./geometric.ts";
import { keepOrReplace, mixedNoise, perturbedDatabase } from "./input_perturbation.ts";
import { laplace, vectorLaplace } from "./laplace.ts";
import { noisyHistogram } from "./noisy_histogram.ts";
import { permuteAndFlip } from "./permute_and_flip.ts";
import { quantile } from "./quantile.ts";
import {
  kAryRandomisedResponse,
  randomisedResponse,
  twoCoinSurvey,
} from "./randomised_response.ts";
import { rappor } from "./rappor.ts";
import { reportNoisyMax } from "./report_noisy_max.ts";
import { snapping } from "./snapping.ts";
import { aboveThreshold, numericSparseVector } from "./sparse_vector.ts";
import { staircase } from "./staircase.ts";
import { treeCounts } from "./tree_counts.ts";
import { unaryEncoding } from "./unary_encoding.ts";

/** A mechanism with a small domain of test datasets, so that an auditor can search pairs. */
export type RegisteredMechanism = Mechanism & {
  /** The datasets it takes. */
  readonly domain: Domain;
};

/** The privacy a named mechanism is made for. */
export interface RegistryOptions {
  /** In nats. */
  readonly epsilon: number;
  /** For the Gaussian mechanisms only, which need it. */
  readonly delta?: number;
}

type Factory = (claim: { epsilon: number; delta: () => number }) => Mechanism;

const factories: Readonly<Record<string, Factory>> = {
  "two-coin-survey": () => twoCoinSurvey({ domain: bits }),
  "randomised-response": ({ epsilon }) => randomisedResponse({ epsilon, domain: bits }),
  "k-ary-randomised-response": ({ epsilon }) =>
    kAryRandomisedResponse({ epsilon, categories: letters, domain: oneLetter }),
  "symmetric-unary-encoding": ({ epsilon }) => ({
    ...unaryEncoding({ epsilon, categories: letters, variant: "symmetric" }),
    domain: oneLetter,
  }),
  "optimised-unary-encoding": ({ epsilon }) => ({
    ...unaryEncoding({ epsilon, categories: letters, variant: "optimised" }),
    domain: oneLetter,
  }),
  // One hash and 8 bits: the chance f of the one-time form that gives the ε asked for.
  "rappor": ({ epsilon }) => ({
    ...rappor({ bits: 8, hashes: 1, forget: 2 / (1 + Math.exp(epsilon / 2)) }),
    domain: whole,
  }),
  "keep-or-replace": ({ epsilon }) =>
    perturbedDatabase(keepOrReplace({ size: 6, keep: 1 / (1 + 5 * Math.exp(-epsilon)) }), {
      domain: whole,
    }),
  "mixed-noise": ({ epsilon }) =>
    // The chances are keep/3 + (1 − keep)/6 and (1 − keep)/6: their ratio is e^ε.
    perturbedDatabase(
      mixedNoise({ size: 6, reach: 1, keep: Math.expm1(epsilon) / (Math.expm1(epsilon) + 2) }),
      { domain: whole },
    ),
  "laplace": ({ epsilon }) => laplace<number>({ query: only, epsilon, ...onUnit }),
  "vector-laplace": ({ epsilon }) =>
    vectorLaplace<number>({
      query: (rows) => [only(rows), -only(rows)],
      dimension: 2,
      epsilon,
      ...onUnit,
      sensitivity: 2,
    }),
  "classical-gaussian": ({ epsilon, delta }) =>
    classicalGaussian<number>({ query: only, epsilon, delta: delta(), ...onUnit }),
  "gaussian": ({ epsilon, delta }) =>
    analyticGaussian<number>({ query: only, epsilon, delta: delta(), ...onUnit }),
  "vector-gaussian": ({ epsilon, delta }) =>
    vectorGaussian<readonly number[]>({
      query: only,
      dimension: 2,
      rho: rhoFor({ epsilon, delta: delta() }),
      sensitivity: 2,
      granularity,
      relation: replaceOne,
      domain: disc,
    }),
  "discrete-gaussian": ({ epsilon, delta }) =>
    integerGaussian<number>({
      query: (rows) => [only(rows)],
      dimension: 1,
      rho: rhoFor({ epsilon, delta: delta() }),
      sensitivity: 5,
      relation: replaceOne,
      domain: whole,
    }),
  "geometric": ({ epsilon }) =>
    geometric<number>({
      query: only,
      epsilon,
      sensitivity: 5,
      relation: replaceOne,
      domain: whole,
    }),
  "truncated-geometric": ({ epsilon }) =>
    truncatedGeometric<number>({
      query: only,
      epsilon,
      sensitivity: 5,
      bounds: { lower: 0, upper: 5 },
      relation: replaceOne,
      domain: whole,
    }),
  "discrete-laplace": ({ epsilon }) =>
    integerLaplace<number>({
      query: (rows) => [only(rows), 5 - only(rows)],
      dimension: 2,
      epsilon,
      sensitivity: 10,
      relation: replaceOne,
      domain: whole,
    }),
  "staircase": ({ epsilon }) => staircase<number>({ query: only, epsilon, ...onUnit }),
  "snapping": ({ epsilon }) =>
    snapping<number>({
      query: only,
      epsilon,
      sensitivity: 1,
      bound: Math.max(100, 10 / epsilon),
      relation: replaceOne,
      domain: unit,
    }),
  "exponential": ({ epsilon }) => exponentialMechanism({ ...chosen, epsilon }),
  "base-2-exponential": ({ epsilon }) =>
    baseTwoExponential({ ...chosen, epsilon, granularity: 1, bits: 40 }),
  "permute-and-flip": ({ epsilon }) => permuteAndFlip({ ...chosen, epsilon }),
  "noisy-max": ({ epsilon }) =>
    reportNoisyMax({ ...chosen, epsilon, noise: "laplace", granularity: 1 }),
  "noisy-max-exponential": ({ epsilon }) =>
    reportNoisyMax({ ...chosen, epsilon, noise: "exponential" }),
  "noisy-max-gumbel": ({ epsilon }) => reportNoisyMax({ ...chosen, epsilon, noise: "gumbel" }),
  "sparse-vector": ({ epsilon }) => aboveThreshold({ ...stream, epsilon, count: 1 }),
  "numeric-sparse-vector": ({ epsilon }) => numericSparseVector({ ...stream, epsilon, count: 1 }),
  "histogram": ({ epsilon }) =>
    noisyHistogram<string, string>({
      categories: letters,
      categoryOf: (row) => row,
      epsilon,
      relation: addRemoveOne,
      domain: manyLetters,
    }),
  "contingency-table": ({ epsilon }) =>
    contingencyTable({
      attributes,
      epsilon,
      relation: addRemoveOne,
      domain: people,
    }) as Mechanism<TableRow, number[]>,
  "tree-counts": ({ epsilon }) =>
    treeCounts<number>({
      steps: fewSteps.rows.max,
      stepOf: (step) => step,
      epsilon,
      relation: addRemoveOne,
      domain: fewSteps,
    }),
  "count": ({ epsilon }) =>
    count<boolean>({ where: (yes) => yes, epsilon, relation: replaceOne, domain: bits }),
  "sum": ({ epsilon }) =>
    boundedSum({
      bounds: { lower: 0, upper: 1 },
      epsilon,
      granularity,
      relation: replaceOne,
      domain: units,
    }),
  "mean": ({ epsilon }) =>
    boundedMean({
      bounds: { lower: 0, upper: 1 },
      epsilon,
      granularity,
      relation: replaceOne,
      domain: units,
    }),
  "mean-of-unknown-size": ({ epsilon }) =>
    boundedMean({
      bounds: { lower: 0, upper: 1 },
      epsilon,
      granularity,
      relation: addRemoveOne,
      domain: { ...units, size: { min: 0, max: 4 } },
    }),
  "quantile": ({ epsilon }) =>
    quantile({
      level: 0.5,
      bounds: { lower: 0, upper: 1 },
      granularity,
      epsilon,
      relation: replaceOne,
      domain: units,
    }),
  "float-laplace": ({ epsilon }) =>
    floatLaplaceMechanism<number>({ query: only, epsilon, ...onUnit }),
  "float-gaussian": ({ epsilon, delta }) =>
    floatGaussianMechanism<number>({ query: only, epsilon, delta: delta(), ...onUnit }),
  "float-spherical-laplace": ({ epsilon }) =>
    floatSphericalLaplace<readonly number[]>({
      query: only,
      dimension: 2,
      epsilon,
      sensitivity: 2,
      relation: replaceOne,
      domain: disc,
    }),
};

/** A ρ from which (epsilon, delta) follows: ε = ρ + 2√(ρ·ln(1/δ)) (Bun, Steinke 2016, Proposition 1.3). */
function rhoFor({ epsilon, delta }: { epsilon: number; delta: number }): number {
  const log = -Math.log(delta);
  return (epsilon / (Math.sqrt(epsilon + log) + Math.sqrt(log))) ** 2;
}

/** The names that {@linkcode mechanismNamed} knows. */
export const mechanismNames: readonly string[] = Object.keys(factories);

/**
 * A shipped mechanism by name, with a query and a domain of small datasets made for audits. The
 * two-coin survey has its own ε, ln 3; the discrete and the vector Gaussian claim the ρ-zCDP from which
 * (epsilon, delta) follows.
 *
 * @throws {RangeError} when there is no mechanism of that name, when a Gaussian one lacks delta, or when the
 * mechanism refuses its parameters.
 *
 * @example
 * ```ts
 * import { mechanismNamed } from "./registry.ts";
 * mechanismNamed("laplace", { epsilon: 0.5 }).domain;
 * ```
 */
export function mechanismNamed(
  name: string,
  options: RegistryOptions,
): RegisteredMechanism {
  const { epsilon, delta } = requireFields("mechanismNamed", options, {});
  const factory = Object.hasOwn(factories, name) ? factories[name] : undefined;
  if (factory === undefined) {
    throw new RangeError(
      `Cannot find a mechanism: name must be one of ${
        mechanismNames.join(", ")
      }: current value is ${name}`,
    );
  }
  requirePositive(`make ${name}`, "epsilon", epsilon);
  const mechanism = factory({
    epsilon,
    delta: () => {
      if (delta === undefined) {
        throw new RangeError(
          `Cannot make ${name}: delta must be given: current value is undefined`,
        );
      }
      return delta;
    },
  });
  return { ...mechanism, name, domain: mechanism.domain! };
}
