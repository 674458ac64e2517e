import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { sha256 } from "../../proofs/engine/trusted_files.ts";
import { COPIED_FILES, npmPackages } from "../../scripts/npm_package.ts";
import { type Bundled, VENDORED, vendoredFile } from "../../scripts/vendored_packages.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { linkCachedPackages } from "./node_modules.ts";
import { hasProgram } from "../has_program.ts";

const IMPORT = /^(?:import\s*|(?:import|export)\b[^;'"]*?\bfrom\s*)["']([^"']+)["'];/gm;
const root = new URL("../../", import.meta.url);
const read = (file: string): string => Deno.readTextFileSync(new URL(file, root));
const memberImports: Record<string, string> = Object.assign(
  {},
  ...["core", "dp", "papers", "judge"].map((name) =>
    JSON.parse(read(`lib/${name}/deno.json`)).imports
  ),
);
/** In place of code that `deno bundle` writes: it is Node's own loader that finds the package. */
const vendored = new Map<string, Bundled>(VENDORED.map((name) => [name, {
  code: `export * from "${name}";\n`,
  licences: new Map([[`${name} 1.0.0`, "MIT"]]),
}]));
/** To make the packages takes ten seconds: `deno task test:package` does. */
const ignore = Deno.env.get("DPCHECK_PACKAGE") === undefined;
const none = new Map([["package.json", "{}"]]);
const { dp, dpcheck: files } = ignore ? { dp: none, dpcheck: none } : await npmPackages({
  denoJson: read("deno.json"),
  memberImports,
  vendored,
  read,
});

interface Manifest {
  exports: Record<string, string | { types: string; default: string }>;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}
const manifest = JSON.parse(files.get("package.json")!) as Manifest;
const dpManifest = JSON.parse(dp.get("package.json")!) as Manifest;

// Mutants: an entry point left out; types named with another ending.
Deno.test({
  name: "npmPackages() has JavaScript and types for every entry point of deno.json",
  ignore,
}, () => {
  const { exports } = JSON.parse(read("deno.json")) as { exports: Record<string, string> };
  assertEquals(Object.keys(manifest.exports), [...Object.keys(exports), "./package.json"]);
  for (const [{ exports }, of] of [[manifest, files], [dpManifest, dp]] as const) {
    for (const [path, entry] of Object.entries(exports)) {
      if (typeof entry === "string" || path.includes("*")) continue;
      assert(of.has(entry.types.slice(2)), entry.types);
      assert(of.has(entry.default.slice(2)), entry.default);
    }
  }
  assert(files.has(manifest.bin.dpcheck!.slice(2)));
});

// Mutants: import specifiers that keep `.ts`; declarations of half the modules; a dependency left out.
Deno.test({ name: "npmPackages() imports only what it has or depends on", ignore }, () => {
  const { dependencies, peerDependencies } = manifest;
  assertEquals(Object.keys(peerDependencies), ["bullmq", "fast-check", "ioredis"]);
  assertEquals(Object.keys(dpManifest.dependencies), ["hyparquet"]);
  const missing: string[] = [];
  let count = 0;
  for (
    const [own, known] of [
      [files, Object.keys({ ...dependencies, ...peerDependencies })],
      [dp, Object.keys(dpManifest.dependencies)],
    ] as const
  ) {
    for (const [file, text] of own) {
      if (file.startsWith("dist/vendor-")) continue;
      for (const [, specifier] of text.matchAll(IMPORT)) {
        count++;
        if (specifier!.startsWith("node:") || known.includes(specifier!)) continue;
        const other = /^@dpcheck\/dp(\/.*)?$/.exec(specifier!);
        if (other !== null && own === files && dpHas(other[1] ?? "")) continue;
        const path = new URL(specifier!, `file:///${file}`).pathname.slice(1);
        const wanted = file.endsWith(".d.ts") ? path.replace(/\.js$/, ".d.ts") : path;
        if (!specifier!.startsWith(".") || !own.has(wanted)) missing.push(`${file}: ${specifier}`);
      }
    }
  }
  assert(count > 1000, `${count} imports`);
  assertEquals(missing, []);
});

/** Whether `@dpcheck/dp` has what is written after its name. */
function dpHas(path: string): boolean {
  if (Object.hasOwn(dpManifest.exports, `.${path}`)) return true;
  const [, folder, file] = /^\/(internal|types)\/(.*)$/.exec(path) ?? [];
  if (file === undefined) return false;
  return dp.has(folder === "internal" ? `dist/${file}` : `types/${file.replace(/\.js$/, ".d.ts")}`);
}

// Mutant: a module that is built into both packages, so that a claim of one is none for the other.
Deno.test({
  name: "npmPackages() has every module in one of the packages, and core and dp in the first",
  ignore,
}, () => {
  const defined = /^(?:class|function|async function|const) (\w+)/gm;
  const namesIn = (of: ReadonlyMap<string, string>): Set<string> =>
    new Set(
      [...of].filter(([file]) => /^dist\/(?!vendor-).*\.js$/.test(file)).flatMap(([, text]) =>
        [...text.matchAll(defined)].map(([, name]) => name!)
      ),
    );
  const ofDp = namesIn(dp), ofRest = namesIn(files);
  for (const name of ["SecureSource", "vectorLaplace", "openBudget", "fitTuned", "csvRows"]) {
    assert(ofDp.has(name) && !ofRest.has(name), name);
  }
  for (const name of ["openSulq", "audit", "htmlReport"]) {
    assert(ofRest.has(name) && !ofDp.has(name), name);
  }
});

Deno.test(
  { name: "npmPackages() lists the licence of each package that is in its files", ignore },
  () => {
    for (
      const [of, held] of [[dp, ["zod"]], [files, [
        "@observablehq/plot",
        "acorn",
        "astring",
        "linkedom",
        "ml-matrix",
      ]]] as const
    ) {
      const bundled = VENDORED.filter((name) => of.has(`dist/${vendoredFile(name)}`));
      assertEquals(bundled, [...held]);
      for (const name of held) {
        assertStringIncludes(
          of.get("LICENSES.txt")!,
          `${name} 1.0.0\n\nMIT`,
        );
      }
    }
  },
);

// Node takes about a millisecond for a file. Mutant: a file for each module.
Deno.test({
  name: "npmPackages() has the root in a few files, which import no other package",
  ignore,
}, () => {
  const loaded = new Set(["dist/index.js"]), packages = new Set<string>();
  const both = new Map([...files, ...[...dp].map(([file, text]) => [`dp/${file}`, text] as const)]);
  for (const file of loaded) {
    for (const [, specifier] of both.get(file)!.matchAll(IMPORT)) {
      if (specifier!.startsWith("./")) {
        loaded.add(new URL(specifier!, `file:///${file}`).pathname.slice(1));
      } else if (specifier!.startsWith("@dpcheck/dp/internal/")) {
        loaded.add(specifier!.replace("@dpcheck/dp/internal", "dp/dist"));
      } else packages.add(specifier!);
    }
  }
  assert(loaded.size > 5 && loaded.size < 20, `${loaded.size} files`);
  assertEquals([...packages].filter((name) => !name.startsWith("node:")), []);
});

Deno.test(
  { name: "npmPackages() uses nothing that only Deno has, and holds no tests", ignore },
  () => {
    const own = [...files.keys(), ...dp.keys()]
      .filter((file) => /^(tests|fixtures|bench|scripts)\//.test(file));
    assertEquals(own, []);
    // A test that `dpcheck init` writes for Deno is a text.
    const code = [...files, ...dp].filter(([file, text]) =>
      file.endsWith(".js") && /(?<!["'`])\bDeno\./.test(text)
    );
    assertEquals(code.map(([file]) => file), []);
  },
);

// Mutants: a package without its version; a declaration that the compiler would have to infer.
Deno.test("npmPackages() throws when a version or a type is not written down", async () => {
  const denoJson = JSON.stringify({ exports: { ".": "./mod.ts" }, imports: {} });
  const of = (text: string): () => Promise<unknown> => () =>
    npmPackages({ denoJson, dpEntries: {}, read: (file) => file === "mod.ts" ? text : "" });
  await of("export const one: number = 1;")();
  await assertRejects(of('import "left-pad";'), Error, "must name a version of left-pad");
  await assertRejects(
    of("\nexport const two = Math.sqrt(4);"),
    Error,
    "the types of mod.ts, line 2",
  );
});

/** Asks an endpoint for some outputs, and prints how many signals its requests had: Node keeps a listener of each request on its signal. */
const ASKS = `import { createServer } from "node:http";
import { httpSubject } from "./dist/audit.js";
const signals = new Set(), { fetch } = globalThis;
globalThis.fetch = (url, init) => fetch(url, (signals.add(init.signal), init));
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (text) => body += text).on("end", () => {
    if (body === "") return response.end("{}");
    const { id, count = 1, order = Array(count) } = JSON.parse(body);
    response.end(JSON.stringify({ id, outputs: Array.from(order, Math.random) }));
  });
}).listen(0, "127.0.0.1", async () => {
  const subject = httpSubject("http://127.0.0.1:" + server.address().port);
  for (let k = 0; k < 4; k++) await subject.draw([k], 1);
  console.log(signals.size);
  await subject.close();
  server.close();
});
`;

// Mutants: no module for threads; a global of Deno in a module that every entry point loads; `.ts` in the URL of the thread; output that
// is lost where it cannot be written; one signal for all requests.
Deno.test({
  name: "the npm package audits a module and a program under Node",
  ignore: ignore || !await hasProgram(["node", "--version"], "the npm package under Node"),
  fn: () =>
    withFolder(async (folder) => {
      for (
        const [of, place] of [[files, folder], [dp, `${folder}/node_modules/@dpcheck/dp`]] as const
      ) {
        for (const [file, text] of of) {
          const path = `${place}/${file}`;
          await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
          await Deno.writeTextFile(path, text);
        }
      }
      await linkCachedPackages(folder);
      const entries = Object.values(manifest.exports).flatMap((entry) =>
        typeof entry === "string" ? [] : [entry.default]
      );
      await Deno.writeTextFile(
        `${folder}/all.mjs`,
        entries.map((path, k) => `import * as e${k} from "${path}";\n`).join("") +
          `console.log([${
            entries.map((_, k) => `Object.keys(e${k}).length > 0`).join()
          }].every(Boolean));\n`,
      );
      await Deno.writeTextFile(`${folder}/ask.mjs`, ASKS);
      const imported = await node(["all.mjs"], folder);
      assertEquals([imported.code, imported.stdout], [0, "true\n"], imported.stderr);

      const sent = await node(["ask.mjs"], folder);
      assertEquals([sent.code, sent.stdout, sent.stderr], [0, "5\n", ""]);
      if (Deno.build.os === "linux") {
        for (const words of ["--help", "account --sigma 2 --delta 1e-5 --json -"]) {
          const full = await node(
            [manifest.bin.dpcheck!, ...words.split(" ")],
            folder,
            "/dev/full",
          );
          assertEquals(full, {
            code: 3,
            stdout: "",
            stderr:
              "dpcheck: standard output cannot be written: no space is left on the device [standard-output]\n",
          });
        }
      }

      const trusted = await node([manifest.bin.dpcheck!, "prove", "--trusted"], folder);
      assertEquals([trusted.code, trusted.stderr], [0, ""]);
      const coins = "lib/judge/audit/kernel/order/coins.ts", holder = "dist/lib-audit.js";
      assertStringIncludes(trusted.stdout, `${sha256(read(coins))}  ${coins}\n`);
      assertStringIncludes(trusted.stdout, `${sha256(files.get(holder)!)}  ${holder}\n`);
      const claims = "dist/part-core.js";
      assertStringIncludes(trusted.stdout, `${sha256(dp.get(claims)!)}  @dpcheck/dp/${claims}\n`);

      await Deno.writeTextFile(
        `${folder}/answer.mjs`,
        "export default ([x], source) => source.uniform() < 0.9 ? x : !x;\n",
      );
      // Without a deadline the bound takes few draws, and not five seconds.
      const budget = ["--seed", "1", "--max-draws", "20000"];
      const claim = ["--epsilon", "1", "--left", "[true]", "--right", "[false]", ...budget];
      const module = ["audit", "--module", "answer.mjs", ...claim];
      const run = await node([manifest.bin.dpcheck!, ...module], folder);
      assertEquals(run.code, 1, run.stderr);
      assertStringIncludes(run.stdout, "Replay: npx dpcheck audit --module answer.mjs");

      await Deno.writeTextFile(
        `${folder}/program.mjs`,
        `import { createInterface } from "node:readline";
         import crypto from "node:crypto";
         console.log('{"dpcheck":1,"order":true}');
         for await (const line of createInterface({ input: process.stdin })) {
           const { id, datasets, order } = JSON.parse(line);
           const outputs = order.map((side) => datasets[side][0] !== (crypto.getRandomValues(new Uint8Array(1))[0] < 25));
           console.log(JSON.stringify({ id, outputs }));
         }`,
      );
      const program = ["audit", "--exec", "node program.mjs", ...claim, "--json", "report.json"];
      // 90% against 10%: a true claim of ε = 1 it is not; 2,000 draws refute it but for a chance below 1e-9.
      const spoken = await node([manifest.bin.dpcheck!, ...program], folder);
      assertEquals(spoken.code, 1, spoken.stderr);
      const report = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
      assertEquals(Object.keys(report.versions), ["dpcheck", "node"]);
    }),
});

async function node(
  words: readonly string[],
  folder: string,
  /** Where standard output goes. */
  output?: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const flags = ["--preserve-symlinks", "--preserve-symlinks-main"];
  const program = ["node", ...flags, ...words];
  const [command, ...args] = output === undefined
    ? program
    : ["sh", "-c", `exec "$@" > ${output}`, "sh", ...program];
  const { code, stdout, stderr } = await new Deno.Command(command!, { args, cwd: folder }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

// Mutant: a module of an adapter left out, which another one imports.
Deno.test("the npm package has every file of the adapters for Python and R", async () => {
  const below = async (folder: string): Promise<string[]> => {
    const found: string[] = [];
    for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
      if (isDirectory) found.push(...await below(`${folder}${name}/`));
      else if (/\.(py|R|toml)$/.test(name)) found.push(`${folder}${name}`);
    }
    return found;
  };
  // The R package has the same files, in another form.
  const files = [...await below("adapters/python/"), ...await below("adapters/r/")]
    .filter((file) => !file.startsWith("adapters/r/package/"));
  assertEquals(files.filter((file) => !COPIED_FILES.includes(file)), []);
});
