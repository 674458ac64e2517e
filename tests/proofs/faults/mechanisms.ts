import type { Fault, Loaded } from "./fault.ts";

const sparse = { theorem: ["mechanisms/shipped_sparse_vector", "shippedSparseVector"] } as const;

/** One fault, at least, for every mechanism that is shipped. */
export const mechanismFaults: readonly Fault[] = [
  {
    file: "mechanisms/randomised_response.ts",
    from: "logTruth: Math.log(0.75),\n    logLie: Math.log(0.25),",
    to: "logTruth: Math.log(0.78),\n    logLie: Math.log(0.22),",
    caughtBy: { theorem: ["mechanisms/randomised_response", "randomisedResponse"] },
    breaks: ["two-coin-survey"],
  },
  {
    file: "mechanisms/randomised_response.ts",
    from: "logLie: -epsilon - Math.log1p",
    to: "logLie: -epsilon / 0.87 - Math.log1p",
    caughtBy: { shipped: ["randomised-response"] },
  },
  {
    file: "mechanisms/randomised_response.ts",
    from: "exactChoice([{ exponent: rational(0) }, { exponent: rational(epsilon) }])",
    to: "exactChoice([{ exponent: rational(0) }, { exponent: rational(1.5 * epsilon) }])",
    caughtBy: {
      audit: {
        modules: ["mechanisms/randomised_response.ts"],
        mechanism: ({ randomisedResponse }: Loaded) => randomisedResponse({ epsilon: 1 }),
        left: [true],
        right: [false],
      },
    },
  },
  {
    file: "mechanisms/randomised_response.ts",
    from: "(coins & 1) === 0 ? truth : (coins & 2) === 0",
    to: "(coins & 1) === 0 ? truth : (coins & 3) === 0",
    caughtBy: {
      audit: {
        modules: ["mechanisms/randomised_response.ts"],
        mechanism: ({ twoCoinSurvey }: Loaded) => twoCoinSurvey(),
        left: [true],
        right: [false],
      },
    },
  },
  {
    file: "mechanisms/randomised_response.ts",
    from: "(said === truth ? 0 : epsilon)",
    to: "(said === truth ? 0 : epsilon / 0.87)",
    caughtBy: { shipped: ["k-ary-randomised-response"] },
  },
  {
    file: "mechanisms/randomised_response.ts",
    from: "(share + truthProbability - 1)",
    to: "(share - truthProbability + 1)",
    caughtBy: { theorem: ["mechanisms/randomised_response_mean", "randomisedResponseMean"] },
  },
  {
    file: "mechanisms/unary_encoding.ts",
    from: 'const rate = variant === "symmetric" ? epsilon / 2',
    to: 'const rate = variant === "symmetric" ? epsilon',
    caughtBy: { shipped: ["symmetric-unary-encoding"] },
  },
  {
    file: "mechanisms/unary_encoding.ts",
    from: "const lie = 1 / (1 + Math.exp(rate))",
    to: "const lie = 0.87 / (1 + Math.exp(rate))",
    caughtBy: { shipped: ["symmetric-unary-encoding", "optimised-unary-encoding"] },
  },
  {
    file: "mechanisms/rappor.ts",
    from: "hashes * perPair",
    to: "0.87 * hashes * perPair",
    caughtBy: { shipped: ["rappor"] },
  },
  {
    file: "mechanisms/input_perturbation.ts",
    from: "entry === output ? keep : (1 - keep) / (size - 1)",
    to: "entry === output ? keep : 0.87 * (1 - keep) / (size - 1)",
    caughtBy: { shipped: ["keep-or-replace"] },
  },
  {
    file: "mechanisms/input_perturbation.ts",
    from: "wrapped.probability(entry, output) + (1 - keep) / size",
    to: "wrapped.probability(entry, output) + 0.87 * (1 - keep) / size",
    caughtBy: { shipped: ["mixed-noise"] },
  },
  {
    file: "mechanisms/input_perturbation.ts",
    from: "epsilon: Math.log1p((most - least) / least)",
    to: "epsilon: 0.5 * Math.log1p((most - least) / least)",
    caughtBy: { shipped: ["keep-or-replace", "mixed-noise"] },
  },
  {
    file: "mechanisms/laplace.ts",
    from: "const inSteps = divide(rational(steps)",
    to: "const inSteps = divide(rational(0.87 * steps)",
    caughtBy: { shipped: ["laplace", "vector-laplace"] },
  },
  {
    file: "mechanisms/geometric.ts",
    from: "const scale = divide(rational(s",
    to: "const scale = divide(rational(0.87 * s",
    caughtBy: {
      shipped: ["geometric", "truncated-geometric", "discrete-laplace", "histogram", "tree-counts"],
    },
  },
  {
    file: "mechanisms/gaussian.ts",
    from: "return high;",
    to: "return 0.87 * high;",
    caughtBy: { theorem: ["mechanisms/analytic_gaussian", "analyticGaussian"] },
  },
  {
    file: "mechanisms/gaussian.ts",
    from: "noise: discreteGaussian({ variance: rational(variance) })",
    // Half of the noise: the classical mechanism has more than it needs, and is private with 0.87 of it.
    to: "noise: discreteGaussian({ variance: rational(0.25 * variance) })",
    caughtBy: {
      shipped: ["classical-gaussian", "gaussian", "vector-gaussian", "discrete-gaussian"],
    },
  },
  {
    file: "mechanisms/gaussian.ts",
    from: "deviation: steps / Math.sqrt(2 * rho)",
    to: "deviation: steps / Math.sqrt(4 * rho)",
    caughtBy: { shipped: ["vector-gaussian"] },
  },
  {
    file: "mechanisms/gaussian.ts",
    from: "const deviation = sensitivity / Math.sqrt(2 * rho)",
    to: "const deviation = sensitivity / Math.sqrt(4 * rho)",
    caughtBy: { shipped: ["discrete-gaussian"] },
  },
  {
    file: "mechanisms/float_gaussian_mechanism.ts",
    from: "const deviation = sensitivity * ",
    to: "const deviation = 0.87 * sensitivity * ",
    caughtBy: { shipped: ["float-gaussian"] },
  },
  {
    file: "mechanisms/float_laplace_mechanism.ts",
    from: "const scale = sensitivity / epsilon;",
    to: "const scale = 0.87 * sensitivity / epsilon;",
    caughtBy: { shipped: ["float-laplace"] },
  },
  {
    file: "mechanisms/float_spherical_laplace.ts",
    from: "const scale = sensitivity / epsilon;",
    to: "const scale = 0.87 * sensitivity / epsilon;",
    caughtBy: { shipped: ["float-spherical-laplace"] },
  },
  {
    file: "mechanisms/staircase.ts",
    from: "      -epsilon *\n        (Math.floor",
    to: "      -epsilon / 0.87 *\n        (Math.floor",
    caughtBy: { shipped: ["staircase"] },
  },
  {
    file: "mechanisms/snapping.ts",
    from: "return (1 + most * 2 ** -49) / epsilon",
    to: "return 0.87 * (1 + most * 2 ** -49) / epsilon",
    caughtBy: { shipped: ["snapping"] },
  },
  {
    file: "mechanisms/exponential_mechanism.ts",
    from: "/ (options.monotone ? 1 : 2)",
    to: "/ 1",
    caughtBy: { shipped: ["exponential", "noisy-max-gumbel"] },
  },
  {
    file: "mechanisms/exponential_mechanism.ts",
    from: "rational(monotone ? sensitivity : 2 * sensitivity)",
    to: "rational(sensitivity)",
    caughtBy: { shipped: ["permute-and-flip", "noisy-max-exponential"] },
  },
  {
    file: "mechanisms/base_two_exponential.ts",
    from: "(steps * (monotone ? 1 : 2))",
    to: "steps",
    caughtBy: { shipped: ["base-2-exponential"] },
  },
  {
    file: "mechanisms/permute_and_flip.ts",
    from: "Math.exp(-toNumber(exponent))",
    to: "Math.exp(-toNumber(exponent) / 0.87)",
    caughtBy: { shipped: ["permute-and-flip", "noisy-max-exponential"] },
  },
  {
    file: "mechanisms/report_noisy_max.ts",
    from: "rational(monotone ? 1 : 2)",
    to: "rational(1)",
    caughtBy: { shipped: ["noisy-max"] },
  },
  {
    file: "mechanisms/sparse_vector.ts",
    from: "answer: 4 * count",
    to: "answer: 4",
    caughtBy: sparse,
    breaks: ["sparse-vector"],
  },
  {
    file: "mechanisms/sparse_vector.ts",
    from: "parts.noise(3 * count)",
    to: "parts.noise(2 * count)",
    caughtBy: sparse,
    breaks: ["numeric-sparse-vector"],
  },
  {
    file: "mechanisms/noisy_histogram.ts",
    from: "cells[at]!++;",
    to: "cells[at]! += 2;",
    caughtBy: { shipped: ["histogram", "contingency-table"] },
  },
  {
    file: "mechanisms/tree_counts.ts",
    from: "? most\n",
    to: "? 1\n",
    caughtBy: { shipped: ["tree-counts"] },
  },
  {
    file: "mechanisms/tree_counts.ts",
    from: "counts[above - 1]! += counts[node - 1]!",
    to: "counts[above - 1]! += 2 * counts[node - 1]!",
    caughtBy: { shipped: ["tree-counts"] },
  },
  {
    file: "mechanisms/count.ts",
    from: "where(row) ? sum + 1 : sum",
    to: "where(row) ? sum + 2 : sum",
    caughtBy: { shipped: ["count"] },
  },
  {
    file: "mechanisms/bounded_sum.ts",
    from: "const scale = divide(rational(sensitivity)",
    to: "const scale = divide(rational(0.87 * sensitivity)",
    caughtBy: { shipped: ["sum"] },
  },
  {
    file: "mechanisms/bounded_sum.ts",
    from: "const share = rational(replaced ? epsilon : epsilon / 2);",
    to: "const share = rational(epsilon / 0.87);",
    caughtBy: { shipped: ["mean", "mean-of-unknown-size"] },
  },
  {
    file: "mechanisms/quantile.ts",
    from: "multiply(rational(2), sensitivity)",
    to: "multiply(rational(1), sensitivity)",
    caughtBy: { shipped: ["quantile"] },
  },
  {
    file: "mechanisms/rank_distance.ts",
    from: "wanted - BigInt(atMost)",
    to: "wanted - 2n * BigInt(atMost)",
    caughtBy: { shipped: ["quantile"] },
  },
];
