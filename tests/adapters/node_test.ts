import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { SubjectFailure, Thrown } from "../../lib/judge/audit/kernel/subject.ts";
import { runCli, withFolder } from "../end_to_end/run_cli.ts";
import { root, served } from "./served.ts";
import { hasProgram } from "../has_program.ts";

const adapter = `${root}adapters/node/dpcheck.mjs`;
const ignore = !await hasProgram(["node", "--version"], "the adapter for Node");

/** A command that runs `program`, a module in which `serve` is known. */
function node(program: string): string {
  const text = `import { serve } from ${JSON.stringify(adapter)};\n${program}`;
  return `node --input-type=module -e ${quoteWord(text)}`;
}

/** What a program that Node runs with these arguments answers to requests. */
async function answersOf(
  program: string,
  requests: string,
  args: readonly string[] = [],
): Promise<{ outputs: unknown[][]; errors: string }> {
  const text = `import { serve } from ${JSON.stringify(adapter)};\n${program}`;
  const child = new Deno.Command("node", {
    args: [...args, "--input-type=module", "-e", text],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(requests));
  await writer.close();
  const { stdout, stderr } = await child.output();
  const [, ...lines] = new TextDecoder().decode(stdout).trim().split("\n");
  return {
    outputs: lines.map((line) => JSON.parse(line).outputs),
    errors: new TextDecoder().decode(stderr),
  };
}

type Values = Record<"left" | "right", { values: unknown[] }>;

// Mutants: prints left on standard output; an error that ends the program; sets and typed arrays as JSON.stringify has them.
Deno.test({
  name: "serve() of Node answers in order, with prints out of the way and errors as outputs",
  ignore,
  async fn(): Promise<void> {
    const { left, right } = await served(node(`
serve(async (rows) => {
  console.log("loud");
  process.stdout.write("louder\\n");
  await null;
  if (rows.length === 0) throw new TypeError("no rows");
  return {
    sum: rows[0] + rows[1], seen: new Set([3, 1]), pairs: new Map([["a", 1]]), doubles: new Float64Array([0.5, NaN]),
    signs: [-0, Infinity, -Infinity], whole: [7n, 2n ** 60n], gone: undefined, "a \\u2028 b": "c \\u2028 d",
  };
});`)) as Values;
    assert(left.values.length > 0 && right.values.length > 0);
    for (const value of left.values) {
      assertEquals(value, {
        sum: 3,
        seen: [3, 1],
        pairs: [["a", 1]],
        doubles: [0.5, NaN],
        signs: [-0, Infinity, -Infinity],
        whole: [7, "1152921504606846976"],
        gone: null,
        "a \u2028 b": "c \u2028 d",
      });
    }
    for (const value of right.values) assertEquals(value, new Thrown("TypeError: no rows"));
  },
});

// Mutants: big-endian doubles; doubles of another length than was said; undefined taken for NaN.
Deno.test({
  name: "serve() of Node sends doubles of a width, and refuses another width",
  ignore,
  async fn(): Promise<void> {
    const { left } = await served(node("serve((rows) => [rows.length, 0.5], { width: 2 });")) as {
      left: { kind: string; width: number; values: Float64Array };
    };
    assertEquals([left.kind, left.width, ...left.values.subarray(0, 2)], ["block", 2, 2, 0.5]);
    for (const wrong of ["[1]", "[1, undefined]", "null"]) {
      const failure = await served(node(`serve(() => ${wrong}, { width: 2 });`))
        .catch((error) => error);
      assert(failure instanceof SubjectFailure);
      assertStringIncludes(failure.message, "f must return 2 numbers");
    }
  },
});

// Mutants: no look before the first request; none at Node's own options.
Deno.test({
  name: "serve() of Node says once where Math.random is seeded",
  ignore,
  async fn(): Promise<void> {
    const request = '{"id":1,"datasets":[[],[]],"order":[0]}\n'.repeat(2);
    const replaced = "serve(() => Math.random()); Math.random = () => 0.25;";
    const cases: readonly [args: readonly string[], program: string, said: number][] = [
      [[], "serve(() => Math.random());", 0],
      [[], replaced, 1],
      [["--random-seed=1"], "serve(() => Math.random());", 1],
    ];
    for (const [args, program, said] of cases) {
      const { errors } = await answersOf(program, request, args);
      assertEquals(errors.match(/dpcheck: .*Math\.random/g)?.length ?? 0, said, errors);
    }
  },
});

// A deterministic difference is refuted by any seed. Mutant: an adapter that gives all outputs of the first dataset.
Deno.test({
  name: "dpcheck audit runs a program with the adapter of Node",
  ignore,
  fn: () =>
    withFolder(async (folder) => {
      await Deno.writeTextFile(
        `${folder}/count.mjs`,
        `import { serve } from ${JSON.stringify(adapter)};
serve((rows) => { console.log(rows); return rows.filter((row) => row > 0.5).length + Math.random() / 10; });`,
      );
      const { code, stdout, stderr } = await runCli([
        "audit",
        "--exec",
        `node ${folder}/count.mjs`,
        ...["--epsilon", "1", "--rows", '{"type":"number","min":0,"max":1}', "--size", "2"],
        ...["--relation", "replace-one", "--seed", "1", "--max-draws", "4000", "--no-shrink"],
      ]);
      assertEquals(code, 1, stdout + stderr);
    }),
});

// Mutants: a generator that goes on from one output to the next; a source that stays replaced; node:crypto left out.
Deno.test({
  name:
    "serve() of Node gives the outputs of a seed when it is asked for them, and new ones otherwise",
  ignore,
  async fn(): Promise<void> {
    const program = `import { randomBytes, randomInt } from "node:crypto";
      serve((rows) => [Math.random(), crypto.getRandomValues(new Uint32Array(1))[0], randomInt(2 ** 40), randomBytes(4).toString("hex")]);`;
    const asked = (seed?: number): string =>
      `${JSON.stringify({ id: 1, seed, datasets: [[1], []], order: [0, 1] })}\n`;
    const requests = [asked(5), asked(6), asked(), asked(5)].join("");
    const { outputs: [a, b, c, d] } = await answersOf(program, requests);
    assertEquals(a, d);
    assertEquals(a![0], a![1]);
    for (const other of [b![0], c![0], c![1]]) {
      (other as unknown[]).forEach((value, i) => assert(value !== (a![0] as unknown[])[i]));
    }
  },
});
