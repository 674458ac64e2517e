import process from "node:process";
import { alignmentCertificate } from "../../lib/judge/exact/alignment/alignment_certificate.ts";
import { exampleDatasets } from "../../lib/judge/exact/alignment/first_draw.ts";
import { NotTraceable } from "../../lib/judge/exact/alignment/traced_value.ts";
import { answerDigest } from "../../lib/judge/exact/enumeration/answer_digest.ts";
import { NotEnumerable } from "../../lib/judge/exact/enumeration/branching_source.ts";
import { alignmentHtml } from "../../lib/judge/report/alignment_html.ts";
import { alignmentJson } from "../../lib/judge/report/alignment_json.ts";
import { alignmentText } from "../../lib/judge/report/alignment_text.ts";
import { type AlignmentSubject, proveOrAudit } from "../../lib/judge/testing/prove_or_audit.ts";
import { BadInput } from "../options/bad_input.ts";
import type { ExactArguments } from "../options/command_options.ts";
import { requireNothingLate } from "../../lib/judge/exact/followed_program.ts";
import { requireSameInThreads } from "./fresh_threads.ts";
import { ExitStatus } from "../output/exit_status.ts";
import { madeHere, usesStandardOutput } from "../output/output_files.ts";
import { wrapLines } from "../options/wrap_lines.ts";
import { hashOf, writeCertificate } from "../output/write_certificate.ts";
import { writeOutput } from "../output/write_output.ts";

/** Proves the claim of a program by alignments, or audits it; prints and writes the report. Returns the exit status. */
export async function runAlignment(
  subject: AlignmentSubject & { readonly specifier?: string },
  { json, html, certificate, smt, maxBranches, module }: ExactArguments,
): Promise<number> {
  const start = performance.now();
  const { proof, seconds: provedAfter, refuted, audited } = await proved(subject, maxBranches);
  const { report } = proof;
  const { specifier } = subject;
  const threads = specifier === undefined ? 0 : await requireSame(subject, specifier);
  const seconds = (performance.now() - start) / 1000;
  const found = { ...(refuted && { refuted }), ...(audited && { audited }) };
  const shown = {
    seconds: provedAfter,
    threads,
    relation: subject.pair === undefined ? subject.relation : undefined,
    size: subject.domain?.size,
    ...found,
  };
  if (json !== undefined) {
    writeOutput("--json", json, alignmentJson(report, { ...shown, seconds }));
  }
  if (html !== undefined) {
    writeOutput("--html", html, alignmentHtml(report, { ...shown, ...madeHere() }));
  }
  if (report.verdict === "holds") {
    writeCertificate({ certificate, smt }, () =>
      alignmentCertificate(proof, {
        ...hashOf(module),
        ...(subject.pair === undefined && subject.domain && { domain: subject.domain }),
      }));
  }
  const stream = usesStandardOutput({ json, html }) ? process.stderr : process.stdout;
  const color = stream.isTTY && !process.env.NO_COLOR;
  const text = alignmentText(report, { ...shown, color });
  stream.write(wrapLines(`${text.trimEnd()}\n`, stream.columns));
  if (report.verdict === "holds") return ExitStatus.notRefuted;
  return refuted !== undefined || audited?.verdict === "refuted"
    ? ExitStatus.refuted
    : ExitStatus.inconclusive;
}

/** Datasets on which fresh threads are asked. */
const DATASETS = 8;

/** Compares outputs for some seeds with those of threads that load the module anew. @returns how many threads. */
async function requireSame(
  { name, run, written = run, pair, domain }: AlignmentSubject,
  specifier: string,
): Promise<number> {
  const datasets = pair === undefined
    ? exampleDatasets(domain!, DATASETS)
    : [pair.left, pair.right];
  try {
    await requireNothingLate();
    return await requireSameInThreads(
      specifier,
      datasets.map((data) => ({ data, expected: answerDigest(written, { data }) })),
    );
  } catch (error) {
    if (!(error instanceof NotEnumerable)) throw error;
    throw new BadInput(`${name} cannot be traced: ${error.message}`, { cause: error });
  }
}

async function proved(
  subject: AlignmentSubject,
  maxPaths: number | undefined,
): ReturnType<typeof proveOrAudit> {
  try {
    return await proveOrAudit(subject, maxPaths === undefined ? {} : { maxPaths });
  } catch (error) {
    if (error instanceof NotTraceable) {
      throw new BadInput(`${subject.name} cannot be traced: ${error.message}`, { cause: error });
    }
    if (error instanceof RangeError || error instanceof TypeError) {
      throw new BadInput(error.message, { cause: error });
    }
    throw error;
  }
}
