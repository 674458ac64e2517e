import { NO_LOSS } from "../loss.ts";
import type { Form, Read, Recording } from "../recording.ts";
import type { ShownByReads } from "./moved_values.ts";
import { observed } from "./observation.ts";
import { otherNoise } from "./other_noise.ts";
import { changeBetween } from "./rounding.ts";

/** Compares numbers that are read, or compared with 0: they show another noise, or a value that moves under the same noise. */
export function compareForms(
  a: Read,
  b: Read,
  { index, runs: [first, second] }: {
    readonly index: number;
    readonly runs: readonly [Recording, Recording];
  },
): Partial<ShownByReads>[] {
  return a.forms.map((form, i): Partial<ShownByReads> => {
    const [v, terms] = inOrder(form), [other, otherTerms] = inOrder(b.forms[i]!);
    if (!(Number.isFinite(v) && Number.isFinite(other))) {
      if (Object.is(v, other)) return {};
      const unbounded = {
        change: Infinity,
        detail: `is ${v} on one side and ${other} on the other`,
        loss: { ...NO_LOSS, pure: [Infinity] },
      };
      return { observations: [observed("shift", a, { index, ...unbounded })] };
    }
    const difference = otherNoise([terms, first.atoms], [otherTerms, second.atoms]);
    if (difference !== undefined) {
      const isMade = a.made !== undefined && difference.kind !== "not-followed";
      const drawn = terms.length > 0
        ? first.atoms[terms[0]![0]]!
        : second.atoms[otherTerms[0]![0]]!;
      const place = isMade ? { at: a.made } : a;
      return {
        observations: [
          observed(difference.kind, place, { noiseAt: drawn.at, index, ...difference }),
        ],
      };
    }
    const value = { read: a, index, terms: new Map(terms), change: changeBetween(v, other) };
    if (a.kind === "value") return { values: [value] };
    const isAbove = (a.value as readonly boolean[])[i]!;
    return { signs: [{ ...value, isAbove, before: v }] };
  });
}

/** Returns a form without noise of scale 0, in the order of its atoms. */
function inOrder([v, terms]: Form): Form {
  return [v, terms.filter(([, c]) => c !== 0).toSorted(([a], [b]) => a - b)];
}
