import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

const SCRIPT = /\.[cm]?[jt]sx?$/;
/** A path in quotes that begins with a dot: an import, or a file that is read beside the module. */
const RELATIVE = /(["'`])(\.\.?\/[^"'`\n]*)\1/g;
/** Endings that an imported path may omit. */
const ENDINGS = ["", ".ts", ".js", ".mjs", ".cjs", ".tsx", ".jsx", "/index.ts", "/index.js"];

/**
 * The files that a script names by relative paths, directly or through others, itself first: what it imports, and what it reads beside
 * itself. Paths that are put together and names of packages are not followed. A file that is not a script is named alone.
 */
export function importedFiles(file: string): string[] {
  const found = new Set<string>([file]);
  for (const each of found) {
    if (!SCRIPT.test(each)) continue;
    for (const [, , path] of textOf(each).matchAll(RELATIVE)) {
      const target = ENDINGS.map((ending) => resolve(dirname(each), path + ending)).find(isFile);
      if (target !== undefined) found.add(target);
    }
  }
  return [...found];
}

/** The text; empty if it cannot be read, which is reported when the file is hashed. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
