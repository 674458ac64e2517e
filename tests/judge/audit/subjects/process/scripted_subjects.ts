import { assertRejects } from "@std/assert";
import { processSubject } from "../../../../../lib/judge/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../../../../lib/judge/audit/subjects/process/split_command.ts";
import { type Subject, SubjectFailure } from "../../../../../lib/judge/audit/kernel/subject.ts";

/** A subject whose program is a shell text: it starts at once. */
export function shell(body: string, timeoutSeconds = 20): Subject {
  return processSubject(`sh -c ${quoteWord(body)}`, { name: "shell", timeoutSeconds });
}

/** Draws, expects a failure, and checks that no process of the program is left. */
export async function failure(subject: Subject, count = 5): Promise<string> {
  const error = await assertRejects(async () => await subject.draw([1], count), SubjectFailure);
  await assertRejects(async () => await subject.draw([1], count), SubjectFailure);
  await subject.close();
  return error.message;
}

/** Whether a process runs whose command line has `text`; zombies have none. */
export function alive(text: string): boolean {
  const { stdout } = new Deno.Command("sh", {
    args: ["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null"],
  }).outputSync();
  return new TextDecoder().decode(stdout).replaceAll("\0", " ").includes(text);
}

/** Whether no process with `text` is left; the system needs a moment to end them. */
export async function gone(text: string): Promise<boolean> {
  for (let i = 0; i < 50; i++) {
    if (!alive(text)) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
