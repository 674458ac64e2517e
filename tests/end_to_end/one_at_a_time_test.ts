import { assertEquals, assertStringIncludes } from "@std/assert";
import { runHere, withFolder } from "./run_cli.ts";
import { hasProgram } from "../has_program.ts";

const python = await hasProgram(["python3", "--version"], "programs that read ahead");

/** Randomised response at ε = 1 for the first output of a request; the others are coins that it has read by then. */
const PROGRAM = `import json, math, random, sys
truthful = math.e / (1 + math.e)
print(json.dumps({"dpcheck": 1, "order": True}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    bits = [request["datasets"][side][0] for side in request["order"]]
    first = bits[0] if random.random() < truthful else 1 - bits[0]
    print(json.dumps({"id": request["id"], "outputs": [first] + bits[1:]}), flush=True)
`;

// The program keeps its claim output by output, so that α = 1e-4 bounds the chance that this test fails.
// Mutants: verify or a suite that sends orders of several; a report that does not say what is assumed; a replay without the option.
Deno.test({
  name:
    "a program that reads ahead is refuted by no audit with --one-at-a-time, no verify and no suite",
  ignore: !python,
  fn: () =>
    withFolder(async (folder) => {
      await Deno.writeTextFile(`${folder}/ahead.py`, PROGRAM);
      const json = `${folder}/report.json`;
      const words = ["audit", "--exec", `python3 ${folder}/ahead.py`, "--epsilon", "1"];
      const rest = ["--left", "[0]", "--right", "[1]", "--relation", "replace-one"];
      // Of 25 runs all were refuted, after 184 draws on average and 212 at most.
      const run = ["--max-draws", "500", "--alpha", "0.0001", "--seed", "1", "--no-shrink"];
      const ahead = await runHere([...words, ...rest, ...run, "--json", json]);
      assertEquals(ahead.code, 1, ahead.stderr);
      assertStringIncludes(
        ahead.stdout.replaceAll(/\s+/g, " "),
        "each output is computed before the program reads on",
      );
      assertEquals(JSON.parse(await Deno.readTextFile(json)).askedAhead, true);
      const verified = await runHere([
        ...["verify", json, "--max-draws", "300"],
        // Of its own: α of a file counts for nothing.
        ...["--alpha", "0.0001"],
      ]);
      assertEquals([0, 4].includes(verified.code), true, verified.stdout + verified.stderr);
      assertStringIncludes(verified.stdout, "Not confirmed");
      assertStringIncludes(verified.stdout, "--one-at-a-time");
      const single = await runHere([...words, ...rest, ...run, "--one-at-a-time", "--json", json]);
      assertEquals([0, 4].includes(single.code), true, single.stdout);
      assertEquals(JSON.parse(await Deno.readTextFile(json)).askedAhead, undefined);
      const entry = { name: "ahead", exec: "python3 ahead.py", epsilon: 1, left: [0], right: [1] };
      const audits = [{ ...entry, relation: "replace-one", maxDraws: 500 }];
      await Deno.writeTextFile(`${folder}/dpcheck.json`, JSON.stringify({ alpha: 1e-4, audits }));
      const suite = await runHere(["suite", `${folder}/dpcheck.json`, "--json", json]);
      // No refutation of the suite, and not as good as none.
      assertEquals(suite.code, 4, suite.stdout);
      assertStringIncludes(
        await Deno.readTextFile(json),
        "refuted, and not confirmed when asked for one output at a time",
      );
      const copies = await runHere([...words, ...rest, "--one-at-a-time", "--workers", "2"]);
      assertEquals([copies.code, copies.stdout], [2, ""]);
      assertStringIncludes(copies.stderr, "copies draw at the same time");
    }),
});
