import { Coins } from "../../lib/audit/kernel/order/coins.ts";
import { processSubject } from "../../lib/audit/subjects/process/process_subject.ts";
import type { PairData } from "../../lib/audit/kernel/subject.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";

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

/** Whether the command runs here; prints why its tests are ignored where it does not. */
export async function hasRuntime(command: string, args: readonly string[]): Promise<boolean> {
  const runs = await succeeds(command, args);
  if (!runs) console.log(`ignored: ${[command, ...args].join(" ")} does not run here`);
  return runs;
}

/** Whether the command ends with status 0; a command that is not installed throws when it is started. */
async function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  try {
    const program = new Deno.Command(command, { args: [...args], stdout: "null", stderr: "null" });
    return (await program.output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
