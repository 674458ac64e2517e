import type { Source } from "../../core/mechanism/source.ts";
import type { Pair } from "../../core/relations/relation.ts";
import { pick, pickIndex } from "../audit/search/row_values.ts";
import type { QuestionKinds } from "./question_kinds.ts";
import { type AskStep, MOST_TIMES, questionsIn, type Strategy, withArguments } from "./strategy.ts";
import type { Lifetime } from "./users.ts";

/** Candidate of the search: a strategy on a pair of datasets, and the moves that made it. */
export interface Candidate {
  readonly strategy: Strategy;
  readonly pair: Pair;
  /** Moves that led here from its parent. */
  readonly moves: readonly MoveName[];
}

/** A candidate whose noise does not cover what the claim allows, in the run that was watched. */
export interface Suspect extends Candidate {
  /** By how many standard deviations two transcripts a side would break the claim: at most about 1. */
  readonly strength: number;
}

/** A strategy with a step of it that was picked, and ingredients of another one. */
interface Parts {
  readonly strategy: Strategy;
  readonly place: number;
  readonly kinds: QuestionKinds;
  readonly source: Source;
  /** The rows of the pair, those in which its sides differ first. */
  readonly rows: readonly unknown[];
  /** Makes a question about the rows. */
  readonly ask: () => AskStep;
}

/** The same where the step that was picked is a question. */
interface QuestionParts extends Parts {
  readonly step: AskStep;
  readonly names: readonly string[];
}

/** A move: its words in reports, where it makes an adversary another one, and the strategy that it makes; `undefined` where it does not apply. */
interface Move {
  readonly words?: string;
  readonly make: (parts: Parts) => Strategy | undefined;
}

function move(make: Move["make"], words?: string): Move {
  return words === undefined ? { make } : { words, make };
}

/** A move that changes the question that was picked. */
function question(make: (parts: QuestionParts) => Strategy | undefined, words?: string): Move {
  return move((parts) => {
    const step = parts.strategy[parts.place]!;
    if (step.do !== "ask") return undefined;
    return make({ ...parts, step, names: parts.kinds.argumentNames(step.question.kind) });
  }, words);
}

/** Steps behind the one that was picked. */
function after({ strategy, place }: Parts, ...steps: Strategy): Strategy {
  return strategy.toSpliced(place + 1, 0, ...steps);
}

/** Steps in place of the one that was picked. */
function instead({ strategy, place }: Parts, ...steps: Strategy): Strategy {
  return strategy.toSpliced(place, 1, ...steps);
}

