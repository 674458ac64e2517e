import { type Document, documentOf } from "../engine/documents.ts";

/** The paper on empirical risk minimisation, sections 1 to 3 line by line, and the theorems after them. */
export const chaudhuriPaper: Document = documentOf(
  {
    name:
      "Chaudhuri, Monteleoni, Sarwate 2011: “Differentially private empirical risk minimization”",
    scope:
      "Sections 1 to 3 in full, and the algorithms, theorems and tables of sections 4 to 7; numbers are those of the journal (the preprint counts theorems from 1)",
    named: /JMLR (preprint|paper)|Chaudhuri, Monteleoni, Sarwate 2011/,
    besides: [
      "erm/gaussian_objective",
      "erm/convex_directions",
      "erm/noise_as_regulariser",
      "erm/tight_slack",
      "common_mistakes/column_maximum",
      "common_mistakes/tuning_by_test_error",
      "common_mistakes/unfinished_solver",
      "common_mistakes/unscaled_intercept",
    ],
  },
  `
place | statement | checked by | note | not checked
section 1 | Removing names is not enough; neither are statistics | – | – | what other papers found, named only
section 1 | Objective perturbation needs fewer rows than output perturbation for most problems | erm/sample_requirements
section 1 | The conditions do not hurt in practice; objective beats output perturbation | – | – | experiments on data that are not shipped; figures beside ours: bench/papers/erm/README.md
section 1 | It corrects an error of the earlier paper, whose Algorithm 2 is a special case | erm/theorem_9; opposite refuted by false_claims/nips_2008_algorithm_2
section 1 | A kernel classifier is a combination of kernels at the training points, and so reveals them | erm/support_vectors
section 1.1 | Attacks on anonymised data, results on other learners and other models of privacy | – | – | what other papers found, named only
section 1.1 | Differential privacy resists composition attacks and side information | definitions/attacker_gain, composition/adaptive_composition
section 1.1 | Finite classes can be learnt privately, in exponential time | queries/learning_privately | – | of time: no bound is stated
section 1.1 | Training on parts of the data for tuning needs significantly more data | – | – | a remark without numbers, on practice
section 2.1, equation 1 | Regularised empirical risk, rows in the unit ball | – | – | a definition
section 2.2, Definition 1 | A strictly convex function has a unique minimum | erm/strong_convexity | at most one; the regularised risk has one
section 2.2 | The L1 regulariser and the hinge are not differentiable, so excluded | erm/hinge_limit
section 2.3 | Whoever knows all entries but one gains little on the last | definitions/attacker_gain
section 2.3, Definition 2 | A ratio is 1 where both measures are 0 | – | – | a convention
section 2.3, Definitions 2 and 3 | Definition 2, by densities, is stronger than Definition 3, by sets: equation 4 implies equation 5 | definitions/sets_and_outputs | without δ the two are equivalent, but for null sets: a single output is a set too
section 2.3 | The minimiser itself is not private for any ε | opposite refuted by common_mistakes/minimiser_is_private
section 2.3 | It is a combination of samples near the boundary, so changes when one changes | erm/support_vectors
section 2.3 | Regularisation bounds how far the minimiser moves, not in which direction | erm/corollary_8 | – | of directions: no more is said
section 2.3, after Definition 4 | Laplace noise of standard deviation S/ε makes a function ε-private | mechanisms/laplace; refuted by false_claims/laplace_by_deviation
section 3.1, Algorithm 1 | The minimiser plus noise of density ∝ e^(−nΛε‖b‖/2) | erm/theorem_6
section 3.1 | The minimiser’s sensitivity may be high, and then the noise is too | erm/corollary_8 | 2/(nΛ), which is attained
section 3.2, equation 9 | Objective perturbation with β = ε | erm/theorem_9; refuted by false_claims/objective_rate_in_text
section 3.2 | Noise in the objective does not depend on the sensitivity of the minimiser | erm/jacobian_ratio | β = ε′/2; ε′ depends on nΛ through the slack
section 3.2, Algorithm 2 | Slack for the Jacobian, Δ where it would take all, β = ε′/2 | erm/theorem_9
Theorem 6 (preprint 1) | Algorithm 1 is ε-differentially private | erm/theorem_6
proof of Theorem 6, equations 10 and 11 | Densities of noise vectors δ apart differ by a factor of at most e^(βδ) | erm/theorem_6
Lemma 7 (preprint Lemma 1) | Minimisers of G and G + g are at most max‖∇g‖/λ apart | erm/lemma_7
Corollary 8 (preprint Corollary 1) | The sensitivity of the minimiser is at most 2/(nΛ) | erm/corollary_8
proof of Corollary 8 | J is Λ-strongly convex | erm/strong_convexity
proof of Corollary 8 | The gradient of the difference is at most 2/n | erm/corollary_8, erm/jacobian_ratio | also the twin of false_claims/slides_gradient_difference
Theorem 9 (preprint 2) | Algorithm 2 is ε-differentially private | erm/theorem_9, erm/theorem_9_certified
proof of Theorem 9, equation 17 | Noise and minimiser determine each other | erm/slides_fact_1, erm/strong_convexity
proof of Theorem 9 | The Jacobian of that map, and its ratio on neighbours, (1 + c/(n(Λ + Δ)))² at most | erm/jacobian_ratio
proof of Theorem 9 | In both cases of Δ the ratio of Jacobians is at most e^(ε − ε′) | erm/jacobian_ratio
Lemma 10 (preprint Lemma 2) | (det(A + E) − det A)/det A = λ₁ + λ₂ + λ₁λ₂ for rank 2 | erm/lemma_10
Corollary 11 (preprint 2) | Logistic loss: conditions hold with c = 1/4, both algorithms are private | erm/corollary_11, erm/theorem_6, erm/theorem_9, erm/theorem_9_certified
section 3.4.2, equations 20 to 22 | The smoothed hinge’s derivatives, and its limit for h → 0 | erm/hinge_limit
Corollary 12 (preprint 3) | Smoothed hinge: conditions hold with c = 3/(4h), both algorithms are private | erm/corollary_12, erm/theorem_9
section 3.4.2, equation 23 | The Huber hinge is convex, differentiable, |ℓ″| ≤ 1/(2h) but for two points | erm/corollary_13, erm/hinge_limit
Corollary 13 (preprint 4) | Huber hinge: Algorithm 2 is private although ℓ″ has jumps | erm/theorem_9, erm/corollary_13
proof of Corollary 13 | ∇N = f/2 | refuted by false_claims/corollary_13_gradient
section 4, equation 8 | Rows that training needs without privacy | erm/rows_without_privacy | the constant C is not given in print
Theorem 15 | Rows that Algorithm 1 needs for error ε_g | erm/theorem_15 | the constant C is not given in print
Lemma 16 | What output perturbation costs in the objective | erm/lemma_16
Lemma 17 | The tail of Γ(k, θ) | erm/lemma_17
Theorem 18 | Rows that Algorithm 2 needs for error ε_g | erm/theorem_18 | the constant C is not given in print
proofs of Theorem 18 and Lemma 23 | nΛ > c/(4ε) leaves ε′ > 0 | refuted by false_claims/lemma_23_slack
Lemma 19 | What objective perturbation costs in the objective | erm/lemma_19, erm/slides_lemmas; refuted by false_claims/lemma_19_epsilon
Corollary 20 | Rows for logistic regression | erm/theorem_15, erm/theorem_18, erm/sample_requirements | with probability 1 − 2δ, as the theorems, for 1 − δ
Corollary 21, part 1 | Rows for the Huber SVM by Algorithm 1 | erm/theorem_15
Corollary 21, part 2 | Rows for the Huber SVM by Algorithm 2 with c = 1/4 | erm/theorem_18; refuted by false_claims/huber_quarter
proof of Corollary 21 | The Huber hinge’s slope is ½-Lipschitz | erm/corollary_13; refuted by false_claims/huber_slope_half
section 4, remark | The classifier is ε_g-differentially private | erm/theorem_6, erm/theorem_9; refuted by false_claims/error_as_privacy
Algorithm 3, Theorem 22 | Training on random features √(2/D)·φ is ε-differentially private | erm/theorem_22; refuted by false_claims/kernel_feature_norm
Lemma 23 | Rows for kernels, with coefficients at most C | erm/lemma_23 | with the rate that its proof gives for the norm below
Lemma 23, equation 22 | ‖f_p‖² ≤ C²/D | erm/lemma_23; refuted by false_claims/lemma_23_norm
Theorem 24 | Rows for kernels, by ‖f₀‖_∞ | erm/theorem_24, erm/lemma_23 | the bound on coefficients, and rows by Lemma 23 as mended
Theorem 25 | Rows for kernels, by the norm in the kernel’s space | erm/theorem_25, erm/theorem_24, erm/lemma_23 | the bound on f_r, and rows by Lemma 23 as mended
Algorithm 4, Theorem 26 | Tuning on disjoint parts is ε-differentially private | erm/theorem_26
Theorem 27 | Its choice makes at most 2ln(m/δ)/ε mistakes more than the best | erm/theorem_27
section 7.1 | Columns are divided by their largest value before training | – | – | a step of the experiments, of which no privacy is claimed: there is none (common_mistakes/column_maximum)
section 7.2 | Λ is chosen by test error | – | – | a step of the experiments, of which no privacy is claimed: there is none (common_mistakes/tuning_by_test_error)
section 7, tables and figures | Test errors on Adult and KDDCup99 | – | – | experiments on data that are not shipped; figures beside ours: bench/papers/erm/README.md
`,
);
