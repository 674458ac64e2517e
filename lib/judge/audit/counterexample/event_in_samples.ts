import type { Claim } from "../../../core/claims/claim.ts";
import type { Pair } from "../../../core/relations/relation.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { ratesDiffer } from "../../../core/numeric/rates_differ.ts";
import { samplesSubject, type Side } from "../subjects/recorded/samples_subject.ts";
import type { EventReport } from "./event_report.ts";
import { findEvent } from "./find_event.ts";
import { countEvent } from "./count_event.ts";
import type { Event, TwoSides } from "./event.ts";

/** Outputs of each side that rules are found on, at most: more take memory and change the rule little. */
const MOST_FOUND_ON = 50_000;

/**
 * Returns the rule that tells two recorded samples apart: found on one random half of each side's outputs, counted on the other
 * half; null if the counts differ by no more than chance.
 */
export function eventInSamples(
  samples: TwoSides,
  { pair, claim, centres, source, drawn }: {
    readonly pair: Pair;
    readonly claim: Claim;
    readonly centres: readonly number[] | undefined;
    readonly source: Source;
    /**
     * Called with outputs that no event was chosen on, and the event that is counted on them; or with those on which none was
     * found.
     */
    readonly drawn?: (sides: TwoSides, event?: Event) => void;
  },
): EventReport | null {
  const shuffled = samplesSubject({ ...samples, pair, source });
  const half = (side: Side): number => Math.floor(shuffled.remaining(side) / 2);
  const size = { left: half("left"), right: half("right") };
  const takeSome = (most: number): TwoSides => ({
    left: shuffled.draw(pair.left, Math.min(size.left, most)),
    right: shuffled.draw(pair.right, Math.min(size.right, most)),
  });
  const sides = takeSome(MOST_FOUND_ON);
  const event = findEvent(claim, { sides, centres });
  if (event === undefined) {
    drawn?.(sides);
    return null;
  }
  const others = takeSome(Infinity);
  drawn?.(others, event);
  const counted = countEvent(event, others);
  return ratesDiffer(counted.left, counted.right) ? { ...counted, halves: true } : null;
}
