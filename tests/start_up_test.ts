import { assert, assertEquals } from "@std/assert";
import { COMMANDS } from "../cli/main.ts";
import { runMain } from "./cli/run_main.ts";

// What an import or a command loads before it does anything.

interface Graph {
  readonly roots: readonly string[];
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: { readonly specifier?: string };
      readonly isDynamic?: boolean;
    }[];
  }[];
}

const root = new URL("../", import.meta.url);

/** The modules that importing a file loads: files by their paths from the root, packages by their names. */
async function loadedBy(file: string): Promise<string[]> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", file],
    cwd: root,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  const { roots, modules } = JSON.parse(new TextDecoder().decode(stdout)) as Graph;
  const imports = new Map(modules.map((each) => [each.specifier, each.dependencies ?? []]));
  const loaded = new Set(roots);
  // A set that grows while it is read is read to its end.
  for (const specifier of loaded) {
    for (const { specifier: written, code, isDynamic } of imports.get(specifier) ?? []) {
      if (code !== undefined && isDynamic !== true) loaded.add(code.specifier ?? written);
    }
  }
  return [...loaded].map((specifier) => specifier.replace(root.href, ""));
}

// Mutants: reports exported from the root; a parser imported where a file is read; adversaries before a service is audited.
Deno.test("the root loads no package, and nothing of reports, exact checks or adversaries", async () => {
  const loaded = await loadedBy("mod.ts");
  assert(
    loaded.includes("lib/judge/audit/audit.ts") && loaded.includes("lib/dp/learners/erm/fit.ts"),
  );
  assertEquals(loaded.filter((name) => !/^(lib\/|mod\.ts$|node:)/.test(name)), []);
  assertEquals(
    loaded.filter((name) =>
      /^lib\/(papers\/null_space|judge\/(report|exact|testing|source|dialogue\/(?!audit_int)))/
        .test(name)
    ),
    [],
  );
});

// Mutants: the rewriter, and with it a parser, imported where modules are loaded; the adversary where sessions are asserted.
Deno.test("assertions load no parser of programs and no adversary before one is used", async () => {
  const loaded = await loadedBy("lib/judge/testing/mod.ts");
  assert(loaded.includes("lib/judge/testing/assert_private_session.ts"));
  assertEquals(loaded.filter((name) => /acorn|astring|rewrite\.ts|audit_program/.test(name)), []);
});

Deno.test("dpcheck --help loads no command", async () => {
  const loaded = await loadedBy("cli/main.ts");
  assert(loaded.some((name) => name.includes("commander")));
  assertEquals(loaded.filter((name) => /^cli\/commands|^proofs|zod/.test(name)), []);
  assert(loaded.length < 30, `${loaded.length} modules`);
});

Deno.test("dpcheck --help lists every command as its own help shows it", async () => {
  const { out: list } = await runMain(["--help"]);
  for (const [name, { usage, description }] of COMMANDS) {
    assert(list.includes(`\n  ${name} ${usage} `), name);
    const { code, out } = await runMain([name, "--help"]);
    assertEquals(code, 0);
    const [first, , ...rest] = out.split("\n");
    assertEquals(first, `Usage: dpcheck ${name} ${usage}`);
    assert(rest.join(" ").startsWith(description), name);
  }
});
