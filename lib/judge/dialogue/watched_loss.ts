import type { ProgramSource } from "../../core/mechanism/continuous_draws.ts";
import { programSource } from "../../core/random/program_source.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import { functionProgram } from "./function_program.ts";
import { isPromise } from "./play.ts";
import type { QuestionKinds } from "./question_kinds.ts";
import type { Service, Session } from "./service.ts";
import type { Candidate } from "./strategy_moves.ts";
import { addItems, type Answer, replyOf } from "./transcript.ts";
import type { Lifetime } from "./users.ts";

/** What the noise of one run says of a strategy on a pair. */
export interface WatchedLoss {
  /** What the shifts of noise cost that give the same answers on the other dataset, in nats; Infinity where no noise hides a difference. */
  readonly loss: number;
  /** Draws that were shifted. */
  readonly shifted: number;
}

/** Questions of a strategy that is watched, and earlier draws that a difference is hidden by, at most. */
const MOST_QUESTIONS = 24, MOST_TRIED = 12;
/** Answers that are less apart are equal: noise that is shifted leaves rounding errors. */
const ROUNDING = 1e-6;
/** The place of draws at the start of a service. */
const START = -1;

/** One draw of a run: its question, its place among the draws of this, and the scale where it is Laplace noise. */
interface WatchedDraw {
  readonly key: string;
  readonly question: number;
  readonly scale: number | undefined;
}

/** One run of a strategy: the answers of each question, and the draws. */
interface WatchedRun {
  readonly answers: readonly Answer[][];
  readonly draws: readonly WatchedDraw[];
}

/**
 * Runs strategies on both datasets of a pair with the same noise, and shifts it until the answers are the same. Each question has
 * noise of its own, so that it stays the same where another question draws more. It is a coupling: a loss above the claim is a
 * suspicion, and no strategy is refuted by it.
 */
export class NoiseWatch {
  readonly #service: Service<unknown, unknown>;
  readonly #kinds: QuestionKinds;
  readonly #lifetime: Lifetime;
  /** Runs of the service so far; Infinity once it was seen to be asynchronous, for then nothing is followed. */
  runs = 0;

  constructor(
    service: Service<unknown, unknown>,
    { kinds, lifetime }: { readonly kinds: QuestionKinds; readonly lifetime: Lifetime },
  ) {
    this.#service = service;
    this.#kinds = kinds;
    this.#lifetime = lifetime;
  }

