import type { Chapter } from "../../engine/chapter.ts";
import { short } from "../../engine/outcome.ts";
import { attackerGain } from "./attacker_gain.ts";
import { meanSalary } from "./mean_salary.ts";
import { neighbours } from "./neighbours.ts";
import { noImpact } from "./no_impact.ts";
import { onePlusEpsilon } from "./one_plus_epsilon.ts";
import { querySensitivities } from "./query_sensitivities.ts";
import { setsAndOutputs } from "./sets_and_outputs.ts";

function prose(): string {
  const evenOdds = short(Math.exp(0.1)), ratio = short(Math.E);
  return `What should it mean that a survey protects those who answer it? The first answer that comes to mind is that my answer has no impact on what is published. But if no single row has any impact, then rows can be exchanged one after the other until nothing of the data is left, and the output says nothing about anybody (\`definitions/no_impact\`). The second answer, that nobody can learn anything about me, asks too much in another way: a study that finds that smoking causes cancer tells something about every smoker, in the study or not.

Differential privacy asks for less. Take two datasets that differ in one person; they are called neighbours. For every output, the chance of it on one is at most e^ε times the chance on the other. It makes no difference whether this is asked of single outputs or of sets of them (\`definitions/sets_and_outputs\`). What it gives to a person is a bound on what any observer can conclude, whatever that observer knew before: even odds become ${evenOdds} to 1 at most when ε is .1 (\`definitions/attacker_gain\`).

"Differ in one person" can be meant in two ways, and both are in use. Replacing a row hides what someone answered. Adding or removing one hides that they were there at all. A promise of the second kind gives one of the first for twice the ε, and nothing leads back (\`definitions/neighbours\`): a mean that hides every salary may still show, with certainty, who works in the company (\`definitions/mean_salary\`). Which of the two is meant also decides how far one person moves a count, a sum or a histogram, and with that how much noise is needed (\`definitions/query_sensitivities\`).

Slides often write 1 + ε where the definition has e^ε. In one direction that is harmless: a ratio of at most 1 + ε is more than was asked for (\`definitions/one_plus_epsilon\`). In the other it is false. An algorithm that is ε-private may well make an output ${ratio} times likelier at ε = 1, not twice (\`false_claims/one_plus_epsilon_bound\`). And a definition by probabilities of loss is easily turned round: "the loss stays within ε with probability at most 1 − δ" is met by an algorithm that publishes everything (\`false_claims/loss_probability\`).`;
}

/** What is promised. */
export const definitionsChapter: Chapter = {
  folder: "definitions",
  title: "What is promised",
  prose,
  theorems: [
    setsAndOutputs,
    onePlusEpsilon,
    neighbours,
    meanSalary,
    querySensitivities,
    attackerGain,
    noImpact,
  ],
};
