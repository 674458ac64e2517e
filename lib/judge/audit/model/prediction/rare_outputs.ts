import type { PredictedOdds, RareBatch, RareCell } from "../../kernel/betting/prediction_batch.ts";
import type { Condition } from "../encoding/condition.ts";
import {
  categoryOf,
  categoryOfKeys,
  type Kind,
  kindOf,
  numbersInText,
  partsOf,
  walk,
} from "../encoding/walk_output.ts";
import type { Rate } from "../../../../core/numeric/rates_differ.ts";
import { countOf, type OutputBlock, type Outputs, rowAt } from "../../kernel/outputs.ts";
import { NumberRanges } from "./number_ranges.ts";
import { Cell } from "./rare_cell.ts";
import { rarerShareOfNumbers, rarerShareOfTexts } from "./rarer_share.ts";
import { SeenValues } from "./seen_values.ts";

/** A cell is rare while it has at most this share of the draws: what is more frequent has a leaf of its own in the partition. */
export const RARE_UP_TO: number = 1 / 1024;
/** No cell is rare before this many draws. */
const FIRST_RARE = 1024;
/** The most places in outputs that are looked at, and in rows of numbers those at which values that repeat are looked for. */
const MAX_PLACES = 256, MAX_COLUMNS = 64, MAX_ATOM_COLUMNS = 4;
/** The most cells. */
const MAX_CELLS = 8192;

/** Instances of {@linkcode RareOutputs} made so far. */
let made = 0;

/** Counts at one place of outputs, as `output[3].name`. */
class Place {
  readonly kinds: SeenValues<string>;
  readonly texts: SeenValues<string>;
  readonly keys: SeenValues<string>;
  readonly lengths: SeenValues<number>;
  readonly numbers: SeenValues<number>;
  readonly ranges: NumberRanges;
  /** Whether numbers that repeat are looked for here. */
  readonly hasAtoms: boolean;
  /** Those of the numbers in texts, made when one comes. */
  readonly inTexts: NumberRanges[] = [];
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    const of = <Key extends number | string>(
      feature: string,
      family: RareCell["family"],
    ): SeenValues<Key> =>
      new SeenValues<Key>(
        new Cell(0),
        (value) => new Cell(family, () => [{ feature, operator: "=", value }]),
      );
    this.kinds = of(`kind(${path})`, 0);
    this.texts = of(path, 1);
    this.keys = of(`keys(${path})`, 1);
    this.lengths = of(`length(${path})`, 1);
    this.numbers = of(path, 1);
    this.ranges = new NumberRanges(path);
    this.hasAtoms = Number(/\[(\d+)\]$/.exec(path)?.[1] ?? 0) < MAX_ATOM_COLUMNS;
  }

  inText(k: number): NumberRanges {
    return this.inTexts[k] ??= new NumberRanges(`number ${k + 1} in ${this.#path}`);
  }

  /** Returns the share of `draws` in the rarer part of the most even division by what is here. */
  rarerShare(draws: number): number {
    // Numbers of which the range is taken have no part of it.
    const parts = this.ranges.counted, inParts = parts.reduce((sum, [, own]) => sum + own, 0);
    return Math.max(
      ...[this.kinds, this.texts, this.keys].map(({ counted }) =>
        rarerShareOfTexts(counted, draws)
      ),
      ...[this.lengths, this.numbers].map(({ counted }) => rarerShareOfNumbers(counted, draws)),
      inParts === 0
        ? 0
        : rarerShareOfNumbers({ counts: parts, others: 0 }, inParts) * inParts / draws,
    );
  }

  learn(): void {
    for (const seen of [this.kinds, this.texts, this.keys, this.lengths, this.numbers]) {
      seen.learn();
    }
    for (const ranges of [this.ranges, ...this.inTexts]) ranges.learn();
  }
}

/** Returns true if one of some numbers is NaN. */
function hasMissing(values: Float64Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (values[at] !== values[at]) return true;
  return false;
}

/** Returns the numbers of an output that would be a row of a wide block: an output has the same cells in both. */
function manyNumbers(value: unknown): readonly number[] | undefined {
  const form = kindOf(value);
  if (form !== "array" && form !== "record") return undefined;
  const parts = form === "array"
    ? Array.from(value as ArrayLike<unknown>)
    : Object.values(partsOf(value as object));
  const isWide = parts.length > MAX_COLUMNS &&
    parts.every((part) => typeof part === "number" && part === part);
  return isWide ? parts as number[] : undefined;
}

/** Rare outputs with a name, and their counts. */
interface NamedCell {
  readonly conditions: readonly Condition[];
  readonly left: Rate;
  readonly right: Rate;
}

