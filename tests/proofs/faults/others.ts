import type { Fault, Loaded } from "./fault.ts";

/** Faults of accounting, of claims that hold besides and of cleaned predictors. */
export const otherFaults: readonly Fault[] = [
  {
    file: "core/bounded_range.ts",
    from: "roundUp(0.125 * epsilon",
    to: "roundUp(0.03 * epsilon",
    caughtBy: {
      audit: {
        modules: ["mechanisms/exponential_mechanism.ts", "core/relation.ts"],
        mechanism: ({ exponentialMechanism }: Loaded, { replaceOne }: Loaded) => {
          const mechanism = exponentialMechanism({
            candidates: [0, 1],
            utilities: ([row]: readonly number[]) => [1 - row!, row!],
            epsilon: 4,
            sensitivity: 1,
            monotone: false,
            relation: replaceOne,
          });
          return { ...mechanism, claim: mechanism.alsoKeeps[0] };
        },
        left: [0],
        right: [1],
      },
    },
  },
  {
    file: "random/discrete_laplace.ts",
    from: "Math.tanh(rate / 2)",
    to: "Math.tanh(rate)",
    caughtBy: { theorem: ["mechanisms/laplace_moments", "laplaceMoments"] },
  },
  {
    file: "random/laplace_block_law.ts",
    from: "BigInt(blockBits), denominator: t }",
    to: "BigInt(blockBits), denominator: t + t / 32n }",
    caughtBy: { theorem: ["mechanisms/laplace_samplers", "laplaceSamplers"] },
  },
  {
    file: "random/float_laplace.ts",
    from: "{ sampler, scale }",
    to: "{ sampler, scale: 0.98 * scale }",
    caughtBy: { theorem: ["mechanisms/laplace_samplers", "laplaceSamplers"] },
  },
  {
    file: "accounting/group_privacy.ts",
    from: "return pure({ epsilon: up(size * claim.epsilon)",
    to: "return pure({ epsilon: up((size - 1) * claim.epsilon)",
    caughtBy: { theorem: ["composition/group_privacy", "groupPrivacy"] },
  },
  {
    file: "accounting/advanced_composition.ts",
    from: "return Math.sqrt(-2 * count * Math.log(slack)) * epsilon +",
    to: "return 0.5 * Math.sqrt(-2 * count * Math.log(slack)) * epsilon +",
    caughtBy: { theorem: ["composition/advanced_composition", "advancedComposition"] },
  },
  {
    file: "accounting/advanced_composition.ts",
    from: "roundUp(count * (part.delta ?? 0) + slack",
    to: "roundUp((part.delta ?? 0) + slack",
    caughtBy: { theorem: ["composition/advanced_composition", "advancedComposition"] },
  },
  {
    file: "accounting/basic_composition.ts",
    from: "epsilon: sum(parts.map(",
    to: "epsilon: sum(parts.slice(0, 2).map(",
    caughtBy: { theorem: ["composition/basic_composition", "basicComposition"] },
  },
  {
    file: "accounting/basic_composition.ts",
    from: "sum(parts.map(({ delta = 0 })",
    to: "sum(parts.slice(0, 3).map(({ delta = 0 })",
    caughtBy: { theorem: ["composition/basic_composition", "basicComposition"] },
  },
  {
    file: "learners/bayes/exponential_posterior.ts",
    from: "-(prior.strength + size) *",
    to: "-size *",
    caughtBy: { theorem: ["bayes/noisy_posterior", "noisyPosterior"] },
  },
  {
    file: "breaches/sulq_condition.ts",
    from: "const bound = (8 * queries",
    to: "const bound = (1 * queries",
    caughtBy: { theorem: ["input_perturbation/sulq_condition", "sulqCondition"] },
  },
  {
    file: "accounting/subsampling.ts",
    from: "Math.log1p(rate * Math.expm1(epsilon))",
    to: "Math.log1p(0.87 * rate * Math.expm1(epsilon))",
    caughtBy: { theorem: ["composition/subsampling", "subsampling"] },
  },
  {
    file: "breaches/amplification.ts",
    from: "(rho2 * (1 - rho1)) / (rho1 * (1 - rho2))",
    to: "2 * (rho2 * (1 - rho1)) / (rho1 * (1 - rho2))",
    caughtBy: { theorem: ["input_perturbation/no_breach", "noBreach"] },
  },
  {
    file: "predictors/null_space_kernel.ts",
    from: "Math.sqrt(left / cost)",
    to: "left / cost",
    caughtBy: { theorem: ["predictors/theorem_1", "theorem1"] },
  },
];
