/**
 * The ascending values that are nearest to given ones in weighted squares, by pooling adjacent violators
 * (Ayer, Brunk, Ewing, Reid, Silverman 1955).
 *
 * @param values finite numbers
 * @param weights as many positive ones
 *
 * @example
 * ```ts
 * import { isotonic } from "./isotonic.ts";
 * isotonic(Float64Array.of(1, 4, 2), Float64Array.of(1, 1, 1)); // 1, 3, 3
 * ```
 */
export function isotonic(values: Float64Array, weights: Float64Array): Float64Array {
  const blocks: { value: number; weight: number; size: number }[] = [];
  values.forEach((value, i) => {
    let block = { value, weight: weights[i]!, size: 1 };
    for (let last = blocks.at(-1); last && last.value >= block.value; last = blocks.at(-1)) {
      const weight = last.weight + block.weight;
      block = {
        value: (last.weight * last.value + block.weight * block.value) / weight,
        weight,
        size: last.size + block.size,
      };
      blocks.pop();
    }
    blocks.push(block);
  });
  return Float64Array.from(blocks.flatMap(({ value, size }) => Array(size).fill(value)));
}
