import process from "node:process";
import type { SubjectDescription } from "../../lib/judge/audit/subjects/thread/worker_subject.ts";
import { record, type RecordReport } from "../../lib/judge/recording/record.ts";
import type { Recorder } from "../../lib/judge/recording/recording.ts";
import {
  isFailure,
  recordJunit,
  recordMarkdown,
  type RecordRun,
  recordSarif,
} from "../../lib/judge/report/record_formats.ts";
import { recordHtml } from "../../lib/judge/report/record_html.ts";
import { recordJson } from "../../lib/judge/report/record_json.ts";
import { recordText } from "../../lib/judge/report/record_text.ts";
import { randomPair } from "../../lib/judge/audit/search/mutate_pairs.ts";
import { seedPairs } from "../../lib/judge/audit/search/seed_pairs.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { VERSION } from "../../lib/judge/audit/version.ts";
import { BadInput } from "../options/bad_input.ts";
import { ExitStatus } from "../output/exit_status.ts";
import { checkOutputFiles, madeHere, usesStandardOutput } from "../output/output_files.ts";
import { openRecorder, type RecordedAbout, recordedAbout } from "../options/open_recorder.ts";
import type { RecordArguments } from "../options/command_options.ts";
import { subjectFile } from "../options/subject_file.ts";
import { wrapLines } from "../options/wrap_lines.ts";
import { writeOutput } from "../output/write_output.ts";

/** Writers of reports by option. */
const FORMATS = {
  json: recordJson,
  html: (report: RecordReport, run: RecordRun) => recordHtml(report, run, madeHere()),
  junit: recordJunit,
  sarif: recordSarif,
  markdown: recordMarkdown,
} as const;

/** The files that are asked for. */
function outputFilesOf(options: RecordArguments): Partial<Record<keyof typeof FORMATS, string>> {
  const names = Object.keys(FORMATS) as (keyof typeof FORMATS)[];
  return Object.fromEntries(
    names.flatMap((name) => options[name] === undefined ? [] : [[name, options[name]]]),
  );
}

/** Records the program of the options, prints and writes what was found. Returns the exit status. */
export async function runRecord(options: RecordArguments): Promise<number> {
  const { exec, module, seed = 1, strict = false } = options;
  const files = outputFilesOf(options);
  checkOutputFiles(files);
  if (exec === undefined && module === undefined) {
    throw new BadInput("give a program: --exec COMMAND, or --module FILE");
  }
  if (exec !== undefined && module !== undefined) {
    throw new BadInput(
      `--module ${module} and --exec ${exec} cannot be given together: one subject`,
    );
  }
  const { recorder, claim, pair, space } = await openAbout(options, { seed });
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
  const run = {
    version: VERSION,
    subject: exec ?? module!,
    seconds,
    strict,
    file: subjectFile(options),
  };
  for (const [option, file] of Object.entries(files) as [keyof typeof FORMATS, string][]) {
    writeOutput(`--${option}`, file, FORMATS[option](report, run));
  }
  const stream = usesStandardOutput(files) ? process.stderr : process.stdout;
  const color = stream.isTTY && !process.env.NO_COLOR;
  stream.write(wrapLines(recordText(report, { ...run, color }), stream.columns));
  if (isFailure(report, run)) return ExitStatus.refuted;
  return report.verdict === "not followed" ? ExitStatus.inconclusive : ExitStatus.notRefuted;
}

/** Opens the subject, with the claim and the pairs of the options or else of the module. */
async function openAbout(
  options: RecordArguments,
  { seed }: { readonly seed: number },
): Promise<RecordedAbout & { readonly recorder: Recorder }> {
  let about: RecordedAbout | undefined;
  const first = (declared: Pick<SubjectDescription, "claim" | "domain">): unknown => {
    about = recordedAbout(options, declared);
    if (about === undefined) {
      throw new BadInput("give a claim: --epsilon (with --delta or --order), --rho or --mu");
    }
    const { pair, space, claim: { relation } } = about;
    const one = pair ?? seedPairs(space!)[0] ?? randomPair(space!, new SeededSource(seed));
    if (one !== undefined) return one.left;
    throw new BadInput(`--rows and --size must allow two neighbours under ${relation.name}`);
  };
  const recorder = await openRecorder(options, { first });
  if (recorder !== undefined) return { ...about!, recorder };
  throw new BadInput(
    `--exec ${options.exec} does not record its noise: its first line must have "records":true, or "seeded":true`,
  );
}