  /** The loss of a candidate by its noise from a seed; `undefined` where it cannot be followed, as of answers that are no numbers. */
  lossOf({ strategy, pair }: Candidate, seed: number): WatchedLoss | undefined {
    if (this.runs === Infinity) return undefined;
    if (strategy.some((step) => step.do === "ask" && step.atOnce !== undefined)) return undefined;
    const left = this.#run(strategy, { data: pair.left, seed, shifts: new Map() });
    if (left === undefined || left.answers.length > MOST_QUESTIONS) return undefined;
    const shifts = new Map<string, number>();
    let right = this.#run(strategy, { data: pair.right, seed, shifts });
    for (let question = 0; question < left.answers.length; question++) {
      for (let item = 0; right !== undefined && item < Infinity;) {
        item = firstApart(left, right, question);
        if (item === Infinity) break;
        const found = this.#hidden(strategy, {
          data: pair.right,
          seed,
          shifts,
          left,
          right,
          question,
          item,
        });
        if (found === "nothing") return { loss: Infinity, shifted: shifts.size };
        if (found === undefined) return undefined;
        shifts.set(found.key, found.shift);
        right = found.run;
      }
      if (right === undefined) return undefined;
    }
    if (right === undefined || right.answers.length !== left.answers.length) return undefined;
    let loss = 0;
    for (const { key, scale } of right.draws) loss += Math.abs(shifts.get(key) ?? 0) / (scale ?? 1);
    return { loss, shifted: shifts.size };
  }

  /** The draw whose shift makes the answers to one more question the same; "nothing" where no draw can. */
  #hidden(
    strategy: Candidate["strategy"],
    { data, seed, shifts, left, right, question, item }: {
      readonly data: unknown;
      readonly seed: number;
      readonly shifts: ReadonlyMap<string, number>;
      readonly left: WatchedRun;
      readonly right: WatchedRun;
      readonly question: number;
      /** The first item of its answer that differs. */
      readonly item: number;
    },
  ): { key: string; shift: number; run: WatchedRun } | "nothing" | undefined {
    const before = right.draws.filter((draw) => draw.question <= question);
    const off = differenceOf(left.answers[question]![item], right.answers[question]?.[item]);
    if (off === undefined) {
      // What is no number is hidden by noise in ways that are not followed, or by none at all.
      return before.length === 0 ? "nothing" : undefined;
    }
    const laplace = before.filter(({ scale }) => scale !== undefined);
    for (const { key } of laplace.toReversed().slice(0, MOST_TRIED)) {
      const shift = (shifts.get(key) ?? 0) + off;
      const run = this.#run(strategy, { data, seed, shifts: new Map(shifts).set(key, shift) });
      // The answers before stay, and at least one item more is the same.
      if (
        run !== undefined && firstApart(left, run, question) > item &&
        firstApart(left, run, question - 1) === Infinity
      ) return { key, shift, run };
    }
    return before.every(({ scale }) => scale !== undefined) ? "nothing" : undefined;
  }

  #run(
    strategy: Candidate["strategy"],
    { data, seed, shifts }: {
      readonly data: unknown;
      readonly seed: number;
      readonly shifts: ReadonlyMap<string, number>;
    },
  ): WatchedRun | undefined {
    this.runs++;
    const answers: Answer[][] = [], draws: WatchedDraw[] = [];
    const root = new SeededSource(seed);
    let question = START, place = 0, current = programSource(root.split("start"));
    const drawn = (scale: number | undefined): number => {
      const key = `${question} ${place++}`;
      draws.push({ key, question, scale });
      return shifts.get(key) ?? 0;
    };
    const source = watchedSource(() => current, drawn);
    /** Ends the watching of a service that is asynchronous: what it was asked is nobody's. */
    const later = (promise: PromiseLike<unknown>): never => {
      this.runs = Infinity;
      promise.then((late) => (late as Partial<Session> | undefined)?.close?.(), () => {});
      throw new Error("asynchronous");
    };
    const service = this.#service;
    const watched: Service<unknown, unknown> = {
      start: (rows, _, options) => {
        const state = service.start(rows, source, options);
        return isPromise(state) ? later(state) : state;
      },
      open: (state, options) => {
        const session = service.open(state, options);
        if (isPromise(session)) return later(session);
        return {
          ask: (asked): unknown => {
            if (this.runs === Infinity) throw new Error("asynchronous");
            question++;
            place = 0;
            current = programSource(root.split(`question ${question}`));
            const own: Answer[] = [];
            answers.push(own);
            try {
              const answer = session.ask(asked);
              if (isPromise(answer)) return later(answer);
              addItems(own, replyOf(answer));
              return answer;
            } catch (error) {
              addItems(own, { error: error instanceof Error ? error.message : String(error) });
              throw error;
            }
          },
          ...(session.close === undefined ? {} : { close: () => session.close!() }),
        };
      },
      ...(service.restart === undefined ? {} : { restart: (state) => service.restart!(state) }),
      ...(service.stop === undefined ? {} : { stop: (state) => service.stop!(state) }),
    };
    try {
      const transcript = functionProgram(watched, { timeoutSeconds: 30 }).transcript(data, {
        strategy,
        kinds: this.#kinds,
        lifetime: this.#lifetime,
        source: root,
      });
      if (!isPromise(transcript) && this.runs < Infinity) return { answers, draws };
      if (isPromise(transcript)) transcript.then(undefined, () => {});
      this.runs = Infinity;
      return undefined;
    } catch {
      return undefined;
    }
  }
}

/** A source whose Laplace noise is shifted; other draws are counted, and left as they are. */
function watchedSource(
  current: () => ProgramSource,
  drawn: (scale: number | undefined) => number,
): ProgramSource {
  const pure = new Set<unknown>(["sum", "difference", "multiple", "less", "indexOfLargest"]);
  return new Proxy({} as ProgramSource, {
    get(_, name): unknown {
      const own = current()[name as keyof ProgramSource] as unknown;
      if (typeof own !== "function" || pure.has(name)) return own;
      return (...given: unknown[]): unknown => {
        if (name === "split") {
          // Draws of a part of the source belong to the question too.
          const part = current().split(given[0] as string);
          return watchedSource(() => part, drawn);
        }
        if (name !== "laplace") {
          drawn(undefined);
          return own.apply(current(), given);
        }
        const value = own.apply(current(), given) as number;
        return value + drawn(scaleOf(given[0]));
      };
    },
  });
}

function scaleOf(width: unknown): number | undefined {
  const { scale, rate } = width as { scale?: unknown; rate?: unknown };
  if (typeof scale === "number") return scale;
  return typeof rate === "number" ? 1 / rate : undefined;
}

/** The first item in which two runs differ in the answers up to those of a question: of an earlier one −1, Infinity where none does. */
function firstApart(left: WatchedRun, right: WatchedRun, upTo: number): number {
  for (let question = 0; question <= upTo; question++) {
    const a = left.answers[question]!, b = right.answers[question];
    const at = a.findIndex((answer, i) => b === undefined || !sameAnswer(answer, b[i]));
    if (at < 0 && a.length === b?.length) continue;
    return question < upTo ? -1 : at < 0 ? a.length : at;
  }
  return Infinity;
}

function sameAnswer(a: Answer, b: Answer | undefined): boolean {
  return a === b || typeof a === "number" && typeof b === "number" &&
      Math.abs(a - b) <= ROUNDING * Math.max(1, Math.abs(a));
}

/** By how much two items are apart; `undefined` where they are no numbers. */
function differenceOf(left: Answer | undefined, right: Answer | undefined): number | undefined {
  return typeof left === "number" && typeof right === "number" ? left - right : undefined;
}
