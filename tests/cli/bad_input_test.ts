import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli/main.ts";

/** Runs the command line in this process and keeps what it prints. */
async function run(words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const { log, error } = console;
  let out = "", err = "";
  console.log = (text: unknown): void => void (out += `${text}\n`);
  console.error = (...texts: unknown[]): void => void (err += `${texts.join(" ")}\n`);
  try {
    return { code: await main(words), out, err };
  } finally {
    console.log = log;
    console.error = error;
  }
}

const LAPLACE = ["audit", "--mechanism", "laplace", "--epsilon", "1"];
const CAT = ["audit", "--exec", "cat", "--epsilon", "1"];
const SEARCH = [...CAT, "--size", "1..2", "--relation", "replace-one", "--rows"];

/** A wrong command line, and what the one line about it must name. */
type Case = [words: string[], ...parts: string[]];

const claims: Case[] = [
  ...["0", "-1", "NaN", "Infinity", "1e999", "one", "", "0x1", "1,5"].map((epsilon): Case => [
    ["audit", "--mechanism", "laplace", "--epsilon", epsilon],
    "--epsilon",
    `'${epsilon}'`,
  ]),
  [["audit", "--mechanism", "laplace"], "--epsilon"],
  [["audit", "--mechanism", "laplace", "--rho", "1"], "--mechanism laplace", "--epsilon"],
  [["audit", "--exec", "cat", "--left", "1", "--right", "2"], "--epsilon"],
  [[...LAPLACE, "--delta", "1"], "--delta", "'1'"],
  [[...LAPLACE, "--delta", "-0.1"], "--delta", "'-0.1'"],
  [[...LAPLACE, "--rho", "0.5"], "--epsilon 1", "--rho 0.5"],
  [[...LAPLACE, "--delta", "0.1", "--order", "2"], "--delta 0.1", "--order 2"],
  [["audit", "--exec", "cat", "--delta", "0.1"], "--delta 0.1", "--epsilon"],
  [["audit", "--exec", "cat", "--epsilon", "1", "--order", "1"], "--order", "'1'"],
];

const runs: Case[] = [
  [[], "--help"],
  [["adit"], "adit"],
  [["audit", "--foo"], "--foo"],
  [["audit", "--exec"], "--exec"],
  [[...LAPLACE, "extra"], "extra"],
  [[...LAPLACE, "--alpha", "0"], "--alpha", "'0'"],
  [[...LAPLACE, "--alpha", "1"], "--alpha", "'1'"],
  [[...LAPLACE, "--max-draws", "1.5"], "--max-draws", "'1.5'"],
  [[...LAPLACE, "--max-draws", "0"], "--max-draws", "'0'"],
  [[...LAPLACE, "--max-seconds", "0"], "--max-seconds", "'0'"],
  [[...LAPLACE, "--seed", "-1"], "--seed", "'-1'"],
  [[...LAPLACE, "--workers", "0"], "--workers", "'0'"],
  // Mutant: as many as the memory holds.
  [[...LAPLACE, "--workers", "257"], "--workers", "'257'", "256"],
  [[...CAT, "--timeout", "0"], "--timeout", "'0'"],
  [[...LAPLACE, "--json", "/no/such/folder/r.json"], "--json /no/such/folder/r.json"],
  [[...LAPLACE, "--html", "."], "--html ."],
  // Mutants: the second report in the place of the first; compared as they are written.
  [[...LAPLACE, "--json", "same", "--html", "same"], "--json same", "--html same", "two files"],
  [[...LAPLACE, "--junit", "docs/../x", "--html", "./x"], "--junit docs/../x", "--html ./x"],
  [["verify"], "EVIDENCE"],
  [["verify", "no.json"], "no.json"],
  [["verify", "cli/main.ts"], "cli/main.ts", "JSON"],
  [["verify", "deno.json"], "deno.json"],
  [["verify", "deno.json", "--seed", "x"], "--seed", "'x'"],
];

