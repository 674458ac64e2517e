import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import { clampedVectorMean } from "../../lib/learners/aggregate/clamped_vector_mean.ts";
import { pluralityVote } from "../../lib/learners/aggregate/plurality_vote.ts";
import { subsampleAndAggregate } from "../../lib/learners/aggregate/subsample_and_aggregate.ts";
import { noisyStatistics } from "../../lib/learners/bayes/noisy_statistics.ts";
import { noisySufficientStatistics } from "../../lib/learners/bayes/noisy_sufficient_statistics.ts";
import { posteriorSampling } from "../../lib/learners/bayes/posterior_sampling.ts";
import { privateLearner } from "../../lib/learners/pac/private_learner.ts";
import { noisySecondMoments } from "../../lib/learners/sulq/principal_directions.ts";
import { sulqMechanism } from "../../lib/learners/sulq/sulq_mechanism.ts";
import { keepOrReplace, perturbedDatabase } from "../../lib/mechanisms/input_perturbation.ts";
import { twoCoinSurvey } from "../../lib/mechanisms/randomised_response.ts";
import { requireEqual, requireThat } from "../engine/requirement.ts";
import { FACTORIES } from "./mechanism_factories.ts";
import { bernoulli } from "./posterior_cases.ts";

type Made = { readonly name: string; readonly domain?: unknown; readonly width?: number };

const relation = replaceOne, epsilon = 0.5;

/** Mechanisms of learners with options that they take. */
const LEARNERS: readonly (readonly [(options: never) => Made, Record<string, unknown>])[] = [
  [(options: never) => posteriorSampling(bernoulli, options), { epsilon, relation }],
  [noisyStatistics, { prior: [1, 1], epsilon, relation }],
  [noisySufficientStatistics, {
    statistic: (row: number) => [row],
    bounds: { lower: [0], upper: [1] },
    granularity: 0.5,
    epsilon,
    relation,
  }],
  [subsampleAndAggregate, {
    blocks: 2,
    estimator: () => 0,
    fallback: 0,
    aggregator: pluralityVote({ candidates: [0, 1], epsilon }),
    relation,
  }],
  [privateLearner, { hypotheses: [0, 1], errs: () => true, epsilon, relation }],
  [noisySecondMoments, { columnCount: 2, normBound: 1, rho: 0.1, relation }],
  [sulqMechanism, { variance: 4, queries: 1, relation, next: () => () => 0 }],
  [(options: { readonly domain?: never }) => twoCoinSurvey(options), {}],
  [(options: never) => perturbedDatabase(keepOrReplace({ size: 3, keep: 0.5 }), options), {}],
];

/** A mechanism is meant for the datasets that it is told of, and says nothing where it is told of none. */
export function requireDomains(): void {
  // What these release, row by row, has no dataset.
  const rowwise = FACTORIES.filter(([make]) =>
    /^(unaryEncoding|rappor|\w*Noise|keepOrReplace)$/.test(make.name)
  );
  requireThat(rowwise.length === 6, "mechanisms of rows");
  for (
    const [make, options] of [...FACTORIES.filter((each) => !rowwise.includes(each)), ...LEARNERS]
  ) {
    const domain = { rows: { type: "boolean" }, size: { min: 1, max: 2 } };
    const [told, untold] = [{ ...options, domain }, options].map((each) =>
      make(each as never) as Made
    );
    requireThat(told!.domain === domain, () => `${told!.name} forgets its domain`);
    requireEqual("domain" in untold!, false, `${untold!.name} has a domain`);
  }
  // Aggregators hand on what they claim, under the relation that is asked for.
  const aggregator = clampedVectorMean({ dimension: 1, bound: 1, granularity: 0.5, epsilon });
  for (const each of [replaceOne, addRemoveOne]) {
    const { claim, alsoKeeps } = subsampleAndAggregate<number, readonly number[], number[]>({
      blocks: 2,
      estimator: () => [0],
      fallback: [0],
      aggregator: { ...aggregator, alsoKeeps: [{ ...aggregator.claim, epsilon: 7 } as never] },
      relation: each,
    });
    requireEqual(
      [claim, ...alsoKeeps!].map((
        of,
      ) => [(of as { epsilon: number }).epsilon, of.relation === each]),
      [
        [epsilon, true],
        [7, true],
      ],
    );
    const plain = subsampleAndAggregate<number, readonly number[], number[]>({
      blocks: 2,
      estimator: () => [0],
      fallback: [0],
      aggregator,
      relation: each,
    });
    requireEqual(
      "alsoKeeps" in plain,
      "alsoKeeps" in aggregator && aggregator.alsoKeeps !== undefined,
    );
  }
}
