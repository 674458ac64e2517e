import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { VERSION } from "../../lib/judge/audit/version.ts";
import {
  type BuiltFrom,
  CERTIFICATE_CHECKERS,
  sha256,
  TRUSTED_FILES,
} from "../../proofs/engine/trusted_files.ts";
import { BadInput } from "../options/bad_input.ts";
import { ExitStatus } from "../output/exit_status.ts";
import type { ProveArguments } from "../options/prove_arguments.ts";
import { writeOutput } from "../output/write_output.ts";

/** A file, and its hash. */
interface Hashed {
  readonly file: string;
  readonly sha256: string;
  readonly trustedFor?: string;
}

/**
 * Prints the files that audits rest on, in the form of `sha256sum`, each with what it is trusted for. In the npm package, whose files
 * join many modules, the hashes are those of the sources that it was built from, and the files that hold them are hashed as
 * they are.
 *
 * @throws {BadInput} with names of theorems, with options of theirs, or where the files cannot be read.
 */
export function printTrusted(ids: readonly string[], options: ProveArguments): number {
  const { json, trusted: _, ...others } = options;
  const [other] = [...ids, ...Object.keys(others).map((name) => `--${name}`)];
  if (other !== undefined) throw new BadInput(`--trusted: must come without ${other}`);
  const url = new URL(import.meta.url);
  if (url.protocol !== "file:") {
    throw new BadInput(
      "--trusted: must be run in the repository or in the npm package, where the files are",
    );
  }
  const isBuilt = url.pathname.endsWith(".js");
  const root = new URL(isBuilt ? "../" : "../../", url);
  const built = isBuilt ? builtFrom(url) : undefined;
  const files = Object.entries(TRUSTED_FILES).map(([file, trustedFor]) => ({
    file,
    sha256: built?.sources[file] ?? hashOf(new URL(file, root)),
    trustedFor,
  }));
  const total = sha256(files.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(""));
  const holders = (built?.holders ?? [])
    .map((file) => ({ file, sha256: hashOf(holderAt(file, root)) }));
  const checkers = Object.entries(CERTIFICATE_CHECKERS)
    .map(([file, trustedFor]) => ({ file, at: new URL(file, root), trustedFor }))
    .filter(({ at }) => existsSync(at))
    .map(({ file, at, trustedFor }) => ({ file, sha256: hashOf(at), trustedFor }));
  if (json !== undefined) {
    const report = { version: VERSION, sha256: total, files, holders, checkers };
    writeOutput("--json", json, JSON.stringify(report, undefined, 2));
    return ExitStatus.notRefuted;
  }
  print(files);
  console.log(`\n${files.length} files of dpcheck ${VERSION}; SHA-256 of their lines: ${total}`);
  if (isBuilt) {
    console.log(
      "They are the sources that this package was built from. Its files that hold them:\n",
    );
    print(holders);
  } else {
    console.log("Those who check certificates of dpcheck exact trust these instead:\n");
    print(checkers);
  }
  console.log(
    "\nThe JavaScript engine, and the hash functions of node:crypto, are trusted too. What dpcheck exact proves holds for arithmetic of real " +
      'numbers and for modules that do rewritten what they do as written (docs/alignment.md, "What remains to be trusted").',
  );
  return ExitStatus.notRefuted;
}

function print(files: readonly Hashed[]): void {
  for (const { file, sha256, trustedFor } of files) {
    console.log(`${sha256}  ${file}${trustedFor === undefined ? "" : `\n    ${trustedFor}`}`);
  }
}

/** The file of the package, or of another that it depends on. */
function holderAt(file: string, root: URL): URL | string {
  return file.startsWith("@")
    ? createRequire(import.meta.url).resolve(file.replace("/dist/", "/internal/"))
    : new URL(file, root);
}

function hashOf(file: URL | string): string {
  return sha256(readFileSync(file));
}

/** Reads the file that the build wrote. */
function builtFrom(url: URL): BuiltFrom {
  return JSON.parse(readFileSync(new URL("trusted.json", url), "utf8")) as BuiltFrom;
}
