/**
 * Checks a certificate of `dpcheck exact --certificate FILE` with no code of the prover, and prints what it shows:
 *
 * `check_certificate.ts CERTIFICATE [PROGRAM]`
 *
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { shown } from "../lib/judge/certificates/check_enumeration.ts";

const [file = "", program] = process.argv.slice(2);
try {
  console.log(
    shown(
      readFileSync(file, "utf8"),
      program === undefined ? undefined : readFileSync(program, "utf8"),
    ),
  );
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
