import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { isSharded } from "../../../cli/shards/sharded_audit.ts";
import { cliCommand, type CliRun, runHere, withFolder } from "../../end_to_end/run_cli.ts";
import { hasProgram } from "../../has_program.ts";
import { dailyOf } from "../../long.ts";

// Audits whose end is drawn in shards: threads and programs that are replaced, interrupted and taken up.

const LAPLACE = [
  "audit",
  "--mechanism",
  "laplace",
  "--epsilon",
  "1",
  "--full-budget",
  "--no-shrink",
];
const PAIR = ["--left", "[0]", "--right", "[1]"];

interface Report {
  readonly verdict: string;
  readonly epsilonLowerBound: number;
  readonly eValue: number;
  readonly draws: number;
  readonly failure?: string;
}

/** Runs an audit with its report as JSON, and the checkpoint in a folder. */
async function audited(
  words: readonly string[],
  folder: string,
): Promise<{ run: CliRun; report: Report }> {
  const checkpoint = words.includes("--resume") ? [] : ["--checkpoint", `${folder}/kept.jsonl`];
  const run = await runHere([
    ...words,
    ...checkpoint,
    "--quiet",
    "--json",
    `${folder}/report.json`,
  ]);
  const report = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
  return { run, report };
}

function figuresOf({ verdict, epsilonLowerBound, eValue, draws }: Report): unknown {
  return { verdict, epsilonLowerBound, eValue, draws };
}

// Mutants: a source for each thread in place of each shard; sizes of shards that depend on the workers.
Deno.test("an audit in shards shows the same with one worker and with three", async () => {
  const rho = [
    "audit",
    "--mechanism",
    "gaussian",
    "--epsilon",
    "1",
    "--delta",
    "1e-5",
    "--full-budget",
  ];
  for (const words of dailyOf([LAPLACE, [...rho, "--no-shrink"]], (words) => words !== LAPLACE)) {
    await withFolder(async (folder) => {
      const all = [...words, ...PAIR, "--max-draws", "600000", "--seed", "4"];
      const one = await audited([...all, "--workers", "1"], folder);
      const three = await audited([...all, "--workers", "3"], folder);
      assertEquals(figuresOf(three.report), figuresOf(one.report));
      assert(one.report.epsilonLowerBound > 0.5, `${one.report.epsilonLowerBound}`);
      // The file is of no use once there is a report.
      assertEquals(await namesIn(folder), ["report.json"]);
    });
  }
});

Deno.test("an interrupted audit ends at once, and shows the same when it is taken up", async () => {
  await withFolder(async (folder) => {
    const words = [...LAPLACE, ...PAIR, "--max-draws", "10000000", "--seed", "6", "--workers", "1"];
    const checkpoint = `${folder}/kept.jsonl`;
    const child = cliCommand([...words, "--checkpoint", checkpoint, "--quiet"]).spawn();
    await untilCounted(checkpoint, 3);
    child.kill("SIGINT");
    const interrupted = performance.now();
    const { code, stderr } = await child.output();
    const seconds = (performance.now() - interrupted) / 1000;
    assertEquals(code, 130);
    // On a machine with nothing else to do it is 0.1 s.
    assert(seconds < 3, `${seconds} s`);
    assertStringIncludes(new TextDecoder().decode(stderr), `--resume ${checkpoint} goes on`);
    const counted = countedIn(checkpoint);
    assert(counted >= 3 && counted < 50, `${counted}`);

    // As if the process had been ended within a line.
    await Deno.writeTextFile(checkpoint, '{"event":"cou', { append: true });
    const resumed = await audited(["audit", "--resume", checkpoint, "--workers", "2"], folder);
    const whole = await audited(words, folder);
    assertEquals(figuresOf(resumed.report), figuresOf(whole.report));
  });
});

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
}