const datasets: Case[] = [
  [[...LAPLACE, "--left", "[1", "--right", "[2]"], "--left", "'[1'"],
  [
    [...CAT, "--left", "[9007199254740993]", "--right", "[1]"],
    "--left",
    "read as 9007199254740992",
  ],
  [[...CAT, "--left", "[1]", "--right", "[1e400]"], "--right", "read as Infinity"],
  [[...LAPLACE, "--left", "[1]"], "--left [1]", "--right"],
  [[...LAPLACE, "--right", "[1]"], "--right [1]", "--left"],
  [[...LAPLACE, "--left", "[1]", "--right", "[1,2]"], "--left [1] --right [1,2]", "replace-one"],
  [[...LAPLACE, "--left", "[0,0]", "--right", "[1,1]"], "[0,0]", "at most one row"],
  [[...LAPLACE, "--left", "1", "--right", "[1]"], "--left 1", "array"],
  // Mutant: not refuted, for nothing can tell a dataset from itself.
  [[...CAT, "--left", "[0]", "--right", "[ 0 ]"], "--left [0]", "--right [ 0 ]", "must differ"],
  [[...CAT, "--left", '{"a":1}', "--right", '{"a":1.0}'], "--left", "--right"],
  [
    [...CAT, "--left", "[1]", "--right", "[2]", "--relation", "add-remove-one"],
    "--left [1] --right [2]",
    "add-remove-one",
  ],
  [[...CAT, "--relation", "near"], "--relation", "'near'", "replace-one"],
  [CAT, "--left JSON", "--rows SPEC"],
  [[...CAT, "--left", "1", "--right", "2", "--rows", "{}"], "--rows {}", "--left"],
  [[...CAT, "--rows", '{"type":"boolean"}'], "--rows", "--size"],
  [[...CAT, "--size", "1..2"], "--size 1..2", "--rows"],
  [[...CAT, "--left", "1", "--right", "2", "--except", "output < 3"], "--except", "'output < 3'"],
  [[...SEARCH, '{"type":"boolean"}', "--with-rows", "7"], "--with-rows 7", "list of rows"],
  [[...SEARCH, '{"type":"boolean"}', "--with-rows", "[1"], "--with-rows", "JSON"],
  [[...CAT, "--rows", '{"type":"boolean"}', "--size", "1"], "--rows", "--relation"],
  [[...CAT, "--size", "2..1"], "--size", "'2..1'"],
  [[...CAT, "--size", "a"], "--size", "'a'"],
  [[...CAT, "--size", "1000000000000"], "--size", "to 1000000"],
  [[...SEARCH, '{"type":"number","min":"0","max":1}'], "min: must be a number"],
  [[...SEARCH, "{"], "--rows", "'{'", "JSON"],
  [[...SEARCH, '"number"'], "--rows", '"number"'],
  [[...SEARCH, '{"type":"numbr","min":0,"max":1}'], "--rows", "numbr"],
  [[...SEARCH, '{"type":"number","min":0}'], "--rows", "max"],
  [[...SEARCH, '{"type":"number","min":2,"max":1}'], "--rows", "min must be at most max"],
  [[...SEARCH, '{"type":"integer","min":0.5,"max":1}'], "--rows", "min", "0.5"],
  [[...SEARCH, '{"type":"category","values":[]}'], "--rows", "values"],
  [[...SEARCH, '{"type":"boolean","min":0}'], "--rows", "min"],
  [[...SEARCH, '{"type":"boolean","missing":1}'], "--rows", "missing"],
  [[...SEARCH, '{"type":"number","min":NaN,"max":1}'], "--rows", "min"],
  [[...SEARCH, '{"type":"text","length":"8..0"}'], "--rows", "length: must be"],
  [[...SEARCH, '{"type":"text","length":"0..2","values":["red"]}'], "--rows", "of that length"],
  [
    [
      ...SEARCH,
      '{"type":"vector","length":2,"norm":1,"of":{"type":"number","min":0,"max":1,"nan":true}}',
    ],
    "--rows",
    "norm: must be left out",
  ],
  [
    [...SEARCH, '{"type":"record","fields":{"age":{"type":"integer","min":"0","max":9}}}'],
    "--rows",
    "fields.age.min",
    '"0"',
  ],
];

