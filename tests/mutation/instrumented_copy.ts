import type { Sources } from "./import_graph.ts";
import { instrument } from "./instrument.ts";
import type { Mutant } from "./mutant.ts";

/** What a copy of the repository consists of, besides the instrumented files. */
const COPIED = [
  "deno.json",
  "deno.lock",
  "mod.ts",
  "README.md",
  "docs",
  "lib",
  "cli",
  "bench",
  "proofs",
  "fixtures",
  "scripts",
  "tests",
];

/** A copy of the repository with every mutant of some files in it. */
export interface InstrumentedCopy extends AsyncDisposable {
  readonly root: string;
  readonly mutants: readonly Mutant[];
}

/** Copies the repository below `root` and instruments `files`. */
export async function instrumentedCopy(
  root: string,
  { files, sources }: { files: readonly string[]; sources: Sources },
): Promise<InstrumentedCopy> {
  const copy = await Deno.makeTempDir({ prefix: "dpcheck-mutants-" });
  for (const path of COPIED) await copyInto(`${root}/${path}`, `${copy}/${path}`);
  const mutants: Mutant[] = [];
  for (const file of files) {
    const done = instrument(file, sources.texts.get(file)!, { firstId: mutants.length + 1 });
    mutants.push(...done.mutants);
    await Deno.writeTextFile(`${copy}/${file}`, done.text);
  }
  return {
    root: copy,
    mutants,
    async [Symbol.asyncDispose](): Promise<void> {
      await Deno.remove(copy, { recursive: true });
    },
  };
}

async function copyInto(from: string, to: string): Promise<void> {
  if ((await Deno.stat(from)).isFile) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) {
    await copyInto(`${from}/${name}`, `${to}/${name}`);
  }
}
