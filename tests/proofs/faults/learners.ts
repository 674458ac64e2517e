import type { Fault, LearnerPair, Loaded } from "./fault.ts";

const sulqLearners = { theorem: ["queries/sulq_learners", "sulqLearners"] } as const;
const aggregate = {
  theorem: ["queries/subsample_and_aggregate", "subsampleAndAggregate"],
} as const;

const relations = "core/relation.ts";
/** One step of all rows, with a row whose gradient is longer than it may be. */
const oneStepOfSgd: LearnerPair = {
  modules: ["learners/sgd/dp_sgd.ts"],
  mechanism: ({ dpSgdMechanism }: Loaded) =>
    dpSgdMechanism({
      columnCount: 1,
      steps: 1,
      rate: 1,
      clip: 1,
      noiseMultiplier: 1,
      learningRate: 1,
      delta: 1e-3,
    }),
  left: [],
  right: [{ features: [12], label: 1 }],
};

/** Faults of all learners but those of lib/learners/erm. */
export const learnerFaults: readonly Fault[] = [
  {
    file: "learners/sgd/clipped_gradient.ts",
    from: "Math.min(1, slope * largest / clip * norm)",
    to: "(slope * largest / clip * norm)",
    caughtBy: { audit: oneStepOfSgd },
  },
  {
    file: "learners/sgd/dp_sgd.ts",
    from: "roundUp(1 / noiseMultiplier",
    to: "roundUp(0.5 / noiseMultiplier",
    caughtBy: { audit: oneStepOfSgd },
  },
  {
    file: "learners/aggregate/clamped_vector_mean.ts",
    from: "sensitivity: 2 * most * dimension",
    to: "sensitivity: most * dimension",
    caughtBy: {
      audit: {
        modules: ["learners/aggregate/clamped_vector_mean.ts"],
        mechanism: ({ clampedVectorMean }: Loaded) =>
          clampedVectorMean({ dimension: 1, bound: 1, granularity: 2 ** -8, epsilon: 1 }),
        // The others are pulled to 0, so that the mean is seldom brought into its bounds.
        left: [[1], ...Array.from({ length: 20 }, () => [0])],
        right: [[-1], ...Array.from({ length: 20 }, () => [0])],
      },
    },
  },
  {
    file: "learners/aggregate/plurality_vote.ts",
    from: "sensitivity: 1,",
    to: "sensitivity: 0.5,",
    caughtBy: aggregate,
  },
  {
    file: "learners/aggregate/subsample_and_aggregate.ts",
    from: "order.forEach((row, i) => divided[i % blocks]!.push(data[row]!));",
    to:
      "order.forEach((row, i) => [0, 1].forEach((k) => divided[(i + k) % blocks]!.push(data[row]!)));",
    caughtBy: aggregate,
  },
  {
    file: "learners/bayes/noisy_statistics.ts",
    from: "balanced ? 1 : 2,",
    to: "balanced ? 1 : 1,",
    caughtBy: {
      audit: {
        modules: ["learners/bayes/noisy_statistics.ts", relations],
        mechanism: ({ noisyStatistics }: Loaded, { replaceOne }: Loaded) =>
          noisyStatistics({ prior: [1, 1, 1], epsilon: 1, relation: replaceOne }),
        left: [1, 0, 2, 1, 0, 2],
        right: [0, 0, 2, 1, 0, 2],
      },
    },
  },
  {
    file: "learners/bayes/noisy_sufficient_statistics.ts",
    from: "(sizeIsPublic ? upper[k]! - least",
    to: "(sizeIsPublic ? 0.5 * (upper[k]! - least)",
    caughtBy: {
      audit: {
        modules: ["learners/bayes/noisy_sufficient_statistics.ts", relations],
        mechanism: ({ noisySufficientStatistics }: Loaded, { replaceOne }: Loaded) =>
          noisySufficientStatistics({
            statistic: (row: number) => [row],
            bounds: { lower: [0], upper: [4] },
            granularity: 1,
            epsilon: 1,
            relation: replaceOne,
          }),
        left: [4, ...Array.from({ length: 20 }, (_, i) => i % 5)],
        right: [0, ...Array.from({ length: 20 }, (_, i) => i % 5)],
      },
    },
  },
  {
    file: "learners/bayes/posterior_sampling.ts",
    from: "relation === replaceOne ? 2 * samples : samples",
    to: "samples",
    caughtBy: {
      law: {
        modules: [
          "learners/bayes/posterior_sampling.ts",
          "learners/bayes/families.ts",
          relations,
        ],
        mechanism: ({ posteriorSampling }: Loaded, families: Loaded, { replaceOne }: Loaded) =>
          posteriorSampling(
            families.betaBernoulli({ ones: 1, zeros: 1, least: 0.1, resolution: 81 }),
            { epsilon: 1, relation: replaceOne },
          ),
        left: [...Array.from({ length: 40 }, () => true), true],
        right: [...Array.from({ length: 40 }, () => true), false],
      },
    },
  },
  {
    file: "learners/holdout/thresholdout.ts",
    from: "2 / (noiseScale * rowCount)",
    to: "1 / (noiseScale * rowCount)",
    caughtBy: { theorem: ["queries/thresholdout", "thresholdout"] },
  },
  {
    file: "learners/holdout/thresholdout.ts",
    from: "answer: times(1)",
    to: "answer: times(0.25)",
    caughtBy: {
      audit: {
        modules: ["learners/holdout/thresholdout.ts"],
        mechanism: ({ thresholdoutMechanism }: Loaded) =>
          thresholdoutMechanism({
            training: [0],
            statistics: [(row: number) => row],
            threshold: 0.25,
            noiseScale: 2,
            rowCount: 2,
            count: 1,
          }),
        left: [1, 0],
        right: [1, 1],
      },
    },
  },
  {
    file: "learners/holdout/thresholdout.ts",
    from: "0.5 * count * part * part",
    to: "0.02 * count * part * part",
    caughtBy: {
      audit: {
        modules: ["learners/holdout/thresholdout.ts"],
        mechanism: ({ thresholdoutMechanism }: Loaded) => {
          const mechanism = thresholdoutMechanism({
            training: [0],
            statistics: [(row: number) => row],
            threshold: 0,
            noiseScale: 0.25,
            rowCount: 1,
            count: 1,
          });
          return { ...mechanism, claim: mechanism.alsoKeeps[0] };
        },
        left: [0],
        right: [1],
      },
    },
  },
  {
    file: "learners/pac/private_learner.ts",
    from: "sensitivity: 1,",
    to: "sensitivity: 0.5,",
    caughtBy: { theorem: ["queries/learning_privately", "learningPrivately"] },
  },
  {
    file: "learners/queries/mwem.ts",
    from: "share(epsilon, 2 * rounds + ",
    to: "share(epsilon, rounds + ",
    caughtBy: { audit: mwem() },
  },
  {
    file: "learners/queries/mwem_rounds.ts",
    from: "rational(2 * STEPS)",
    to: "rational(STEPS / 4)",
    caughtBy: { audit: mwem() },
  },
  {
    file: "learners/queries/mwem_rounds.ts",
    from: "(value - estimate) / (2 * size)",
    to: "(value - estimate) / (8 * size)",
    caughtBy: { theorem: ["queries/mwem_update", "mwemUpdate"] },
  },
  {
    file: "learners/sulq/decision_tree.ts",
    from: "tables * (relation === replaceOne ? 2 : 1)",
    to: "tables * 1",
    caughtBy: sulqLearners,
  },
  {
    file: "learners/sulq/k_means.ts",
    from: "Math.max(columns, 2 + columns / 2)",
    to: "2 + columns / 2",
    caughtBy: sulqLearners,
  },
  {
    file: "learners/sulq/perceptron.ts",
    from: "Math.max(columnCount, 1 + columnCount / 4)",
    to: "columnCount",
    caughtBy: sulqLearners,
  },
  {
    file: "learners/sulq/sulq_accounting.ts",
    from: "squaredSensitivity / (2 * variance)",
    to: "squaredSensitivity / (4 * variance)",
    caughtBy: sulqLearners,
  },
  {
    file: "learners/sulq/sulq_noise.ts",
    from: "multiply(rational(variance),",
    to: "multiply(rational(0.87 * variance),",
    caughtBy: sulqLearners,
  },
  {
    file: "learners/sulq/sulq_database.ts",
    from: "Math.min(1, value)",
    to: "value",
    caughtBy: {
      audit: {
        modules: ["learners/sulq/sulq_mechanism.ts", relations],
        mechanism: ({ sulqMechanism }: Loaded, { addRemoveOne }: Loaded) =>
          sulqMechanism({
            next: () => (row: number) => row,
            variance: 1,
            queries: 1,
            relation: addRemoveOne,
          }),
        left: [0, 5],
        right: [0],
      },
    },
  },
  {
    file: "learners/sulq/principal_directions.ts",
    from: ": Math.sqrt(rows)) * STEPS",
    to: ": 0.25 * Math.sqrt(rows)) * STEPS",
    caughtBy: {
      audit: {
        modules: ["learners/sulq/principal_directions.ts", relations],
        mechanism: ({ noisySecondMoments }: Loaded, { replaceOne }: Loaded) =>
          noisySecondMoments({ columnCount: 2, normBound: 1, rho: 0.5, relation: replaceOne }),
        left: [[1, 0]],
        right: [[0, 1]],
      },
    },
  },
  {
    file: "learners/sulq/learn_conjunction.ts",
    from: ") <= tolerance\n",
    to: ") <= 100 * tolerance\n",
    caughtBy: sulqLearners,
  },
  {
    file: "learners/sulq/statistical_queries.ts",
    from: "variance: (rowCount * tolerance) ** 2",
    to: "variance: 1000 * (rowCount * tolerance) ** 2",
    caughtBy: sulqLearners,
  },
];

function mwem(): LearnerPair {
  return {
    modules: [
      "learners/queries/mwem.ts",
      "learners/queries/finite_domain.ts",
      "learners/queries/box_query.ts",
      relations,
    ],
    mechanism: (
      { mwemMechanism }: Loaded,
      { finiteDomain }: Loaded,
      { rangeQuery }: Loaded,
      { replaceOne }: Loaded,
    ) => {
      const domain = finiteDomain({ shape: [4] });
      return mwemMechanism({
        domain,
        queries: [0, 1].map((cell) => rangeQuery(domain, { 0: [cell, cell] })),
        rounds: 1,
        epsilon: 1,
        relation: replaceOne,
        sizes: { min: 1, max: 10 },
      });
    },
    left: [0, 0, 1, 2],
    right: [0, 1, 1, 2],
  };
}