const subjects: Case[] = [
  [["audit"], "--mechanism, --module, --exec, --url or --samples"],
  [[...LAPLACE, "--exec", "a b"], "--mechanism laplace", "--exec a b"],
  [["audit", "--mechanism", "toString", "--epsilon", "1"], "--mechanism toString"],
  [["audit", "--exec", "./no/such", "--epsilon", "1", "--left", "1", "--right", "2"], "./no/such"],
  [["audit", "--exec", "a 'b", "--epsilon", "1", "--left", "1", "--right", "2"], "--exec a 'b"],
  // Mutant: words that a shell would see to are arguments, in silence.
  ...["|", "||", "&&", ";", ">", ">>", "<", "2>", "&", ">out.txt", "2>&1"].map((operator): Case => [
    [...CAT.with(2, `sh x.sh ${operator} cat`), "--left", "1", "--right", "2"],
    `--exec sh x.sh ${operator} cat: `,
    `${operator} must not be a word`,
    "no shell",
    `sh -c 'sh x.sh ${operator} cat'`,
  ]),
  [["audit", "--module", "./no.ts", "--epsilon", "1"], "--module ./no.ts"],
  [["audit", "--module", "cli/main.ts#absent", "--epsilon", "1"], "absent", "main"],
  [
    ["audit", "--module", "lib/judge/audit/version.ts#VERSION", "--epsilon", "1"],
    "VERSION",
    "string",
  ],
  [["audit", "--samples", "one.csv", "--epsilon", "1"], "--samples one.csv"],
  [["audit", "--samples", "no.csv", "no2.csv", "--epsilon", "1"], "--samples no.csv"],
  [["audit", "--samples", "a.txt", "b.txt", "--epsilon", "1"], "--samples a.txt", ".ndjson"],
  [["audit", "--samples", "a.csv", "b.csv", "--epsilon", "1", "--workers", "2"], "--workers 2"],
];

for (const [what, cases] of Object.entries({ claims, runs, datasets, subjects })) {
  Deno.test(`dpcheck exits 2 with one line that says why when its ${what} are bad`, async () => {
    for (const [words, ...parts] of cases) {
      const { code, out, err } = await run(words);
      const shown = `${words.join(" ")}\n${err}`;
      assertEquals([code, out], [2, ""], shown);
      assert(/^dpcheck: .+\n$/.test(err), shown);
      for (const part of parts) assert(err.includes(part), `${part} is not in: ${shown}`);
    }
  });
}

Deno.test("dpcheck verify exits 2 when the evidence was tampered with or cannot be confirmed", async () => {
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    for (
      const [report, part] of [
        ["[]", "report"],
        ["null", "report"],
        ['{"verdict":"not-refuted"}', "not-refuted"],
        ['{"verdict":"refuted"}', "replayArguments"],
        ['{"verdict":"refuted","replayArguments":[1]}', "replayArguments"],
        ['{"verdict":"refuted","replayArguments":["--epsilon","-1"]}', "'-1'"],
        ['{"verdict":"refuted","replayArguments":["--evil"]}', "--evil"],
        ['{"verdict":"refuted","replayArguments":["--epsilon","1"]}', "give a subject"],
        [
          '{"verdict":"refuted","replayArguments":["--epsilon","1","--samples","a.csv","b.csv"]}',
          "record new ones",
        ],
      ] as const
    ) {
      await Deno.writeTextFile(file, report);
      const { code, out, err } = await run(["verify", file]);
      assertEquals([code, out], [2, ""], report);
      assert(/^dpcheck: .+\n$/.test(err) && err.includes(part), err);
    }
  } finally {
    await Deno.remove(file);
  }
});
