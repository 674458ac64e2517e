import type { Source } from "../../../../core/mechanism/source.ts";
import { onesIn } from "../../../../core/numeric/ones_in.ts";
import { requireFields, requireKind } from "../../../../core/numeric/require.ts";
import type { DrawingEnd } from "./drawing_end.ts";

/**
 * Fair coins, one a draw, thrown before the draws: coin t decides on which side of a pair output t is asked for, and outputs
 * are asked for in this order. A bet on coin t that was fixed before it wins nothing on average under the claim, whatever the
 * program remembers and however it drifts, because output t has a coin of its own. Only outputs that are declared independent
 * are asked for in another order.
 */
export class Coins {
  /** The number of coins. */
  readonly count: number;
  /** Whether the left side's block is drawn first where outputs are declared independent: one more coin. */
  readonly leftFirst: boolean;
  /** Where the time for these draws ends; absent where it does not. */
  readonly ends: DrawingEnd | undefined;
  /** The coins, 32 a word, the first in the lowest bit; absent where they were given one a byte. */
  readonly #words: Uint32Array | undefined;
  #order: Uint8Array | undefined;
  #right: number | undefined;

  private constructor(
    coins: {
      count: number;
      words?: Uint32Array;
      order?: Uint8Array;
      leftFirst: boolean;
      ends?: DrawingEnd | undefined;
    },
  ) {
    const { count, words, order, leftFirst, ends } = requireFields("Coins", coins, {});
    this.count = count;
    this.leftFirst = leftFirst;
    this.ends = ends;
    this.#words = words;
    this.#order = order;
  }

  /** Throws `count` coins. */
  static thrown(
    source: Source,
    count: number,
    { ends }: { readonly ends?: DrawingEnd | undefined } = {},
  ): Coins {
    requireKind("Coins.thrown", "source", source, "source");
    const words = new Uint32Array(Math.ceil(count / 32));
    source.fillUint32(words.subarray(0, Math.floor(count / 32)));
    const rest = count % 32;
    if (rest > 0) words[words.length - 1] = source.uint32() & (2 ** rest - 1);
    return new Coins({ count, words, leftFirst: source.uint32() < 2 ** 31, ends });
  }

  /** Coins with these sides: 0 is left, 1 right. */
  static of(
    order: Uint8Array,
    options: { leftFirst?: boolean; ends?: DrawingEnd | undefined } = {},
  ): Coins {
    requireKind("Coins.of", "order", order, "list");
    const { leftFirst = true, ends } = requireFields("Coins.of", options, {});
    return new Coins({ count: order.length, order, leftFirst, ends });
  }

  /** The number of coins for the right side. */
  get right(): number {
    if (this.#right !== undefined) return this.#right;
    let right = 0;
    if (this.#words !== undefined) { for (const word of this.#words) right += onesIn(word); }
    else for (const coin of this.#order!) right += coin;
    return this.#right = right;
  }

  /** The number of coins for the left side. */
  get left(): number {
    return this.count - this.right;
  }

  /** The side of each draw: 0 is left, 1 right. */
  get order(): Uint8Array {
    return this.#order ??= bitsOf(this.#words!, this.count);
  }

  /** Returns the coins from place `from` up to, but without, place `to`. */
  slice(from: number, to: number): Coins {
    const { leftFirst, ends } = this;
    return Coins.of(this.order.slice(from, to), { leftFirst, ends });
  }
}

function bitsOf(words: Uint32Array, count: number): Uint8Array {
  const bits = new Uint8Array(count);
  for (let i = 0; i < count; i++) bits[i] = (words[i >>> 5]! >>> (i & 31)) & 1;
  return bits;
}
