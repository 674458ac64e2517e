import type { Dataset } from "../../core/dataset.ts";
import { asserted, type Pair, pairOf } from "../../core/relation.ts";
import { type Outputs, type Subject, SubjectFailure } from "../subject.ts";
import { packOutputs } from "./pack_outputs.ts";

/** How far below the expectation the number of draws stays, in standard deviations of the labels. */
const MARGIN = 5;

/** Recorded outputs made a subject: what to audit, on which pair, and for how many draws. */
export interface Recording {
  readonly subject: Subject;
  /** Stands for the two datasets, which nobody knows: each is a list of the one name. */
  readonly pair: Pair;
  /**
   * Draws for which the coin that labels them leaves enough outputs on both sides, but for a chance of
   * 6e-7. Fixed before anything is looked at.
   */
  readonly maxDraws: number;
}

/**
 * Makes a subject of outputs recorded on two datasets, taken in the order they were recorded. Each side
 * must hold independent runs of the program.
 *
 * @throws {RangeError} when a side holds fewer than 50 outputs: too few to be told apart by coin.
 *
 * @example
 * ```ts
 * const left = Array.from({ length: 100 }, (_, i) => i % 2);
 * const { subject, pair, maxDraws } = recordedSubject({ left, right: left, name: "recorded" });
 * ```
 */
export function recordedSubject(
  { left, right, name }: {
    readonly left: readonly unknown[];
    readonly right: readonly unknown[];
    readonly name: string;
  },
): Recording {
  const fewest = Math.min(left.length, right.length);
  if (fewest < 50) {
    throw new RangeError(
      `Cannot audit recorded outputs: each side must hold at least 50: current value is ${fewest}`,
    );
  }
  const pair = pairOf(asserted, { left: ["left"], right: ["right"] });
  const taken = new Map<Dataset, number>();
  return {
    pair,
    // Of N fair labels, N/2 + MARGIN·√N/2 must not exceed the outputs of a side.
    maxDraws: Math.floor(((Math.sqrt(MARGIN ** 2 + 8 * fewest) - MARGIN) / 2) ** 2),
    subject: {
      name,
      draw(data: unknown, count: number): Outputs {
        const side = data as Dataset;
        const outputs = side === pair.left ? left : right;
        const start = taken.get(side) ?? 0;
        if (start + count > outputs.length) {
          throw new SubjectFailure(
            `${name} ran out of outputs: ${outputs.length} on one side, ${start + count} asked for`,
          );
        }
        taken.set(side, start + count);
        return packOutputs(outputs.slice(start, start + count));
      },
      close: () => Promise.resolve(),
    },
  };
}
