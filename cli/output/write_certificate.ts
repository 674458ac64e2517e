import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { say } from "./say.ts";
import { writeOutput } from "./write_output.ts";

/** Writes a certificate, or says why there is none. */
export function writeCertificate(file: string, certificate: () => string): void {
  let text: string;
  try {
    text = certificate();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    say(error.message);
    return;
  }
  writeOutput("--certificate", file, text);
}

/** The SHA-256 of the file of a module, in hexadecimal; nothing for a shipped mechanism. */
export function hashOf(module: string | undefined): { readonly sha256?: string } {
  if (module === undefined) return {};
  const [file] = module.split("#");
  return { sha256: createHash("sha256").update(readFileSync(file!)).digest("hex") };
}
