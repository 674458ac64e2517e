import type { Chapter } from "./engine/chapter.ts";
import { short } from "./engine/outcome.ts";
import type { Theorem } from "./engine/theorem.ts";
import { lossOfOneRow } from "./judge/false_claims/nips_2008_algorithm_2.ts";
import { lossWithoutCutoff } from "./judge/false_claims/published_sparse_vectors.ts";
import { bayesChapter } from "./papers/bayes/chapter.ts";
import { commonMistakesChapter } from "./judge/common_mistakes/chapter.ts";
import { compositionChapter } from "./dp/composition/chapter.ts";
import { definitionsChapter } from "./core/definitions/chapter.ts";
import { ermChapter } from "./dp/erm/chapter.ts";
import { exactChapter } from "./judge/exact/chapter.ts";
import { falseClaimsChapter } from "./judge/false_claims/chapter.ts";
import { inputPerturbationChapter } from "./papers/input_perturbation/chapter.ts";
import { mechanismsChapter } from "./dp/mechanisms/chapter.ts";
import { predictorsChapter } from "./papers/predictors/chapter.ts";
import { queriesChapter } from "./papers/queries/chapter.ts";

/** The book of statements, in the order in which it is read. */
export const chapters: readonly Chapter[] = [
  definitionsChapter,
  mechanismsChapter,
  compositionChapter,
  ermChapter,
  inputPerturbationChapter,
  queriesChapter,
  bayesChapter,
  predictorsChapter,
  falseClaimsChapter,
  commonMistakesChapter,
  exactChapter,
];

/** Every theorem and every false claim, in the order of the book. */
export const theorems: readonly Theorem[] = chapters.flatMap(({ theorems }) => theorems);

/** What the book begins with: what is asked, which five published statements fall, and how to read on. */
export function opening(): string {
  const count = theorems.length;
  const refutedCount = theorems.filter(({ expected }) => expected === "refuted").length;
  const loss = short(lossOfOneRow({ epsilon: 0.1, convexity: 0.01 }));
  const feature = short(Math.SQRT2), deviation = short(Math.SQRT2);
  const most = 20, sparse = short(lossWithoutCutoff(most)), questions = 2 * most;
  return `Differential privacy is a promise about a program: whatever comes out would have come out nearly as often without you. ε says how nearly: no output is more than e^ε times likelier with one person's data than with another's. The logarithm of the largest such factor is what a program loses, and ε is the most that it may lose. Such a promise cannot be seen in one answer, however good it looks: it is about all datasets and all answers.

This book has the statements that dpcheck rests on: ${count} of them, taken from five documents (a paper and slides of Chaudhuri, Monteleoni and Sarwate, slides of Haußmann and of Shmatikov, an abstract of Xu and others) and from the papers that they lean on. Each statement comes with a check that a computer runs, and with broken variants of it, its mutants, which the same check must reject. A check that accepts a mutant shows nothing, and fails.

Most statements hold. ${refutedCount} do not: claims that were published, and mistakes that are common. All of them looked right to somebody, so it is worth knowing why they are not. The five that matter most were published, and whoever builds on one of them breaks a promise of privacy:

1. **Objective perturbation is private for every λ** (Chaudhuri, Monteleoni 2008, Algorithm 2). A classifier is trained with a random term in what it minimises. Where the penalty is small (nλ = .01 for n rows) it loses ${loss} and promises ε = .1. The map from the noise to the classifier stretches space by an amount that depends on the data, and the algorithm does not pay for that (\`false_claims/nips_2008_algorithm_2\`). Chapter “${ermChapter.title}”.
2. **A classifier on random features is as private as one on rows** (Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 3). Rows are replaced by random features of them. These are up to √2 long where the proof needs length 1, so ${feature} times ε is lost (\`false_claims/kernel_feature_norm\`). Chapter “${ermChapter.title}”.
3. **Laplace noise of standard deviation S/ε is enough** (the papers of 2008 and 2011, where they introduce the mechanism). The standard deviation of Laplace noise is √2 times its scale, and the scale is what must be S/ε: ${deviation} times ε is lost (\`false_claims/laplace_by_deviation\`). Chapter “${mechanismsChapter.title}”.
4. **Four published forms of sparse vector are private** (2011 to 2015). Sparse vector says of one answer after the other whether it is above a threshold, and stops after a number of them. One form never stops and loses ${sparse} over ${questions} questions at ε = 1; one puts no noise on the answers and loses without bound; one has noise that does not grow with the number after which it stops; one publishes the noisy answer that it compared, which tells of the threshold's noise (\`false_claims/sparse_vector_chen\`, \`false_claims/sparse_vector_stoddard\`, \`false_claims/sparse_vector_roth\`, \`false_claims/sparse_vector_lee_clifton\`). Chapter “${mechanismsChapter.title}”.
5. **Principal components are private after adding a Wishart matrix** (two papers of 2016). It is a random matrix that is added to the covariance of the rows before it is published. Such a matrix only ever adds, so some outputs are possible on one dataset and impossible on its neighbour: no ε holds (\`false_claims/wishart_pca\`). Chapter “${falseClaimsChapter.title}”.

The chapters are meant to be read in order, in an evening. The first three say what the promise is, how it is kept and what several promises cost together. The next five each follow one way of learning from private data, and end with what is not so. Then come all false claims, side by side with what is true in their place, and mistakes that are common in code. The last chapter says what the checks themselves rest on.

A statement names its kind of check. "Exact" means that nothing is rounded and every case that is named is decided; "certified", that every rounding is enclosed; "exhaustive", every case of a finite family, in floating point; "sampled", chosen or generated cases; "statistical", seeded draws with a stated chance of a false alarm.`;
}
