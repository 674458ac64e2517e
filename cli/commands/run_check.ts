import { readFileSync } from "node:fs";
import { loadExport, splitSpecifier } from "../../lib/judge/audit/subjects/thread/load_export.ts";
import { shown as shownAlignment } from "../../lib/judge/certificates/check_alignment.ts";
import { shown as shownEnumeration } from "../../lib/judge/certificates/check_enumeration.ts";
import { type CheckedProgram, NotDerived } from "../../lib/judge/certificates/checked_program.ts";
import { enumerateAgain } from "../../lib/judge/certificates/second_enumerator.ts";
import { interpretedModule } from "../../lib/judge/certificates/interpreted_module.ts";
import { deriveAgain } from "../../lib/judge/certificates/second_tracer.ts";
import { jsonText } from "../../lib/judge/report/json_text.ts";
import { quoteFor } from "../../lib/judge/report/quote_for.ts";
import { BadInput, reading } from "../options/bad_input.ts";
import { ExitStatus } from "../output/exit_status.ts";
import { reasonOf } from "../options/reason_of.ts";
import { STANDARD_OUTPUT, writeOutput } from "../output/write_output.ts";

/** Evaluations of the module, each of which must have the paths of the certificate. */
const EVALUATIONS = 2;

/** The result of a check. */
interface Found {
  readonly verdict: "accepted" | "rejected" | "not derived";
  /** The statement of the certificate, or the reason of its rejection. */
  readonly reason: string;
  /** Paths that were derived again; `null` without a module. */
  readonly paths: number | null;
}

/** Checks a certificate and, with a module, that its paths are the program's. Returns the exit status. */
export async function runCheck(
  { certificate: file, module, json }: {
    readonly certificate: string;
    readonly module: string | undefined;
    readonly json?: string;
  },
): Promise<number> {
  const text = read("CERTIFICATE", file);
  const found = await checked(text, module);
  if (json !== undefined) writeOutput("--json", json, jsonText(found));
  if (json !== STANDARD_OUTPUT) {
    for (const line of wordsOf(found)) console.log(quoteFor("terminal", line));
  }
  switch (found.verdict) {
    case "accepted":
      return ExitStatus.notRefuted;
    case "rejected":
      return ExitStatus.refuted;
    case "not derived":
      return ExitStatus.inconclusive;
  }
}

async function checked(text: string, module: string | undefined): Promise<Found> {
  const isAlignment = text.includes('"alignment certificate 2"');
  const program = module === undefined ? undefined : read("MODULE", module.split("#")[0]!);
  let reason: string;
  try {
    reason = (isAlignment ? shownAlignment : shownEnumeration)(text, program);
  } catch (error) {
    return { verdict: "rejected", reason: reasonOf(error), paths: null };
  }
  if (module === undefined) return { verdict: "accepted", reason, paths: null };
  let paths = 0;
  try {
    for (let anew = 1; anew <= EVALUATIONS; anew++) {
      paths = await pathsOf(text, module, { anew, isAlignment, program: program! });
    }
  } catch (error) {
    if (error instanceof BadInput) throw error;
    if (error instanceof NotDerived) {
      return {
        verdict: "not derived",
        reason: `${reason} Not derived again: ${error.message}.`,
        paths: null,
      };
    }
    return { verdict: "rejected", reason: reasonOf(error), paths: null };
  }
  return { verdict: "accepted", reason, paths };
}

/** Returns how many paths a module has, which must be those of the certificate. */
async function pathsOf(
  text: string,
  module: string,
  { anew, isAlignment, program }: {
    readonly anew: number;
    readonly isAlignment: boolean;
    readonly program: string;
  },
): Promise<number> {
  const exported = await reading("MODULE", module, () => loadExport(module, { anew }));
  const run =
    (exported.kind === "function"
      ? exported.run
      : (data: unknown, source: never) =>
        exported.mechanism.sample(data as never, source)) as CheckedProgram;
  if (!isAlignment) return enumerateAgain(text, run);
  try {
    return deriveAgain(text, run);
  } catch (error) {
    if (!(error instanceof NotDerived)) throw error;
    // It computes by operators: they are seen in its syntax alone.
    return deriveAgain(text, interpretedModule(program, splitSpecifier(module).name));
  }
}

function wordsOf({ verdict, reason, paths }: Found): string[] {
  return [
    `${verdict.toUpperCase()}  ${reason.replace(/^rejected: /, "")}`,
    ...paths === null ? [] : [
      `  The program, derived again, has the ${paths} paths, draws and outputs that are written there.`,
    ],
  ];
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new BadInput(`${name} ${file} cannot be read: ${reasonOf(error)}`);
  }
}
