import { assert, assertEquals } from "@std/assert";
import { Command } from "commander";
import { COMMANDS } from "../../cli/main.ts";
import { runMain } from "./run_main.ts";

// Every option that takes a value gets values that nobody means, in a command line that does little where they are taken.

const deep = "[".repeat(20_000) + "]".repeat(20_000);
const HOSTILE: readonly string[] = [
  ...["", " ", "NaN", "Infinity", "-Infinity", "-0", "-1", "0", "1e-320", "1e308", "1e999", "0x10"],
  ...[
    "1_000",
    "1,5",
    "١",
    "９".repeat(3),
    "9".repeat(400),
    "1e12",
    "1000000000000",
    "9007199254740993",
  ],
  ...[
    "0..1000000000000",
    "null",
    "true",
    "[]",
    "{}",
    "[[]]",
    '"',
    '{"a":',
    "\uFEFF1",
    "\u202E",
    "𝔸\uD800",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "../../..",
    "/dev/null/x",
    '{"__proto__":1}',
    '{"type":"__proto__"}',
  ],
  ...[
    '{"type":"vector","length":1e15,"of":{"type":"boolean"}}',
    '{"type":"text","length":"0..99999999999"}',
  ],
  ...['{"type":"integer","min":0,"max":1e300}', '{"type":"record","fields":[]}', "[1e400]", deep],
];

/** Words of engines and of the libraries that check and parse: none is a sentence of ours. */
const INNER =
  /internal error|Invalid (array|typed|input|option|discriminator|string length)|Unrecognized key|Too (small|big):|expected \w+, received|Maximum call stack|\bat .*:\d+:\d+|\[object|Cannot (read properties|convert|mix|destructure)|is not (a function|iterable|defined)|allocation|Unexpected (token|end)|in JSON at|zod|undefined/i;

/** Words with which each command does little, or is refused once its options were read. */
const BASE: Readonly<Record<string, readonly string[]>> = {
  audit: ["--exec", "false", "--epsilon", "1", "--left", "[0]", "--right", "[1]", "--no-recording"],
  record: ["--exec", "false", "--epsilon", "1", "--left", "[0]", "--right", "[1]"],
  exact: ["--module", "absent.ts", "--epsilon", "1"],
  canaries: ["absent.csv"],
  account: ["--sigma", "1", "--rate", "2", "--delta", "1e-6"],
  prove: ["--list"],
  explain: [],
  doctor: [],
  check: ["absent.json"],
  suite: ["absent.json"],
  watch: ["absent.json"],
  worker: [],
  verify: ["absent.json"],
  init: ["--yes", "--function", "nowhere.py:f"],
  train: [
    "--data",
    "absent.csv",
    "--columns",
    "absent.json",
    "--epsilon",
    "1",
    "--out",
    "absent.out",
  ],
  predict: ["--model", "absent.json", "--data", "absent.csv", "--out", "absent.out"],
  score: ["--model", "absent.json", "--data", "absent.csv"],
  schema: ["absent.csv"],
  ask: [
    "absent.csv",
    "count",
    "--schema",
    "absent.json",
    "--ledger",
    "absent.jsonl",
    "--epsilon",
    "1",
  ],
  budget: ["absent.jsonl"],
  synthesize: [
    "--data",
    "absent.csv",
    "--schema",
    "absent.json",
    "--epsilon",
    "1",
    "--out",
    "absent.out",
  ],
  clean: [
    "--data",
    "absent.csv",
    "--predictor",
    "absent.json",
    "--epsilon",
    "1",
    "--out",
    "absent.out",
  ],
};

/** What is wrong with the answer to one value of an option; nothing if it is as it must be. */
async function problemOf(words: readonly string[]): Promise<string[]> {
  const { code, err } = await runMain(words).catch((error) => ({
    code: -1,
    err: `${error.stack}`,
  }));
  const shown = `${words.join(" ").slice(0, 120)}: status ${code}: ${err.slice(0, 500)}`;
  if (code === 0 || code === 4) return [];
  if (code !== 2 && code !== 3) return [shown];
  const lines = err.split("\n").length === 2 && err.startsWith("dpcheck: ");
  const own = err.replaceAll(words.at(-1)!, "");
  return lines && !INNER.test(own) && err.length < 2000 ? [] : [shown];
}

for (const [name, { load }] of COMMANDS) {
  Deno.test(`dpcheck ${name} answers hostile values of each option by a sentence of ours`, async () => {
    assert(name in BASE, `BASE needs words with which dpcheck ${name} does little`);
    const command = new Command(name);
    (await load())(command, () => {}, () => Promise.resolve(0));
    const problems: string[] = [];
    for (const { long, flags, required, optional } of command.options) {
      // A file that an option names may have any name.
      if (long === undefined || !(required || optional) || /files?(\.\.\.)?[>\]]$/i.test(flags)) {
        continue;
      }
      for (const value of HOSTILE) {
        problems.push(...await problemOf([name, ...BASE[name]!, `${long}=${value}`]));
      }
    }
    assertEquals(problems, []);
  });
}
