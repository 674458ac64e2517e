import { ProgramDrawer } from "./program_drawer.ts";
import type { ShardDrawer } from "./shard_drawer.ts";
import type { ShardSubject } from "./shard_subject.ts";
import { ShardThread } from "./shard_thread.ts";

/** Modules and mechanisms draw in a thread; a program is a process of its own already. */
export function shardDrawer(
  subject: ShardSubject,
  { name }: { readonly name: string },
): ShardDrawer {
  return subject.kind === "exec" ? new ProgramDrawer(subject) : new ShardThread(subject, { name });
}
