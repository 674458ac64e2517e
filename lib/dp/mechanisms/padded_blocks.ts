import type { Dataset } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Source } from "../../core/mechanism/source.ts";

/** The widest block: audits look at so many numbers of an output one by one. */
const WIDEST = 64;

/** Parts of a mechanism that fills blocks with outputs of varying length. */
interface PaddedBlocks<Row> {
  /** Name of the mechanism in errors. */
  readonly name: string;
  /** The most numbers in an output on any data that blocks are for; `undefined` when that is not known. */
  readonly most: number | undefined;
  /** Looks at the data, without randomness. @throws when it cannot be released. */
  prepare(data: Dataset<Row>): {
    /** The most numbers in an output on this data. */
    readonly length: number;
    /** Writes an output from the beginning of each row on; all numbers were NaN. */
    fill(rows: Float64Array, options: { readonly width: number; readonly source: Source }): void;
  };
}

/**
 * `width` and `sampleMany` of a mechanism whose outputs are numbers or booleans (1 and 0), as many as
 * the data asks for: shorter ones are padded with NaN, so that all have the same width. Nothing when
 * `most` is unknown or above 64. On data with longer outputs `sampleMany` throws a RangeError, and
 * audits draw outputs one by one.
 *
 * Only for outputs that the padded row gives back: NaN must not stand for anything in them, or an audit
 * could not see what a release shows.
 *
 * @example
 * ```ts
 * import { paddedBlocks } from "./padded_blocks.ts";
 * const coins = paddedBlocks<unknown>({
 *   name: "one coin a row",
 *   most: 3,
 *   prepare: ({ length }) => ({
 *     length,
 *     fill(rows, { width, source }) {
 *       for (let i = 0; i < rows.length; i += width) {
 *         for (let j = 0; j < length; j++) rows[i + j] = source.uint32() & 1;
 *       }
 *     },
 *   }),
 * });
 * coins.width; // 3
 * ```
 */
export function paddedBlocks<Row>(
  { name, most = Infinity, prepare }: PaddedBlocks<Row>,
): Pick<Mechanism<Row, never>, "width" | "sampleMany"> {
  if (!Number.isInteger(most) || most < 1 || most > WIDEST) return {};
  return {
    width: most,
    sampleMany(data: Dataset<Row>, count: number, source: Source): Float64Array {
      const { length, fill } = prepare(data);
      if (length > most) {
        throw new RangeError(
          `Cannot release ${name} in blocks: an output must have at most ${most} parts: current number is ${length}`,
        );
      }
      const rows = new Float64Array(count * most).fill(NaN);
      fill(rows, { width: most, source });
      return rows;
    },
  };
}
