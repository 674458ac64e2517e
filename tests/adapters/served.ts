import { Coins } from "../../lib/judge/audit/kernel/order/coins.ts";
import { processSubject } from "../../lib/judge/audit/subjects/process/process_subject.ts";
import type { PairData } from "../../lib/judge/audit/kernel/subject.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";

/** The root of the repository. */
export const root = new URL("../../", import.meta.url).pathname;

/** Outputs of a program on two datasets, ten draws. */
export async function served(
  command: string,
  pair: PairData = { left: [1, 2], right: [] },
): Promise<{ left: unknown; right: unknown }> {
  const subject = processSubject(command);
  try {
    const coins = Coins.thrown(new SeededSource(1), 10);
    return await subject.drawInOrder!(pair, coins);
  } finally {
    await subject.close();
  }
}
