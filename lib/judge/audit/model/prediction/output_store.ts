import { encoderOf } from "../encoding/encoder.ts";
import type { Encoder } from "../encoding/encoder_data.ts";
import { ColumnScreen } from "../encoding/column_screen.ts";
import { screenRows, WIDE } from "../encoding/screen_outputs.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { countOf, type Outputs } from "../../kernel/outputs.ts";
import { sizeOf } from "../../subjects/output_limits.ts";
import type { Effort } from "./effort.ts";

/** The store is full at this many draws or numbers: they take memory, and time to grow a tree on. */
const MAX_DRAWS = 1 << 19;
const MAX_NUMBERS = { quick: 1 << 20, thorough: 1 << 18, sparing: 1 << 16 };
/** It is also full at this many bytes, which long texts and wide outputs reach sooner. */
const MAX_BYTES = 1 << 26;

/**
 * The outputs that partitions are grown on, each with its side. Very wide ones are screened: of a few of their columns a partition is
 * grown. When they take too much memory the columns are fixed, and only these are stored from then on.
 */
export class OutputStore {
  readonly #effort: Effort;
  #parts: { readonly outputs: Outputs; readonly label: 0 | 1 }[] = [];
  #draws = 0;
  #bytes = 0;
  /** Has counted the outputs stored, of an encoder of so many columns. */
  #screen: { readonly of: ColumnScreen; readonly width: number } | undefined;
  /** The encoder with the columns that are fixed, and the outputs so far as its rows. */
  #fixed: { readonly encoder: Encoder; readonly parts: LabelledRows[] } | undefined;

  /** Begins empty. */
  constructor(effort: Effort) {
    this.#effort = effort;
  }

  /** Outputs stored. */
  get draws(): number {
    return this.#draws;
  }

  /** Returns true if trees are to be grown on no more outputs than these, if each has `width` numbers. */
  isFull(width: number): boolean {
    return this.#draws >= MAX_DRAWS || this.#draws * width >= MAX_NUMBERS[this.#effort] ||
      this.#bytes >= MAX_BYTES;
  }

  /** Stores outputs of one side. */
  add(outputs: Outputs, label: 0 | 1): void {
    const count = countOf(outputs);
    if (count === 0) return;
    this.#draws += count;
    if (this.#fixed !== undefined) {
      const { encoder, parts } = this.#fixed;
      const labels = new Uint8Array(count).fill(label);
      parts.push({ rows: encoder.encode(outputs), labels, width: encoder.columns.length });
      return;
    }
    this.#parts.push({ outputs, label });
    if (outputs.kind === "block") this.#bytes += outputs.values.byteLength;
    else for (const output of outputs.values) this.#bytes += sizeOf(output);
    if (this.#bytes >= MAX_BYTES) this.#fixColumns();
  }

  /** Fixes the columns, where outputs are so wide that only some are kept. */
  #fixColumns(): void {
    const { encoder, all } = this.encoded();
    if (encoder.screenedFrom === undefined) return;
    this.#fixed = { encoder, parts: [all] };
    this.#parts = [];
    this.#screen = undefined;
    this.#bytes = 0;
  }

  /** Removes all outputs. */
  clear(): void {
    this.#parts = [];
    this.#fixed = this.#screen = undefined;
    this.#draws = 0;
    this.#bytes = 0;
  }

  /** Returns all outputs as rows, and the encoder made from them. */
  encoded(): { encoder: Encoder; all: LabelledRows } {
    if (this.#fixed !== undefined) {
      const { encoder, parts } = this.#fixed;
      return { encoder, all: this.#joined(parts, encoder.columns.length) };
    }
    const encoder = encoderOf(this.#parts.map(({ outputs }) => outputs));
    const width = encoder.columns.length;
    const all = this.#joined(
      this.#parts.map(({ outputs, label }) => ({
        rows: encoder.encode(outputs),
        labels: new Uint8Array(countOf(outputs)).fill(label),
        width,
      })),
      width,
    );
    if (width <= WIDE) return { encoder, all };
    // Columns of other outputs may be others where their form varies: then all are counted again.
    const isSame = this.#screen?.width === width && encoder.data.kind === "block";
    if (!isSame) this.#screen = { of: new ColumnScreen(width), width };
    return screenRows(all, { encoder, screen: this.#screen!.of });
  }

  #joined(parts: readonly LabelledRows[], width: number): LabelledRows {
    const rows = new Float64Array(this.#draws * width);
    const labels = new Uint8Array(this.#draws);
    let size = 0;
    for (const part of parts) {
      rows.set(part.rows, size * width);
      labels.set(part.labels, size);
      size += part.labels.length;
    }
    return { rows, labels, width };
  }
}
