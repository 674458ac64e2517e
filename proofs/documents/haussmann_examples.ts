import type { DocumentStatement } from "../engine/documents.ts";

/** Section 4: logistic regression, the reusable holdout, Bayesian data analysis. */
export const haussmannExamples: readonly DocumentStatement[] = [
  {
    place: "35, logistic regression",
    statement: "Its sensitivity is 2/(nλ)",
    checkedBy: ["erm/corollary_8"],
  },
  {
    place: "35, logistic regression",
    statement: "Adding Lap(2/(nλε)) to the weights is private",
    refutedBy: ["false_claims/coordinate_laplace"],
    checkedBy: ["erm/theorem_6"],
  },
  {
    place: "logistic regression, more sophisticated",
    statement: "With b ~ Lap(1/ε) in the objective it is private",
    refutedBy: [
      "false_claims/objective_rate_in_text",
      "false_claims/slides_gradient_difference",
    ],
    checkedBy: ["erm/theorem_9"],
  },
  {
    place: "reusable holdout",
    statement: "A holdout set that is used adaptively is overfitted",
    checkedBy: ["queries/adaptive_holdout"],
  },
  {
    place: "39, reusable holdout",
    statement: "Thresholdout: noisy threshold, noisy difference, budget B",
    checkedBy: ["queries/thresholdout", "queries/scripted_draws", "queries/learners_by_reference"],
  },
  {
    place: "40 and 41, reusable holdout",
    statement: "Figures of an experiment",
    notChecked: "figures whose data are not given; ours: experiments/queries/README.md",
  },
  {
    place: "42, Bayesian data analysis",
    statement: "The posterior is an exponential mechanism with utility log P(X, θ)",
    checkedBy: ["bayes/tempered_posterior"],
  },
  {
    place: "42, Bayesian data analysis",
    statement: "Drawing θ ∝ exp(ε log P(θ, X)/(2Δ)) is private",
    checkedBy: ["bayes/tempered_posterior", "bayes/shipped_families"],
  },
  {
    place: "42, sensitivity",
    statement: "Δ log P(X, θ) is the largest change of one log-likelihood",
    checkedBy: ["bayes/exponential_family"],
  },
  {
    place: "theorem",
    statement: "log P(X, θ) ≤ C: one posterior sample is 2C-private",
    refutedBy: ["false_claims/bounded_above_likelihood"],
    checkedBy: ["bayes/posterior_sampling"],
  },
  {
    place: "Boltzmann distribution",
    statement: "It is ∝ exp(−E(θ)/T) with E = −log P, T = 2Δ/ε",
    checkedBy: ["bayes/most_likely_parameter"],
  },
  {
    place: "notes",
    statement: "ε = 0 is uniform, ε = 2Δ the posterior",
    checkedBy: ["bayes/tempered_posterior"],
  },
  {
    place: "notes",
    statement: "ε → ∞ gives the most likely θ",
    checkedBy: ["bayes/most_likely_parameter"],
  },
  {
    place: "notes",
    statement: "A budget of 2qΔ pays for q samples",
    checkedBy: ["bayes/posterior_samples"],
  },
  {
    place: "exponential family",
    statement: "Likelihood, conjugate prior, and posterior by sums of statistics",
    checkedBy: ["bayes/noisy_posterior", "bayes/shipped_families"],
  },
  {
    place: "exponential family",
    statement: "Δ log P = sup |θᵀ(S(x′) − S(x)) + log h(x′) − log h(x)|",
    checkedBy: ["bayes/exponential_family"],
  },
  {
    place: "47, sufficient statistics",
    statement: "Data enter by ΣS(x_i) alone",
    checkedBy: ["bayes/noisy_posterior"],
  },
  {
    place: "47, sufficient statistics",
    statement: "Lap(ΔS/ε) on the sums, then a projection, is private",
    checkedBy: ["bayes/noisy_statistics", "composition/post_processing"],
  },
  {
    place: "47, sufficient statistics",
    statement: "For a Beta posterior the sensitivity is 2",
    checkedBy: ["bayes/beta_sensitivity"],
  },
  {
    place: "48 and 49",
    statement: "Figures of experiments",
    notChecked: "figures whose data are not given; ours: experiments/queries/README.md",
  },
];
