import type { Document } from "../engine/documents.ts";

/** Why figures of experiments are not checked by theorems. */
const EXPERIMENT =
  "an experiment on data that are not shipped; printed figures beside ours: experiments/null_space/README.md";

/** The abstract on cleaning features in the null space of a predictor. */
export const xuAbstract: Document = {
  name: "Xu, Shah, Cao, Maung, Schweitzer 2017: “Enhancing the privacy of predictors”",
  scope: "All of the two pages",
  named: /AAAI abstract|Xu, Shah, Cao, Maung, Schweitzer 2017/,
  statements: [
    {
      place: "abstract",
      statement: "Zeroing the approximate null space has little effect on the desired prediction",
      checkedBy: ["predictors/theorem_1"],
    },
    {
      place: "the problem",
      statement: "e_utility and e_privacy as squared distances of predictions",
      notChecked: "definitions, which predictors/theorem_1 uses",
    },
    {
      place: "the problem",
      statement: "It applies to linear regression, neural nets and algorithms that use PCA",
      checkedBy: ["predictors/any_predictor"],
    },
    {
      place: "related work",
      statement: "It is not differential privacy, which protects rows of training data",
      oppositeRefutedBy: ["common_mistakes/cleaning_is_private"],
    },
    {
      place: "the main idea",
      statement: "Zeroing the exact null space leaves the prediction of y_d as it is",
      checkedBy: ["predictors/theorem_1", "predictors/toy_table"],
    },
    {
      place: "the main idea",
      statement: "It typically increases the error of predicting y_c",
      notChecked: `“typically”: ${EXPERIMENT}`,
    },
    {
      place: "the main idea, table",
      statement: "Three rows, cleaned, and their labels",
      checkedBy: ["predictors/toy_table"],
    },
    {
      place: "the main idea",
      statement: "y_c cannot be computed from the cleaned rows",
      checkedBy: ["predictors/toy_table"],
    },
    {
      place: "Algorithm 1, step 1",
      statement: "A_c is fitted to training data",
      notChecked: "a regression, of which nothing is claimed",
    },
    {
      place: "Algorithm 1, steps 2 to 7",
      statement: "Generalised eigenvectors, taken out by increasing γ until ε is spent",
      checkedBy: ["predictors/theorem_1", "predictors/order"],
    },
    {
      place: "Theorem 1",
      statement: "e_utility = ε",
      refutedBy: ["false_claims/utility_exactly_epsilon"],
      checkedBy: ["predictors/theorem_1"],
      note: "for rows of which all directions together cost less than ε; of others it holds",
    },
    {
      place: "proof of Theorem 1",
      statement: "e_utility = Σλ_i^d α_i²a_i²",
      checkedBy: ["predictors/privacy_error"],
    },
    {
      place: "privacy of Algorithm 1",
      statement: "γ_i = λ_i^d/λ_i^c, and e_privacy = Σλ_i^c α_i²a_i²",
      checkedBy: ["predictors/privacy_error"],
    },
    {
      place: "privacy of Algorithm 1",
      statement: "Directions should be taken out in increasing order of γ",
      checkedBy: ["predictors/order"],
    },
    {
      place: "privacy of Algorithm 1",
      statement: "The algorithm solves the program that is printed",
      refutedBy: ["false_claims/cleaning_program"],
      checkedBy: ["predictors/order"],
    },
    {
      place: "experimental results",
      statement: "Sizes of the datasets scene and wq; ten runs; what complete privacy is called",
      notChecked: "a description of the experiment",
    },
    {
      place: "experimental results, Figure 1",
      statement: "e_utility is exactly ε",
      checkedBy: ["predictors/theorem_1"],
      note: "of rows that cost as much; not of all rows of wq (experiments/null_space/README.md)",
    },
    {
      place: "experimental results, Figure 1",
      statement: "e_privacy is much larger; complete privacy for most test cases",
      notChecked: EXPERIMENT,
    },
    {
      place: "attack, Figure 2",
      statement: "e_privacy stays above e_utility when the adversary cleans training data too",
      notChecked: EXPERIMENT,
    },
    {
      place: "attack",
      statement: "A larger ε gives more privacy",
      checkedBy: ["predictors/privacy_error"],
      note: "without the attack; Figure 3 shows no gain with it",
    },
    {
      place: "comparison, Figure 3",
      statement:
        "At equal e_utility, cleaning under attack has more complete privacy than Laplace noise",
      notChecked: EXPERIMENT,
    },
    {
      place: "concluding remarks",
      statement: "ε controls the trade-off of utility and privacy",
      checkedBy: ["predictors/theorem_1", "predictors/order"],
    },
    {
      place: "concluding remarks",
      statement: "The scheme serves every model that starts with a linear operator",
      checkedBy: ["predictors/any_predictor"],
    },
  ],
  besides: [],
};