/** The moves of a search. */
const MOVES = {
  repeat: question((parts) => after(parts, parts.step), "a question asked again"),
  many: question((parts) => {
    const { step, source } = parts;
    return instead(parts, {
      ...step,
      times: Math.min(MOST_TIMES, step.times * pick(source, [2, 4, 10])),
    });
  }, "a question asked many times"),
  all: move(
    ({ strategy }) =>
      strategy.map((step) =>
        step.do === "ask" ? { ...step, times: Math.min(20, step.times * 4) } : step
      ),
    "all questions asked many times",
  ),
  round: move(({ strategy }) => [...strategy, ...strategy], "all questions in turn once more"),
  near: question((parts) => {
    const { step, names, kinds, source } = parts, { kind } = step.question;
    if (names.length === 0) return after(parts, parts.ask());
    const name = pick(source, names);
    const value = kinds.nearValue(kind, name, { value: step.question[name], source });
    return after(parts, withArguments(step, { [name]: value }));
  }, "a question beside it that is nearly equal"),
  spelling: question((parts) => {
    const { step, names, kinds } = parts, { question } = step;
    const others = names.flatMap((name) =>
      kinds.spellings(question.kind, name, question[name]).map((value) =>
        withArguments(step, { [name]: value })
      )
    );
    return others.length === 0 ? after(parts, step) : after(parts, ...others.slice(0, 4));
  }, "a question in other spellings"),
  split: question((parts) => {
    const { step, kinds, source, rows } = parts, { kind } = step.question;
    const ends = kinds.rangeOf(kind);
    if (ends === undefined) return after(parts, parts.ask());
    const middle = kinds.randomValue(kind, ends[0], { source, rows });
    const put = source.uniform() < 0.5 ? instead : after;
    return put(
      parts,
      withArguments(step, { [ends[1]]: middle }),
      withArguments(step, { [ends[0]]: middle }),
    );
  }, "a question split in two parts"),
  past: question((parts) => {
    const { step, source } = parts;
    return [
      ...instead(parts, { ...step, times: pick(source, [5, 20, 40]) }),
      source.uniform() < 0.5 ? { ...step, times: 1 } : parts.ask(),
    ];
  }, "questions beyond the budget"),
  adapt: question((parts) => {
    const { step, names, strategy, place, source } = parts;
    const before = questionsIn(strategy.slice(0, place));
    if (names.length === 0 || before === 0) return undefined;
    const name = pick(source, names), from = pickIndex(source, before);
    return instead(parts, { ...step, fromAnswers: { ...step.fromAnswers, [name]: from } });
  }, "an argument taken from an earlier answer"),
  order: move(({ strategy, place, source }) => {
    const other = pickIndex(source, strategy.length);
    return strategy.with(place, strategy[other]!).with(other, strategy[place]!);
  }, "another order"),
  session: question((parts) => {
    const { step, source } = parts;
    return source.uniform() < 0.5
      ? after(parts, { ...step, session: 1 })
      : instead(parts, { ...step, session: step.session === 0 ? 1 : 0 });
  }, "a second session"),
  before: move(({ strategy }) => {
    const first = strategy.find((step) => step.do === "ask");
    return first && [{ ...first, session: 1, times: 1 }, ...strategy];
  }, "another session that asks before"),
  restart: move((parts) => {
    const step = parts.strategy[parts.place]!;
    const asksAgain = step.do === "ask" && parts.source.uniform() < 0.5;
    return after(parts, { do: "restart" }, asksAgain ? step : parts.ask());
  }, "a restart between questions"),
  atOnce: question((parts) => {
    const { step, source } = parts;
    return instead(parts, {
      ...step,
      times: Math.max(2, Math.min(6, step.times)),
      atOnce: Array.from({ length: 4 }, () => pickIndex(source, 3)),
    });
  }, "questions at once, in an order of their waits"),
  add: move(({ strategy, place, ask }) => strategy.toSpliced(place, 0, ask())),
  change: question((parts) => {
    const { step, names, kinds, source, rows } = parts, { kind } = step.question;
    if (names.length === 0) return instead(parts, parts.ask());
    const name = pick(source, names);
    const value = kinds.randomValue(kind, name, { source, rows });
    return instead(parts, withArguments(step, { [name]: value }));
  }),
  drop: move((parts) => parts.strategy.length > 1 ? instead(parts) : undefined),
};

/** One of the moves of a strategy, or another pair of datasets, or one near it. */
export type MoveName = keyof typeof MOVES | "pair" | "nearPair";

/** Returns the strategy that a move makes; `undefined` where it does not apply. */
export function movedStrategy(name: keyof typeof MOVES, parts: Parts): Strategy | undefined {
  return MOVES[name].make(parts);
}

/** Returns the moves that a search may make. */
export function moveNamesOf({ lifetime, mayRestart, isGiven }: {
  readonly lifetime: Lifetime;
  readonly mayRestart: boolean;
  /** Whether the pair was given. */
  readonly isGiven: boolean;
}): MoveName[] {
  const left = new Set<MoveName>([
    ...lifetime === "session" ? ["session", "before"] as const : [],
    ...mayRestart ? [] : ["restart"] as const,
    ...isGiven ? ["pair", "nearPair"] as const : [],
  ]);
  const names = [...Object.keys(MOVES), "pair", "nearPair"] as MoveName[];
  return names.filter((name) => !left.has(name));
}

/** Returns the words of moves that make an adversary another one. */
export function wordsOf(names: readonly MoveName[]): string[] {
  return names.flatMap((name) => (MOVES as Partial<Record<MoveName, Move>>)[name]?.words ?? []);
}
