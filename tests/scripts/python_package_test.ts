import { assert, assertEquals, assertMatch } from "@std/assert";
import { withFolder } from "../end_to_end/run_cli.ts";
import { run } from "../package/run.ts";

// The wheel of Python, built from adapters/python with and without what `deno task build python` puts into it.

const ROOT = new URL("../../", import.meta.url).pathname;

const ignore = !await hasProgram(["python3", "--version"], "the wheel of Python") ||
  !await hasProgram(["node", "--version"], "the wheel of Python");

/** Builds wheel and archive in the folder, and unpacks both. */
const BUILD = `
import sys, tarfile, zipfile
sys.path.insert(0, sys.argv[1])
import wheel_backend
out = sys.argv[2]
with zipfile.ZipFile(out + "/" + wheel_backend.build_wheel(out)) as wheel:
    wheel.extractall(out + "/wheel")
with tarfile.open(out + "/" + wheel_backend.build_sdist(out)) as archive:
    archive.extractall(out + "/sdist")
`;
import { hasProgram } from "../has_program.ts";

async function build(sources: string, out: string): Promise<void> {
  await Deno.mkdir(out);
  const { code, stderr } = await run("python3", ["-B", "-c", BUILD, sources, out], { cwd: out });
  assertEquals(code, 0, stderr);
}

// Mutants: a command where nothing is carried; an archive without the JavaScript; Node of any age.
Deno.test({
  name: "a wheel that carries the npm package has the command, and finds Node",
  ignore,
  fn: () =>
    withFolder(async (folder) => {
      const sources = `${folder}/sources`;
      await run("cp", ["-r", `${ROOT}adapters/python`, sources], { cwd: folder });
      await build(sources, `${folder}/plain`);
      const info = "dpcheck-0.1.0.dist-info";
      const plain = await Deno.readTextFile(`${folder}/plain/wheel/${info}/entry_points.txt`);
      assert(plain.includes("pytest11") && !plain.includes("console_scripts"), plain);

      const script = "dpcheck/node/node_modules/@dpcheck/dpcheck/bin/dpcheck.js";
      await Deno.mkdir(`${sources}/${script.slice(0, script.lastIndexOf("/"))}`, {
        recursive: true,
      });
      await Deno.writeTextFile(
        `${sources}/${script}`,
        'console.log(process.argv.slice(2).join("|"));\nprocess.exitCode = 4;\n',
      );
      await build(sources, `${folder}/full`);
      const entries = await Deno.readTextFile(`${folder}/full/wheel/${info}/entry_points.txt`);
      const [, module, name] = /dpcheck = (\S+):(\w+)\n$/.exec(entries)!;
      await Deno.stat(`${folder}/full/sdist/dpcheck-0.1.0/${script}`);
      await Deno.stat(`${folder}/full/sdist/dpcheck-0.1.0/wheel_backend.py`);
      const call = (env: Readonly<Record<string, string>>, text: string) =>
        run("python3", ["-B", "-c", text, "suite", "a b"], {
          cwd: folder,
          env: { PYTHONPATH: `${folder}/full/wheel`, ...env },
        });
      const start = `import ${module} as m; m.${name}()`;
      const started = await call({}, start);
      assertEquals([started.code, started.stdout], [4, "suite|a b\n"], started.stderr);
      for (const [node, said] of [["nowhere", "none was found"], ["python3", "is Python 3"]]) {
        const refused = await call({ DPCHECK_NODE: node! }, start);
        assertEquals(refused.code, 3);
        assertMatch(refused.stderr, new RegExp(`^dpcheck needs Node 20\\.11 or later.*${said}`));
      }
      // assert_private calls it as well.
      const words = await call({}, "from dpcheck.private import command; print(command()[1])");
      assertEquals(words.stdout, `${folder}/full/wheel/${script}\n`);
    }),
});
