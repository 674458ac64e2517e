import { compileAssign } from "./assign.ts";
import { type Feature, fillFeature, isCategorical } from "./features.ts";
import { growPartition } from "./partition.ts";
import type { Counted } from "./profile.ts";
import type { LabelledRows } from "./score_cells.ts";

/** Rows that it grows on, and the most features. */
const ROWS = 1 << 19;
const FEATURES = 8;

/**
 * A partition grown a second time, on the few features that have proved to tell most and on more
 * outputs than are stored whole. It finds what only two features together tell.
 */
export class SecondGrowth {
  readonly #features: readonly Feature[];
  readonly #values: Float64Array;
  readonly #labels = new Uint8Array(ROWS);
  #count = 0;

  private constructor(features: readonly Feature[]) {
    this.#features = features;
    this.#values = new Float64Array(ROWS * features.length);
  }

  /** Uses the first few of the features; nothing if there are not two. */
  static of(features: readonly Feature[]): SecondGrowth | undefined {
    const some = [...new Set(features)].slice(0, FEATURES);
    return some.length < 2 ? undefined : new SecondGrowth(some);
  }

  /** Whether enough rows were seen. */
  get isFull(): boolean {
    return this.#count === ROWS;
  }

  /** Keeps the features of some rows of one side, as far as there is room. */
  add(rows: Float64Array, width: number, label: 0 | 1): void {
    const n = Math.min(rows.length / width, ROWS - this.#count);
    this.#features.forEach((feature, f) => {
      const from = f * ROWS + this.#count;
      const out = this.#values.subarray(from, from + n);
      fillFeature(feature, { rows, width, from: 0, to: n, out });
    });
    this.#labels.fill(label, this.#count, this.#count += n);
  }

  /** The partition, nothing counted yet. */
  finish({ width }: Pick<LabelledRows, "width">): Counted {
    const known = new Map<Feature, Float64Array>();
    const own = this.#features.map((feature, f): Feature => {
      const kind = isCategorical(feature) ? "category" : "column";
      const column: Feature = { kind, index: f, name: feature.name };
      known.set(column, this.#values.subarray(f * ROWS, (f + 1) * ROWS));
      return column;
    });
    const { partition } = growPartition({
      rows: this.#values,
      labels: this.#labels,
      width: own.length,
      features: own,
      known,
    });
    // From columns of what was kept back to features of an output.
    const features = partition.features.map((column) => this.#features[own.indexOf(column)]!);
    const grown = { ...partition, features };
    const counts = new Float64Array(2 * grown.left.length);
    return { partition: grown, assign: compileAssign(grown, width), counts };
  }
}
