import { onesIn } from "../../../core/numeric/ones_in.ts";
import type { Rate } from "../../../core/numeric/rates_differ.ts";
import type { Term } from "./event.ts";
import { holdingOutputs } from "./holding_outputs.ts";

/**
 * How many of some encoded outputs satisfy rules. Rules of one partition share most of their conditions: each condition is
 * evaluated once, and kept as one bit an output.
 */
export class RuleRates {
  readonly #rows: Float64Array;
  readonly #width: number;
  readonly #draws: number;
  readonly #excepted: number;
  readonly #bits = new Map<Term["feature"], Map<string, Uint32Array>>();

  /** For rows of `width` numbers, and a number of further outputs, for which no rule holds. */
  constructor(
    rows: Float64Array,
    { width, excepted }: { readonly width: number; readonly excepted: number },
  ) {
    this.#rows = rows;
    this.#width = width;
    this.#draws = rows.length / width;
    this.#excepted = excepted;
  }

  /** Returns the rate of outputs that satisfy all of some conditions, of which there is at least one. */
  of(terms: readonly Term[]): Rate {
    const draws = this.#draws + this.#excepted;
    return { hits: countCommon(terms.map((term) => this.#bitsOf(term))), draws };
  }

  #bitsOf(term: Term): Uint32Array {
    const { feature, operator, threshold } = term;
    let ofFeature = this.#bits.get(feature);
    if (ofFeature === undefined) this.#bits.set(feature, ofFeature = new Map());
    const key = `${operator} ${threshold}`;
    let bits = ofFeature.get(key);
    if (bits === undefined) ofFeature.set(key, bits = this.#evaluate(term));
    return bits;
  }

  #evaluate(term: Term): Uint32Array {
    const bits = new Uint32Array(Math.ceil(this.#draws / 32));
    const all = holdingOutputs(this.#rows, { terms: [term], width: this.#width });
    for (const { from, holds } of all) packBits(holds, bits, from >>> 5);
    return bits;
  }
}

/** Writes bytes that are 0 or 1 as bits, from a word on. */
function packBits(holds: Uint8Array, bits: Uint32Array, from: number): void {
  for (let i = 0; i < holds.length; i++) bits[from + (i >>> 5)]! |= holds[i]! << (i & 31);
}

/** Counts the bits that are set in all of some words. */
function countCommon([first, ...others]: readonly Uint32Array[]): number {
  let count = 0;
  for (let at = 0; at < first!.length; at++) {
    let word = first![at]!;
    for (let k = 0; k < others.length; k++) word &= others[k]![at]!;
    count += onesIn(word);
  }
  return count;
}
