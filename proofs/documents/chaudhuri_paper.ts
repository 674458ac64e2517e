import type { Document } from "../engine/documents.ts";
import { laterSections } from "./chaudhuri_paper_later_sections.ts";

/** Why results of other papers are not checked. */
const CITED = "what other papers found, named only";

/** The paper on empirical risk minimisation, sections 1 to 3 line by line, and the theorems after them. */
export const chaudhuriPaper: Document = {
  name: "Chaudhuri, Monteleoni, Sarwate 2011: “Differentially private empirical risk minimization”",
  scope: "Sections 1 to 3 in full, and the algorithms, theorems and tables of sections 4 to 7; " +
    "numbers are those of the journal (the preprint counts theorems from 1)",
  named: /JMLR (preprint|paper)|Chaudhuri, Monteleoni, Sarwate 2011/,
  statements: [
    {
      place: "section 1",
      statement: "Removing names is not enough; neither are statistics",
      notChecked: CITED,
    },
    {
      place: "section 1",
      statement:
        "Objective perturbation needs fewer rows than output perturbation for most problems",
      checkedBy: ["erm/sample_requirements"],
    },
    {
      place: "section 1",
      statement: "The conditions do not hurt in practice; objective beats output perturbation",
      notChecked:
        "experiments on data that are not shipped; figures beside ours: experiments/erm/README.md",
    },
    {
      place: "section 1",
      statement: "It corrects an error of the earlier paper, whose Algorithm 2 is a special case",
      oppositeRefutedBy: ["false_claims/nips_2008_algorithm_2"],
      checkedBy: ["erm/theorem_9"],
    },
    {
      place: "section 1",
      statement:
        "A kernel classifier is a combination of kernels at the training points, and so reveals them",
      checkedBy: ["erm/support_vectors"],
    },
    {
      place: "section 1.1",
      statement:
        "Attacks on anonymised data, results on other learners and other models of privacy",
      notChecked: CITED,
    },
    {
      place: "section 1.1",
      statement: "Differential privacy resists composition attacks and side information",
      checkedBy: ["definitions/attacker_gain", "composition/adaptive_composition"],
    },
    {
      place: "section 1.1",
      statement: "Finite classes can be learnt privately, in exponential time",
      checkedBy: ["queries/learning_privately"],
      notChecked: "of time: no bound is stated",
    },
    {
      place: "section 1.1",
      statement: "Training on parts of the data for tuning needs significantly more data",
      notChecked: "a remark without numbers, on practice",
    },
    {
      place: "section 2.1, equation 1",
      statement: "Regularised empirical risk, rows in the unit ball",
      notChecked: "a definition",
    },
    {
      place: "section 2.2, Definition 1",
      statement: "A strictly convex function has a unique minimum",
      checkedBy: ["erm/strong_convexity"],
      note: "at most one; the regularised risk has one",
    },
    {
      place: "section 2.2",
      statement: "The L1 regulariser and the hinge are not differentiable, so excluded",
      checkedBy: ["erm/hinge_limit"],
    },
    {
      place: "section 2.3",
      statement: "Whoever knows all entries but one gains little on the last",
      checkedBy: ["definitions/attacker_gain"],
    },
    {
      place: "section 2.3, Definition 2",
      statement: "A ratio is 1 where both measures are 0",
      notChecked: "a convention",
    },
    {
      place: "section 2.3, Definitions 2 and 3",
      statement: "Equation 4 implies equation 5",
      checkedBy: ["definitions/sets_and_outputs"],
    },
    {
      place: "section 2.3",
      statement: "The minimiser itself is not private for any ε",
      oppositeRefutedBy: ["common_mistakes/minimiser_is_private"],
    },
    {
      place: "section 2.3",
      statement: "It is a combination of samples near the boundary, so changes when one changes",
      checkedBy: ["erm/support_vectors"],
    },
    {
      place: "section 2.3",
      statement: "Regularisation bounds how far the minimiser moves, not in which direction",
      checkedBy: ["erm/corollary_8"],
      notChecked: "of directions: no more is said",
    },
    {
      place: "section 2.3, after Definition 4",
      statement: "Laplace noise of standard deviation S/ε makes a function ε-private",
      refutedBy: ["false_claims/laplace_by_deviation"],
      checkedBy: ["mechanisms/laplace"],
    },
    {
      place: "section 3.1, Algorithm 1",
      statement: "The minimiser plus noise of density ∝ e^(−nΛε‖b‖/2)",
      checkedBy: [
        "erm/theorem_6",
        "erm/training_parts",
        "erm/parts_by_definition",
        "erm/training_runs",
      ],
    },
    {
      place: "section 3.1",
      statement: "The minimiser’s sensitivity may be high, and then the noise is too",
      checkedBy: ["erm/corollary_8"],
      note: "2/(nΛ), which is attained",
    },
    {
      place: "section 3.2, equation 9",
      statement: "Objective perturbation with β = ε",
      refutedBy: ["false_claims/objective_rate_in_text"],
      checkedBy: ["erm/theorem_9"],
    },
    {
      place: "section 3.2",
      statement: "Noise in the objective does not depend on the sensitivity of the minimiser",
      checkedBy: ["erm/jacobian_ratio"],
      note: "β = ε′/2; ε′ depends on nΛ through the slack",
    },
    {
      place: "section 3.2, Algorithm 2",
      statement: "Slack for the Jacobian, Δ where it would take all, β = ε′/2",
      checkedBy: [
        "erm/theorem_9",
        "erm/training_parts",
        "erm/parts_by_definition",
        "erm/training_runs",
      ],
    },
    {
      place: "Theorem 6 (preprint 1)",
      statement: "Algorithm 1 is ε-differentially private",
      checkedBy: ["erm/theorem_6", "erm/conditions_on_losses"],
    },
    {
      place: "proof of Theorem 6, equations 10 and 11",
      statement: "Densities of noise vectors δ apart differ by a factor of at most e^(βδ)",
      checkedBy: ["erm/theorem_6"],
    },
    {
      place: "Lemma 7 (preprint Lemma 1)",
      statement: "Minimisers of G and G + g are at most max‖∇g‖/λ apart",
      checkedBy: ["erm/lemma_7"],
    },
    {
      place: "Corollary 8 (preprint Corollary 1)",
      statement: "The sensitivity of the minimiser is at most 2/(nΛ)",
      checkedBy: ["erm/corollary_8"],
    },
    {
      place: "proof of Corollary 8",
      statement: "J is Λ-strongly convex",
      checkedBy: ["erm/strong_convexity"],
    },
    {
      place: "proof of Corollary 8",
      statement: "The gradient of the difference is at most 2/n",
      checkedBy: ["erm/corollary_8", "erm/jacobian_ratio"],
      note: "also the twin of false_claims/slides_gradient_difference",
    },
    {
      place: "Theorem 9 (preprint 2)",
      statement: "Algorithm 2 is ε-differentially private",
      checkedBy: ["erm/theorem_9", "erm/theorem_9_certified", "erm/conditions_on_losses"],
    },
    {
      place: "proof of Theorem 9, equation 17",
      statement: "Noise and minimiser determine each other",
      checkedBy: ["erm/slides_fact_1", "erm/strong_convexity"],
    },
    {
      place: "proof of Theorem 9",
      statement:
        "The Jacobian of that map, and its ratio on neighbours, (1 + c/(n(Λ + Δ)))² at most",
      checkedBy: ["erm/jacobian_ratio"],
    },
    {
      place: "proof of Theorem 9",
      statement: "In both cases of Δ the ratio of Jacobians is at most e^(ε − ε′)",
      checkedBy: ["erm/jacobian_ratio"],
    },
    {
      place: "Lemma 10 (preprint Lemma 2)",
      statement: "(det(A + E) − det A)/det A = λ₁ + λ₂ + λ₁λ₂ for rank 2",
      checkedBy: ["erm/lemma_10"],
    },
    {
      place: "Corollary 11 (preprint 2)",
      statement: "Logistic loss: conditions hold with c = 1/4, both algorithms are private",
      checkedBy: ["erm/corollary_11", "erm/theorem_6", "erm/theorem_9", "erm/theorem_9_certified"],
    },
    {
      place: "section 3.4.2, equations 20 to 22",
      statement: "The smoothed hinge’s derivatives, and its limit for h → 0",
      checkedBy: ["erm/hinge_limit"],
    },
    {
      place: "Corollary 12 (preprint 3)",
      statement: "Smoothed hinge: conditions hold with c = 3/(4h), both algorithms are private",
      checkedBy: ["erm/corollary_12", "erm/theorem_9"],
    },
    {
      place: "section 3.4.2, equation 23",
      statement: "The Huber hinge is convex, differentiable, |ℓ″| ≤ 1/(2h) but for two points",
      checkedBy: ["erm/corollary_13", "erm/hinge_limit"],
    },
    {
      place: "Corollary 13 (preprint 4)",
      statement: "Huber hinge: Algorithm 2 is private although ℓ″ has jumps",
      checkedBy: ["erm/theorem_9", "erm/corollary_13"],
    },
    {
      place: "proof of Corollary 13",
      statement: "∇N = f/2",
      refutedBy: ["false_claims/corollary_13_gradient"],
    },
    ...laterSections,
  ],
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
};
