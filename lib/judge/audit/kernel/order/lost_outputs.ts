import type { Coins } from "./coins.ts";
import type { SideCounts } from "../subject.ts";
import type { PairOutputs } from "../outputs.ts";

/** Counts the outputs that are lost of parts of a draw, and those that were not asked for; nothing where there are none. */
export function missingOf(
  parts: readonly Pick<PairOutputs, "lost" | "unasked">[],
): Pick<PairOutputs, "lost" | "unasked"> {
  const lost = sumOf(parts.map(({ lost }) => lost));
  const unasked = sumOf(parts.map(({ unasked }) => unasked));
  return { ...(lost && { lost }), ...(unasked && { unasked }) };
}

function sumOf(counts: readonly (SideCounts | undefined)[]): SideCounts | undefined {
  let left = 0, right = 0;
  for (const one of counts) {
    left += one?.left ?? 0;
    right += one?.right ?? 0;
  }
  return left + right === 0 ? undefined : { left, right };
}

/** Counts the outputs that were not asked for in a draw that ended after `asked` coins; nothing where all were. */
export function unaskedOf(coins: Coins, asked: number): Pick<PairOutputs, "unasked"> {
  if (asked >= coins.count) return {};
  const { left, right } = coins.slice(asked, coins.count);
  return { unasked: { left, right } };
}

/** Returns a draw of which all outputs are lost. */
export function allLost({ left, right }: SideCounts): PairOutputs {
  const none = { kind: "values", values: [] } as const;
  return { left: none, right: none, lost: { left, right } };
}
