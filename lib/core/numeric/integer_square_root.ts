/**
 * ⌊√value⌋ for an integer of at least 0 of any size, by Newton's method from above.
 *
 * @example
 * ```ts
 * import { integerSquareRoot } from "./integer_square_root.ts";
 * integerSquareRoot(99n); // 9n
 * ```
 */
export function integerSquareRoot(value: bigint): bigint {
  if (value === 0n) return 0n;
  for (let root = value;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
