import { asserted, type Pair, pairOf, sameRow } from "../../../../core/relations/relation.ts";
import type { Source } from "../../../../core/mechanism/source.ts";
import { requireFields, requireKind } from "../../../../core/numeric/require.ts";
import { shuffle } from "../../../../core/random/shuffle.ts";
import { countOf, type Outputs } from "../../kernel/outputs.ts";
import type { Subject } from "../../kernel/subject.ts";

/** Which of the two samples. */
export type Side = "left" | "right";

/** A side has too few recorded outputs left: the audit has used its recordings up, and nothing failed. */
export class SamplesExhausted extends Error {
  /** The name of this class, which tells it from other errors across realms. */
  override readonly name = "SamplesExhausted";
  /** The side that ran out. */
  readonly side: Side;
  /** Names the side and the counts. */
  constructor(side: Side, counts: { remaining: number; count: number }) {
    const { remaining, count } = requireFields("SamplesExhausted", counts, {});
    super(
      `Cannot draw recorded outputs: the ${side} side must hold ${count} more: ` +
        `current value is ${remaining}`,
    );
    this.side = side;
  }
}

/** Recorded outputs as a subject. */
export interface SamplesSubject extends Subject {
  /** Returns the number of outputs of a side that were not used yet. */
  remaining(side: Side): number;
  /** Returns outputs of the side of `data`; throws {@linkcode SamplesExhausted} when it has too few left. */
  draw(data: unknown, count: number): Outputs;
}

/**
 * Returns the pair that stands for the two datasets of recorded outputs. The datasets are not known, so each side is a list of one
 * text; that they are neighbours is asserted by the user.
 */
export function samplesPair(
  files: { readonly left: string; readonly right: string },
): Pair<string> {
  requireKind("samplesPair", "files", files, "record");
  requireKind("samplesPair", "left", files.left, "text");
  requireKind("samplesPair", "right", files.right, "text");
  return pairOf(asserted, { left: [`left: ${files.left}`], right: [`right: ${files.right}`] });
}

/**
 * Makes a subject of outputs recorded on two datasets. Each output is used once, in a random order that the source fixes: a
 * drift during the recording then cannot look like a difference of the sides. The runs must have been independent of each
 * other.
 *
 * @param samples `pair` is the pair that the audit will draw on; see {@linkcode samplesPair}.
 *
 * @example
 * ```ts
 * import { SeededSource } from "../../../../core/random/seeded_source.ts";
 * import { samplesPair, samplesSubject } from "./samples_subject.ts";
 * const pair = samplesPair({ left: "a.csv", right: "b.csv" });
 * const left = { kind: "values", values: ["x", "y"] } as const;
 * const subject = samplesSubject({ left, right: left, pair, source: new SeededSource(1) });
 * subject.draw(pair.left, 1);
 * subject.remaining("left"); // 1
 * ```
 */
export function samplesSubject(
  samples: {
    readonly left: Outputs;
    readonly right: Outputs;
    readonly pair: Pair;
    readonly source: Source;
    readonly name?: string;
  },
): SamplesSubject {
  const { left, right, pair, source, name = "recorded outputs" } = requireFields(
    "samplesSubject",
    samples,
    { left: "record", right: "record", pair: "record", source: "source", name: "text?" },
  );
  requireKind("samplesSubject", "values of left", left.values, "list");
  requireKind("samplesSubject", "values of right", right.values, "list");
  const unused = {
    left: inRandomOrder(left, source.split("left")),
    right: inRandomOrder(right, source.split("right")),
  };
  return {
    name,
    recorded: { left, right },
    remaining: (side): number => unused[side].remaining(),
    draw(data, count): Outputs {
      const side = sideOf(pair, data);
      const remaining = unused[side].remaining();
      if (count > remaining) throw new SamplesExhausted(side, { remaining, count });
      return unused[side].take(count);
    },
    close: () => Promise.resolve(),
  };
}

function sideOf(pair: Pair, data: unknown): Side {
  if (sameRow(data, pair.left)) return "left";
  if (sameRow(data, pair.right)) return "right";
  throw new RangeError(
    "Cannot draw recorded outputs: the data must be a side of the pair that stands for them",
  );
}

/** Outputs of a side that were not used yet. */
interface Unused {
  remaining(): number;
  take(count: number): Outputs;
}

function inRandomOrder(outputs: Outputs, source: Source): Unused {
  const length = countOf(outputs);
  const order = shuffle(source, Uint32Array.from({ length }, (_, i) => i));
  let taken = 0;
  return {
    remaining: (): number => length - taken,
    take(count): Outputs {
      const chosen = order.subarray(taken, taken += count);
      if (outputs.kind === "values") {
        return { kind: "values", values: Array.from(chosen, (i) => outputs.values[i]) };
      }
      const { width } = outputs;
      const values = new Float64Array(count * width);
      for (let i = 0; i < count; i++) {
        const from = chosen[i]! * width;
        values.set(outputs.values.subarray(from, from + width), i * width);
      }
      return { kind: "block", width, values };
    },
  };
}
