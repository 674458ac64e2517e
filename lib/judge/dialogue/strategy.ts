import { requireInteger, requireKind, requireOneOf } from "../../core/numeric/require.ts";
import type { Question } from "./service.ts";
import { shortValue } from "./short_value.ts";
import { MOST_ANSWERS } from "./transcript.ts";
import type { Lifetime } from "./users.ts";

/** A question of a strategy, asked once or several times in a row. */
export interface AskStep {
  /** Tells the kinds of steps apart. */
  readonly do: "ask";
  /** Number of the session, from 0 on; it is opened when it is first asked. */
  readonly session: number;
  /** The question. */
  readonly question: Question;
  /** Arguments that are taken from earlier answers: the place of the answer in the transcript, by argument. */
  readonly fromAnswers?: Readonly<Record<string, number>> | undefined;
  /** Number of times that it is asked, at least once. */
  readonly times: number;
  /**
   * Of a question that is asked several times: all at once, before the first is answered. The numbers say which of the waits that
   * are under way ends next; where they are used up, the first does.
   */
  readonly atOnce?: readonly number[] | undefined;
}

/** The service is restarted, and every session ends. */
export interface RestartStep {
  /** Tells the kinds of steps apart. */
  readonly do: "restart";
}

/** A short program of questions: what an adversary does. */
export type Strategy = readonly (AskStep | RestartStep)[];

/** The most steps of a strategy, and the most that a step is repeated. */
export const MOST_STEPS = 24, MOST_TIMES = 40;

/**
 * Refuses a strategy that is none, or that the claim does not cover: a second session where it is about one, a restart where that begins
 * a new claim.
 *
 * @throws {RangeError} when it is not what it must be.
 */
export function requireStrategy(
  strategy: Strategy,
  { kinds, lifetime, mayRestart }: {
    readonly kinds: readonly string[];
    readonly lifetime: Lifetime;
    readonly mayRestart: boolean;
  },
): void {
  const action = "audit sessions";
  const refuse = (name: string, rule: string): never => {
    throw new RangeError(`Cannot ${action}: ${name} must ${rule}: current value is none`);
  };
  if (strategy.length === 0) refuse("strategy", "have at least one step");
  for (const [place, step] of strategy.entries()) {
    const name = `strategy[${place}]`;
    if (!isRecord(step)) refuse(name, "be a step");
    requireOneOf(action, `${name}.do`, step.do, mayRestart ? ["ask", "restart"] : ["ask"]);
    if (step.do === "restart") continue;
    const { question, session, times, fromAnswers = {}, atOnce = [] } = step;
    if (!isRecord(question)) refuse(`${name}.question`, "be a question");
    requireOneOf(action, `${name}.question.kind`, question.kind, kinds);
    const most = lifetime === "session" ? 0 : 1;
    requireInteger(action, `${name}.session`, session, { min: 0, max: most });
    requireInteger(action, `${name}.times`, times, { min: 1, max: MOST_ANSWERS });
    if (!isRecord(fromAnswers)) refuse(`${name}.fromAnswers`, "be places of answers by argument");
    if (!Array.isArray(atOnce)) refuse(`${name}.atOnce`, "be a list of waits");
    for (const value of [...Object.values(fromAnswers), ...atOnce]) {
      requireInteger(action, `a number in ${name}`, value, { min: 0 });
    }
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a step with other values of some arguments, in place of what they take from answers too. */
export function withArguments(step: AskStep, values: Readonly<Record<string, unknown>>): AskStep {
  return {
    ...step,
    question: { ...step.question, ...values } as Question,
    fromAnswers: placesOf(step, (name) => !Object.hasOwn(values, name)),
  };
}

/** The places of answers that arguments of a step are taken from, of those that pass; `undefined` where none is. */
export function placesOf(
  { fromAnswers = {} }: AskStep,
  passes: (name: string, place: number) => boolean,
): AskStep["fromAnswers"] {
  const places = Object.entries(fromAnswers).filter(([name, place]) => passes(name, place));
  return places.length === 0 ? undefined : Object.fromEntries(places);
}

/** Returns the number of questions that a strategy asks. */
export function questionsIn(strategy: Strategy): number {
  return strategy.reduce((sum, step) => sum + (step.do === "ask" ? step.times : 0), 0);
}

/** Returns a strategy as lines that a colleague can follow by hand: sessions are A, B, C, and answers have numbers. */
export function scriptOf(strategy: Strategy): string[] {
  requireKind("scriptOf", "strategy", strategy, "list");
  for (const step of strategy) {
    requireKind("scriptOf", "step", step, "record");
    if (step.do !== "restart") requireKind("scriptOf", "question", step.question, "record");
  }
  const lines: string[] = [];
  let answer = 1;
  for (const step of strategy) {
    if (step.do === "restart") {
      lines.push("restart the service");
      continue;
    }
    const { question: { kind, ...given }, fromAnswers = {}, times, session, atOnce } = step;
    const words = Object.entries(given).map(([name, value]) =>
      `${name} = ${
        fromAnswers[name] === undefined ? shortValue(value) : `answer ${fromAnswers[name] + 1}`
      }`
    );
    const often = times === 1
      ? ""
      : atOnce === undefined
      ? `, ${times} times`
      : `, ${times} times at once`;
    const named = times === 1 ? `answer ${answer}` : `answers ${answer} to ${answer + times - 1}`;
    lines.push(`session ${sessionName(session)}: ${kind}(${words.join(", ")})${often} -> ${named}`);
    answer += times;
  }
  return lines;
}

/** The letter of a session. */
function sessionName(session: number): string {
  return String.fromCharCode(65 + session);
}
