import type { Source } from "../../core/mechanism/source.ts";
import { mutatePair, randomPair, type SearchSpace, tryPair } from "../audit/search/mutate_pairs.ts";
import { cornerRows, pick, pickIndex } from "../audit/search/row_values.ts";
import { seedPairs } from "../audit/search/seed_pairs.ts";
import { type Pair, sameRow } from "../../core/relations/relation.ts";
import type { QuestionKinds } from "./question_kinds.ts";
import type { Question } from "./service.ts";
import { type AskStep, MOST_STEPS, MOST_TIMES, questionsIn, type Strategy } from "./strategy.ts";
import { MOST_ANSWERS } from "./transcript.ts";
import type { Lifetime } from "./users.ts";
import { usualStrategy } from "./usual_strategies.ts";

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

/** The moves of a search, as reports name them. */
export const MOVES = {
  repeat: "a question asked again",
  many: "a question asked many times",
  all: "all questions asked many times",
  round: "all questions in turn once more",
  near: "a question beside it that is nearly equal",
  spelling: "a question in other spellings",
  split: "a question split in two parts",
  past: "questions beyond the budget",
  adapt: "an argument taken from an earlier answer",
  order: "another order",
  session: "a second session",
  before: "another session that asks before",
  restart: "a restart between questions",
  atOnce: "questions at once, in an order of their waits",
  add: "another question",
  change: "another argument",
  drop: "a question less",
  pair: "another pair of datasets",
  nearPair: "a pair of datasets near it",
} as const;

/** One of the moves. */
export type MoveName = keyof typeof MOVES;

/** Returns the moves that a search may make. */
export function moveNamesOf({ lifetime, mayRestart, isGiven }: {
  readonly lifetime: Lifetime;
  readonly mayRestart: boolean;
  /** Whether the pair was given. */
  readonly isGiven: boolean;
}): MoveName[] {
  return (Object.keys(MOVES) as MoveName[]).filter((name) =>
    name === "session" || name === "before"
      ? lifetime !== "session"
      : name === "restart"
      ? mayRestart
      : name === "pair" || name === "nearPair"
      ? !isGiven
      : true
  );
}

/** How often each move was made, and how often what it made did better than what it was made from. */
class LearnedMoves {
  readonly #tried = new Map<MoveName, [better: number, tried: number]>();
  readonly #names: readonly MoveName[];

  constructor(names: readonly MoveName[]) {
    this.#names = names;
  }

  pick(source: Source): MoveName {
    const weights = this.#names.map((name) => {
      const [better, tried] = this.#tried.get(name) ?? [0, 0];
      // Moves that never paid keep a small share.
      return 0.15 + (better + 1) / (tried + 4);
    });
    let at = source.uniform() * weights.reduce((a, b) => a + b, 0);
    for (const [i, weight] of weights.entries()) {
      at -= weight;
      if (at <= 0) return this.#names[i]!;
    }
    return this.#names.at(-1)!;
  }

  learn(names: readonly MoveName[], isBetter: boolean): void {
    for (const name of names) {
      const [better, tried] = this.#tried.get(name) ?? [0, 0];
      this.#tried.set(name, [better + (isBetter ? 1 : 0), tried + 1]);
    }
  }
}

/** Makes candidates up: new ones, and others from those that did well. */
export class StrategyMaker {
  readonly #kinds: QuestionKinds;
  readonly #space: SearchSpace;
  readonly #source: Source;
  readonly #lifetime: Lifetime;
  readonly #moves: LearnedMoves;
  readonly #firstPairs: readonly Pair[];
  /** The only pair, where one was given. */
  readonly #given: Pair | undefined;
  #next = 0;
  /** The moves that this search may make. */
  readonly moveNames: readonly MoveName[];

  constructor(options: {
    readonly kinds: QuestionKinds;
    readonly space: SearchSpace;
    readonly source: Source;
    readonly lifetime: Lifetime;
    readonly mayRestart: boolean;
    readonly pair?: Pair | undefined;
  }) {
    const { kinds, space, source, lifetime, mayRestart, pair } = options;
    this.#kinds = kinds;
    this.#space = space;
    this.#source = source;
    this.#lifetime = lifetime;
    this.#given = pair;
    this.#firstPairs = pair === undefined ? seedPairs(space) : [pair];
    this.moveNames = moveNamesOf({ lifetime, mayRestart, isGiven: pair !== undefined });
    this.#moves = new LearnedMoves(this.moveNames);
  }

  /** Learns whether the moves of a candidate paid. */
  learn({ moves }: Candidate, isBetter: boolean): void {
    this.#moves.learn(moves, isBetter);
  }

