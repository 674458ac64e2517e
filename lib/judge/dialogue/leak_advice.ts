import type { Scored } from "./search_strategies.ts";
import { questionsIn } from "./strategy.ts";

/** Says what an event shows of a service, where that is plain. */
export function leakAdvice({ event, strategy }: Pick<Scored, "event" | "strategy">): string | null {
  const { answers = [] } = event.feature;
  const named = answers.map((place) => place + 1).join(" and ");
  if (answers.length >= 2 && typeof event.is === "number") {
    return `Answers ${named} differ by one exact number on one dataset: their noise is the same. Noise that two questions share ` +
      "cancels in their difference; draw it anew for each question, or key what is kept by everything that the true answer depends on.";
  }
  if (strategy.some((step) => step.do === "restart")) {
    return "The leak needs a restart: the budget, or the noise that was drawn, does not survive it.";
  }
  if (strategy.some((step) => step.do === "ask" && step.atOnce !== undefined)) {
    return "The leak needs questions at once: charge the budget before anything is waited for.";
  }
  if (strategy.some((step) => step.do === "ask" && step.session > 0)) {
    return "The leak needs two sessions: what one of them spends must be seen by the other.";
  }
  if (typeof event.is === "string" && /^(?:refused|error): /.test(event.is)) {
    return "Refusals or errors depend on the data: they are answers, and are to be decided without the data or with noise.";
  }
  if (strategy.some((step) => step.do === "ask" && step.fromAnswers !== undefined)) {
    return "The leak needs a question that depends on an earlier answer.";
  }
  const asked = questionsIn(strategy);
  if (asked === 2 || asked === 3) {
    return `Answers ${
      asked === 2 ? "1 and 2" : "1, 2 and 3"
    } leak together: what they lose adds up beyond the claim, or depends on one another.`;
  }
  return null;
}
