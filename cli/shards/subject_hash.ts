import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { splitCommand } from "../../lib/audit/subjects/process/split_command.ts";
import type { ShardSubject } from "./shard_subject.ts";
import { toPortable } from "./portable.ts";

/**
 * The hash of a subject: of how it is opened, and of its files. These are the module and those that it imports by a relative path, or
 * the words of a command that name files. What programs load otherwise is not seen.
 */
export function subjectHash(subject: ShardSubject): string {
  const hash = createHash("sha256").update(JSON.stringify(toPortable(subject)));
  for (const file of filesOf(subject)) {
    const bytes = readFileSync(file);
    hash.update(`\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

function filesOf(subject: ShardSubject): readonly string[] {
  switch (subject.kind) {
    case "mechanism":
      return [];
    case "module":
      return modulesFrom(subject.specifier.replace(/#[^#]*$/, ""));
    case "exec":
      return splitCommand(subject.command).filter(isFile);
  }
}

const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g;

/** A module and those that it imports by a relative path, directly or through others. */
function modulesFrom(file: string): string[] {
  const found = new Set<string>(), toRead = [file];
  for (let path = toRead.pop(); path !== undefined; path = toRead.pop()) {
    if (found.has(path) || !isFile(path)) continue;
    found.add(path);
    for (const [, relative] of readFileSync(path, "utf8").matchAll(RELATIVE_IMPORT)) {
      toRead.push(join(dirname(path), relative!));
    }
  }
  // By content alone: folders differ between machines.
  return [...found].sort();
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