/**
 * Outputs that hardly ever come, each with a cell as soon as it comes twice, however late that is: an error, a kind, a length,
 * a text or a number that repeats, a number far outside of the first ones. The partition is grown on the outputs of the
 * beginning, and has no leaf for what comes later.
 *
 * An output is in the rarest of its cells. Which one that is depends on the output and on the batches before alone, never on a
 * label of its own batch.
 */
export class RareOutputs {
  readonly #number = made++;
  readonly #places = new Map<string, Place>();
  readonly #otherPlaces = new Cell(0);
  readonly #known: RareCell[] = [];
  readonly #cells: Cell[] = [];
  #touched: Cell[] = [];
  #chosen: Cell[] = [];
  #draws = 0;
  /** Whether there are places enough, as of the last batch: within one, an output's place must not depend on others. */
  #isFull = false;
  readonly #sides = { left: 0, right: 0 };
  #rarest: Cell | undefined;

  /** Draws since cells may be rare. */
  get draws(): number {
    return Math.max(0, this.#draws - FIRST_RARE);
  }

  /**
   * Finds the draws of a batch in the cells known before it, then learns from it. `draws` are all draws of the batch, those
   * left out of the outputs too.
   */
  observe(left: Outputs, right: Outputs, draws: number): RareBatch {
    const known = this.#known.slice();
    this.#look(left, 0);
    this.#look(right, 1);
    const hits = this.#chosen.filter(({ place }) => place >= 0)
      .map(({ place, leftNow, rightNow }) => ({ cell: place, left: leftNow, right: rightNow }));
    this.#sides.left += countOf(left);
    this.#sides.right += countOf(right);
    this.#learn(draws);
    return { of: this.#number, known, hits, draws };
  }

  #learn(draws: number): void {
    this.#draws += draws;
    for (const cell of this.#touched) {
      cell.present += cell.now;
      cell.now = 0;
    }
    this.#touched = [];
    for (const place of this.#places.values()) place.learn();
    this.#isFull = this.#places.size >= MAX_PLACES;
    for (const cell of this.#chosen) {
      cell.left += cell.leftNow;
      cell.right += cell.rightNow;
      cell.leftNow = cell.rightNow = 0;
      if (cell.place >= 0 || cell.present < 2 || this.#known.length >= MAX_CELLS) continue;
      cell.place = this.#known.length;
      cell.seen = { left: cell.left, right: cell.right };
      cell.since = { ...this.#sides };
      this.#known.push({ family: cell.family, seen: cell.seen });
      this.#cells.push(cell);
    }
    this.#chosen = [];
  }

  #look(outputs: Outputs, label: 0 | 1): void {
    if (outputs.kind === "block") this.#lookAtBlock(outputs, label);
    else for (const value of outputs.values) this.#lookAtValue(value, label);
  }

  #lookAtValue(value: unknown, label: 0 | 1): void {
    this.#rarest = undefined;
    walk(value, "output", (path, inner, kind) => {
      const place = this.#placeAt(path);
      if (place === undefined) this.#has(this.#otherPlaces);
      else this.#hasAt(place, inner, kind);
    }, MAX_COLUMNS);
    const numbers = manyNumbers(value);
    if (numbers !== undefined) this.#hasExtremes(numbers, 0, numbers.length);
    this.#choose(label);
  }

  #hasAt(place: Place, inner: unknown, kind: Kind): void {
    this.#has(place.kinds.of(kind));
    if (kind === "number" || kind === "NaN") {
      const x = Number(inner);
      this.#has(place.ranges.of(x));
      if (place.hasAtoms) this.#has(place.numbers.of(x));
    } else if (kind === "array") this.#has(place.lengths.of((inner as ArrayLike<unknown>).length));
    else if (kind === "record") this.#has(place.keys.of(categoryOf(inner, kind)));
    else if (kind !== "null") {
      this.#has(place.texts.of(categoryOf(inner, kind)));
      if (kind !== "string") return;
      this.#has(place.lengths.of((inner as string).length));
      numbersInText(inner as string).forEach((x, k) => this.#has(place.inText(k).of(x)));
    }
  }

  /** Looks at numbers and rows of numbers: the hot loop. */
  #lookAtBlock(block: OutputBlock, label: 0 | 1): void {
    const { values, width, keys } = block;
    const count = values.length / width;
    if (count === 0) return;
    // Cells that all outputs of a block share are seldom the rarest of an output, unless they are new.
    const common: Cell[] = [];
    const note = (cell: Cell): void => {
      this.#has(cell, count);
      common.push(cell);
    };
    const whole = this.#placeAt("output")!;
    if (keys !== undefined) {
      note(whole.kinds.of("record", count));
      note(whole.keys.of(categoryOfKeys(keys), count));
    } else if (width > 1) {
      note(whole.kinds.of("array", count));
      note(whole.lengths.of(width, count));
    }
    const columns: Place[] = [], isWide = width > MAX_COLUMNS;
    for (let j = 0; j < Math.min(width, MAX_COLUMNS); j++) {
      const path = keys === undefined ? `output[${j}]` : `output.${keys[j]}`;
      const place = width === 1 ? whole : this.#placeAt(path);
      if (place === undefined) break;
      columns.push(place);
      note(place.kinds.of("number", count));
    }
    const rarest = common.reduce((a, b) => b.isRarerThan(a) ? b : a);
    for (let at = 0; at < values.length; at += width) {
      if (hasMissing(values, at, at + width)) {
        this.#lookAtValue(width === 1 ? values[at] : rowAt(block, at), label);
        continue;
      }
      this.#rarest = rarest;
      for (let j = 0; j < columns.length; j++) {
        const x = values[at + j]!, place = columns[j]!;
        this.#has(place.ranges.of(x));
        if (place.hasAtoms) this.#has(place.numbers.of(x));
      }
      if (isWide) this.#hasExtremes(values, at, at + width);
      this.#choose(label);
    }
  }

  /** Looks at the least and the largest of very many numbers, which stand for all of them. */
  #hasExtremes(numbers: ArrayLike<number>, from: number, to: number): void {
    let least = Infinity, most = -Infinity;
    for (let at = from; at < to; at++) {
      const x = numbers[at]!;
      if (x < least) least = x;
      if (x > most) most = x;
    }
    this.#has(this.#placeAt("min(output)")?.ranges.of(least));
    this.#has(this.#placeAt("max(output)")?.ranges.of(most));
  }

