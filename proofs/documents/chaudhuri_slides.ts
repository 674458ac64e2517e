import { type Document, documentOf } from "../engine/documents.ts";

/** Slides on classification with privacy by perturbing the objective. */
export const chaudhuriSlides: Document = documentOf(
  {
    name: "Chaudhuri, Monteleoni, Sarwate: slides “Privacy-preserving classification”",
    scope: "All 56 slides, by their headings; slides that repeat an earlier one are left out",
    named: /Chaudhuri’s (and Haußmann’s )?slides|slides of Chaudhuri/,
    besides: ["erm/lemma_17"],
  },
  `
place | statement | checked by | note | not checked
empirical risk minimization | ½λ|w|² plus the risk: hinge loss is the SVM, logistic loss logistic regression | – | – | definitions
differential privacy, attacker’s view | What is concluded of a person is the same with and without that person’s row | definitions/attacker_gain | the same up to a factor e^ε in odds
differential privacy | Definition by densities: h[A(D₁) = t] ≤ (1 + ε)h[A(D₂) = t] for all t | definitions/one_plus_epsilon, definitions/sets_and_outputs | a definition; it implies ε-differential privacy, by sets too
differential privacy | Participation of a person does not change the output | definitions/attacker_gain, definitions/no_impact | it changes the law of the output by a factor of at most e^ε; an output whose law no row changes would tell nothing of the data
differential privacy: facts, 1 | Whoever knows all values but one gains no confidence on the last | definitions/attacker_gain | gains no more than ε in log-odds
differential privacy: facts, 2 | Good private approximations of histograms and contingency tables | queries/contingency_table
differential privacy: facts, 2 | Good private approximations of means | mechanisms/mean_error
why is ERM not private for SVM? | The solution is a combination of support vectors, and moves with them | erm/support_vectors; opposite refuted by common_mistakes/minimiser_is_private
how to make ERM private? | Noise around the optimum: too concentrated is poor privacy | erm/theorem_6 | the stated noise loses ε exactly, less noise is rejected (mutants)
how to make ERM private? | Too smooth is poor accuracy | erm/lemma_16 | noise three times as large breaks the bound (a mutant)
properties of real data | The surface is very convex in some directions | – | – | a remark on data
properties of real data | Perturbing in convex directions costs much; the objective’s noise perturbs less there | erm/convex_directions
algorithm | Minimise ½λ|w|² + ΣL + (1/n)bᵀw | erm/slides_fact_1, erm/theorem_9; refuted by false_claims/plain_sum_of_losses | with 1/n before the sum, as everywhere else on the slides
algorithm: perturbation | |b| ~ Γ(d, 1/ε) with uniform direction is enough noise | erm/theorem_9; refuted by false_claims/objective_rate_in_text
privacy guarantees, theorem | Convex differentiable L with |∇L(D₁, w) − ∇L(D₂, w)| ≤ 1/n: the algorithm is ε-private | erm/theorem_9; refuted by false_claims/nips_2008_theorem_3
privacy guarantees | Logistic and Huber loss meet the condition: private logistic regression, private SVM | erm/theorem_9, erm/corollary_11, erm/corollary_13; refuted by false_claims/slides_gradient_difference
privacy guarantees | The hinge loss is not differentiable | erm/hinge_limit
data requirement (SVM) | 1/(γ²α²) rows without privacy, 1/(γ²α²) + d/(γεα) with it | erm/rows_without_privacy, erm/sample_requirements, erm/theorem_18
previous work | Learning by output of a net: d²/(α³ε) rows, time exponential in d | – | – | figures of other papers’ algorithms; for finite classes queries/learning_privately
previous work | The sensitivity recipe needs d/(γ²εα^1.5) rows, the new algorithm d/(γεα) | erm/sample_requirements, erm/theorem_15, erm/theorem_18
previous work | Both run efficiently | – | – | no bound on time is stated; times that were measured: bench/README.md
privacy proof sketch, goal | Pr[w*|D₁] ≤ (1 + ε)Pr[w*|D₂] | erm/theorem_9; refuted by false_claims/one_plus_epsilon_bound | e^ε for 1 + ε
privacy proof sketch, Fact 1 | For a solution and a dataset there is one perturbation | erm/slides_fact_1
privacy proof sketch, Fact 2 | |b₁ − b₂| ≤ 1 | erm/jacobian_ratio; refuted by false_claims/slides_gradient_difference | 2 for 1, as in the papers
privacy proof sketch, end | From Fact 2 and the law of b, Pr[b₁] ≤ (1 + ε)Pr[b₂] | erm/theorem_6 | e^ε for 1 + ε: the density ∝ e^(−β‖b‖), whose ratio theorem 6 rests on
privacy proof sketch, end | By uniqueness the same ratio holds for w* | erm/theorem_9; refuted by false_claims/nips_2008_theorem_3 | the Jacobian of the map is left out
accuracy, theorem | 1/(γ²α²) + d/(γεα) rows for error α | erm/theorem_18, erm/sample_requirements
accuracy, Lemma 1 | The private solution is at most |b|/(λn) from the optimum | erm/slides_lemmas, erm/lemma_7
accuracy, Lemma 1 in one dimension | The gradient’s slope is at least λ, so b/n moves it by at most b/(λn) | erm/slides_lemmas, erm/strong_convexity
accuracy, Lemma 2 | Extra training loss is at most |b|²/(λn²ε²) | erm/slides_lemmas, erm/lemma_19; refuted by false_claims/training_loss_alone | of the whole objective, where ε < √2
accuracy, Lemma 2, Taylor’s series | At the optimum the gradient is zero, so the extra loss is ½(w − w*)ᵀ∇²J(w − w*) | erm/slides_lemmas | of the objective, with the Hessian at a point between w* and w
accuracy guarantees | The theorem follows from Lemma 2 by known techniques | – | – | a reference to another paper’s proof; the theorem itself is erm/theorem_18
experiments | Sizes of Adult and KDDCup99: 47,000 and 50,000 rows, 105 and 119 columns | – | – | an experiment on data that are not shipped; printed figures beside ours: bench/papers/erm/README.md
privacy–accuracy tradeoff | A smaller ε is more privacy | – | – | by the definition: what is ε-private is ε′-private for every larger ε′
privacy–accuracy tradeoff, twice | Curves: errors fall with ε, the new algorithm’s below the recipe’s | – | – | an experiment on data that are not shipped; printed figures beside ours: bench/papers/erm/README.md
future work | Fewer rows, and lower bounds on rows | – | – | open questions
`,
);
