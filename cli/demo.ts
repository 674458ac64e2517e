import { main } from "./main.ts";
import { ExitStatus } from "./output/exit_status.ts";
import { quoteWord } from "../lib/judge/audit/subjects/process/split_command.ts";

/** `deno task demo`: three audits, each by the command that it shows. Status 0 when all end as they should. */
interface Scene {
  readonly title: string;
  readonly story: string;
  readonly words: readonly string[];
  readonly expected: number;
}

const numbers = [
  "--rows",
  '{"type":"number","min":0,"max":1}',
  "--size",
  "1..5",
  "--relation",
  "replace-one",
];

const python: Scene = {
  title: "A program in Python",
  story:
    "fixtures/judge/subjects/laplace_mean.py releases the mean of numbers in [0, 1] and says that it is\n" +
    "1-differentially private. Run with --broken wrong-sensitivity, it takes the range of the numbers\n" +
    "from the data. dpcheck talks to the program in lines of JSON and knows nothing else about it.",
  words: [
    "audit",
    "--exec",
    "python3 fixtures/judge/subjects/laplace_mean.py --order --broken wrong-sensitivity",
    "--epsilon",
    "1",
    ...numbers,
    "--seed",
    "1",
  ],
  expected: ExitStatus.refuted,
};

const javaScript: Scene = {
  title: "A program in JavaScript (there is no python3 here)",
  story:
    "fixtures/judge/subjects/noisy_histogram.js releases noisy counts of five groups and says that they\n" +
    "are 1-differentially private. Run with --broken, it leaves empty groups out. dpcheck talks to the\n" +
    "program in lines of JSON and knows nothing else about it.",
  words: [
    "audit",
    "--exec",
    `${quoteWord(Deno.execPath())} run fixtures/judge/subjects/noisy_histogram.js --broken`,
    "--epsilon",
    "1",
    "--rows",
    '{"type":"integer","min":0,"max":4}',
    "--size",
    "1..5",
    "--relation",
    "replace-one",
    "--seed",
    "1",
  ],
  expected: ExitStatus.refuted,
};

const scenes: readonly Scene[] = [
  {
    title: "A correct mechanism",
    story:
      "The Laplace mechanism as dpcheck ships it: a number in [0, 1] and exact noise of scale 1/ε,\n" +
      "claimed to be 1-differentially private. 200,000 draws to look for outputs that tell two numbers\n" +
      "apart better than the claim allows:",
    words: [
      "audit",
      "--mechanism",
      "laplace",
      "--epsilon",
      "1",
      "--max-draws",
      "200000",
      "--seed",
      "1",
    ],
    expected: ExitStatus.notRefuted,
  },
  {
    title: "A broken one",
    story:
      "A sparse vector technique as it was published in 2014, which says which answers are above a\n" +
      "noisy threshold. Every answer may change by 1 between neighbours; 1-DP is claimed. Its 8 lines are\n" +
      "in fixtures/judge/subjects/modules/sparse_vector_without_noise.ts.",
    words: [
      "audit",
      "--module",
      "fixtures/judge/subjects/modules/sparse_vector_without_noise.ts",
      "--seed",
      "1",
    ],
    expected: ExitStatus.refuted,
  },
  await hasPython() ? python : javaScript,
];

/** Tells if `python3` can be run. */
async function hasPython(): Promise<boolean> {
  try {
    const { success } = await new Deno.Command("python3", {
      args: ["--version"],
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

const root = new URL("../", import.meta.url);
Deno.chdir(root);
console.log("dpcheck: does this code keep the differential-privacy claim it makes?");
let asExpected = true;
for (const [i, { title, story, words, expected }] of scenes.entries()) {
  console.log(`\n━━━ ${i + 1}. ${title}\n${story}\n`);
  console.log(`$ deno task dpcheck ${words.map(quoteWord).join(" ")}\n`);
  const status = await main(words);
  if (status !== expected) {
    console.error(
      `dpcheck: the exit status of this audit is ${status}, and ${expected} was expected`,
    );
    asExpected = false;
  }
}
console.log(`
━━━ Your own program
Write {"dpcheck":1,"order":true} to standard output. Read {"id":1,"datasets":[[...],[...]],"order":[0,1,1,0]}
from standard input, write {"id":1,"outputs":[...]} with the outputs in that order, a line each, until the input
ends. Then

$ deno task dpcheck audit --exec "python3 my_program.py" --epsilon 1 \\
    --rows '{"type":"number","min":0,"max":1}' --size 1..5 --relation replace-one`);
Deno.exit(asExpected ? 0 : 1);
