import type { Arm } from "./arm.ts";
import type { Evidence } from "./evidence.ts";
import { byDoubtAndHope } from "./run_off.ts";
import type { Session } from "./session.ts";

/** The share of the budget at which the partition is fixed: where outputs are simple there is little left to learn. */
const UNTIL = { simple: 0.42, rich: 0.72 };

/** The parts of that time at which the last rounds end: more pairs take longer. */
const ROUNDS = [0.55, 0.78, 1];

/**
 * Learns of the pairs that are left until a partition is to be fixed, in rounds: half of the pairs go on after
 * each, by turns those that promise most with doubt and with hope, and the best one in the last.
 */
export async function refine(
  arms: readonly Arm[],
  { session, evidence, isOver }: {
    session: Session;
    evidence: Evidence;
    /** Ends the audit before its budget is spent. */
    isOver: () => boolean;
  },
): Promise<Arm> {
  const begun = session.spent;
  let left = arms;
  for (const part of ROUNDS.slice(-1 - Math.floor(Math.log2(arms.length)))) {
    const end = (): number =>
      UNTIL[left.every(({ learner }) => learner.isSimple) ? "simple" : "rich"];
    const until = (): boolean => isOver() || session.spent >= begun + part * (end() - begun);
    await session.stay(left, evidence, { phase: "search", until });
    if (left.length > 1) {
      left = byDoubtAndHope(left, session).slice(0, Math.floor(left.length / 2));
    }
  }
  return left[0]!;
}
