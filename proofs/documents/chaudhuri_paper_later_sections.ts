import type { DocumentStatement } from "../engine/documents.ts";

/** Sections 4 to 7: generalisation, kernels, tuning, experiments. */
export const laterSections: readonly DocumentStatement[] = [
  {
    place: "section 4, equation 8",
    statement: "Rows that training needs without privacy",
    checkedBy: ["erm/rows_without_privacy"],
    note: "the constant C is not given in print",
  },
  {
    place: "Theorem 15",
    statement: "Rows that Algorithm 1 needs for error ε_g",
    checkedBy: ["erm/theorem_15"],
    note: "the constant C is not given in print",
  },
  {
    place: "Lemma 16",
    statement: "What output perturbation costs in the objective",
    checkedBy: ["erm/lemma_16"],
  },
  {
    place: "Lemma 17",
    statement: "The tail of Γ(k, θ)",
    checkedBy: ["erm/lemma_17"],
  },
  {
    place: "Theorem 18",
    statement: "Rows that Algorithm 2 needs for error ε_g",
    checkedBy: ["erm/theorem_18"],
    note: "the constant C is not given in print",
  },
  {
    place: "proofs of Theorem 18 and Lemma 23",
    statement: "nΛ > c/(4ε) leaves ε′ > 0",
    refutedBy: ["false_claims/lemma_23_slack"],
  },
  {
    place: "Lemma 19",
    statement: "What objective perturbation costs in the objective",
    refutedBy: ["false_claims/lemma_19_epsilon"],
    checkedBy: ["erm/lemma_19", "erm/slides_lemmas"],
  },
  {
    place: "Corollary 20",
    statement: "Rows for logistic regression",
    checkedBy: ["erm/theorem_15", "erm/theorem_18", "erm/sample_requirements"],
    note: "with probability 1 − 2δ, as the theorems, for 1 − δ",
  },
  {
    place: "Corollary 21, part 1",
    statement: "Rows for the Huber SVM by Algorithm 1",
    checkedBy: ["erm/theorem_15"],
  },
  {
    place: "Corollary 21, part 2",
    statement: "Rows for the Huber SVM by Algorithm 2 with c = 1/4",
    refutedBy: ["false_claims/huber_quarter"],
    checkedBy: ["erm/theorem_18"],
  },
  {
    place: "proof of Corollary 21",
    statement: "The Huber hinge’s slope is ½-Lipschitz",
    refutedBy: ["false_claims/huber_slope_half"],
    checkedBy: ["erm/corollary_13"],
  },
  {
    place: "section 4, remark",
    statement: "The classifier is ε_g-differentially private",
    refutedBy: ["false_claims/error_as_privacy"],
    checkedBy: ["erm/theorem_6", "erm/theorem_9"],
  },
  {
    place: "Algorithm 3, Theorem 22",
    statement: "Training on random features √(2/D)·φ is ε-differentially private",
    refutedBy: ["false_claims/kernel_feature_norm"],
    checkedBy: ["erm/theorem_22"],
  },
  {
    place: "Lemma 23",
    statement: "Rows for kernels, with coefficients at most C",
    checkedBy: ["erm/lemma_23"],
    note: "with the rate that its proof gives for the norm below",
  },
  {
    place: "Lemma 23, equation 22",
    statement: "‖f_p‖² ≤ C²/D",
    refutedBy: ["false_claims/lemma_23_norm"],
    checkedBy: ["erm/lemma_23"],
  },
  {
    place: "Theorem 24",
    statement: "Rows for kernels, by ‖f₀‖_∞",
    checkedBy: ["erm/theorem_24", "erm/lemma_23"],
    note: "the bound on coefficients, and rows by Lemma 23 as mended",
  },
  {
    place: "Theorem 25",
    statement: "Rows for kernels, by the norm in the kernel’s space",
    checkedBy: ["erm/theorem_25", "erm/theorem_24", "erm/lemma_23"],
    note: "the bound on f_r, and rows by Lemma 23 as mended",
  },
  {
    place: "Algorithm 4, Theorem 26",
    statement: "Tuning on disjoint parts is ε-differentially private",
    checkedBy: ["erm/theorem_26", "erm/training_runs"],
  },
  {
    place: "Theorem 27",
    statement: "Its choice makes at most 2ln(m/δ)/ε mistakes more than the best",
    checkedBy: ["erm/theorem_27"],
  },
  {
    place: "section 7.1",
    statement: "Columns are divided by their largest value before training",
    notChecked:
      "a step of the experiments, of which no privacy is claimed: there is none (common_mistakes/column_maximum)",
  },
  {
    place: "section 7.2",
    statement: "Λ is chosen by test error",
    notChecked:
      "a step of the experiments, of which no privacy is claimed: there is none (common_mistakes/tuning_by_test_error)",
  },
  {
    place: "section 7, tables and figures",
    statement: "Test errors on Adult and KDDCup99",
    notChecked:
      "experiments on data that are not shipped; figures beside ours: experiments/erm/README.md",
  },
];
