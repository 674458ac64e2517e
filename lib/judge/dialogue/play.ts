import { type QuestionKinds, withinArgument } from "./question_kinds.ts";
import type { Question } from "./service.ts";
import type { AskStep, Strategy } from "./strategy.ts";
import { addItems, type Answer, MOST_ANSWERS, type Reply, type Transcript } from "./transcript.ts";

/** A service under way, as a strategy speaks with it. */
export interface Conversation {
  /** Whether what is asked before the answers before have come is worked on in order, one after the other. */
  readonly queues: boolean;
  /** Asks in a session, which is opened first where it is not open. */
  ask(session: number, question: Question): Reply | Promise<Reply>;
  /** Asks questions of several sessions before the first is answered. */
  askAtOnce(
    questions: readonly [session: number, question: Question][],
    order: readonly number[],
  ): Promise<Reply[]>;
  /** Restarts the service: all sessions end. A reply says that it failed. */
  restart(): Reply | undefined | Promise<Reply | undefined>;
  /** Closes every session and ends the service. */
  end(): Reply | undefined | Promise<Reply | undefined>;
}

/** Plays a strategy and gives the transcript; a promise of it only where the service gives promises. */
export function play(
  conversation: Conversation,
  strategy: Strategy,
  kinds: QuestionKinds,
): Transcript | Promise<Transcript> {
  return settle(playing(conversation, strategy, kinds));
}

function* playing(
  conversation: Conversation,
  strategy: Strategy,
  kinds: QuestionKinds,
): Generator<unknown, Transcript, unknown> {
  const answers: Answer[] = [], steps: number[] = [], questions: number[] = [];
  let answered = 0;
  const take = (step: number, reply: Reply): void => {
    if (answers.length >= MOST_ANSWERS) return;
    addItems(answers, reply);
    while (steps.length < answers.length) {
      steps.push(step);
      questions.push(answered);
    }
    if (strategy[step]!.do === "ask") answered++;
  };
  /** Questions that were asked ahead: none of them depends on an answer before. */
  let ahead: [step: number, reply: Reply | Promise<Reply>][] = [];
  let asked = 0;
  try {
    for (const [place, step] of strategy.entries()) {
      if (answers.length >= MOST_ANSWERS) break;
      if (step.do === "restart" || step.fromAnswers !== undefined || step.atOnce !== undefined) {
        for (const [from, reply] of ahead) take(from, (yield reply) as Reply);
        ahead = [];
      }
      if (step.do === "restart") {
        const failed = (yield conversation.restart()) as Reply | undefined;
        if (failed !== undefined) take(place, failed);
        continue;
      }
      const question = questionOf(step, answers, kinds);
      const times = Math.min(step.times, MOST_ANSWERS - asked);
      asked += times;
      if (step.atOnce !== undefined && times > 1) {
        const together = Array.from(
          { length: times },
          () => [step.session, question] as [number, Question],
        );
        for (const reply of (yield conversation.askAtOnce(together, step.atOnce)) as Reply[]) {
          take(place, reply);
        }
        continue;
      }
      for (let time = 0; time < times; time++) {
        const reply = conversation.ask(step.session, question);
        if (conversation.queues) ahead.push([place, reply]);
        else take(place, (yield reply) as Reply);
      }
    }
    for (const [from, reply] of ahead) take(from, (yield reply) as Reply);
    ahead = [];
  } finally {
    // What was asked ahead of a failure is nobody's.
    for (const [, reply] of ahead) if (reply instanceof Promise) reply.catch(() => {});
    const last = (yield conversation.end()) as Reply | undefined;
    if (last !== undefined) take(strategy.length - 1, last);
  }
  return { answers, steps, questions };
}

/** The question of a step, with arguments from earlier answers, brought into their bounds. */
function questionOf(
  { question, fromAnswers }: AskStep,
  answers: readonly Answer[],
  kinds: QuestionKinds,
): Question {
  if (fromAnswers === undefined) return question;
  const given: Record<string, unknown> = { ...question };
  for (const [name, place] of Object.entries(fromAnswers)) {
    const spec = kinds.argument(question.kind, name);
    const value = spec && withinArgument(spec, answers[place]);
    if (value !== undefined) given[name] = value;
  }
  return given as Question;
}

/** Runs a generator that yields values and promises; synchronous for as long as no promise comes. */
function settle<Result>(
  steps: Generator<unknown, Result, unknown>,
): Result | Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    if (isPromise(step.value)) return settleLater(steps, step.value);
    step = steps.next(step.value);
  }
  return step.value;
}

async function settleLater<Result>(
  steps: Generator<unknown, Result, unknown>,
  first: PromiseLike<unknown>,
): Promise<Result> {
  let waiting: unknown = first;
  for (;;) {
    let step: IteratorResult<unknown, Result>;
    try {
      const value = await waiting;
      step = steps.next(value);
    } catch (error) {
      step = steps.throw(error);
    }
    if (step.done === true) return step.value;
    waiting = step.value;
  }
}

/** Returns true if a value can be awaited. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as { then?: unknown }).then === "function";
}
