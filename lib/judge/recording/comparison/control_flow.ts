import { NO_LOSS } from "../loss.ts";
import { type Place, placeAlone, type Read, type ReadApart, type Recording } from "../recording.ts";
import type { Observation } from "./observation.ts";

/** Returns true if a run draws noise and the other one draws none: whatever becomes of noise that is not followed, that depends on the data. */
export function noiseOnOneSide(first: Recording, second: Recording): Observation | undefined {
  const isWithout = ({ atoms, reads, notFollowed }: Recording): boolean =>
    atoms.length === 0 && reads.length === 0 && notFollowed === undefined;
  if (isWithout(first) === isWithout(second)) return undefined;
  const place: Place | undefined = [first, second]
    .flatMap(({ atoms, reads }) => [...atoms, ...reads])[0];
  if (place === undefined) return undefined;
  return {
    kind: "control-flow",
    ...placeAlone(place),
    loss: NO_LOSS,
    detail: "noise is drawn on one side, and none on the other",
  };
}

/** Returns an observation of where the steps of two runs come apart: at which read, and what is read there on either side. */
export function controlFlow(first: Recording, second: Recording): Observation {
  const { apart, error, reads, endsAlike } = second;
  const { read, expected, met } = apart ??
    { read: reads.length, expected: first.reads[reads.length] ?? null, met: null };
  const place: Place = met ?? expected ?? first.reads[read] ?? { at: "" };
  const countAt = (all: readonly Read[]): number => all.filter(({ at }) => at === place.at).length;
  const own = countAt(first.reads), other = countAt(reads.slice(0, read));
  const detail = error !== undefined && met === null
    ? `it ends with the error ${error}`
    : met === null
    ? own === other
      ? "the run on one side reads noise once more than the run on the other"
      : `noise is read there ${times(own)} on one side and ${times(other)} on the other`
    : expected === null
    ? `noise is read there ${times(own)} on one side and ${times(other + 1)} or more on the other`
    : expected.kind === met.kind && expected.at === met.at && expected.in === met.in
    ? numbersIn(expected) === numbersIn(met)
      ? "there is other noise on that line on the other side"
      : `there are ${numbersIn(expected)} on one side and ${numbersIn(met)} on the other`
    : `${expected.kind} at ${expected.at} on one side, ${met.kind} at ${met.at} on the other`;
  return {
    kind: endsAlike === true ? "not-followed" : "control-flow",
    ...placeAlone(place),
    loss: NO_LOSS,
    index: read,
    detail: endsAlike === true ? ALIKE : detail,
  };
}

/** What is said of runs that part, and end alike: that on this noise they do the same shows nothing. */
const ALIKE = "its steps depend on the data where what it puts out is the same";

function numbersIn({ kind, shape = [] }: ReadApart): string {
  const count = shape.reduce((product, size) => product * size, 1);
  return kind === "draw"
    ? `draws among ${shape.at(-1) ?? 1} outcomes`
    : `${count} noisy ${count === 1 ? "value" : "values"}`;
}

function times(count: number): string {
  return count === 0 ? "never" : count === 1 ? "once" : `${count} times`;
}
