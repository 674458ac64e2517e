import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CERTIFICATE_CHECKERS, sha256, TRUSTED_FILES } from "../../proofs/engine/trusted_files.ts";
import { runMain } from "./run_main.ts";

const root = new URL("../../", import.meta.url);

/** The files, and all that they import when they run. */
async function importedBy(files: readonly string[]): Promise<string[]> {
  const seen = new Set(files);
  for (const file of seen) {
    const text = await Deno.readTextFile(new URL(file, root));
    const imports = text.matchAll(/^(?:import|export) (?!type )([^;'"]*?) from "(\.[^"]+)"/gm);
    for (const [, names, specifier] of imports) {
      const isOfTypes = names!.replace(/^\{|\}$/g, "").split(",")
        .every((name) => name.trim() === "" || name.trim().startsWith("type "));
      if (!isOfTypes) seen.add(new URL(specifier!, `file:///${file}`).pathname.slice(1));
    }
  }
  return [...seen].sort();
}

async function filesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) files.push(...await filesIn(`${folder}${name}/`));
    else if (name.endsWith(".ts")) files.push(folder + name);
  }
  return files;
}

// Mutants: a file left out of a list, or one too many; imports of types alone counted.
Deno.test("the trusted files are the kernel and what it imports, and the checkers of certificates theirs", async () => {
  const kernel = await importedBy(await filesIn("lib/judge/audit/kernel/"));
  assert(kernel.length > 60 && kernel.some((file) => file.startsWith("lib/core/numeric/")));
  assertEquals(Object.keys(TRUSTED_FILES).sort(), kernel);
  const checkers = [
    "lib/judge/certificates/check_alignment.ts",
    "lib/judge/certificates/check_enumeration.ts",
  ];
  assertEquals(Object.keys(CERTIFICATE_CHECKERS).sort(), await importedBy(checkers));
});

// Mutants: a hash of the text's first line; hashes of one file for all.
Deno.test("dpcheck prove --trusted prints every trusted file with its SHA-256 and what it is trusted for", async () => {
  const { code, out, err } = await runMain(["prove", "--trusted"]);
  assertEquals([code, err], [0, ""]);
  const listed = [...out.matchAll(/^([0-9a-f]{64}) {2}(\S+)\n {4}(.+)$/gm)];
  const all = { ...TRUSTED_FILES, ...CERTIFICATE_CHECKERS };
  assertEquals(listed.map(([, , file, trustedFor]) => [file, trustedFor]), Object.entries(all));
  for (const [, hash, file] of listed) {
    assertEquals(hash, sha256(await Deno.readFile(new URL(file!, root))), file);
  }
  const lines = listed.slice(0, Object.keys(TRUSTED_FILES).length)
    .map(([, hash, file]) => `${hash}  ${file}\n`).join("");
  assertStringIncludes(out, `SHA-256 of their lines: ${sha256(lines)}`);
  assertEquals(sha256("abc").slice(0, 8), "ba7816bf");
});

Deno.test("dpcheck prove --trusted --json - writes the same as JSON", async () => {
  const { code, out } = await runMain(["prove", "--trusted", "--json", "-"]);
  const { files, holders, checkers } = JSON.parse(out);
  assertEquals([code, holders], [0, []]);
  assertEquals(files.length, Object.keys(TRUSTED_FILES).length);
  assertEquals(checkers.length, Object.keys(CERTIFICATE_CHECKERS).length);
});
