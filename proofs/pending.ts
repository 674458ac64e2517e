import type { PendingTheorem } from "./theorem.ts";

/** Theorems that wait for the code they are about, or for numbers that print does not give. */
export const pendingTheorems: readonly PendingTheorem[] = [
  {
    id: "erm/lemma_23",
    statement:
      "Private kernel classifiers come within ε_g of any f with |a| ≤ C with probability 1 − 4δ.",
    citation: "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 23, Theorems 24 and 25",
    source: "JMLR paper, section 5",
    pending: "its constant C₀ is not given and its rate needs a correction: what is " +
      "checkable of it is in false_claims/lemma_23_norm and lemma_23_slack",
  },
  {
    id: "queries/mwem_update",
    statement:
      "Multiplicative weights with m_i − q_i(A_{i−1}) over 2n brings the answers within the bound " +
      "of Theorem 2.2 of the truth.",
    citation: "Hardt, Ligett, McSherry 2012, Theorem 2.2",
    source: "Haußmann’s slides, MWEM",
    pending: "a check of lib/learners/queries; its tests look at it meanwhile",
  },
  {
    id: "queries/subsample_and_aggregate",
    statement:
      "A private aggregate of a function on disjoint blocks is as private as the aggregation.",
    citation: "Nissim, Raskhodnikova, Smith 2007; Dwork, Roth 2014, section 7",
    source: "Haußmann’s slides, subsample and aggregate",
    pending:
      "a check of lib/learners/aggregate; amplification by sampling is composition/subsampling",
  },
  {
    id: "queries/sulq_learners",
    statement:
      "k-means, ID3, perceptron and statistical-query learning run on SuLQ answers only, and " +
      "stay close to their noiseless runs when counts exceed √R.",
    citation: "Blum, Dwork, McSherry, Nissim 2005",
    source: "Shmatikov’s slides, computing with SuLQ",
    pending: "a check of lib/learners/sulq",
  },
  {
    id: "queries/learning_privately",
    statement:
      "What is PAC-learnable with polynomially many samples is privately so (finite classes).",
    citation: "Kasiviswanathan, Lee, Nissim, Raskhodnikova, Smith 2008",
    source: "Haußmann’s slides, results and extensions",
    pending: "a check of lib/learners/pac",
  },
  {
    id: "input_perturbation/polynomial_reconstruction",
    statement:
      "With o(√n) noise an adversary reconstructs nearly all of the database from poly(n) counts.",
    citation: "Dinur, Nissim 2003",
    source: "Shmatikov’s slides, limits of output perturbation",
    pending: "a check of lib/attacks; the exponential adversary is " +
      "input_perturbation/reconstruction_limit",
  },
];
