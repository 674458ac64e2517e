import { assert, assertEquals } from "@std/assert";
import { type Claim, gaussian, pure } from "../../lib/core/mod.ts";
import { addRemoveOne, replaceOne } from "../../lib/core/relations/relation.ts";
import { programRecorder } from "../../lib/judge/recording/program_recorder.ts";
import { besideRows } from "../../lib/judge/recording/record_before.ts";
import { record, type RecordReport } from "../../lib/judge/recording/record.ts";
import type { Recorder } from "../../lib/judge/recording/recording.ts";
import { recordText } from "../../lib/judge/report/record_text.ts";
import { recorderOfModule } from "../../lib/judge/recording/recorder_of_module.ts";
import { hasProgram } from "../has_program.ts";
import { LONG } from "../long.ts";

const ROOT = new URL("../../fixtures/judge/correct_programs/", import.meta.url);
const RECORDING = new URL("../../lib/judge/recording/", import.meta.url);
/** A day looks at one of so many programs of a file, the long run at all of them. */
const SHARE = LONG ? 1 : 40;
const PAIRS = LONG ? 24 : 12, RUNS = LONG ? 2000 : 400;

/** What programs of a file claim, and on which rows. */
interface Claimed {
  readonly claim: Claim;
  readonly most: number;
  readonly size: { readonly min: number; readonly max: number };
}

const counted = (claim: Claim): Claimed => ({ claim, most: 3, size: { min: 0, max: 4 } });
const oneDP = counted(pure({ epsilon: 1, relation: addRemoveOne }));
/** Files whose programs claim something else than 1-DP where a row comes or goes. */
const CLAIMS: Readonly<Record<string, Claimed>> = {
  gaussian: counted(gaussian({ mu: 0.5, relation: addRemoveOne })),
  response: {
    claim: pure({ epsilon: Math.log(3), relation: replaceOne }),
    most: 1,
    size: { min: 1, max: 1 },
  },
};

/** Programs that are suspected although they are correct, and why. */
const SUSPECTED: Readonly<Record<string, string>> = {
  "exponential.race_by_hand":
    "waiting times whose scales are the data, of which the first alone is told",
  "geometric.sign_and_size":
    "a sign and a size that are drawn again together where both say nothing",
  "whole_programs.staircase":
    "a product of a fair sign and a mixture of steps, whose law is not a known one",
  "whole_programs.quantile_by_gumbel":
    "a choice among intervals between rows, which noise is then drawn in",
  rounded_count:
    "a rounded number with two exponential variables, whose law together R does not tell",
  sampled: "rows that take part by chance: what that amplifies is not seen, as the finding says",
  shuffled:
    "rows in an order by chance: which draw is which row's is not seen, as the finding says",
  responseThenNoise: "a choice before other noise, whose draws are kept and not its outcome",
  floor_of_noise: "noise that R rounds before it is added",
};

/** A correct program in Python for each sentence that recordings have, on which it once appeared or might, and must not. */
const FALSE_OF: Readonly<Record<string, string>> = {
  "divided by the number of rows": "laplace.integer_of_rounded_noise",
  "from some to none": "exponential.running_sum_or_nothing",
  "the chances of a draw": "exponential.bisected",
  "has values that it cannot have": "whole_programs.piecewise",
  "noisy values the same": "whole_programs.redrawn_in_range",
  "declared mechanisms whose values move": "whole_programs.declared_count",
  "depends on the data": "laplace.two_exponentials",
  "the steps of the program depend": "whole_programs.noisy_loop",
  "declares a sensitivity": "whole_programs.counter_below_noise",
  "hides a change": "laplace.rounded_value",
  "the noise must shift": "exponential.laplace_noisy_max",
  "where no noise covers it": "gates.flip_below",
  "no shift of the noise covers": "whole_programs.cumulative",
  "a value without noise": "whole_programs.clamped_mean",
  "were forced": "response.truth_or_lie",
};

async function watched(recorder: Recorder, file: string): Promise<RecordReport> {
  const { claim, most, size } = CLAIMS[file] ?? oneDP;
  const domain = { rows: { type: "integer" as const, min: 0, max: most }, size };
  return await record(recorder, {
    claim,
    space: { domain, relation: claim.relation },
    seed: 1,
    maxPairs: PAIRS,
    maxRuns: RUNS,
    maxSeconds: 600,
  });
}

