import type { Document } from "../engine/documents.ts";
import { haussmannExamples } from "./haussmann_examples.ts";

/** Slides on differential privacy, its mechanisms and three examples of its use. */
export const haussmannSlides: Document = {
  name: "Haußmann 2017: slides “Differential privacy”",
  scope: "All 51 slides, by their headings; slides that are built up are taken once",
  named: /Haußmann’s slides|slides of Haußmann/,
  statements: [
    {
      place: "introduction",
      statement: "Data are a resource; what about privacy?",
      notChecked: "opinions",
    },
    {
      place: "anonymization gone wrong",
      statement:
        "Four releases that were linked to persons; data cannot be anonymised and stay useful",
      notChecked: "history, and a maxim without numbers",
    },
    {
      place: "proposals",
      statement: "Only aggregates over large groups, or summary statistics",
      refutedBy: ["common_mistakes/large_groups", "common_mistakes/minimiser_is_private"],
    },
    {
      place: "proposals",
      statement: "Someone who checks queries; ordinary facts; only a few are harmed",
      notChecked: "proposals without a rule that could be checked",
    },
    {
      place: "demands",
      statement: "My data should have no impact on what is released",
      checkedBy: ["definitions/no_impact"],
      note: "a demand; what it would mean, and why it is softened to e^ε",
    },
    {
      place: "demands",
      statement:
        "Dalenius: nothing is learnt about anybody that could not be learnt without access",
      checkedBy: ["definitions/no_impact"],
      note: "a demand; what stands against it",
    },
    {
      place: "demands",
      statement: "Alice cannot find out whether Bob took part",
      checkedBy: ["definitions/attacker_gain", "definitions/mean_salary"],
      note: "within ε, where rows may be added or removed",
    },
    {
      place: "randomised response",
      statement: "The expected share of yes is 1/4 + p/2",
      checkedBy: ["mechanisms/randomised_response_mean"],
    },
    {
      place: "definition",
      statement: "ε- and (ε, δ)-differential privacy by sets of outputs",
      checkedBy: ["definitions/sets_and_outputs"],
      note: "a definition; that of densities implies it",
    },
    {
      place: "definition, note",
      statement: "exp(ε) ≈ 1 + ε",
      checkedBy: ["definitions/one_plus_epsilon"],
      note: "within ε² for ε ≤ 1; as a bound it is false_claims/one_plus_epsilon_bound",
    },
    {
      place: "definition, note",
      statement: "The privacy loss stays within ε with probability at most 1 − δ",
      refutedBy: ["false_claims/loss_probability"],
    },
    {
      place: "neighbouring database?",
      statement: "Adding or removing an entry (unbounded), or changing one (bounded)",
      checkedBy: ["definitions/neighbours"],
      note: "definitions, and what each implies of the other",
    },
    {
      place: "neighbouring database?",
      statement:
        "For a mean salary, bounded privacy hides what someone earns, not that they work there",
      checkedBy: ["definitions/mean_salary"],
    },
    {
      place: "post-processing",
      statement: "f∘M is (ε, δ)-private if M is",
      checkedBy: ["composition/post_processing"],
    },
    {
      place: "group privacy",
      statement: "(ε, 0)-private is (kε, 0)-private for groups of k",
      checkedBy: ["composition/group_privacy"],
    },
    {
      place: "composition",
      statement: "k mechanisms together are (Σε_i, Σδ_i)-private",
      checkedBy: ["composition/basic_composition", "composition/adaptive_composition"],
    },
    {
      place: "composition, note",
      statement: "It is not group privacy; stronger results are possible for it",
      checkedBy: ["composition/group_is_not_composition", "composition/optimal_composition"],
    },
    {
      place: "composition, theorem",
      statement: "ε′ = √(2k ln(1/δ′))·ε + kε(e^ε − 1) under k-fold adaptive composition",
      checkedBy: ["composition/advanced_composition"],
    },
    {
      place: "properties",
      statement: "Unaffected by auxiliary information, and by computational power",
      checkedBy: ["definitions/attacker_gain"],
      note: "for every prior, by Bayes’ rule, whatever it takes to compute",
    },
    {
      place: "properties",
      statement: "It quantifies loss of privacy",
      notChecked: "a remark on the definition",
    },
    {
      place: "15, randomised response",
      statement: "It is (ln 3, 0)-private: (3/4)/(1/4) = 3 for both answers",
      checkedBy: ["mechanisms/randomised_response"],
    },
    {
      place: "Laplace distribution",
      statement: "Density e^(−|x − μ|/b)/(2b), mean μ, variance 2b²",
      checkedBy: ["mechanisms/laplace_moments"],
    },
    {
      place: "18, ℓ1 sensitivity",
      statement: "Sensitivities of a count, of siblings, of a histogram",
      checkedBy: ["definitions/query_sensitivities"],
    },
    {
      place: "Laplace mechanism",
      statement: "f(x) + (Y₁, …, Y_k), each Lap(Δf/ε), is (ε, 0)-private",
      checkedBy: ["mechanisms/laplace", "mechanisms/laplace_vector"],
    },
    {
      place: "Laplace mechanism, example",
      statement: "A study of drug usage",
      notChecked: "a figure without numbers",
    },
    {
      place: "Laplace versus Gauss",
      statement: "For ε < 1 and c² > 2ln(1.25/δ), noise of σ ≥ cΔ₂f/ε is (ε, δ)-private",
      checkedBy: ["mechanisms/gaussian"],
    },
    {
      place: "24, exponential mechanism",
      statement: "Choosing r ∝ exp(εu(x, r)/(2Δu)) is (ε, 0)-private",
      checkedBy: ["mechanisms/exponential"],
    },
    {
      place: "offline",
      statement: "Synthetic data need the questions beforehand, and allow few computations well",
      notChecked: "opinions on the state of research; one such method is MWEM, below",
    },
    {
      place: "offline",
      statement:
        "Part of the budget may go to looking at the data, the rest to a synthetic dataset",
      checkedBy: ["queries/mwem_split"],
    },
    {
      place: "26, MWEM",
      statement: "Choose a query, measure it, reweight, T times; return the average",
      checkedBy: ["queries/mwem_split", "queries/mwem_update", "queries/learners_by_reference"],
    },
    {
      place: "26, MWEM, proof of privacy",
      statement: "ε/(2T) + ε/(2T) = ε",
      refutedBy: ["false_claims/mwem_proof_line"],
      checkedBy: ["queries/mwem_budget"],
    },
    {
      place: "subsample and aggregate",
      statement: "Estimates on parts, aggregated privately",
      checkedBy: ["queries/subsample_and_aggregate", "composition/subsampling"],
    },
    {
      place: "what about ε?",
      statement:
        "In 10,000 databases of ε₀ = 1/801, the loss is at most 1 with probability 1 − e^−32",
      checkedBy: ["composition/lifetime_budget"],
      note: "not by the theorem on composition: false_claims/lifetime_by_theorem",
    },
    {
      place: "what about ε?",
      statement: "ε for a study, for a researcher, or for the dataset",
      notChecked: "a question of policy; a budget for a dataset is composition/budgets",
    },
    {
      place: "results and extensions",
      statement: "What is learnable from polynomially many rows is learnable privately",
      checkedBy: ["queries/learning_privately"],
      note: "of finite classes, with the numbers of rows",
    },
    {
      place: "results and extensions",
      statement: "Concentrated privacy relaxes it",
      checkedBy: ["composition/pure_is_concentrated"],
    },
    {
      place: "results and extensions",
      statement: "It keeps composition, with higher accuracy",
      checkedBy: ["composition/concentrated_accuracy", "composition/rules_in_closed_form"],
    },
    {
      place: "30, DP & ML",
      statement:
        "A broad literature; many algorithms have private versions; noise in input, objective or output",
      notChecked: "an overview",
    },
    {
      place: "30, DP & ML",
      statement: "Learning and privacy both want little dependence on single rows",
      notChecked: "an opinion",
    },
    {
      place: "30, DP & ML",
      statement: "Noise in the objective is a kind of regularisation",
      checkedBy: ["erm/noise_as_regulariser"],
    },
    {
      place: "32, conclusion",
      statement: "Open questions and hopes",
      notChecked: "opinions",
    },
    ...haussmannExamples,
  ],
  besides: ["false_claims/one_plus_epsilon_bound", "false_claims/lifetime_by_theorem"],
};
