import type { Claim } from "../../core/claim.ts";
import type { Pair } from "../../core/relation.ts";
import type { Source } from "../../core/source.ts";
import { ratesDiffer } from "../../numeric/rates_differ.ts";
import { samplesSubject, type Side } from "../subjects/recorded/samples_subject.ts";
import type { EventReport } from "./event_report.ts";
import { countEvent, findEvent, type TwoSides } from "./find_event.ts";

/** Outputs of a side that rules are made on: more of them would take memory for little. */
const MOST_FOUND_ON = 50_000;

/**
 * The rule that tells two recorded samples apart, found on one half of the outputs of each side, dealt by the
 * source, and counted on the other half; null if the counts differ by no more than chance.
 */
export function eventInSamples(
  samples: TwoSides,
  { pair, claim, centres, source }: {
    readonly pair: Pair;
    readonly claim: Claim;
    readonly centres: readonly number[] | undefined;
    readonly source: Source;
  },
): EventReport | null {
  const dealt = samplesSubject({ ...samples, pair, source });
  const half = (side: Side): number => Math.floor(dealt.remaining(side) / 2);
  const size = { left: half("left"), right: half("right") };
  const drawn = (most: number): TwoSides => ({
    left: dealt.draw(pair.left, Math.min(size.left, most)),
    right: dealt.draw(pair.right, Math.min(size.right, most)),
  });
  const event = findEvent(claim, { sides: drawn(MOST_FOUND_ON), centres });
  if (event === undefined) return null;
  const counted = countEvent(event, drawn(Infinity));
  return ratesDiffer(counted.left, counted.right) ? { ...counted, halves: true } : null;
}
