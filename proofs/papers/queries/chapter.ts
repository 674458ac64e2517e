import type { Chapter } from "../../engine/chapter.ts";
import { short } from "../../engine/outcome.ts";
import { adaptiveHoldout, epsilonOfHoldout, LOOKS_RIGHT } from "./adaptive_holdout.ts";
import { contingencyTableAccuracy, errorOfTable } from "./contingency_table.ts";
import { learningPrivately } from "./learning_privately.ts";
import { mwemBudget } from "./mwem_budget.ts";
import { mwemSplit } from "./mwem_split.ts";
import { mwemUpdate, queries as mwemQueries, ROUNDS } from "./mwem_update.ts";
import { subsampleAndAggregate } from "./subsample_and_aggregate.ts";
import { sulqDirections } from "./sulq_directions.ts";
import { sulqLearners } from "./sulq_learners.ts";
import { sulqTreeGain } from "./sulq_tree_gain.ts";
import { thresholdout } from "./thresholdout.ts";

function prose(): string {
  const figures = {
    table: short(errorOfTable({ cells: 96, scale: 1, failure: 1 / 20 })),
    queries: mwemQueries.length,
    rounds: ROUNDS,
    looks: LOOKS_RIGHT,
    holdout: short(epsilonOfHoldout()),
  };
  return `Here a curator holds the data and answers questions. The simplest is a table of counts: publish each cell with a little noise, once, and sum from it what is wanted. The error depends on the number of cells and not on the number of people: no cell of 96 is off by more than ${figures.table} at ε = 1 in 19 tables of 20 (\`queries/contingency_table\`).

Learning can be built from such answers. Clusters, decision trees, perceptrons and principal directions need sums over rows, and if the sums are noisy they still work once counts exceed the noise (\`queries/sulq_learners\`, \`queries/sulq_tree_gain\`, \`queries/sulq_directions\`). MWEM goes further: it keeps a made-up dataset, asks where that is most wrong, measures there and reweights. So ${figures.queries} questions can be answered for the price of ${figures.rounds} choices and ${figures.rounds} measurements (\`queries/mwem_update\`). And what can be learnt at all from finitely many hypotheses can be learnt privately, from a number of rows that grows as 1/ε (\`queries/learning_privately\`).

Some programs cannot be analysed. Subsample and aggregate treats them as a black box: run the program on disjoint blocks and combine the results privately. One person is in one block and changes one result, whatever the program does (\`queries/subsample_and_aggregate\`).

The last two statements turn the idea round. Whoever tests ideas on the same holdout again and again fits to it: a vote of columns that are coin tosses looks right in more than ${figures.looks} of the cases, where half is the truth (\`queries/adaptive_holdout\`). Asked through Thresholdout, which answers with noise and only where training and holdout disagree, it looks as good as it is. Little noise is enough against overfitting, and it is not enough for persons: at the settings of this experiment ε is ${figures.holdout} (\`queries/thresholdout\`).

**What falls.** In the slides the proof that MWEM is private ends with the line ε/(2T) + ε/(2T) = ε. One round of T spends ε/T; the line holds for T = 1 only, and a factor T is missing (\`false_claims/mwem_proof_line\`, \`queries/mwem_budget\`). The algorithm is right and the line is not. A program that believes it, and lets each round spend ε, loses T times what it promises.`;
}

/** Questions to a curator. */
export const queriesChapter: Chapter = {
  folder: "queries",
  title: "Questions to a curator",
  prose,
  theorems: [
    contingencyTableAccuracy,
    sulqLearners,
    sulqTreeGain,
    sulqDirections,
    mwemBudget,
    mwemSplit,
    mwemUpdate,
    learningPrivately,
    subsampleAndAggregate,
    adaptiveHoldout,
    thresholdout,
  ],
};
