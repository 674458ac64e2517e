import process from "node:process";
import { asserted } from "../lib/core/relation.ts";
import { programRecorder } from "../lib/recording/program_recorder.ts";
import { record, type RecordReport } from "../lib/recording/record.ts";
import { recordJson } from "../lib/report/record_json.ts";
import { recordText } from "../lib/report/record_text.ts";
import { randomPair, type SearchSpace } from "../lib/audit/search/mutate_pairs.ts";
import { seedPairs } from "../lib/audit/search/seed_pairs.ts";
import { SeededSource } from "../lib/random/seeded_source.ts";
import { BadInput, reading } from "./bad_input.ts";
import { claimOf } from "./claim_of.ts";
import { datasetsOf } from "./datasets_of.ts";
import { ExitStatus } from "./exit_status.ts";
import { checkOutputFiles, usesStandardOutput } from "./output_files.ts";
import type { RecordArguments } from "./record.ts";
import { wrapLines } from "./wrap_lines.ts";
import { writeOutput } from "./write_output.ts";

/** Records the program of the options, prints and writes what was found. Returns the exit status. */
export async function runRecord(options: RecordArguments): Promise<number> {
  const { exec, json, fd = 1, timeout, seed = 1 } = options;
  checkOutputFiles(json === undefined ? {} : { json });
  if (exec === undefined) throw new BadInput("give a program: --exec COMMAND");
  const relation = options.relation ?? asserted;
  const claim = claimOf(options, relation);
  if (claim === undefined) {
    throw new BadInput("give a claim: --epsilon (with --delta or --order), --rho or --mu");
  }
  const { pair, domain } = datasetsOf(options, { subject: {}, relation });
  const space: SearchSpace | undefined = domain && { domain, relation };
  const first = pair ?? seedPairs(space!)[0] ??
    randomPair(space!, new SeededSource(seed));
  if (first === undefined) {
    throw new BadInput(`--rows and --size must allow two neighbours under ${relation.name}`);
  }
  const recorder = await reading(
    "--exec",
    exec,
    () => programRecorder(exec, { timeoutSeconds: timeout, answersOn: fd, first: first.left }),
  );
  if (recorder === undefined) {
    throw new BadInput(
      `--exec ${exec} does not record its noise: its first line must have "records":true`,
    );
  }
  const start = performance.now();
  let report: RecordReport;
  try {
    report = await record(recorder, {
      claim,
      seed,
      ...(pair === undefined ? {} : { pair }),
      ...(space === undefined ? {} : { space }),
      ...(options.maxPairs === undefined ? {} : { maxPairs: options.maxPairs }),
      ...(options.maxSeconds === undefined ? {} : { maxSeconds: options.maxSeconds }),
    });
  } finally {
    await recorder.close();
  }
  const seconds = (performance.now() - start) / 1000;
  if (json !== undefined) writeOutput("--json", json, recordJson(report));
  const isTaken = json !== undefined && usesStandardOutput({ json });
  const stream = isTaken ? process.stderr : process.stdout;
  const color = stream.isTTY && !process.env.NO_COLOR;
  stream.write(wrapLines(recordText(report, { subject: exec, seconds, color }), stream.columns));
  const isFound = report.verdict === "broken" ||
    (options.strict === true && report.verdict === "suspected");
  return isFound ? ExitStatus.refuted : ExitStatus.notRefuted;
}
