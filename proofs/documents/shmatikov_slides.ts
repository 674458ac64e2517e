import { type Document, documentOf } from "../engine/documents.ts";

/** Slides on perturbed inputs, perturbed answers and the SuLQ framework. */
export const shmatikovSlides: Document = documentOf(
  {
    name: "Shmatikov: slides “Privacy-preserving data mining”",
    scope: "All 26 slides; slides that only ask a question are left out",
    named: /Shmatikov’s slides/,
    besides: [],
  },
  `
place | statement | checked by | note | not checked
3, input perturbation | Noise of mean 0 on each entry leaves the average computable | input_perturbation/mean_of_noisy_entries
5, concepts of privacy | Three concepts, the strongest: beliefs about the data do not change | input_perturbation/odds_of_properties | when the strongest is met; the others are not made precise
6, Kullback–Leibler distance | It measures how two distributions differ | input_perturbation/average_distance
7, privacy of input perturbation | Mutual information is the average distance of posterior and prior | input_perturbation/average_distance
7, privacy of input perturbation | If that distance is small, what is seen leaks little | – | – | an intuition without a number, which slide 9 corrects (input_perturbation/average_hides_worst)
8, example | Ages 0 to 90 with noise of ±20: an output gives an age away | input_perturbation/average_hides_worst
8, example | The operator has to be public | – | – | a requirement on how operators are used
9, privacy definitions | Mutual information can be small while one value leaks much | input_perturbation/average_hides_worst
10, example | The prior and the three operators R1, R2, R3 | input_perturbation/slide_figures
11, some properties | Q1 and Q2 have prior probabilities 1% and 40.5% | input_perturbation/slide_figures
11, some properties | After R(x) = 0: 71.6% and 83% (R1), 4.8% and 100% (R2), 2.9% and 70.8% (R3) | input_perturbation/slide_figures | 71.6% is of the paper's R1; with R1 as the slide words it, it would be 71.7% (a mutant)
12, privacy breaches | R1 takes Q1 from 1% to 72%, R2 takes Q2 from 41% to 100% | input_perturbation/slide_figures
12, privacy breaches | Posterior should be close to prior for any property | – | – | a goal
13, breach definitions | Straight and inverse breaches from ρ₁ to ρ₂ | – | – | definitions, which input_perturbation/no_breach uses
14, transition probabilities | There are 2^|X| properties | input_perturbation/odds_of_properties
14, transition probabilities | Values that are equally likely to become y are not told apart by y, whatever the prior | input_perturbation/odds_of_properties
15, amplification | γ-amplifying with ρ₂(1 − ρ₁)/(ρ₁(1 − ρ₂)) > γ: no breach | input_perturbation/no_breach
16, amplification example | R3's transition probabilities, ½(1/201 + 1/1001) near x and 1/2002 elsewhere | input_perturbation/transition_probabilities | near is meant modulo 1001, which the slide does not print
16, amplification example | 1 + 1001/201 < 6, so no breach from 14% to 50% | input_perturbation/amplification, input_perturbation/no_breach
18, formally | conf(p) = log p/(1 − p), from probability to belief | input_perturbation/confidence_is_additive
19, (ε, δ, T)-privacy | The gain in confidence after T queries exceeds ε with probability at most δ | – | – | a definition, which input_perturbation/sulq_condition uses
20, limits | With noise of order √n polynomially many queries extract the database | input_perturbation/polynomial_reconstruction, input_perturbation/reconstruction_limit | of o(√n), and of all but o(n) rows, as in the paper: at 4√n the linear program fails (a mutant)
20, limits | With noise of order √n a user is unlikely to learn anything useful | – | – | “useful” is not defined; what is learnt where counts exceed √R is queries/sulq_learners
21, the SuLQ algorithm | Sums of a query with noise N(0, R), R > 8T·log²(T/δ)/ε², are (ε, δ, T)-private | input_perturbation/sulq_condition, input_perturbation/sulq_adaptive
21, the SuLQ algorithm | The number of queries must be sublinear in the number of rows | input_perturbation/sulq_sublinear | for the noise to be below that of a sample; privacy does not need it
22, computing with SuLQ | k-means, ID3, perceptron and statistical queries can be computed from noisy sums | queries/sulq_learners
22, computing with SuLQ | So can the singular value decomposition | queries/sulq_directions
22, computing with SuLQ | That an algorithm runs on noisy answers is not enough | queries/sulq_learners | its results far from the noiseless ones where counts are far below √R (a mutant)
23, k-means | Assign to the nearest centre, move centres to means, repeat | – | – | the algorithm, which queries/sulq_learners runs with and without noise
24, k-means with SuLQ | Noisy sizes, then noisy sums over noisy sizes | queries/sulq_learners
24, k-means with SuLQ | Clusters should have far more than √R points | queries/sulq_learners
25, ID3 | Test the attribute of the largest information gain, recur on each of its values | queries/sulq_tree_gain
25, ID3 | Stop where no attribute is left, or all rows are of one class | – | – | of one class: noisy counts cannot tell, and shipped trees go on there
26, ID3 with SuLQ | The chosen attribute's gain is within Δ of the best one's | queries/sulq_tree_gain
26, ID3 with SuLQ | It must stop where little data remains, for privacy cannot be guaranteed any more | queries/sulq_tree_gain; refuted by false_claims/small_nodes | what cannot be guaranteed is the gain
`,
);
