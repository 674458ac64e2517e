import type { Scored } from "./search_strategies.ts";

/** What an event says of a service is read from. */
type Found = Pick<Scored, "event" | "strategy" | "hits" | "n">;

/** A number that a difference is in so large a share of transcripts of one dataset is not hidden by noise. */
const ALWAYS = 0.9;

/**
 * Says what an event shows of a service, and which answers leak together, where that is plain. `varying` are the numbers of the questions
 * whose answers are not always the same, from 0 on.
 */
export function leakAdvice(found: Found, varying: ReadonlySet<number>): string | null {
  const sentences = [causeOf(found), togetherOf(found, varying)]
    .filter((text) => text !== undefined);
  return sentences.length === 0 ? null : sentences.join(" ");
}

function causeOf({ event, strategy, hits, n }: Found): string | undefined {
  const { answers = [], isDifference } = event.feature;
  if (isDifference && typeof event.is === "number" && hits[0] >= ALWAYS * n) {
    return answers.length === 1
      ? "The difference of numbers of one answer is one exact number on one dataset: no noise hides it. Make each of them of noisy numbers alone."
      : "Their difference is one exact number on one dataset: their noise is the same. Noise that two questions share " +
        "cancels in their difference; draw it anew for each question, or key what is kept by everything that the true answer depends on.";
  }
  const asks = strategy.filter((step) => step.do === "ask");
  if (asks.length < strategy.length) {
    return "It was found with a restart: see whether the budget, and the noise that was drawn, survive it.";
  }
  if (asks.some(({ atOnce }) => atOnce !== undefined)) {
    return "It was found with questions at once: charge the budget before anything is waited for.";
  }
  if (asks.some(({ session }) => session > 0)) {
    return "It was found with two sessions: what one of them spends must be seen by the other.";
  }
  if (typeof event.is === "string" && /^(?:refused|error): /.test(event.is)) {
    return "Refusals or errors depend on the data: they are answers, and are to be decided without the data or with noise.";
  }
  if (asks.some(({ fromAnswers }) => fromAnswers !== undefined)) {
    return "It was found with a question that depends on an earlier answer.";
  }
  return undefined;
}

/** The answers that the event looks at, or all that are not always the same, where these are two or three. */
function togetherOf({ event }: Found, varying: ReadonlySet<number>): string | undefined {
  const { answers = [] } = event.feature;
  const places = answers.length >= 2 ? answers : [...varying];
  if (places.length < 2 || places.length > 3) return undefined;
  const named = places.map((place) => place + 1).toSorted((a, b) => a - b).join(" and ")
    .replace(" and ", places.length > 2 ? ", " : " and ");
  return `Answers ${named} leak together: what they lose adds up beyond the claim, or depends on one another.`;
}
