import type { Claim } from "../../../core/claims/claim.ts";
import type { Pair } from "../../../core/relations/relation.ts";
import { type Rate, ratesDiffer } from "../../../core/numeric/rates_differ.ts";
import { drawMany } from "../kernel/drawing/draw_many.ts";
import type { Sampler } from "../kernel/drawing/sampler.ts";
import { encoderOf } from "../model/encoding/encoder.ts";
import { candidatePairOf } from "../model/prediction/candidate_pair.ts";
import { missingOf } from "../kernel/order/lost_outputs.ts";
import { joinOutputs, type PairOutputs } from "../kernel/outputs.ts";
import type { EventReport } from "./event_report.ts";
import { findEvent } from "./find_event.ts";
import { countEvent } from "./count_event.ts";
import type { Event, TwoSides } from "./event.ts";

/** Draws to count an event on: the fewest, the most, and the most where a bound took still more. */
const FEWEST = 20_000, MOST = 100_000, MOST_BESIDE_BOUND = 500_000;
/** The fewest where each draw is a request of its own, which takes up to a hundred times as long. */
const FEWEST_SINGLE = 1000;
/** Between these: a multiple of the draws of the confirmation, or those of the audit or of the bound, divided. */
const TIMES_CONFIRMED = 2, AUDIT_DIVISOR = 10;
/** The first draws, which show how many numbers an output has. */
const FIRST_DRAWS = 1000;
/**
 * The most numbers in all outputs together, the draws that are made where outputs are wide, and the most numbers of these: each number takes
 * time and memory.
 */
const MOST_NUMBERS = 2_000_000, FEWEST_WIDE = 10_000, MOST_WIDE = 20_000_000;

/**
 * Returns the number of draws on which an event is counted. Twice the draws that confirmed the refutation show it clearly, and a tenth of a
 * long audit or of a bound costs little. A bound of many draws may rest on rare outputs, which few draws do not show. The event is
 * found on twice as many: rules are found on one half and compared on the other.
 */
export function eventDraws(
  { audited, confirmed, bounded, oneAtATime, enough }: {
    audited: number;
    /** Draws that are many for this kind of subject. */
    enough: number;
    confirmed: number;
    bounded: number;
    oneAtATime: boolean;
  },
): number {
  const wanted = Math.max(
    Math.min(enough, oneAtATime ? FEWEST_SINGLE : FEWEST),
    TIMES_CONFIRMED * confirmed,
    Math.floor(audited / AUDIT_DIVISOR),
  );
  const beside = Math.min(MOST_BESIDE_BOUND, Math.floor(bounded / AUDIT_DIVISOR));
  return Math.max(Math.min(MOST, wanted), beside);
}

/** Where an event does not exceed the claim by its own counts, another one is looked for on this multiple of the draws, once. */
const SECOND_TIMES = 4;
/** Draws are planned for rates closer to each other by this many standard errors, so that they are seldom too few by chance. */
const PLANNED_ERRORS = 1.5;

/** How often an event is counted at most: that many chances share the level of its bound. */
export const MOST_COUNTED = 2;

/** Whether counts of an event exceed the claim by themselves. */
type Exceeds = (counts: { readonly left: Rate; readonly right: Rate }) => boolean;

/** Inputs with which events are found and counted. */
interface EventOptions {
  readonly claim: Claim;
  readonly bits: boolean;
  /** Makes a sampler of so many draws. */
  readonly begin: (label: string, draws: number) => Sampler;
  /** Draws to count the event on, at most; twice as many to find it on. */
  readonly draws: number;
  /**
   * Called with outputs that no event was chosen on, and the event that is counted on them; or with those on which none was
   * found.
   */
  readonly drawn?: (sides: TwoSides, event?: Event) => void;
  /** The numbers of an output, as far as they are known before it is drawn. */
  readonly width?: number;
}

/**
 * Returns the rule that tells the two sides of a pair apart, found on some draws and counted on others; null if
 * the counts differ by no more than chance. With `exceeds` the draws are as many as an event needs to exceed the claim by its
 * own counts, as far as they may be, and where it does not another one is looked for on more draws.
 */