  /** A new pair: one of the patterns that break mechanisms, one row against equal ones, or a random one. */
  #pair(): Pair {
    if (this.#given !== undefined) return this.#given;
    const source = this.#source, choice = source.uniform();
    if (choice < 0.3 && this.#firstPairs.length > 0) {
      return this.#firstPairs[this.#next++ % Math.min(40, this.#firstPairs.length)]!;
    }
    if (choice < 0.7) {
      const { rows, size } = this.#space.domain, corners = cornerRows(rows).slice(0, 3);
      const n = size.min + pickIndex(source, Math.min(size.max - size.min, 8) + 1);
      const row = pick(source, corners);
      for (let attempt = 0; attempt < 6; attempt++) {
        const base = Array.from({ length: n }, () => row);
        const made = randomPairFrom(this.#space, base, source);
        if (made !== undefined) return made;
      }
    }
    const random = randomPair(this.#space, source) ?? pick(source, this.#firstPairs);
    if (random !== undefined) return random;
    throw new RangeError(
      `Cannot search for pairs: the domain must have two neighbours under ${this.#space.relation.name}`,
    );
  }

  /**
   * A new candidate: a strategy of a kind that is known to break services, or one to three questions about the rows of a pair, moved
   * up to three times.
   */
  fresh(): Candidate {
    const source = this.#source, pair = this.#pair(), rows = rowsOf(pair);
    const usual = source.uniform() < 0.6
      ? usualStrategy({
        kinds: this.#kinds,
        rows,
        differing: differingNumbers(pair),
        source,
        maySessions: this.#lifetime !== "session",
        mayRestart: this.moveNames.includes("restart"),
      })
      : undefined;
    if (usual !== undefined) return { strategy: fitted(usual), pair, moves: [] };
    const strategy = Array.from({ length: 1 + pickIndex(source, 3) }, () => this.#ask(rows));
    let candidate: Candidate = { strategy, pair, moves: [] };
    for (let k = pickIndex(source, 4); k > 0; k--) candidate = this.moved(candidate);
    return candidate;
  }

  #ask(rows: readonly unknown[]): AskStep {
    return {
      do: "ask",
      session: 0,
      question: this.#kinds.randomQuestion(this.#source, rows),
      times: 1,
    };
  }

  /** A candidate one move away. */
  moved({ strategy, pair, moves }: Candidate): Candidate {
    const name = this.#moves.pick(this.#source);
    const made = this.#make(name, strategy, pair);
    const next = fitted(made.strategy ?? strategy);
    return { strategy: next, pair: made.pair ?? pair, moves: [...moves, name] };
  }

  #make(name: MoveName, strategy: Strategy, pair: Pair): { strategy?: Strategy; pair?: Pair } {
    const source = this.#source, kinds = this.#kinds, rows = rowsOf(pair);
    const i = pickIndex(source, strategy.length), step = strategy[i]!;
    const replaced = (other: AskStep): { strategy: Strategy } => ({
      strategy: strategy.with(i, other),
    });
    const after = (...others: Strategy): { strategy: Strategy } => ({
      strategy: strategy.toSpliced(i + 1, 0, ...others),
    });
    switch (name) {
      case "add":
        return { strategy: strategy.toSpliced(i, 0, this.#ask(rows)) };
      case "drop":
        return strategy.length > 1 ? { strategy: strategy.toSpliced(i, 1) } : {};
      case "order": {
        const j = pickIndex(source, strategy.length);
        return { strategy: strategy.with(i, strategy[j]!).with(j, step) };
      }
      case "restart":
        return after(
          { do: "restart" },
          step.do === "ask" && source.uniform() < 0.5 ? step : this.#ask(rows),
        );
      case "all":
        return {
          strategy: strategy.map((each) =>
            each.do === "ask" ? { ...each, times: Math.min(20, each.times * 4) } : each
          ),
        };
      case "round":
        return { strategy: [...strategy, ...strategy] };
      case "pair":
        return { pair: this.#pair() };
      case "nearPair":
        return { pair: mutatePair(this.#space, pair, source) ?? pair };
      case "before": {
        const first = strategy.find((each) => each.do === "ask");
        return first === undefined
          ? {}
          : { strategy: [{ ...first, session: 1, times: 1 }, ...strategy] };
      }
    }
    if (step.do !== "ask") return {};
    const { question } = step, { kind } = question, names = kinds.argumentNames(kind);
    const { atOnce: _, ...alone } = step;
    const withArgument = (from: AskStep, argument: string, value: unknown): AskStep => {
      const { fromAnswers, ...rest } = from;
      const kept = Object.fromEntries(
        Object.entries(fromAnswers ?? {}).filter(([key]) => key !== argument),
      );
      return {
        ...rest,
        question: { ...from.question, [argument]: value } as Question,
        ...(Object.keys(kept).length === 0 ? {} : { fromAnswers: kept }),
      };
    };
    switch (name) {
      case "repeat":
        return after(step);
      case "many":
        return replaced({
          ...step,
          times: Math.min(MOST_TIMES, step.times * pick(source, [2, 4, 10])),
        });
      case "near": {
        if (names.length === 0) return after(this.#ask(rows));
        const argument = pick(source, names);
        const value = kinds.nearValue(kind, argument, { value: question[argument], source });
        return after(withArgument(step, argument, value));
      }
      case "spelling": {
        const others = names.flatMap((argument) =>
          kinds.spellings(kind, argument, question[argument]).map((value) =>
            withArgument(step, argument, value)
          )
        );
        return others.length === 0 ? after(step) : after(...others.slice(0, 4));
      }
      case "split": {
        const ends = kinds.rangeOf(kind);
        if (ends === undefined) return after(this.#ask(rows));
        const middle = kinds.randomValue(kind, ends[0], { source, rows });
        return source.uniform() < 0.5
          ? {
            strategy: strategy.toSpliced(
              i,
              1,
              withArgument(step, ends[1], middle),
              withArgument(step, ends[0], middle),
            ),
          }
          : after(withArgument(step, ends[1], middle), withArgument(step, ends[0], middle));
      }
      case "past":
        return {
          strategy: [
            ...strategy.with(i, { ...step, times: pick(source, [5, 20, 40]) }),
            source.uniform() < 0.5 ? { ...step, times: 1 } : this.#ask(rows),
          ],
        };
      case "adapt": {
        const before = questionsIn(strategy.slice(0, i));
        if (names.length === 0 || before === 0) return {};
        const argument = pick(source, names);
        return replaced({
          ...step,
          fromAnswers: {
            ...step.fromAnswers,
            [argument]: pickIndex(source, Math.min(before, MOST_ANSWERS)),
          },
        });
      }
      case "session":
        return source.uniform() < 0.5
          ? after({ ...step, session: 1 })
          : replaced({ ...step, session: step.session === 0 ? 1 : 0 });
      case "atOnce":
        return replaced({
          ...alone,
          times: Math.max(2, Math.min(6, step.times)),
          atOnce: Array.from({ length: 4 }, () => pickIndex(source, 3)),
        });
      case "change": {
        if (names.length === 0) return replaced(this.#ask(rows));
        const argument = pick(source, names);
        return replaced(
          withArgument(step, argument, kinds.randomValue(kind, argument, { source, rows })),
        );
      }
    }
  }
}

/** A pair that begins with these rows, and a random neighbour of them. */
function randomPairFrom(
  space: SearchSpace,
  base: readonly unknown[],
  source: Source,
): Pair | undefined {
  const { rows, size } = space.domain;
  if (base.length > 0) {
    const at = pickIndex(source, base.length), corners = cornerRows(rows).slice(0, 4);
    const other = source.uniform() < 0.7 ? pick(source, corners) : undefined;
    if (other !== undefined) {
      const replaced = tryPair(space, base, base.with(at, other));
      if (replaced !== undefined) {
        return source.uniform() < 0.5 ? replaced : reversed(space, replaced);
      }
    }
  }
  if (base.length < size.max) {
    const added = tryPair(space, base, [...base, pick(source, cornerRows(rows).slice(0, 4))]);
    if (added !== undefined) return added;
  }
  const same = base.length > 1 ? randomPair(space, source) : undefined;
  return same === undefined ? undefined : mutatePair(space, same, source);
}

function reversed(space: SearchSpace, { left, right }: Pair): Pair | undefined {
  return tryPair(space, right, left);
}

/** Returns the rows that arguments are taken from: those in which the two sides differ first. */
export function rowsOf({ left, right }: Pair): unknown[] {
  const seen = new Map<string, unknown>();
  const rows: unknown[] = [];
  const key = (row: unknown): string => JSON.stringify(row) ?? String(row);
  const inLeft = new Set(left.map(key)), inRight = new Set(right.map(key));
  for (const row of [...left, ...right]) {
    if (seen.has(key(row))) continue;
    seen.set(key(row), row);
    if (inLeft.has(key(row)) && inRight.has(key(row))) rows.push(row);
    else rows.unshift(row);
  }
  return rows;
}

/** Numbers of rows that one side has and the other has not. */
function differingNumbers({ left, right }: Pair): number[] {
  const own = (rows: readonly unknown[], others: readonly unknown[]): number[] =>
    rows.filter((row) => !others.some((other) => sameRow(row, other))).flatMap(numbersIn);
  return [...own(left, right), ...own(right, left)];
}

function numbersIn(row: unknown): number[] {
  if (typeof row === "number") return Number.isFinite(row) ? [row] : [];
  return typeof row === "object" && row !== null ? Object.values(row).flatMap(numbersIn) : [];
}

/** A strategy within its bounds, with arguments from answers that come before them alone. */
function fitted(strategy: Strategy): Strategy {
  const steps = strategy.slice(0, MOST_STEPS);
  let before = 0;
  return steps.map((step) => {
    if (step.do !== "ask") return step;
    const places = Object.entries(step.fromAnswers ?? {}).filter(([, place]) => place < before);
    before += step.times;
    if (step.fromAnswers === undefined) return step;
    const { fromAnswers: _, ...rest } = step;
    return places.length === 0 ? rest : { ...rest, fromAnswers: Object.fromEntries(places) };
  });
}
