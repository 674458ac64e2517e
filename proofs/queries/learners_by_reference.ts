import { exponentialFamily } from "../../lib/learners/bayes/exponential_family.ts";
import { noisySufficientStatistics } from "../../lib/learners/bayes/noisy_sufficient_statistics.ts";
import { sampleMwem } from "../../lib/learners/queries/mwem.ts";
import { sampleDecisionTree } from "../../lib/learners/sulq/decision_tree.ts";
import { sampleKMeans } from "../../lib/learners/sulq/k_means.ts";
import { samplePerceptron } from "../../lib/learners/sulq/perceptron.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireFamilies, requireLargeSums, requireStatistics } from "../checks/bayes_edges.ts";
import { requireDomains } from "../checks/domains_handed_on.ts";
import {
  requireConjunctions,
  requireDescentClaims,
  requireGradientEdges,
  requireHoldoutEdges,
} from "../checks/learner_edges.ts";
import { requireMwemRounds } from "../checks/mwem_by_reference.ts";
import { requireClusters, requirePerceptrons } from "../checks/sums_by_reference.ts";
import { requireTrees } from "../checks/trees_by_reference.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = {
  sampleDecisionTree,
  sampleKMeans,
  samplePerceptron,
  sampleMwem,
  noisySufficientStatistics,
  exponentialFamily,
};

/** Learners beside their algorithms, written anew. */
export const learnersByReference = theorem<typeof shipped>({
  id: "queries/learners_by_reference",
  statement:
    "With the same noise, ID3, k-means, the perceptron, MWEM and noisy sufficient statistics come to what their published algorithms, written anew, come to; " +
    "sums stop where doubles would be inexact; thresholds, gradients, δ, ranges of likelihoods and domains are theirs to the last step.",
  citation:
    "Blum, Dwork, McSherry, Nissim 2005; Hardt, Ligett, McSherry 2012; Dwork et al. 2015; Abadi et al. 2016; Foulds, Geumlek, Welling, Chaudhuri 2016",
  source: "lib/learners/sulq, queries, holdout, sgd and bayes",
  kind: "sampled",
  checked:
    "60 generated trees, 40 runs each of k-means, perceptron and MWEM with generated noise of all sizes; 400 claims of Thresholdout beside fractions; posteriors of rows up to 2^60 steps; simplices of up to 65,536 parameters; 2^20 rows and some",
  subject: shipped,
  check: (of, { seed }) => {
    const source = new SeededSource(seed).split("learners by reference");
    return casesOf({
      "trees": () => requireTrees(of.sampleDecisionTree, source),
      "clusters": () => requireClusters(of.sampleKMeans, source),
      "perceptrons": () => requirePerceptrons(of.samplePerceptron, source),
      "MWEM": () => requireMwemRounds(of.sampleMwem, source),
      "conjunctions": requireConjunctions,
      "Thresholdout": requireHoldoutEdges,
      "gradients": requireGradientEdges,
      "domains": requireDomains,
      "families": () => requireFamilies(of.exponentialFamily),
      "large sums": requireLargeSums,
      "statistics": () => requireStatistics(of.noisySufficientStatistics),
      "gradient descent": requireDescentClaims,
    });
  },
  mutants: {
    "a tree one test less deep": {
      ...shipped,
      sampleDecisionTree: (source, options) =>
        sampleDecisionTree(source, { ...options, depth: Math.max(0, options.depth - 1) }),
    },
    "k-means of the first round": {
      ...shipped,
      sampleKMeans: (source, options) =>
        sampleKMeans(source, { ...options, rounds: 1, rho: options.rho / options.rounds }),
    },
    "a perceptron that goes on": {
      ...shipped,
      samplePerceptron: (source, options) => samplePerceptron(source, { ...options, tolerance: 0 }),
    },
    "the last iterate of MWEM": {
      ...shipped,
      sampleMwem: (source, options) => sampleMwem(source, { ...options, output: "last" }),
    },
    "statistics without their bounds": {
      ...shipped,
      noisySufficientStatistics: (options) => {
        const mechanism = noisySufficientStatistics(options);
        return {
          ...mechanism,
          sample: (data, source) =>
            mechanism.sample(data, source).map((each, k) => k === 0 ? each : 1.01 * each),
        };
      },
    },
    "a range between two corners": {
      ...shipped,
      exponentialFamily: (options) => ({
        ...exponentialFamily(options),
        range: exponentialFamily(options).range / 2,
      }),
    },
  },
});