export async function eventOn(
  pair: Pair,
  { exceeds, ...options }: EventOptions & { readonly exceeds?: Exceeds },
): Promise<EventReport | null> {
  const first = await countedEvent(pair, { ...options, exceeds, place: "" });
  if (exceeds === undefined || (first !== null && exceeds(first))) return first;
  const draws = Math.min(MOST_BESIDE_BOUND, SECOND_TIMES * options.draws);
  const second = await countedEvent(pair, { ...options, draws, exceeds, place: " again" });
  return second !== null && (first === null || exceeds(second)) ? second : first;
}

/** Draws to count a found event on: as many as it needs to exceed the claim, if that many may be made. */
function drawsToExceed(
  { left, right }: { readonly left: Rate; readonly right: Rate },
  { draws, exceeds }: { readonly draws: number; readonly exceeds: Exceeds },
): number {
  const sign = left.hits / left.draws > right.hits / right.draws ? 1 : -1;
  /** Returns the counts of `of` draws of a side, less favourable than the rates. */
  const planned = (rate: Rate, of: number, sign: number): Rate => {
    const mean = of * rate.hits / rate.draws;
    return {
      hits: Math.max(0, Math.round(mean - sign * PLANNED_ERRORS * Math.sqrt(mean + 1))),
      draws: of,
    };
  };
  for (let all = draws; all <= MOST_BESIDE_BOUND; all *= 2) {
    const side = Math.floor(all / 2);
    if (exceeds({ left: planned(left, side, sign), right: planned(right, side, -sign) })) {
      return all;
    }
  }
  return draws;
}

async function countedEvent(
  pair: Pair,
  {
    claim,
    bits,
    begin,
    draws,
    drawn,
    width = 1,
    exceeds,
    place,
  }:
    & EventOptions
    & { readonly exceeds: Exceeds | undefined; readonly place: string },
): Promise<EventReport | null> {
  const { centres } = candidatePairOf(pair, { bits }).predictor;
  /** Returns outputs on both sides; `undefined` where the clock ended the draws, for then the program chose their number. */
  const some = async (label: string, wanted: number): Promise<PairOutputs | undefined> => {
    const count = Math.max(2, Math.min(wanted, Math.floor(MOST_WIDE / width)));
    const sampler = begin(`${label}${place}`, count);
    const drawn = sampler.spent >= 1 ? undefined : await drawSome(pair, sampler, count);
    return sampler.wasCut ? undefined : drawn;
  };
  const sides = await some("event", 2 * draws);
  if (sides === undefined) return null;
  const event = findEvent(claim, { sides, centres });
  if (event === undefined) {
    drawn?.(sides);
    return null;
  }
  const wanted = exceeds === undefined ? draws : drawsToExceed(event, { draws, exceeds });
  const others = await some("event counted", wanted);
  if (others === undefined) return null;
  drawn?.(others, event);
  // Counts without the outputs that did not come are those that the program chose.
  if (others.lost !== undefined) return null;
  const counted = countEvent(event, others);
  return ratesDiffer(counted.left, counted.right) ? counted : null;
}

/** Draws on both sides, fewer where outputs are wide. */
async function drawSome(pair: Pair, sampler: Sampler, draws: number): Promise<PairOutputs> {
  const first = await drawMany(sampler, pair, Math.min(draws, FIRST_DRAWS));
  const width = encoderOf([first.left, first.right]).columns.length;
  const most = Math.max(FEWEST_WIDE, Math.floor(MOST_NUMBERS / width));
  const more = Math.min(draws, most) - FIRST_DRAWS;
  if (more <= 0 || sampler.spent >= 1) return first;
  const rest = await drawMany(sampler, pair, more);
  return {
    ...missingOf([first, rest]),
    left: joinOutputs([first.left, rest.left]),
    right: joinOutputs([first.right, rest.right]),
  };
}
