import type { Scored } from "./search_strategies.ts";
import { questionsIn } from "./strategy.ts";

/** Says what an event shows of a service, and which answers leak together, where that is plain. */
export function leakAdvice(found: Pick<Scored, "event" | "strategy">): string | null {
  const sentences = [causeOf(found), togetherOf(found)].filter((text) => text !== undefined);
  return sentences.length === 0 ? null : sentences.join(" ");
}

function causeOf({ event, strategy }: Pick<Scored, "event" | "strategy">): string | undefined {
  const { answers = [], isDifference } = event.feature;
  if (isDifference && typeof event.is === "number") {
    return answers.length === 1
      ? "The difference of numbers of one answer is one exact number on one dataset: no noise hides it. Make each of them of noisy numbers alone."
      : "Their difference is one exact number on one dataset: their noise is the same. Noise that two questions share " +
        "cancels in their difference; draw it anew for each question, or key what is kept by everything that the true answer depends on.";
  }
  const asks = strategy.filter((step) => step.do === "ask");
  if (asks.length < strategy.length) {
    return "The leak needs a restart: the budget, or the noise that was drawn, does not survive it.";
  }
  if (asks.some(({ atOnce }) => atOnce !== undefined)) {
    return "The leak needs questions at once: charge the budget before anything is waited for.";
  }
  if (asks.some(({ session }) => session > 0)) {
    return "The leak needs two sessions: what one of them spends must be seen by the other.";
  }
  if (typeof event.is === "string" && /^(?:refused|error): /.test(event.is)) {
    return "Refusals or errors depend on the data: they are answers, and are to be decided without the data or with noise.";
  }
  if (asks.some(({ fromAnswers }) => fromAnswers !== undefined)) {
    return "The leak needs a question that depends on an earlier answer.";
  }
  return undefined;
}

/** The answers that the event looks at, or all of them where these are two or three. */
function togetherOf({ event, strategy }: Pick<Scored, "event" | "strategy">): string | undefined {
  const { answers = [] } = event.feature, asked = questionsIn(strategy);
  const places = answers.length >= 2
    ? answers
    : asked === 2 || asked === 3
    ? Array.from({ length: asked }, (_, place) => place)
    : [];
  if (places.length === 0) return undefined;
  const named = places.map((place) => place + 1).toSorted((a, b) => a - b).join(" and ")
    .replace(" and ", places.length > 2 ? ", " : " and ");
  return `Answers ${named} leak together: what they lose adds up beyond the claim, or depends on one another.`;
}
