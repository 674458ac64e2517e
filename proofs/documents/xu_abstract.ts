import { type Document, documentOf } from "../engine/documents.ts";

/** The abstract on cleaning features in the null space of a predictor. */
export const xuAbstract: Document = documentOf(
  {
    name: "Xu, Shah, Cao, Maung, Schweitzer 2017: “Enhancing the privacy of predictors”",
    scope: "All of the two pages",
    named: /AAAI abstract|Xu, Shah, Cao, Maung, Schweitzer 2017/,
    besides: [],
  },
  `
place | statement | checked by | note | not checked
abstract | Zeroing the approximate null space has little effect on the desired prediction | predictors/theorem_1
the problem | e_utility and e_privacy as squared distances of predictions | – | – | definitions, which predictors/theorem_1 uses
the problem | It applies to linear regression, neural nets and algorithms that use PCA | predictors/any_predictor
related work | It is not differential privacy, which protects rows of training data | opposite refuted by common_mistakes/cleaning_is_private
the main idea | Zeroing the exact null space leaves the prediction of y_d as it is | predictors/theorem_1, predictors/toy_table
the main idea | It typically increases the error of predicting y_c | – | – | “typically”: an experiment on data that are not shipped; printed figures beside ours: bench/papers/null_space/README.md
the main idea, table | Three rows, cleaned, and their labels | predictors/toy_table
the main idea | y_c cannot be computed from the cleaned rows | predictors/toy_table
Algorithm 1, step 1 | A_c is fitted to training data | – | – | a regression, of which nothing is claimed
Algorithm 1, steps 2 to 7 | Generalised eigenvectors, taken out by increasing γ until ε is spent | predictors/theorem_1, predictors/order
Theorem 1 | e_utility = ε | predictors/theorem_1; refuted by false_claims/utility_exactly_epsilon | for rows of which all directions together cost less than ε; of others it holds
proof of Theorem 1 | e_utility = Σλ_i^d α_i²a_i² | predictors/privacy_error
privacy of Algorithm 1 | γ_i = λ_i^d/λ_i^c, and e_privacy = Σλ_i^c α_i²a_i² | predictors/privacy_error
privacy of Algorithm 1 | Directions should be taken out in increasing order of γ | predictors/order
privacy of Algorithm 1 | The algorithm solves the program that is printed | predictors/order; refuted by false_claims/cleaning_program
experimental results | Sizes of the datasets scene and wq; ten runs; what complete privacy is called | – | – | a description of the experiment
experimental results, Figure 1 | e_utility is exactly ε | predictors/theorem_1 | of rows that cost as much; not of all rows of wq (bench/papers/null_space/README.md)
experimental results, Figure 1 | e_privacy is much larger; complete privacy for most test cases | – | – | an experiment on data that are not shipped; printed figures beside ours: bench/papers/null_space/README.md
attack, Figure 2 | e_privacy stays above e_utility when the adversary cleans training data too | – | – | an experiment on data that are not shipped; printed figures beside ours: bench/papers/null_space/README.md
attack | A larger ε gives more privacy | predictors/privacy_error | without the attack; Figure 3 shows no gain with it
comparison, Figure 3 | At equal e_utility, cleaning under attack has more complete privacy than Laplace noise | – | – | an experiment on data that are not shipped; printed figures beside ours: bench/papers/null_space/README.md
concluding remarks | ε controls the trade-off of utility and privacy | predictors/theorem_1, predictors/order
concluding remarks | The scheme serves every model that starts with a linear operator | predictors/any_predictor
`,
);