  #placeAt(path: string): Place | undefined {
    const found = this.#places.get(path);
    if (found !== undefined || this.#isFull) return found;
    const place = new Place(path);
    this.#places.set(path, place);
    return place;
  }

  #has(cell: Cell | undefined, times = 1): void {
    if (cell === undefined) return;
    if (cell.now === 0) this.#touched.push(cell);
    cell.now += times;
    if (this.#rarest === undefined || cell.isRarerThan(this.#rarest)) this.#rarest = cell;
  }

  /** Counts an output in its rarest cell, if that is rare. */
  #choose(label: 0 | 1): void {
    const cell = this.#rarest;
    if (cell === undefined || this.#draws < FIRST_RARE) return;
    if (cell.present > RARE_UP_TO * this.#draws) return;
    if (cell.leftNow + cell.rightNow === 0) this.#chosen.push(cell);
    if (label === 0) cell.leftNow++;
    else cell.rightNow++;
  }

  /** Returns the cells as leaves with their predicted log odds, and a last leaf for all other draws. */
  predictedOdds(standardErrors: number): PredictedOdds {
    const cells = this.#cells, last = cells.length;
    const counts = new Float64Array(2 * last + 2), odds = new Float64Array(last + 1);
    let rest = this.#draws;
    cells.forEach(({ left, right }, k) => {
      counts.set([left, right], 2 * k);
      rest -= left + right;
      const log = Math.log((right + 0.5) / (left + 0.5));
      const error = Math.sqrt(1 / (left + 0.5) + 1 / (right + 0.5));
      odds[k] = Math.sign(log) * Math.max(0, Math.abs(log) - standardErrors * error);
    });
    counts.set([rest / 2, rest / 2], 2 * last);
    return { leaves: Int32Array.from(odds.keys()), counts, odds };
  }

  /** The largest share of draws in the rarer part of a division of outputs by a value, or by a threshold, at one place. */
  get rarerShare(): number {
    const { left, right } = this.#sides;
    if (left + right === 0) return 0;
    return Math.max(
      0,
      ...[...this.#places.values()].map((place) => place.rarerShare(left + right)),
    );
  }

  /** The cells that have a name: what their outputs have in common, and the draws since they were found with those in them. */
  get named(): readonly NamedCell[] {
    const { left, right } = this.#sides;
    return this.#cells.map((cell) => ({
      conditions: cell.conditions(),
      left: { draws: left - cell.since.left, hits: cell.left - cell.seen.left },
      right: { draws: right - cell.since.right, hits: cell.right - cell.seen.right },
    })).filter(({ conditions }) => conditions.length > 0);
  }
}
