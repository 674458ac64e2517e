import { largestLoss } from "../../lib/exact/enumeration/least_epsilon.ts";

/** A mutant of the largest loss: it forgets what was not run. */
export function withoutRemainders(
  { left, right }: Parameters<typeof largestLoss>[0],
  options: Parameters<typeof largestLoss>[1],
): ReturnType<typeof largestLoss> {
  return largestLoss(
    { left: { ...left, remainder: 0n }, right: { ...right, remainder: 0n } },
    options,
  );
}
