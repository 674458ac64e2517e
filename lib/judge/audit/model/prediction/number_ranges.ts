import type { Condition } from "../encoding/condition.ts";
import { Cell } from "./rare_cell.ts";

/** Numbers that the range is taken from: the first ones. */
const FIRST = 256;
/** Equal parts of the range. */
const PARTS = 32;
/** Distances from the range, as multiples of its width, at which a part outside ends; the last one has no end. */
const OUTSIDE = [0.5, 1, 2, 4, 16, Infinity];

/** The numbers at one place of outputs, by where they lie: in parts of the range of the first ones, and outside of it. */
export class NumberRanges {
  readonly #feature: string;
  #first: number[] | undefined = [];
  #low = Infinity;
  #high = -Infinity;
  #width = 0;
  readonly #cells: Cell[] = [];

  /** Begins without numbers; `feature` is their name in reports. */
  constructor(feature: string) {
    this.#feature = feature;
  }

  /** Returns the cell of a number; `undefined` before the range is known. */
  of(x: number): Cell | undefined {
    if (this.#first !== undefined) {
      if (Number.isFinite(x)) this.#first.push(x);
      return undefined;
    }
    const at = this.#placeOf(x);
    return this.#cells[at] ??= new Cell(0, () => this.#conditionsAt(at));
  }

  #placeOf(x: number): number {
    const low = this.#low, high = this.#high;
    if (x >= low && x <= high) {
      return Math.min(PARTS - 1, Math.floor((x - low) / this.#width * PARTS));
    }
    if (x !== x) return PARTS + 2 * OUTSIDE.length + 2;
    if (x === Infinity || x === -Infinity) {
      return PARTS + 2 * OUTSIDE.length + (x > 0 ? 1 : 0);
    }
    const far = (x > high ? x - high : low - x) / this.#width;
    let k = 0;
    while (far > OUTSIDE[k]!) k++;
    return PARTS + (x > high ? OUTSIDE.length : 0) + k;
  }

  #conditionsAt(at: number): readonly Condition[] {
    const feature = this.#feature, low = this.#low, high = this.#high, width = this.#width;
    const within = (from: number, to: number): readonly Condition[] => [
      ...(from === -Infinity ? [] : [{ feature, operator: ">" as const, value: from }]),
      ...(to === Infinity ? [] : [{ feature, operator: "<=" as const, value: to }]),
    ];
    const beyond = at - PARTS;
    if (beyond < 0) {
      return within(low + at * width / PARTS, low + (at + 1) * width / PARTS);
    }
    if (beyond >= 2 * OUTSIDE.length) {
      const which = beyond - 2 * OUTSIDE.length;
      return which === 2
        ? [{ feature, operator: "is", value: "NaN" }]
        : [{ feature, operator: "=", value: which === 1 ? Infinity : -Infinity }];
    }
    const isAbove = beyond >= OUTSIDE.length, k = beyond % OUTSIDE.length;
    const near = k === 0 ? 0 : OUTSIDE[k - 1]! * width, far = OUTSIDE[k]! * width;
    return isAbove ? within(high + near, high + far) : within(low - far, low - near);
  }

  /** Draws of numbers by where they lie, in ascending order. */
  get counted(): (readonly [place: number, draws: number])[] {
    const below = OUTSIDE.map((_, k) => PARTS + OUTSIDE.length - 1 - k);
    const parts = Array.from({ length: PARTS }, (_, part) => part);
    const above = OUTSIDE.map((_, k) => PARTS + OUTSIDE.length + k);
    return [...below, ...parts, ...above].map((at, place) =>
      [place, this.#cells[at]?.present ?? 0] as const
    ).filter(([, draws]) => draws > 0);
  }

  /** Learns from the numbers of the batch, at its end. */
  learn(): void {
    const first = this.#first;
    if (first === undefined || first.length < FIRST) return;
    this.#first = undefined;
    for (const x of first) {
      if (x < this.#low) this.#low = x;
      if (x > this.#high) this.#high = x;
    }
    this.#width = this.#high - this.#low || Math.max(1, Math.abs(this.#high));
  }
}
