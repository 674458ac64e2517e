import type { Claim } from "../../core/claim.ts";
import type { Pair } from "../../core/relation.ts";
import { ratesDiffer } from "../../numeric/rates_differ.ts";
import type { Sampler } from "../drawing/sampler.ts";
import { encoderOf } from "../encoding/encoder.ts";
import { candidatePairOf } from "../prediction/candidate_pair.ts";
import { joinOutputs } from "../subjects/outputs.ts";
import type { EventReport } from "./event_report.ts";
import { countEvent, findEvent, type TwoSides } from "./find_event.ts";

const FEWEST = 20_000;
const MOST = 100_000;

/**
 * How many draws are made to count an event: twice what refuted the pair makes it clear; a tenth of a long audit
 * costs little. To find it takes twice as many: one half to make rules on, one to judge them on.
 */
export function eventDraws({ audited, confirmed }: { audited: number; confirmed: number }): number {
  return Math.min(MOST, Math.max(FEWEST, 2 * confirmed, Math.floor(audited / 10)));
}

/**
 * The rule that tells the two sides of a pair apart, found on some draws and counted on others; null if
 * the counts differ by no more than chance.
 */
export async function eventOn(
  pair: Pair,
  { claim, bits, begin, draws }: {
    readonly claim: Claim;
    readonly bits: boolean;
    /** Begins a sampler, whose clock starts then. */
    readonly begin: (label: string) => Sampler;
    /** To count on, at most; twice as many to find it on. */
    readonly draws: number;
  },
): Promise<EventReport | null> {
  const { centres } = candidatePairOf(pair, { bits }).predictor;
  const sides = await drawSome(pair, begin("event"), 2 * draws);
  const event = findEvent(claim, { sides, centres });
  if (event === undefined) return null;
  const counted = countEvent(event, await drawSome(pair, begin("event counted"), draws));
  return ratesDiffer(counted.left, counted.right) ? counted : null;
}

/** Draws that show how wide outputs are. */
const FIRST = 1000;
/** Numbers in all draws, but for so many draws at least: making rules takes time and memory for each. */
const MOST_NUMBERS = 2_000_000;
const FEWEST_WIDE = 10_000;

/** Draws both sides, fewer where outputs are wide. */
async function drawSome(pair: Pair, sampler: Sampler, draws: number): Promise<TwoSides> {
  const first = await sampler.drawMany(pair, Math.min(draws, FIRST));
  const width = encoderOf([first.left, first.right]).columns.length;
  const most = Math.max(FEWEST_WIDE, Math.floor(MOST_NUMBERS / width));
  const more = Math.min(draws, most) - FIRST;
  if (more <= 0 || sampler.spent >= 1) return first;
  const rest = await sampler.drawMany(pair, more);
  return {
    left: joinOutputs([first.left, rest.left]),
    right: joinOutputs([first.right, rest.right]),
  };
}