/** What is wrongly said of programs, by their names. */
async function accusations(
  names: readonly string[],
  report: (name: string) => Promise<RecordReport>,
): Promise<Map<string, RecordReport>> {
  const reports = new Map<string, RecordReport>();
  for (const name of names.filter((_, k) => k % SHARE === 0)) {
    const own = await report(name).catch((error) => {
      throw new Error(`${name}: ${error}`, { cause: error });
    });
    if (Deno.env.get("DPCHECK_VERDICTS") === "1") {
      console.log(name, own.verdict, own.findings[0]?.sentence ?? own.notFollowed?.reason ?? "");
    }
    reports.set(name, own);
  }
  const wrong = [...reports].filter(([name, { verdict }]) =>
    verdict === "broken" || verdict === "suspected" && !(name in SUSPECTED)
  ).map(([name, { verdict, findings }]) => [name, verdict, findings[0]?.sentence]);
  assertEquals(wrong, []);
  return reports;
}

/** The programs that a process of Python or R serves, the file and the name of each in the first row. */
async function served(
  command: string,
  first: string,
): Promise<Recorder & { readonly served: (name: string) => Recorder }> {
  const recorder = await programRecorder(command, {
    timeoutSeconds: 60,
    answersOn: 1,
    first: [first],
  });
  assert(recorder !== undefined);
  return { ...recorder, served: (name) => besideRows(recorder, [name]) };
}

Deno.test({
  name: "no correct program in Python is broken, and few are suspected",
  ignore: !await hasProgram(["python3", "-c", "import numpy"], "correct programs in Python"),
  async fn(): Promise<void> {
    const folder = `${ROOT.pathname}python`;
    const list = await new Deno.Command("python3", {
      args: [`${folder}/all_programs.py`, "--list"],
      env: { PYTHONPATH: `${ROOT.pathname}../../../adapters/python` },
    }).output();
    const names = new TextDecoder().decode(list.stdout).trim().split("\n");
    assert(names.length >= 200, `${names.length}`);
    const command = `env PYTHONPATH=${ROOT.pathname}../../../adapters/python python3`;
    const all = await served(`${command} ${folder}/all_programs.py`, names[0]!);
    try {
      const report = (name: string) => watched(all.served(name), name.split(".")[0]!);
      await accusations(names, report);
      const comparing = [...Deno.readDirSync(new URL("comparison/", RECORDING))];
      const sources = ["words.ts", ...comparing.map(({ name }) => `comparison/${name}`)]
        .map((file) => Deno.readTextFileSync(new URL(file, RECORDING))).join("\n");
      const said: string[] = [];
      for (const [sentence, name] of Object.entries(FALSE_OF)) {
        assert(names.includes(name) && sources.includes(sentence), `${name}: ${sentence}`);
        const text = recordText(await report(name), { subject: name, seconds: 1 });
        if (text.includes(sentence)) said.push(`${name}: ${text}`);
      }
      assertEquals(said, []);
    } finally {
      await all.close();
    }
  },
});

Deno.test("no correct program in JavaScript is broken, and few are suspected", async () => {
  const file = new URL("javascript/counts.js", ROOT);
  const names = Object.keys(await import(file.href)).toSorted();
  assert(names.length >= 50, `${names.length}`);
  await accusations(
    names,
    async (name) => watched(await recorderOfModule(`${file.pathname}#${name}`), "counts"),
  );
});

Deno.test({
  name: "no correct program in R is broken, and few are suspected",
  ignore: !await hasProgram(["Rscript", "-e", "library(jsonlite)"], "correct programs in R"),
  async fn(): Promise<void> {
    const file = `${ROOT.pathname}r/counts.R`, text = await Deno.readTextFile(file);
    const names = [...text.matchAll(/^ {2}(\w+) = function\(rows\)/gm)].map(([, name]) => name!);
    assert(names.length >= 45, `${names.length}`);
    const all = await served(`Rscript ${file}`, names[0]!);
    try {
      await accusations(names, (name) => watched(all.served(name), "counts"));
    } finally {
      await all.close();
    }
  },
});
