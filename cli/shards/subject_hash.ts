import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { splitCommand } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { importedFiles } from "../options/imported_files.ts";
import { toPortable } from "./portable.ts";
import type { ShardSubject } from "./shard_subject.ts";

/**
 * The hash of a subject: of how it is opened, and of its files. These are the module, or the words of a command that name files, and what
 * scripts among them name by relative paths. What programs load otherwise is not seen. Files are hashed by their contents, in their order.
 *
 * @throws {Error} when a file cannot be read.
 */
export function subjectHash(subject: ShardSubject): string {
  const hash = createHash("sha256").update(JSON.stringify(toPortable(subject)));
  for (const file of new Set(filesOf(subject).flatMap(importedFiles))) {
    hash.update(createHash("sha256").update(readFileSync(file)).digest());
  }
  return hash.digest("hex");
}

function filesOf(subject: ShardSubject): readonly string[] {
  switch (subject.kind) {
    case "mechanism":
      return [];
    case "module":
      return [subject.specifier.replace(/#[^#]*$/, "")];
    case "exec":
      return splitCommand(subject.command)
        .filter((word) => statSync(word, { throwIfNoEntry: false })?.isFile());
  }
}
