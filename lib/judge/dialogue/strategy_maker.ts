import { type Pair, sameRow } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { mutatePair, randomPair, type SearchSpace, tryPair } from "../audit/search/mutate_pairs.ts";
import { cornerRows, pick, pickIndex } from "../audit/search/row_values.ts";
import { seedPairs } from "../audit/search/seed_pairs.ts";
import type { QuestionKinds } from "./question_kinds.ts";
import { type AskStep, MOST_STEPS, placesOf, type Strategy } from "./strategy.ts";
import { type Candidate, movedStrategy, type MoveName, moveNamesOf } from "./strategy_moves.ts";
import { MOST_ANSWERS } from "./transcript.ts";
import type { Lifetime } from "./users.ts";
import { usualStrategy } from "./usual_strategies.ts";

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
    const source = this.#source, name = this.#moves.pick(source);
    const place = pickIndex(source, strategy.length),
      next = { strategy, pair, moves: [...moves, name] };
    if (name === "pair") return { ...next, pair: this.#pair() };
    if (name === "nearPair") {
      return { ...next, pair: mutatePair(this.#space, pair, source) ?? pair };
    }
    const rows = rowsOf(pair), ask = (): AskStep => this.#ask(rows);
    const parts = { strategy, place, kinds: this.#kinds, source, rows, ask };
    return { ...next, strategy: fitted(movedStrategy(name, parts) ?? strategy) };
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

/** The rows that arguments are taken from: those in which the two sides differ first. */
function rowsOf({ left, right }: Pair): unknown[] {
  const key = (row: unknown): string => JSON.stringify(row) ?? String(row);
  const [inLeft, inRight] = [left, right].map((rows) =>
    new Map(rows.map((row) => [key(row), row]))
  );
  const rows: unknown[] = [];
  for (const [text, row] of new Map([...inLeft!, ...inRight!])) {
    if (inLeft!.has(text) && inRight!.has(text)) rows.push(row);
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
  let before = 0;
  return strategy.slice(0, MOST_STEPS).flatMap<Strategy[number]>((step) => {
    if (before >= MOST_ANSWERS) return [];
    if (step.do !== "ask") return [step];
    const answered = before, times = Math.min(step.times, MOST_ANSWERS - before);
    before += times;
    return [{ ...step, times, fromAnswers: placesOf(step, (_, place) => place < answered) }];
  });
}
