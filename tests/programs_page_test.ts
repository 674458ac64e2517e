import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ROW_EXAMPLES } from "../cli/options/row_help.ts";
import { parseRowSpec } from "../cli/options/row_spec.ts";
import { encoderOf } from "../lib/judge/audit/model/encoding/encoder.ts";
import { featuresOf } from "../lib/judge/audit/model/encoding/features.ts";
import { screenParities } from "../lib/judge/audit/model/partition/screen_parities.ts";
import { type Outputs, outputValues } from "../lib/judge/audit/kernel/outputs.ts";
import { cliCommand, runCli } from "./end_to_end/run_cli.ts";
import { processSubject } from "../lib/judge/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../lib/judge/audit/subjects/process/split_command.ts";
import { Thrown } from "../lib/judge/audit/kernel/subject.ts";
import { RELATION_NAMES, relationNamed } from "../lib/core/relations/relation_named.ts";
import { hasProgram } from "./has_program.ts";

const page = await Deno.readTextFile(new URL("../docs/programs.md", import.meta.url));
const { stdout: help } = await runCli(["audit", "--help"]);

function blocksOf(language: string): string[] {
  return [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter((match) => match[1] === language).map((match) => match[2]!);
}

/** What stands first in the rows of the table under this heading, without its backticks. */
function firstCells(heading: string): string[] {
  const section = page.slice(page.indexOf(heading));
  return [...section.slice(0, section.indexOf("\n## ", 1)).matchAll(/^\| `(.+?)` +\|/gm)]
    .map((match) => match[1]!);
}

// Mutants: an example that is refused; a kind of row without an example; one that only one of them has.
Deno.test("docs/programs.md and the help show an example of every kind of row, and they are taken", () => {
  const kinds = ["number", "integer", "boolean", "category", "text", "vector", "record", "number"];
  assertEquals(ROW_EXAMPLES.map(({ type }) => type), kinds as typeof ROW_EXAMPLES[0]["type"][]);
  const written = ROW_EXAMPLES.map((spec) => JSON.stringify(spec));
  assertStringIncludes(blocksOf("json").join(""), written.join("\n"));
  const rows = help.replaceAll(/,\n +(?=")/g, ",");
  for (const line of written) {
    assertStringIncludes(rows, `\n  ${line}\n`);
    assertEquals(JSON.stringify(parseRowSpec(JSON.parse(line))), line);
  }
});

// Mutants: a relation that one of them leaves out, or that there is not.
Deno.test("docs/programs.md, help and errors name the same relations, and they are taken", async () => {
  const names = firstCells("## Datasets");
  assertEquals(names.toSorted(), RELATION_NAMES.toSorted());
  for (const name of names) {
    const said = name.replace("NUMBER", "0.5").replace("COUNT", "2");
    assert(relationNamed(said) !== undefined, name);
  }
  const one = new RegExp(`(?<![\\w-])(?:${names.join("|")})(?![\\w=-])`, "g");
  const listed = (text: string): string[] => text.match(one) ?? [];
  assertEquals(listed(help.replaceAll(/\s+/g, " ")), names);
  const cat = ["audit", "--exec", "cat", "--epsilon", "1"];
  assertEquals(listed((await runCli([...cat, "--relation", "near"])).stderr), names);
  const rows = await runCli([...cat, "--rows", '{"type":"boolean"}', "--size", "1"]);
  // Where pairs are searched, nobody gives his word for them.
  assertEquals(listed(rows.stderr), names.slice(0, -1));
});

/** A name of a feature without its numbers and paths: what the page must explain. */
function formOf(name: string): string {
  return name.replaceAll(/output(?:\[\d+\]|\.\w+)*/g, "output")
    .replaceAll(/-?\d+(?:\.\d+)?/g, "N")
    // What functions are of is a number, wherever it stands.
    .replaceAll("(number N in output", "(output");
}

/** All forms of rules on outputs like these. */
function formsOf(outputs: Outputs): string[] {
  const encoder = encoderOf([outputs]);
  const rows = encoder.encode(outputs);
  return featuresOf(encoder, { rows, centres: [1] }).map(({ name }) => formOf(name));
}

/** Forms of rules that are learned from labels: two numbers of which the signs tell the label together. */
function formsOfParities(): string[] {
  const rows = Float64Array.from({ length: 2000 }, (_, i) => (i >> (i & 1)) % 4 < 2 ? 1 : -1);
  const labels = Uint8Array.from(
    { length: 1000 },
    (_, i) => rows[2 * i] === rows[2 * i + 1] ? 1 : 0,
  );
  const columns = [0, 1].map((i) => ({ name: `output[${i}]`, categorical: false }));
  return screenParities({ rows, labels, width: 2 }, { columns, elements: 2 })
    .map(({ name }) => formOf(name));
}

// Mutants: a feature that the page leaves out; a rule in the page that no event can be.
Deno.test("docs/programs.md explains every form that a rule can have, and no other", () => {
  const many = Array.from({ length: 300 }, (_, i) => [i % 7, i % 2 === 0, i / 2, 1]);
  const odd = ["7 of 9", "text", null, 1, { age: 1, list: ["x"] }, { ill: true }, [NaN], 2n];
  const forms = new Set([
    ...formsOf({ kind: "values", values: many }),
    ...formsOf({ kind: "values", values: [...odd, new Thrown("no"), new Thrown("never")] }),
    ...formsOf({ kind: "block", width: 1, values: Float64Array.of(1, 2, 3) }),
    ...formsOfParities(),
  ]);
  const rules = firstCells("## How to read an event");
  const explained = new Set(
    rules.map((rule) => formOf(/^(.+) (?:<=|>|=|!=) \S+$/.exec(rule)![1]!)),
  );
  assertEquals([...explained].sort(), [...forms].sort());
});

const python = await hasProgram(["python3", "--version"], "the programs of docs/programs.md");

Deno.test({
  name: "docs/programs.md shows programs that answer as it says",
  ignore: !python,
  async fn(): Promise<void> {
    const [ordered, lines, binary] = blocksOf("python").slice(0, 3).map((program) =>
      processSubject(`python3 -c ${quoteWord(program)}`)
    );
    try {
      for (const program of [ordered, lines]) {
        const outputs = await program!.draw([0.5, 0.25], 100);
        assertEquals([outputs.kind, outputs.values.length], ["block", 100]);
        assertEquals([...outputValues(await program!.draw([], 2))], [
          new Thrown("no rows"),
          new Thrown("no rows"),
        ]);
      }
      const block = await binary!.draw([1, 2, 3], 100);
      assert(block.kind === "block" && block.width === 2 && block.values.length === 200);
    } finally {
      await ordered!.close();
      await lines!.close();
      await binary!.close();
    }
  },
});

Deno.test({
  name: "docs/programs.md shows an HTTP endpoint that --url audits",
  ignore: !python,
  async fn(): Promise<void> {
    const block = blocksOf("python")[3]!;
    const serve = 'ThreadingHTTPServer(("127.0.0.1", 8080), Endpoint).serve_forever()';
    assert(block.includes(serve));
    const started = `server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
print(server.server_port, flush=True)
server.serve_forever()`;
    const program = block.replace(serve, started);
    const server = new Deno.Command("python3", { args: ["-c", program], stdout: "piped" }).spawn();
    try {
      const lines = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
      const port = (await lines.read()).value!.trim();
      const { code, stdout } = await cliCommand(
        [
          ...["audit", "--url", `http://127.0.0.1:${port}/`, "--epsilon", "0.2"],
          ...["--left", "[0]", "--right", "[1]", "--max-draws", "10000", "--seed", "1"],
        ],
        {},
        ["--allow-net=127.0.0.1"],
      ).output();
      assertEquals(code, 1, new TextDecoder().decode(stdout));
    } finally {
      server.kill();
      await server.output().catch(() => {});
      await server.status;
    }
  },
});
