import type { Source } from "../../core/mechanism/source.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import { pick } from "../audit/search/row_values.ts";
import type { InteractiveProgram } from "./interactive_program.ts";
import { excess, holds, type LeakingEvent, mostLeaking, type Point } from "./leaking_event.ts";
import type { QuestionKinds } from "./question_kinds.ts";
import type { StrategyMaker } from "./strategy_maker.ts";
import type { Candidate, Suspect } from "./strategy_moves.ts";
import { type Answer, isNoAnswer, type Transcript } from "./transcript.ts";
import type { Lifetime } from "./users.ts";

/** A candidate with the event that was selected on some transcripts, counted on others. */
export interface Scored extends Candidate {
  readonly event: LeakingEvent;
  /** Transcripts with the event, of the side that has it more often and of the other one. */
  readonly hits: [number, number];
  /** Transcripts of each side that it was counted on. */
  n: number;
}

/** Runs on each side by which two strategies are compared on the same noise, and by which it is seen what varies. */
const SAME = 40;
/** Milliseconds between two pauses. */
const PAUSE_EVERY = 200;

/** Draws transcripts for a search, and counts them. */
export class TranscriptDrawer {
  readonly #program: InteractiveProgram;
  readonly #kinds: QuestionKinds;
  readonly #lifetime: Lifetime;
  readonly #source: Source;
  /** Transcripts drawn. */
  drawn = 0;
  /** Whether anything but refusals, errors and NaN was answered. */
  hasAnswered = false;
  /** A refusal, an error or NaN that was answered. */
  noAnswer: string | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: number;
  #lastPause = performance.now();

  constructor(program: InteractiveProgram, options: {
    readonly kinds: QuestionKinds;
    readonly lifetime: Lifetime;
    readonly source: Source;
    /** When the search is cut, in milliseconds of `performance.now`. */
    readonly deadline: number;
    readonly signal?: AbortSignal | undefined;
  }) {
    this.#program = program;
    this.#kinds = options.kinds;
    this.#lifetime = options.lifetime;
    this.#source = options.source;
    this.#signal = options.signal;
    this.#deadline = options.deadline;
  }

  /** Whether the time of the audit is over. */
  get isLate(): boolean {
    return performance.now() >= this.#deadline;
  }

