import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { BadInput } from "../../../cli/options/bad_input.ts";
import { resumeCheckpoint } from "../../../cli/shards/checkpoint.ts";
import {
  cliCommand,
  type CliRun,
  denoWords,
  runHere,
  withFolder,
} from "../../end_to_end/run_cli.ts";
import { dailyOf, LONG, longTest } from "../../long.ts";

// What a checkpoint is refused for, who may use it, and what a full disk does to an audit that writes one.

const AUDIT = [
  ...["audit", "--mechanism", "laplace", "--epsilon", "1", "--full-budget", "--no-shrink"],
  ...["--left", "[0]", "--right", "[1]", "--seed", "6", "--workers", "1", "--quiet"],
];
const MODULE = "export default ([bit], source) => source.uniform() < 0.73 ? bit : 1 - bit;\n";

/** The checkpoint of an audit that was interrupted after some shards. */
async function interrupted(words: readonly string[], checkpoint: string): Promise<void> {
  const child = cliCommand([...words, "--checkpoint", checkpoint]).spawn();
  await untilIn(checkpoint, '"counted"');
  child.kill("SIGINT");
  await child.output();
}

async function untilIn(file: string, text: string): Promise<void> {
  for (let i = 0; i < 3000; i++) {
    const written = await Deno.readTextFile(file).catch(() => "");
    if (written.includes(text)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function assertRefused({ code, stderr }: CliRun, sentence: string): void {
  assertEquals(code, 2, stderr);
  assertStringIncludes(stderr, sentence);
  assertEquals(stderr.trim().split("\n").length, 1, stderr);
}

Deno.test("a checkpoint that was changed, or is none, is refused in a sentence", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/kept.jsonl`;
    await interrupted([...AUDIT, "--max-draws", "20000000"], file);
    const whole = await Deno.readTextFile(file);
    const [first, ...lines] = whole.split("\n");
    const counted = lines.find((line) => line.includes('"counted"'))!;
    const changed: readonly (readonly [string, string])[] = [
      ["{}\n", "must be a checkpoint"],
      ["", "must be a checkpoint"],
      [first!.slice(0, -1) + "\n", "must be a checkpoint"],
      [first!.replace('"planned":', '"planned":1') + "\n", "was changed"],
      [first!.replace('"dpcheck":"', '"dpcheck":"9') + "\n", "must be of dpcheck"],
      [`${first}\n5\n`, "line 2"],
      [`${first}\n{"event":"started","shard":-1,"attempt":1}\n`, "line 2"],
      [`${first}\n{"event":"counted","result":null}\n`, "line 2"],
      [`${first}\n${counted.replace(/"rightGuesses":\d+/, '"rightGuesses":1e15')}\n`, "line 2"],
      [`${first}\n${lines.join("\n")}{"event":"copy"}\n`, `line ${lines.length + 1}`],
    ];
    for (const [text, sentence] of changed) {
      await Deno.writeTextFile(file, text);
      assertThrows(() => resumeCheckpoint(file), BadInput, sentence);
      assertEquals(await Deno.readTextFile(file), text);
    }
    assertRefused(await runHere(["audit", "--resume", file]), "--resume");
    assertRefused(await runHere(["audit", "--resume", `${folder}/none`]), "no such file");
    assertRefused(
      await runHere(["audit", "--resume", file, "--seed", "3"]),
      "--seed cannot be given with --resume",
    );
    assertRefused(
      await runHere([...AUDIT, "--checkpoint", file]),
      `--resume ${file} goes on`,
    );
  });
});

Deno.test("a checkpoint that an audit writes is used by no other, and equal audits keep two", async () => {
  await withFolder(async (folder) => {
    const words = [...AUDIT, "--max-draws", "100000000"];
    const [one, two] = [1, 2].map(() => cliCommand(words, {}, [], folder).spawn());
    let files: string[] = [];
    const kept = (): string[] => files.filter((name) => name.endsWith(".checkpoint"));
    for (let i = 0; i < 3000 && kept().length < 2; i++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      files = (await Array.fromAsync(Deno.readDir(`${folder}/.dpcheck`)).catch(() => []))
        .map(({ name }) => name);
    }
    const path = `${folder}/.dpcheck/${kept()[0]}`;
    await untilIn(path, '"counted"');
    assertRefused(await runHere(["audit", "--resume", path]), "another audit uses it");
    // One is interrupted and one is killed: both can be taken up.
    one!.kill("SIGINT");
    two!.kill("SIGKILL");
    await Promise.all([one!.output(), two!.output()]);
    const left = (await Array.fromAsync(Deno.readDir(`${folder}/.dpcheck`)))
      .map(({ name }) => name).filter((name) => name.endsWith(".checkpoint"));
    assertEquals(left.length, 2, files.join());
    for (const name of dailyOf(left, (_, place) => place === 0)) {
      const child = cliCommand(["audit", "--resume", `${folder}/.dpcheck/${name}`, "--quiet"])
        .spawn();
      const before = (await Deno.readTextFile(`${folder}/.dpcheck/${name}`)).length;
      for (let i = 0; i < 3000; i++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        if ((await Deno.stat(`${folder}/.dpcheck/${name}`)).size > before) break;
      }
      child.kill("SIGINT");
      assertEquals((await child.output()).code, 130);
    }
  });
});

longTest("--resume runs a program only where it is named again, or with --yes", async () => {
  await withFolder(async (folder) => {
    const module = `${folder}/response.js`, file = `${folder}/kept.jsonl`;
    await Deno.writeTextFile(module, MODULE);
    const words = [
      ...["audit", "--module", module, "--epsilon", "1", "--full-budget", "--no-shrink", "--quiet"],
      ...["--left", "[0]", "--right", "[1]", "--seed", "6", "--max-draws", "1500000"],
    ];
    await interrupted(words, file);
    const kept = await Deno.readTextFile(file);
    const silent = await runHere(["audit", "--resume", file]);
    assertRefused(silent, `--resume ${file} runs --module ${JSON.stringify(module)}`);
    const other = await runHere(["audit", "--resume", file, "--module", `${folder}/other.js`]);
    assertRefused(other, `and not --module ${JSON.stringify(`${folder}/other.js`)}`);
    for (const consent of [["--yes"], ["--module", module]]) {
      await Deno.writeTextFile(file, kept);
      const run = await runHere(["audit", "--resume", file, "--quiet", ...consent]);
      assertEquals(run.code, 0, run.stderr);
    }
  });
});

Deno.test({
  name: "a full disk ends no audit that nobody asked to keep, and keeps what another has counted",
  ignore: !LONG || Deno.build.os === "windows",
  async fn(): Promise<void> {
    await withFolder(async (folder) => {
      // Writes beyond 8 KiB fail as on a full disk.
      const limited = async (words: readonly string[]): Promise<CliRun> => {
        const args = denoWords(words);
        const { code, stdout, stderr } = await new Deno.Command("sh", {
          args: ["-c", 'trap "" XFSZ; ulimit -f 16; exec "$@"', "sh", Deno.execPath(), ...args],
          cwd: folder,
        }).output();
        const text = new TextDecoder();
        return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
      };
      const words = [...AUDIT, "--max-draws", "5000000"];
      const unasked = await limited(words);
      assertEquals(unasked.code, 0, unasked.stderr);
      assertStringIncludes(unasked.stderr, "goes on without a checkpoint");
      assertEquals(await Array.fromAsync(Deno.readDir(`${folder}/.dpcheck`)), []);
      const file = `${folder}/kept.jsonl`;
      assertRefused(await limited([...words, "--checkpoint", file]), `--resume ${file} goes on`);
      const resumed = await runHere(["audit", "--resume", file, "--quiet"]);
      assertEquals(resumed.code, 0, resumed.stderr);
      assert(!(await Deno.stat(file).then(() => true, () => false)));
    });
  },
});
