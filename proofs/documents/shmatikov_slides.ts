import type { Document } from "../engine/documents.ts";

/** Slides on perturbed inputs, perturbed answers and the SuLQ framework. */
export const shmatikovSlides: Document = {
  name: "Shmatikov: slides “Privacy-preserving data mining”",
  scope: "All 26 slides; slides that only ask a question are left out",
  named: /Shmatikov’s slides/,
  statements: [
    {
      place: "3, input perturbation",
      statement: "Noise of mean 0 on each entry leaves the average computable",
      checkedBy: ["input_perturbation/mean_of_noisy_entries"],
    },
    {
      place: "5, concepts of privacy",
      statement: "Three concepts, the strongest: beliefs about the data do not change",
      checkedBy: ["input_perturbation/odds_of_properties"],
      note: "when the strongest is met; the others are not made precise",
    },
    {
      place: "6, Kullback–Leibler distance",
      statement: "It measures how two distributions differ",
      checkedBy: ["input_perturbation/average_distance"],
    },
    {
      place: "7, privacy of input perturbation",
      statement: "Mutual information is the average distance of posterior and prior",
      checkedBy: ["input_perturbation/average_distance"],
    },
    {
      place: "7, privacy of input perturbation",
      statement: "If that distance is small, what is seen leaks little",
      notChecked:
        "an intuition without a number, which slide 9 corrects (input_perturbation/average_hides_worst)",
    },
    {
      place: "8, example",
      statement: "Ages 0 to 90 with noise of ±20: an output gives an age away",
      checkedBy: ["input_perturbation/average_hides_worst"],
    },
    {
      place: "8, example",
      statement: "The operator has to be public",
      notChecked: "a requirement on how operators are used",
    },
    {
      place: "9, privacy definitions",
      statement: "Mutual information can be small while one value leaks much",
      checkedBy: ["input_perturbation/average_hides_worst"],
    },
    {
      place: "10, example",
      statement: "The prior and the three operators R1, R2, R3",
      checkedBy: ["input_perturbation/slide_figures"],
    },
    {
      place: "11, some properties",
      statement: "Q1 and Q2 have prior probabilities 1% and 40.5%",
      checkedBy: ["input_perturbation/slide_figures"],
    },
    {
      place: "11, some properties",
      statement: "After R(x) = 0: 71.6% and 83% (R1), 4.8% and 100% (R2), 2.9% and 70.8% (R3)",
      checkedBy: ["input_perturbation/slide_figures"],
      note:
        "71.6% is of the paper's R1; with R1 as the slide words it, it would be 71.7% (a mutant)",
    },
    {
      place: "12, privacy breaches",
      statement: "R1 takes Q1 from 1% to 72%, R2 takes Q2 from 41% to 100%",
      checkedBy: ["input_perturbation/slide_figures"],
    },
    {
      place: "12, privacy breaches",
      statement: "Posterior should be close to prior for any property",
      notChecked: "a goal",
    },
    {
      place: "13, breach definitions",
      statement: "Straight and inverse breaches from ρ₁ to ρ₂",
      notChecked: "definitions, which input_perturbation/no_breach uses",
    },
    {
      place: "14, transition probabilities",
      statement: "There are 2^|X| properties",
      checkedBy: ["input_perturbation/odds_of_properties"],
    },
    {
      place: "14, transition probabilities",
      statement:
        "Values that are equally likely to become y are not told apart by y, whatever the prior",
      checkedBy: ["input_perturbation/odds_of_properties"],
    },
    {
      place: "15, amplification",
      statement: "γ-amplifying with ρ₂(1 − ρ₁)/(ρ₁(1 − ρ₂)) > γ: no breach",
      checkedBy: ["input_perturbation/no_breach"],
    },
    {
      place: "16, amplification example",
      statement: "R3's transition probabilities, ½(1/201 + 1/1001) near x and 1/2002 elsewhere",
      checkedBy: ["input_perturbation/transition_probabilities"],
      note: "near is meant modulo 1001, which the slide does not print",
    },
    {
      place: "16, amplification example",
      statement: "1 + 1001/201 < 6, so no breach from 14% to 50%",
      checkedBy: ["input_perturbation/amplification", "input_perturbation/no_breach"],
    },
    {
      place: "18, formally",
      statement: "conf(p) = log p/(1 − p), from probability to belief",
      checkedBy: ["input_perturbation/confidence_is_additive"],
    },
    {
      place: "19, (ε, δ, T)-privacy",
      statement: "The gain in confidence after T queries exceeds ε with probability at most δ",
      notChecked: "a definition, which input_perturbation/sulq_condition uses",
    },
    {
      place: "20, limits",
      statement: "With noise of order √n polynomially many queries extract the database",
      checkedBy: [
        "input_perturbation/polynomial_reconstruction",
        "input_perturbation/reconstruction_limit",
      ],
      note:
        "of o(√n), and of all but o(n) rows, as in the paper: at 4√n the linear program fails (a mutant)",
    },
    {
      place: "20, limits",
      statement: "With noise of order √n a user is unlikely to learn anything useful",
      notChecked:
        "“useful” is not defined; what is learnt where counts exceed √R is queries/sulq_learners",
    },
    {
      place: "21, the SuLQ algorithm",
      statement: "Sums of a query with noise N(0, R), R > 8T·log²(T/δ)/ε², are (ε, δ, T)-private",
      checkedBy: ["input_perturbation/sulq_condition", "input_perturbation/sulq_adaptive"],
    },
    {
      place: "21, the SuLQ algorithm",
      statement: "The number of queries must be sublinear in the number of rows",
      checkedBy: ["input_perturbation/sulq_sublinear"],
      note: "for the noise to be below that of a sample; privacy does not need it",
    },
    {
      place: "22, computing with SuLQ",
      statement: "k-means, ID3, perceptron and statistical queries can be computed from noisy sums",
      checkedBy: ["queries/sulq_learners", "queries/scripted_draws"],
    },
    {
      place: "22, computing with SuLQ",
      statement: "So can the singular value decomposition",
      checkedBy: ["queries/sulq_directions"],
    },
    {
      place: "22, computing with SuLQ",
      statement: "That an algorithm runs on noisy answers is not enough",
      checkedBy: ["queries/sulq_learners"],
      note: "its results far from the noiseless ones where counts are far below √R (a mutant)",
    },
    {
      place: "23, k-means",
      statement: "Assign to the nearest centre, move centres to means, repeat",
      checkedBy: ["queries/scripted_draws", "queries/learners_by_reference"],
    },
    {
      place: "24, k-means with SuLQ",
      statement: "Noisy sizes, then noisy sums over noisy sizes",
      checkedBy: ["queries/learners_by_reference", "queries/scripted_draws"],
    },
    {
      place: "24, k-means with SuLQ",
      statement: "Clusters should have far more than √R points",
      checkedBy: ["queries/sulq_learners"],
    },
    {
      place: "25, ID3",
      statement: "Test the attribute of the largest information gain, recur on each of its values",
      checkedBy: ["queries/learners_by_reference", "queries/sulq_tree_gain"],
    },
    {
      place: "25, ID3",
      statement: "Stop where no attribute is left, or all rows are of one class",
      checkedBy: ["queries/learners_by_reference"],
      notChecked: "of one class: noisy counts cannot tell, and shipped trees go on there",
    },
    {
      place: "26, ID3 with SuLQ",
      statement: "The chosen attribute's gain is within Δ of the best one's",
      checkedBy: ["queries/sulq_tree_gain"],
    },
    {
      place: "26, ID3 with SuLQ",
      statement:
        "It must stop where little data remains, for privacy cannot be guaranteed any more",
      refutedBy: ["false_claims/small_nodes"],
      checkedBy: ["queries/sulq_tree_gain"],
      note: "what cannot be guaranteed is the gain",
    },
  ],
  besides: [],
};
