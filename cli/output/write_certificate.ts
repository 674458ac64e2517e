import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { certificateToSmt } from "../../lib/judge/exact/smt/certificate_to_smt.ts";
import { say } from "../options/say.ts";
import { writeOutput } from "./write_output.ts";

/** Files of a certificate. */
export interface CertificateFiles {
  /** For the scripts that check certificates. */
  readonly certificate?: string | undefined;
  /** For solvers that read SMT-LIB 2. */
  readonly smt?: string | undefined;
}

/** Writes a certificate to the files that were asked for, or says why there is none. */
export function writeCertificate(
  { certificate: file, smt }: CertificateFiles,
  certificate: () => string,
): void {
  if (file === undefined && smt === undefined) return;
  let text: string, questions: string | undefined;
  try {
    text = certificate();
    if (smt !== undefined) questions = certificateToSmt(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    say(error.message);
    return;
  }
  if (file !== undefined) writeOutput("--certificate", file, text);
  if (smt !== undefined) writeOutput("--smt", smt, questions!);
}

/** The SHA-256 of the file of a module, in hexadecimal; nothing for a shipped mechanism. */
export function hashOf(module: string | undefined): { readonly sha256?: string } {
  if (module === undefined) return {};
  const [file] = module.split("#");
  return { sha256: createHash("sha256").update(readFileSync(file!)).digest("hex") };
}
