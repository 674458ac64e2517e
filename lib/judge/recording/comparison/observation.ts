import { type Loss, NO_LOSS } from "../loss.ts";
import { type Place, placeAlone, type Read } from "../recording.ts";

/** What two runs of the same noise show, where it is more than a cost. */
export type Difference =
  /** The value moves, and its noise pays for that. */
  | "shift"
  | "noise-depends-on-data"
  | "control-flow"
  | "uncovered-output"
  | "bounded-noise"
  | "declaration-broken"
  /** All outcomes of discrete draws were forced, and have these chances. */
  | "all-outcomes"
  /** The law of the noise is not known. */
  | "not-followed";

/** One thing that two runs show. */
export interface Observation extends Place {
  readonly kind: Difference;
  /** The line where the noise was drawn, where it is another one. */
  readonly noiseAt?: string;
  /** By how much the value under the noise moves from one dataset to the other. */
  readonly change?: number;
  /** The law and the scale of the noise that has to cover this. */
  readonly law?: string;
  readonly scale?: number;
  /** What it costs. */
  readonly loss: Loss;
  /** What else there is to say, as a part of a sentence. */
  readonly detail?: string;
  /** By which factor the noise of the second run is that of the first. */
  readonly ratio?: number;
  /** The number of the read that shows it; that of all reads where the output does. Default 0. */
  readonly index?: number;
}

/** The comparison of a run with its replay on a neighbour. */
export interface Comparison {
  /** What each read shows, the shifts that cost something among them. */
  readonly observations: readonly Observation[];
  /** The composed loss. */
  readonly loss: Loss;
  /** Whether scales were found by sampling, which makes losses about 1% uncertain. */
  readonly isSampled: boolean;
  /** Places where a function of noise has other arguments on the neighbour: they are reads, and the runs must be made again. */
  readonly asReads: readonly string[];
  /** The declared mechanisms whose values move, in order. */
  readonly declared: readonly Read[];
  /** Where noise seems to be drawn again until it fits: what did not fit is not released, and costs nothing by itself. */
  readonly redrawnAt?: Place;
}

/** Returns an observation at a place, of the read with this number, that costs nothing unless `rest` says otherwise. */
export function observed(
  kind: Difference,
  place: Place,
  { index, ...rest }: Partial<Observation> & { readonly index: number },
): Observation {
  return { kind, ...placeAlone(place), loss: NO_LOSS, index, ...rest };
}
