import type { Outputs, PairOutputs } from "../subject.ts";
import { packOutputs } from "./pack_outputs.ts";

/**
 * Outputs that were drawn in the order of some coins, each dealt to its side. This is done when all are drawn: how
 * much room a side takes must not reach a program before its last output.
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
  const sides = [
    new Float64Array((order.length - right) * width),
    new Float64Array(right * width),
  ] as const;
  const filled: [number, number] = [0, 0];
  for (let i = 0, at = 0; i < order.length; i++) {
    const side = order[i] as 0 | 1;
    const own = sides[side];
    for (let j = 0, to = filled[side]; j < width; j++) own[to++] = values[at++]!;
    filled[side] += width;
  }
  return {
    left: { kind: "block", width, values: sides[0] },
    right: { kind: "block", width, values: sides[1] },
  };
}
