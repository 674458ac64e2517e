import type { Document } from "../engine/documents.ts";

/** Why curves over datasets are not checked by theorems. */
const EXPERIMENT =
  "an experiment on data that are not shipped; printed figures beside ours: experiments/erm/README.md";

/** Slides on classification with privacy by perturbing the objective. */
export const chaudhuriSlides: Document = {
  name: "Chaudhuri, Monteleoni, Sarwate: slides “Privacy-preserving classification”",
  scope: "All 56 slides, by their headings; slides that repeat an earlier one are left out",
  named: /Chaudhuri’s (and Haußmann’s )?slides|slides of Chaudhuri/,
  statements: [
    {
      place: "empirical risk minimization",
      statement: "½λ|w|² plus the risk: hinge loss is the SVM, logistic loss logistic regression",
      notChecked: "definitions",
    },
    {
      place: "differential privacy, attacker’s view",
      statement: "What is concluded of a person is the same with and without that person’s row",
      checkedBy: ["definitions/attacker_gain"],
      note: "the same up to a factor e^ε in odds",
    },
    {
      place: "differential privacy",
      statement: "Definition by densities: h[A(D₁) = t] ≤ (1 + ε)h[A(D₂) = t] for all t",
      checkedBy: ["definitions/one_plus_epsilon", "definitions/sets_and_outputs"],
      note: "a definition; it implies ε-differential privacy, by sets too",
    },
    {
      place: "differential privacy: facts, 1",
      statement: "Whoever knows all values but one gains no confidence on the last",
      checkedBy: ["definitions/attacker_gain"],
      note: "gains no more than ε in log-odds",
    },
    {
      place: "differential privacy: facts, 2",
      statement: "Good private approximations of histograms and contingency tables",
      checkedBy: ["queries/contingency_table"],
    },
    {
      place: "differential privacy: facts, 2",
      statement: "Good private approximations of means",
      checkedBy: ["mechanisms/mean_error"],
    },
    {
      place: "why is ERM not private for SVM?",
      statement: "The solution is a combination of support vectors, and moves with them",
      checkedBy: ["erm/support_vectors"],
      oppositeRefutedBy: ["common_mistakes/minimiser_is_private"],
    },
    {
      place: "how to make ERM private?",
      statement: "Noise around the optimum: too concentrated is poor privacy",
      checkedBy: ["erm/theorem_6"],
      note: "the stated noise loses ε exactly, less noise is rejected (mutants)",
    },
    {
      place: "how to make ERM private?",
      statement: "Too smooth is poor accuracy",
      checkedBy: ["erm/lemma_16"],
      note: "noise three times as large breaks the bound (a mutant)",
    },
    {
      place: "properties of real data",
      statement: "The surface is very convex in some directions",
      notChecked: "a remark on data",
    },
    {
      place: "properties of real data",
      statement:
        "Perturbing in convex directions costs much; the objective’s noise perturbs less there",
      checkedBy: ["erm/convex_directions"],
    },
    {
      place: "algorithm",
      statement: "Minimise ½λ|w|² + risk + bᵀw/n",
      checkedBy: ["erm/training_parts", "erm/slides_fact_1"],
    },
    {
      place: "algorithm: perturbation",
      statement: "|b| ~ Γ(d, 1/ε) with uniform direction is enough noise",
      refutedBy: ["false_claims/objective_rate_in_text"],
      checkedBy: ["erm/theorem_9"],
    },
    {
      place: "privacy guarantees, theorem",
      statement:
        "Convex differentiable L with |∇L(D₁, w) − ∇L(D₂, w)| ≤ 1/n: the algorithm is ε-private",
      refutedBy: ["false_claims/nips_2008_theorem_3"],
      checkedBy: ["erm/theorem_9"],
    },
    {
      place: "privacy guarantees",
      statement:
        "Logistic and Huber loss meet the condition: private logistic regression, private SVM",
      refutedBy: ["false_claims/slides_gradient_difference"],
      checkedBy: ["erm/theorem_9", "erm/corollary_11", "erm/corollary_13"],
    },
    {
      place: "privacy guarantees",
      statement: "The hinge loss is not differentiable",
      checkedBy: ["erm/hinge_limit"],
    },
    {
      place: "data requirement (SVM)",
      statement: "1/(γ²α²) rows without privacy, 1/(γ²α²) + d/(γεα) with it",
      checkedBy: ["erm/rows_without_privacy", "erm/sample_requirements", "erm/theorem_18"],
    },
    {
      place: "previous work",
      statement: "Learning by output of a net: d²/(α³ε) rows, time exponential in d",
      notChecked:
        "figures of other papers’ algorithms; for finite classes queries/learning_privately",
    },
    {
      place: "previous work",
      statement: "The sensitivity recipe needs d/(γ²εα^1.5) rows, the new algorithm d/(γεα)",
      checkedBy: ["erm/sample_requirements", "erm/theorem_15", "erm/theorem_18"],
    },
    {
      place: "previous work",
      statement: "Both run efficiently",
      notChecked: "no bound on time is stated; times that were measured: bench/README.md",
    },
    {
      place: "privacy proof sketch, goal",
      statement: "Pr[w*|D₁] ≤ (1 + ε)Pr[w*|D₂]",
      refutedBy: ["false_claims/one_plus_epsilon_bound"],
      checkedBy: ["erm/theorem_9"],
      note: "e^ε for 1 + ε",
    },
    {
      place: "privacy proof sketch, Fact 1",
      statement: "For a solution and a dataset there is one perturbation",
      checkedBy: ["erm/slides_fact_1"],
    },
    {
      place: "privacy proof sketch, Fact 2",
      statement: "|b₁ − b₂| ≤ 1",
      refutedBy: ["false_claims/slides_gradient_difference"],
      checkedBy: ["erm/jacobian_ratio"],
      note: "2 for 1, as in the papers",
    },
    {
      place: "privacy proof sketch, end",
      statement: "From Fact 2 and the law of b, Pr[b₁] ≤ (1 + ε)Pr[b₂]",
      checkedBy: ["erm/theorem_6"],
      note: "e^ε for 1 + ε: the density ∝ e^(−β‖b‖), whose ratio theorem 6 rests on",
    },
    {
      place: "privacy proof sketch, end",
      statement: "By uniqueness the same ratio holds for w*",
      refutedBy: ["false_claims/nips_2008_theorem_3"],
      checkedBy: ["erm/theorem_9"],
      note: "the Jacobian of the map is left out",
    },
    {
      place: "accuracy, theorem",
      statement: "1/(γ²α²) + d/(γεα) rows for error α",
      checkedBy: ["erm/theorem_18", "erm/sample_requirements"],
    },
    {
      place: "accuracy, Lemma 1",
      statement: "The private solution is at most |b|/(λn) from the optimum",
      checkedBy: ["erm/slides_lemmas", "erm/lemma_7"],
    },
    {
      place: "accuracy, Lemma 1 in one dimension",
      statement: "The gradient’s slope is at least λ, so b/n moves it by at most b/(λn)",
      checkedBy: ["erm/slides_lemmas", "erm/strong_convexity"],
    },
    {
      place: "accuracy, Lemma 2",
      statement: "Extra training loss is at most |b|²/(λn²ε²)",
      refutedBy: ["false_claims/training_loss_alone"],
      checkedBy: ["erm/slides_lemmas", "erm/lemma_19"],
      note: "of the whole objective, where ε < √2",
    },
    {
      place: "accuracy guarantees",
      statement: "The theorem follows from Lemma 2 by known techniques",
      notChecked: "a reference to another paper’s proof; the theorem itself is erm/theorem_18",
    },
    {
      place: "experiments",
      statement: "Sizes of Adult and KDDCup99: 47,000 and 50,000 rows, 105 and 119 columns",
      notChecked: EXPERIMENT,
    },
    {
      place: "privacy–accuracy tradeoff",
      statement: "A smaller ε is more privacy",
      notChecked: "by the definition: what is ε-private is ε′-private for every larger ε′",
    },
    {
      place: "privacy–accuracy tradeoff, twice",
      statement: "Curves: errors fall with ε, the new algorithm’s below the recipe’s",
      notChecked: EXPERIMENT,
    },
    {
      place: "future work",
      statement: "Fewer rows, and lower bounds on rows",
      notChecked: "open questions",
    },
  ],
  besides: ["erm/lemma_17"],
};
