import type { Source } from "../mechanism/source.ts";
import { requireInteger } from "../numeric/require.ts";

/**
 * An integer in [0, below), all with the same probability exactly: a draw from a power of two, redone
 * when it falls beyond the last whole multiple of `below`.
 *
 * @throws {RangeError} unless `below` is an integer from 1 to 2⁵³.
 *
 * @example
 * ```ts
 * import { SeededSource } from "./seeded_source.ts";
 * import { randomInteger } from "./random_integer.ts";
 * const die = 1 + randomInteger(new SeededSource(1), { below: 6 });
 * ```
 */
export function randomInteger(source: Source, { below }: { below: number }): number {
  if (below !== 2 ** 53) requireInteger("draw an integer", "below", below, { min: 1 });
  if (source.branch !== undefined) return source.branch({ kind: "uniform", below: BigInt(below) });
  const isWide = below > 2 ** 32;
  const range = isWide ? 2 ** 53 : 2 ** 32;
  const limit = range - range % below;
  for (;;) {
    let value = source.uint32();
    if (isWide) value += (source.uint32() >>> 11) * 2 ** 32;
    if (value < limit) return value % below;
  }
}