/** Waits until a checkpoint has so many shards. */
async function untilCounted(checkpoint: string, shards: number): Promise<void> {
  for (let i = 0; i < 3000 && countedIn(checkpoint) < shards; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function countedIn(checkpoint: string): number {
  try {
    return Deno.readTextFileSync(checkpoint).split('"event":"counted"').length - 1;
  } catch {
    return 0;
  }
}

// Mutant: a shard that was lost is not drawn again.
Deno.test("a thread that ends is replaced, and one that ends again and again is a failure", async () => {
  await withFolder(async (folder) => {
    // The search draws too, and is to go on: the stack tells what asks.
    const program = (ends: string): string =>
      `Error.stackTraceLimit = 50;
       let calls = 0;
       const isInShard = () => new Error().stack.includes("draw_shard");
       const isFirst = () => { try { Deno.mkdirSync("${folder}/ended"); return true; } catch { return false; } };
       export default ([bit], source) => {
         if (++calls % 3000 === 0 && isInShard() && ${ends}) Deno.exit(0);
         return source.uniform() < 0.73 ? bit : 1 - bit;
       };`;
    await Deno.writeTextFile(`${folder}/once.js`, program("isFirst()"));
    await Deno.writeTextFile(`${folder}/always.js`, program("true"));
    const words = (file: string): string[] => [
      ...["audit", "--module", `${folder}/${file}`, "--epsilon", "1", "--full-budget", ...PAIR],
      ...["--max-draws", "200000", "--seed", "1", "--workers", "2", "--no-shrink"],
    ];
    const { run, report } = await audited(words("once.js"), folder);
    assertEquals([run.code, report.verdict], [0, "not-refuted"], run.stderr);
    assert((await namesIn(folder)).includes("ended"), "no thread ended");
    assert(report.epsilonLowerBound > 0.9, `${report.epsilonLowerBound}`);
    const failing = await audited(words("always.js"), folder);
    assertEquals([failing.run.code, failing.report.verdict], [3, "failed"]);
    assertMatch(failing.report.failure!, /ended its thread/);
  });
});

const hasPython = await hasProgram(["python3", "--version"], "shards of programs");

/** Randomised response in Python, which begins with these lines, and waits before each answer. */
const pythonResponse = (first: string, wait = ""): string =>
  `import json, random, sys, time
${first}
print(json.dumps({"dpcheck": 1, "order": True}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    bits = [request["datasets"][side][0] for side in request["order"]]
    ${wait}
    outputs = [bit if random.random() < 0.73 else 1 - bit for bit in bits]
    print(json.dumps({"id": request["id"], "outputs": outputs}), flush=True)
`;

Deno.test({
  name: "copies of a program count in shards; what they counted is kept when they are interrupted",
  ignore: !hasPython,
  async fn(): Promise<void> {
    await withFolder(async (folder) => {
      await Deno.writeTextFile(
        `${folder}/response.py`,
        pythonResponse("", "time.sleep(1e-4 * len(bits))"),
      );
      const checkpoint = `${folder}/kept.jsonl`;
      const words = [
        ...["audit", "--exec", `python3 ${folder}/response.py`, "--epsilon", "1", ...PAIR],
        ...[
          "--full-budget",
          "--max-draws",
          "30000",
          "--seed",
          "1",
          "--workers",
          "2",
          "--no-shrink",
        ],
      ];
      const child = cliCommand([...words, "--checkpoint", checkpoint, "--quiet"]).spawn();
      await untilCounted(checkpoint, 1);
      child.kill("SIGINT");
      assertEquals((await child.output()).code, 130);
      const parts = (await Deno.readTextFile(checkpoint)).split('"ended":false').length - 1;
      assert(parts === 1 || parts === 2, `${parts} programs had counted a part of a shard`);
      const { run, report } = await audited(
        ["audit", "--resume", checkpoint, ...words.slice(1, 3)],
        folder,
      );
      assertEquals([run.code, report.verdict], [0, "not-refuted"], run.stderr);
      assert(report.epsilonLowerBound > 0.8, `${report.epsilonLowerBound}`);
      assert(report.draws > 28_000 && report.draws <= 30_000, `${report.draws}`);
    });
  },
});

// Mutant: KnownCopies.add() compares nothing.
Deno.test({
  name: "copies of a program that start from the same seed are refused",
  ignore: !hasPython,
  async fn(): Promise<void> {
    await withFolder(async (folder) => {
      // Its first four starts have one seed, and later ones others: copies are equal, and the two starts that are compared differ.
      const seed = `import os
path = ${JSON.stringify(`${folder}/starts`)}
starts = len(open(path).read()) if os.path.exists(path) else 0
open(path, "a").write("x")
random.seed(max(starts - 3, 0))`;
      await Deno.writeTextFile(`${folder}/seeded.py`, pythonResponse(seed));
      const { run, report } = await audited([
        ...["audit", "--exec", `python3 ${folder}/seeded.py`, "--epsilon", "1", ...PAIR],
        ...["--full-budget", "--max-draws", "60000", "--seed", "1", "--workers", "2"],
      ], folder);
      assertEquals([run.code, report.verdict], [3, "failed"], run.stderr);
      assertMatch(report.failure!, /copies of .* drew the same \d+ outputs/);
    });
  },
});

// Mutant: shards that leave out what only the first audit of --all does.
Deno.test("isSharded(): audits of a full budget that draw from copies, and no others", () => {
  const full = { fullBudget: true, timeout: 30, shrink: true, recording: true } as const;
  const cases: readonly (readonly [Parameters<typeof isSharded>[0], boolean])[] = [
    [{ ...full, mechanism: "laplace" }, true],
    [{ ...full, module: "m.js" }, true],
    [{ ...full, exec: "cat" }, false],
    [{ ...full, exec: "cat", workers: 2 }, true],
    [{ ...full, mechanism: "laplace", all: true }, false],
    [{ ...full, samples: ["l", "r"] }, false],
    [{ ...full, url: "http://127.0.0.1" }, false],
    [{ mechanism: "laplace", timeout: 30, shrink: true, recording: true }, false],
  ];
  for (const [options, expected] of cases) {
    assertEquals(isSharded(options), expected, JSON.stringify(options));
  }
});
