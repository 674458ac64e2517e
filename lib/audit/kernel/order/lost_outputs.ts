import type { PairOutputs, SideCounts } from "../subject.ts";

/** How many outputs are lost of parts of a draw; `undefined` where none is. */
export function lostOf(parts: readonly PairOutputs[]): SideCounts | undefined {
  let left = 0, right = 0;
  for (const { lost } of parts) {
    left += lost?.left ?? 0;
    right += lost?.right ?? 0;
  }
  return left + right === 0 ? undefined : { left, right };
}

/** A draw of which all outputs are lost. */
export function allLost({ left, right }: SideCounts): PairOutputs {
  const none = { kind: "values", values: [] } as const;
  return { left: none, right: none, lost: { left, right } };
}
