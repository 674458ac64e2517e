import { encoderOf } from "../encoding/encoder.ts";
import type { Encoder } from "../encoding/encoder_data.ts";
import type { LabelledRows } from "../encoding/labelled_rows.ts";
import { countOf, type Outputs } from "../../kernel/outputs.ts";
import { sizeOf } from "../../subjects/output_limits.ts";
import type { Effort } from "./effort.ts";

/** The store is full at this many draws or numbers: they take memory, and time to grow a tree on. */
const MAX_DRAWS = 1 << 19;
const MAX_NUMBERS = { quick: 1 << 20, thorough: 1 << 18, sparing: 1 << 16 };
/** It is also full at this many bytes, which long texts reach sooner. */
const MAX_BYTES = 1 << 26;

/** The outputs that partitions are grown on, each with its side. */
export class OutputStore {
  readonly #effort: Effort;
  readonly #parts: { readonly outputs: Outputs; readonly label: 0 | 1 }[] = [];
  #draws = 0;
  #bytes = 0;

  /** Begins empty. */
  constructor(effort: Effort) {
    this.#effort = effort;
  }

  /** Outputs stored. */
  get draws(): number {
    return this.#draws;
  }

  /** Whether trees are to be grown on no more outputs than these, if each has `width` numbers. */
  isFull(width: number): boolean {
    return this.#draws >= MAX_DRAWS || this.#draws * width >= MAX_NUMBERS[this.#effort] ||
      this.#bytes >= MAX_BYTES;
  }

  /** Stores outputs of one side. */
  add(outputs: Outputs, label: 0 | 1): void {
    if (countOf(outputs) === 0) return;
    this.#parts.push({ outputs, label });
    this.#draws += countOf(outputs);
    if (outputs.kind === "values") {
      for (const output of outputs.values) this.#bytes += sizeOf(output);
    }
  }

  /** Removes all outputs. */
  clear(): void {
    this.#parts.length = 0;
    this.#draws = 0;
    this.#bytes = 0;
  }

  /** All outputs as rows, and the encoder made from them. */
  encoded(): { encoder: Encoder; all: LabelledRows } {
    const encoder = encoderOf(this.#parts.map(({ outputs }) => outputs));
    const width = encoder.columns.length;
    const rows = new Float64Array(this.#draws * width);
    const labels = new Uint8Array(this.#draws);
    let size = 0;
    for (const { outputs, label } of this.#parts) {
      const block = encoder.encode(outputs);
      rows.set(block, size * width);
      labels.fill(label, size, size += block.length / width);
    }
    return { encoder, all: { rows, labels, width } };
  }
}