  /** Pauses for timers, signals and failures that nobody waits for, a few times a second: a service of this process may never wait for anything. */
  async pause(): Promise<void> {
    if (performance.now() - this.#lastPause < PAUSE_EVERY) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#lastPause = performance.now();
    this.#signal?.throwIfAborted();
  }

  /** `count` transcripts on each side, by turns. */
  async both({ strategy, pair }: Candidate, count: number): Promise<[Transcript[], Transcript[]]> {
    this.#signal?.throwIfAborted();
    await this.pause();
    const sides: [Transcript[], Transcript[]] = [[], []];
    const options = {
      strategy,
      kinds: this.#kinds,
      lifetime: this.#lifetime,
      source: this.#source,
    };
    for (let i = 0; i < count; i++) {
      for (const side of [0, 1] as const) {
        const drawn = this.#program.transcript(side === 0 ? pair.left : pair.right, options);
        const transcript = "answers" in drawn ? drawn : await drawn;
        sides[side].push(transcript);
      }
    }
    this.drawn += 2 * count;
    for (const { answers } of [sides[0][0]!, sides[1][0]!]) {
      for (const answer of answers) {
        if (isNoAnswer(answer) || Number.isNaN(answer)) this.noAnswer ??= String(answer);
        else this.hasAnswered = true;
      }
    }
    return sides;
  }

  /** Numbers of the questions whose answers differ between some transcripts, from 0 on. */
  async varying(candidate: Candidate): Promise<Set<number>> {
    const [first, ...others] = (await this.both(candidate, SAME)).flat();
    const varying = new Set<number>();
    for (const { answers, questions } of others) {
      for (const [place, question] of [...questions.entries(), ...first!.questions.entries()]) {
        if (!Object.is(answers[place], first!.answers[place])) varying.add(question);
      }
    }
    return varying;
  }

  /**
   * Whether what an event looks at is the same in two strategies where the service draws the same noise, in some runs on each side. Services
   * whose noise is of their own say no.
   */
  async looksTheSame({ event: { feature }, ...one }: Scored, other: Candidate): Promise<boolean> {
    if (this.#program.service === undefined) return false;
    const run = async (
      { strategy, pair }: Candidate,
      side: "left" | "right",
      seed: number,
    ): Promise<Answer | undefined> => {
      this.drawn++;
      const kinds = this.#kinds, lifetime = this.#lifetime, source = new SeededSource(seed);
      return feature.of(
        await this.#program.transcript(pair[side], { strategy, kinds, lifetime, source }),
      );
    };
    for (let seed = 0; seed < SAME; seed++) {
      for (const side of ["left", "right"] as const) {
        // One after the other: a module may keep state beside its service.
        const [a, b] = [await run(one, side, seed), await run(other, side, seed)];
        if (!Object.is(a, b)) return false;
      }
    }
    return true;
  }
}

/** A search of a service that answers nothing ends after this share of its transcripts, and not before so many. */
const NO_ANSWERS = { share: 0.1, transcripts: 1000 };
/** Transcripts of a side that a strategy is looked at by first, and every fifth. */
const FIRST_LOOK = 24, LONG_LOOK = 96;
/** An event goes on to be counted on fresh transcripts from this excess on. */
const GOES_ON = 1.2;
/** The part of the claim that a candidate must break to be climbed from. */
const CLIMBED_PART = 0.25;
/** The best candidates that are kept. */
const KEPT = 16;
/** The search ends where the best has this excess on transcripts drawn after its event was selected. */
const FOUND = { excess: 5.5, transcripts: 150 };
/** The excess that a suspect is looked at for, on transcripts that its strength asks for, and the share of the budget of one of them. */
const SUSPECTED = { excess: 7, share: 0.3 };
/** Transcripts of a side that a candidate is counted on, at most: of the two best, and of others. */
const MOST_COUNTED = { leaders: 3000, others: 300 };

/** Standing of a search at its end. */
export interface StrategySearch {
  /** The best candidates, the best first. */
  readonly best: readonly Scored[];
  /** Strategies that were tried. */
  readonly tried: number;
}

/**
 * Searches for a strategy and a pair on which transcripts break the claim: many are looked at briefly, those that break a part of the
 * claim are moved, and the best are counted again on ever more transcripts. Nothing is bet.
 */
export async function searchStrategies(
  maker: StrategyMaker,
  { drawer, points, budget, source, first = [] }: {
    readonly drawer: TranscriptDrawer;
    readonly points: readonly Point[];
    /** Transcripts, of both sides together. */
    readonly budget: number;
    readonly source: Source;
    /** Candidates that are suspected, to look at before others: the weaker, the longer. */
    readonly first?: readonly Suspect[];
  },
): Promise<StrategySearch> {
  let tried = 0;
  let best: Scored[] = [], climbed: Scored[] = [];
  const look = async (
    candidate: Candidate,
    count: number,
    part: number,
  ): Promise<Scored | undefined> => {
    tried++;
    const [left, right] = await drawer.both(candidate, count);
    const found = mostLeaking(left, right, { points, part });
    if (found === undefined || found.excess < GOES_ON) return undefined;
    const scored: Scored = { ...candidate, event: found.event, hits: [0, 0], n: 0 };
    await countEvent(drawer, scored, count);
    return scored;
  };
  const shorter = Math.min(budget, Math.max(NO_ANSWERS.transcripts, NO_ANSWERS.share * budget));
  const isOver = (): boolean =>
    drawer.drawn >= (drawer.hasAnswered ? budget : shorter) || drawer.isLate;
  for (const candidate of first) {
    if (isOver()) break;
    const wanted = Math.ceil((SUSPECTED.excess / candidate.strength) ** 2);
    const most = Math.floor(SUSPECTED.share * budget / 4);
    const scored = await look(candidate, Math.max(LONG_LOOK, Math.min(wanted, most)), 1);
    if (scored === undefined) continue;
    best.push(scored);
    if (excessOf(scored, points) > FOUND.excess - 1) break;
  }
  best = ranked(best, points, 1);
  const [suspected] = best;
  if (suspected !== undefined && excessOf(suspected, points) > FOUND.excess - 1) {
    return { best, tried };
  }
  for (let round = 0; !isOver(); round++) {
    for (let k = 0; k < 20 && !isOver(); k++) {
      const wholeClaim = k % 2 === 1, parents = wholeClaim ? best : climbed;
      const parent = k < 6 || parents.length === 0 ? undefined : pick(source, parents.slice(0, 8));
      const candidate = parent === undefined
        ? maker.fresh()
        : maker.moved({ ...parent, moves: [] });
      const part = wholeClaim ? 1 : CLIMBED_PART;
      const scored = await look(candidate, k % 5 === 0 ? LONG_LOOK : FIRST_LOOK, part);
      if (parent !== undefined) {
        maker.learn(
          candidate,
          scored !== undefined && promise(scored, points, part) > promise(parent, points, part),
        );
      }
      if (scored !== undefined) (wholeClaim ? best : climbed).push(scored);
    }
    climbed = ranked(climbed, points, CLIMBED_PART);
    for (const candidate of climbed.slice(0, 2)) {
      if (candidate.n < MOST_COUNTED.others && !isOver()) {
        await countEvent(drawer, candidate, candidate.n);
      }
    }
    for (const candidate of climbed) {
      if (excessOf(candidate, points) > 0 && !best.includes(candidate)) best.push(candidate);
    }
    best = ranked(best, points, 1);
    for (const [rank, candidate] of best.entries()) {
      const most = rank < 2 ? MOST_COUNTED.leaders : MOST_COUNTED.others;
      // What may still be chance is counted again; what is clear need not be.
      if (candidate.n < most && excessOf(candidate, points) > -1 && rank < 6 && !isOver()) {
        await countEvent(drawer, candidate, Math.min(candidate.n, 500));
      }
    }
    best = ranked(best, points, 1);
    const [leader] = best;
    if (
      leader !== undefined && excessOf(leader, points) > FOUND.excess &&
      leader.n > FOUND.transcripts
    ) break;
  }
  return { best, tried };
}

/** Counts the event of a candidate on fresh transcripts. */
export async function countEvent(
  drawer: TranscriptDrawer,
  candidate: Scored,
  count: number,
): Promise<void> {
  countIn(await drawer.both(candidate, count), candidate);
}

/** Counts the event of a candidate in transcripts that were drawn after it was selected. */
export function countIn(
  sides: readonly [readonly Transcript[], readonly Transcript[]],
  candidate: Scored,
): void {
  const { event, hits } = candidate;
  for (const side of [0, 1] as const) {
    for (const transcript of sides[side]) {
      if (holds(event, transcript)) hits[side === event.side ? 0 : 1]++;
    }
  }
  candidate.n += sides[0].length;
}

/** Returns the excess of a candidate on the transcripts that its event was counted on. */
export function excessOf({ hits, n }: Scored, points: readonly Point[], part = 1): number {
  return n === 0 ? -Infinity : excess(hits, n, { points, part });
}

/** The excess a transcript, less what chance gives: what candidates with different numbers of transcripts are ranked by. */
function promise(candidate: Scored, points: readonly Point[], part: number): number {
  return candidate.n === 0
    ? -Infinity
    : (excessOf(candidate, points, part) - 2) / Math.sqrt(candidate.n);
}

function ranked(candidates: readonly Scored[], points: readonly Point[], part: number): Scored[] {
  return candidates
    .map((candidate) => ({ candidate, value: promise(candidate, points, part) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, KEPT)
    .map(({ candidate }) => candidate);
}
