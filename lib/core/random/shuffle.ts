import type { Source } from "../mechanism/source.ts";
import { randomInteger } from "./random_integer.ts";

/** Array or typed array that can be shuffled. */
export interface Shuffleable {
  /** Number of items. */
  readonly length: number;
  /** The items. */
  [index: number]: unknown;
}

/**
 * Puts `array` into a random order, in place, every order with the same probability (Fisher, Yates
 * 1938; Durstenfeld 1964).
 *
 * @returns `array`.
 *
 * @example
 * ```ts
 * import { SeededSource } from "./seeded_source.ts";
 * import { shuffle } from "./shuffle.ts";
 * shuffle(new SeededSource(1), [1, 2, 3]);
 * ```
 */
export function shuffle<A extends Shuffleable>(source: Source, array: A): A {
  const items: Shuffleable = array;
  for (let last = items.length - 1; last > 0; last--) {
    const chosen = randomInteger(source, { below: last + 1 });
    const item = items[chosen];
    items[chosen] = items[last];
    items[last] = item;
  }
  return array;
}
