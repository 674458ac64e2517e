import { type Outputs, packOutputs } from "../outputs.ts";
import type { PairOutputs } from "../subject.ts";

/**
 * Divides outputs that were drawn in the order of coins among the two sides. This is done when all are drawn: the number of
 * outputs of a side must not reach a program, by the memory that it takes, before its last output.
 */
export function dealOutputs(outputs: Outputs, order: Uint8Array): PairOutputs {
  if (outputs.kind === "values") {
    const sides: [unknown[], unknown[]] = [[], []];
    for (let i = 0; i < order.length; i++) sides[order[i] as 0 | 1].push(outputs.values[i]);
    return { left: packOutputs(sides[0]), right: packOutputs(sides[1]) };
  }
  const { width, values } = outputs;
  let right = 0;
  for (let i = 0; i < order.length; i++) right += order[i]!;
  // Each side has one place more than it needs: every output is written to both and only one of them advances, which is faster
  // than a branch.
  const sides = [
    new Float64Array((order.length - right + 1) * width),
    new Float64Array((right + 1) * width),
  ] as const;
  if (width === 1) {
    for (let i = 0, l = 0, r = 0; i < order.length; i++) {
      const coin = order[i]!;
      sides[0][l] = sides[1][r] = values[i]!;
      l += 1 - coin;
      r += coin;
    }
  } else {
    const filled: [number, number] = [0, 0];
    for (let i = 0, at = 0; i < order.length; i++) {
      const side = order[i] as 0 | 1;
      const own = sides[side];
      for (let j = 0, to = filled[side]; j < width; j++) own[to++] = values[at++]!;
      filled[side] += width;
    }
  }
  return {
    left: { kind: "block", width, values: sides[0].subarray(0, -width) },
    right: { kind: "block", width, values: sides[1].subarray(0, -width) },
  };
}
