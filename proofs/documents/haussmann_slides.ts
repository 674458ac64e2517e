import { type Document, documentOf } from "../engine/documents.ts";

/** Slides on differential privacy, its mechanisms and three examples of its use. */
export const haussmannSlides: Document = documentOf(
  {
    name: "Haußmann 2017: slides “Differential privacy”",
    scope: "All 51 slides, by their headings; slides that are built up are taken once",
    named: /Haußmann’s slides|slides of Haußmann/,
    besides: ["false_claims/one_plus_epsilon_bound", "false_claims/lifetime_by_theorem"],
  },
  `
place | statement | checked by | note | not checked
introduction | Data are a resource; what about privacy? | – | – | opinions
anonymization gone wrong | Four releases that were linked to persons; data cannot be anonymised and stay useful | – | – | history, and a maxim without numbers
proposals | Only aggregates over large groups, or summary statistics | refuted by common_mistakes/large_groups, common_mistakes/minimiser_is_private
proposals | Someone who checks queries; ordinary facts; only a few are harmed | – | – | proposals without a rule that could be checked
demands | My data should have no impact on what is released | definitions/no_impact | a demand; what it would mean, and why it is softened to e^ε
demands | Dalenius: nothing is learnt about anybody that could not be learnt without access | definitions/no_impact | a demand; what stands against it
demands | Alice cannot find out whether Bob took part | definitions/attacker_gain, definitions/mean_salary | within ε, where rows may be added or removed
randomised response | The expected share of yes is 1/4 + p/2 | mechanisms/randomised_response_mean
definition | ε- and (ε, δ)-differential privacy by sets of outputs | definitions/sets_and_outputs | a definition; that of densities implies it
definition, note | exp(ε) ≈ 1 + ε | definitions/one_plus_epsilon | within ε² for ε ≤ 1; as a bound it is false_claims/one_plus_epsilon_bound
definition, note | The privacy loss stays within ε with probability at most 1 − δ | refuted by false_claims/loss_probability
neighbouring database? | Adding or removing an entry (unbounded), or changing one (bounded) | definitions/neighbours | definitions, and what each implies of the other
neighbouring database? | For a mean salary, bounded privacy hides what someone earns, not that they work there | definitions/mean_salary
post-processing | f∘M is (ε, δ)-private if M is | composition/post_processing
group privacy | (ε, 0)-private is (kε, 0)-private for groups of k | composition/group_privacy
composition | k mechanisms together are (Σε_i, Σδ_i)-private | composition/basic_composition, composition/adaptive_composition
composition, note | It is not group privacy; stronger results are possible for it | composition/group_is_not_composition, composition/optimal_composition
composition, theorem | ε′ = √(2k ln(1/δ′))·ε + kε(e^ε − 1) under k-fold adaptive composition | composition/advanced_composition
properties | Unaffected by auxiliary information, and by computational power | definitions/attacker_gain | for every prior, by Bayes’ rule, whatever it takes to compute
properties | It quantifies loss of privacy | – | – | a remark on the definition
15, randomised response | It is (ln 3, 0)-private: (3/4)/(1/4) = 3 for both answers | mechanisms/randomised_response
Laplace distribution | Density e^(−|x − μ|/b)/(2b), mean μ, variance 2b² | mechanisms/laplace_moments
18, ℓ1 sensitivity | Sensitivities of a count, of siblings, of a histogram | definitions/query_sensitivities
Laplace mechanism | f(x) + (Y₁, …, Y_k), each Lap(Δf/ε), is (ε, 0)-private | mechanisms/laplace, mechanisms/laplace_vector
Laplace mechanism, example | A study of drug usage | – | – | a figure without numbers
Laplace versus Gauss | For ε < 1 and c² > 2ln(1.25/δ), noise of σ ≥ cΔ₂f/ε is (ε, δ)-private | mechanisms/gaussian
24, exponential mechanism | Choosing r ∝ exp(εu(x, r)/(2Δu)) is (ε, 0)-private | mechanisms/exponential
offline | Synthetic data need the questions beforehand, and allow few computations well | – | – | opinions on the state of research; one such method is MWEM, below
offline | Part of the budget may go to looking at the data, the rest to a synthetic dataset | queries/mwem_split
26, MWEM | Choose a query, measure it, reweight, T times; return the average | queries/mwem_split, queries/mwem_update
26, MWEM, proof of privacy | ε/(2T) + ε/(2T) = ε | queries/mwem_budget; refuted by false_claims/mwem_proof_line
subsample and aggregate | Estimates on parts, aggregated privately | queries/subsample_and_aggregate, composition/subsampling
what about ε? | In 10,000 databases of ε₀ = 1/801, the loss is at most 1 with probability 1 − e^−32 | composition/lifetime_budget | not by the theorem on composition: false_claims/lifetime_by_theorem
what about ε? | ε for a study, for a researcher, or for the dataset | – | – | a question of policy; openBudget() keeps a budget for a dataset
results and extensions | What is learnable from polynomially many rows is learnable privately | queries/learning_privately | of finite classes, with the numbers of rows
results and extensions | Concentrated privacy relaxes it | composition/pure_is_concentrated
results and extensions | It keeps composition, with higher accuracy | composition/concentrated_accuracy
30, DP & ML | A broad literature; many algorithms have private versions; noise in input, objective or output | – | – | an overview
30, DP & ML | Learning and privacy both want little dependence on single rows | – | – | an opinion
30, DP & ML | Noise in the objective is a kind of regularisation | erm/noise_as_regulariser
32, conclusion | Open questions and hopes | – | – | opinions
35, logistic regression | Its sensitivity is 2/(nλ) | erm/corollary_8
35, logistic regression | Adding Lap(2/(nλε)) to the weights is private | erm/theorem_6; refuted by false_claims/coordinate_laplace
logistic regression, more sophisticated | With b ~ Lap(1/ε) in the objective it is private | erm/theorem_9; refuted by false_claims/objective_rate_in_text, false_claims/slides_gradient_difference
reusable holdout | A holdout set that is used adaptively is overfitted | queries/adaptive_holdout
39, reusable holdout | Thresholdout: noisy threshold, noisy difference, budget B | queries/thresholdout
40 and 41, reusable holdout | Figures of an experiment | – | – | figures whose data are not given; ours: bench/papers/queries/README.md
42, Bayesian data analysis | The posterior is an exponential mechanism with utility log P(X, θ) | bayes/tempered_posterior
42, Bayesian data analysis | Drawing θ ∝ exp(ε log P(θ, X)/(2Δ)) is private | bayes/tempered_posterior
42, sensitivity | Δ log P(X, θ) is the largest change of one log-likelihood | bayes/exponential_family
theorem | log P(X, θ) ≤ C: one posterior sample is 2C-private | bayes/posterior_sampling; refuted by false_claims/bounded_above_likelihood
Boltzmann distribution | It is ∝ exp(−E(θ)/T) with E = −log P, T = 2Δ/ε | bayes/most_likely_parameter
notes | ε = 0 is uniform, ε = 2Δ the posterior | bayes/tempered_posterior
notes | ε → ∞ gives the most likely θ | bayes/most_likely_parameter
notes | A budget of 2qΔ pays for q samples | bayes/posterior_samples
exponential family | Likelihood, conjugate prior, and posterior by sums of statistics | bayes/noisy_posterior
exponential family | Δ log P = sup |θᵀ(S(x′) − S(x)) + log h(x′) − log h(x)| | bayes/exponential_family
47, sufficient statistics | Data enter by ΣS(x_i) alone | bayes/noisy_posterior
47, sufficient statistics | Lap(ΔS/ε) on the sums, then a projection, is private | bayes/noisy_statistics, composition/post_processing
47, sufficient statistics | For a Beta posterior the sensitivity is 2 | bayes/beta_sensitivity
48 and 49 | Figures of experiments | – | – | figures whose data are not given; ours: bench/papers/queries/README.md
`,
);
