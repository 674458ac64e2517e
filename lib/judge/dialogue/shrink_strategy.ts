import type { Pair } from "../../core/relations/relation.ts";
import { smallerPairs } from "../audit/counterexample/smaller_pairs.ts";
import type { SearchSpace } from "../audit/search/mutate_pairs.ts";
import { mostLeaking, type Point } from "./leaking_event.ts";
import type { QuestionKinds } from "./question_kinds.ts";
import { countIn, excessOf, type Scored, type TranscriptDrawer } from "./search_strategies.ts";
import { type AskStep, MOST_TIMES, placesOf, questionsIn, type Strategy } from "./strategy.ts";
import type { Candidate } from "./strategy_moves.ts";

/** Transcripts of a side that an event is selected on at first. It is counted on so many times as many, and all of them select the next one. */
const SELECTED = 120, FURTHER = 3;
/** A smaller candidate stands from this excess on, on transcripts drawn after its event was selected. */
const STANDS = 4.5;

/**
 * Makes a strategy and its pair smaller: fewer steps and repeats, arguments from answers replaced by values, one session, plain
 * numbers, fewer and plainer rows. Each step stands if what the event looks at is the same where the service draws the same noise, or else
 * only if fresh transcripts break the claim on it too.
 */
export async function shrinkStrategy(
  found: Scored,
  { drawer, points, kinds, space, budget, most }: {
    readonly drawer: TranscriptDrawer;
    readonly points: readonly Point[];
    readonly kinds: QuestionKinds;
    /** Where pairs may be made smaller; `undefined` where the pair was given. */
    readonly space: SearchSpace | undefined;
    /** Transcripts, of both sides together. */
    readonly budget: number;
    /** Transcripts of a side that one candidate may be counted on: what its bet can repeat with ease. */
    readonly most: number;
  },
): Promise<Scored> {
  const end = drawer.drawn + budget;
  let best = found;
  const failed = new Set<string>();
  for (let goesOn = true; goesOn && drawer.drawn < end && !drawer.isLate;) {
    goesOn = false;
    for (const smaller of smallerCandidates(best, kinds, space)) {
      if (drawer.drawn >= end || drawer.isLate) break;
      const key = `${JSON.stringify(smaller.strategy)} ${
        JSON.stringify([smaller.pair.left, smaller.pair.right])
      }`;
      if (failed.has(key)) continue;
      const left = Math.floor((end - drawer.drawn) / 2);
      const scored = await drawer.looksTheSame(best, smaller)
        ? { ...best, ...smaller }
        : await stands(smaller, { drawer, points, most: Math.min(most, left) });
      if (scored === undefined) {
        failed.add(key);
        continue;
      }
      best = scored;
      goesOn = true;
      break;
    }
  }
  return best;
}

/**
 * The candidate with an event that fresh transcripts show to break the claim; `undefined` where they do not: where the event that was selected
 * would not, even if it were no better than it looks.
 */
async function stands(
  candidate: Candidate,
  { drawer, points, most }: {
    readonly drawer: TranscriptDrawer;
    readonly points: readonly Point[];
    readonly most: number;
  },
): Promise<Scored | undefined> {
  const [left, right] = await drawer.both(candidate, SELECTED);
  while (left.length < most) {
    const n = left.length, count = Math.min(FURTHER * n, most - n);
    const selected = mostLeaking(left, right, { points, part: 1 });
    if (selected === undefined || selected.excess * Math.sqrt(most / n - 1) < STANDS) {
      return undefined;
    }
    const fresh = await drawer.both(candidate, count);
    const scored: Scored = { ...candidate, event: selected.event, hits: [0, 0], n: 0 };
    countIn(fresh, scored);
    if (excessOf(scored, points) > STANDS) return scored;
    left.push(...fresh[0]);
    right.push(...fresh[1]);
  }
  return undefined;
}

/** Candidates that are smaller than one, the largest reductions first. */
export function* smallerCandidates(
  { strategy, pair }: Candidate,
  kinds: QuestionKinds,
  space: SearchSpace | undefined,
): Generator<Candidate> {
  for (const smaller of smallerStrategies(strategy, kinds)) {
    yield { strategy: smaller, pair, moves: [] };
  }
  if (space === undefined) return;
  let tried = 0;
  for (const smaller of smallerPairs(space, pair as Pair)) {
    if (tried++ >= 24) return;
    yield { strategy, pair: smaller, moves: [] };
  }
}

function* smallerStrategies(strategy: Strategy, kinds: QuestionKinds): Generator<Strategy> {
  if (strategy.length > 2) {
    const half = strategy.length >> 1;
    yield withoutSteps(strategy, (at) => at < half);
    yield withoutSteps(strategy, (at) => at >= half);
  }
  if (strategy.length > 1) {
    for (const place of strategy.keys()) yield withoutSteps(strategy, (at) => at === place);
  }
  for (const [place, step] of strategy.entries()) {
    if (step.do !== "ask") continue;
    const next = strategy[place + 1];
    if (
      next?.do === "ask" &&
      JSON.stringify({ ...next, times: 1 }) === JSON.stringify({ ...step, times: 1 })
    ) {
      const times = step.times + next.times;
      if (times <= MOST_TIMES) yield strategy.toSpliced(place, 2, { ...step, times });
    }
    for (const times of new Set([1, 2, step.times >> 1, step.times - 1])) {
      if (times < 1 || times >= step.times) continue;
      const atOnce = times > 1 ? step.atOnce : undefined;
      yield withAnswersMoved(strategy, place, { ...step, times, atOnce });
    }
    if (step.atOnce !== undefined) yield strategy.with(place, { ...step, atOnce: undefined });
    if (step.fromAnswers !== undefined) {
      yield strategy.with(place, { ...step, fromAnswers: undefined });
    }
    if (step.session > 0) yield strategy.with(place, { ...step, session: 0 });
    for (const name of kinds.argumentNames(step.question.kind)) {
      if (step.fromAnswers?.[name] !== undefined) continue;
      for (const value of kinds.simplerValues(step.question.kind, name, step.question[name])) {
        yield strategy.with(place, { ...step, question: { ...step.question, [name]: value } });
      }
    }
  }
}

/** A strategy without some steps; arguments that are taken from answers follow the answers that remain. */
function withoutSteps(strategy: Strategy, isLeftOut: (place: number) => boolean): Strategy {
  let shorter = strategy;
  for (let place = strategy.length - 1; place >= 0; place--) {
    if (!isLeftOut(place)) continue;
    const step = shorter[place]!;
    shorter = step.do === "ask"
      ? withAnswersMoved(shorter, place, undefined)
      : shorter.toSpliced(place, 1);
  }
  return shorter;
}

/** Replaces a step, or leaves it out, and moves arguments that are taken from answers after it. */
function withAnswersMoved(strategy: Strategy, place: number, step: AskStep | undefined): Strategy {
  const before = questionsIn(strategy.slice(0, place));
  const old = questionsIn([strategy[place]!]), now = step?.times ?? 0;
  const moved = strategy.map((other, at) => {
    if (at <= place || other.do !== "ask" || other.fromAnswers === undefined) return other;
    const kept = placesOf(other, (_, from) => from < before + now || from >= before + old);
    const places = Object.entries(kept ?? {}).map(([name, from]) =>
      [name, from < before + now ? from : from - old + now] as const
    );
    return { ...other, fromAnswers: kept && Object.fromEntries(places) };
  });
  return step === undefined ? moved.toSpliced(place, 1) : moved.with(place, step);
}
