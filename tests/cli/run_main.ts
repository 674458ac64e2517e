import process from "node:process";
import { main } from "../../cli/main.ts";

/** Runs the command line in this process and keeps what it prints. */
export async function runMain(
  words: readonly string[],
): Promise<{ code: number; out: string; err: string }> {
  const { log, error } = console;
  const { write } = process.stdout, { write: writeError } = process.stderr;
  let out = "", err = "";
  process.stdout.write = (text: unknown): boolean => (out += text, true);
  process.stderr.write = (text: unknown): boolean => (err += text, true);
  console.log = (text: unknown): void => void (out += `${text}\n`);
  console.error = (...texts: unknown[]): void => void (err += `${texts.join(" ")}\n`);
  try {
    return { code: await main(words), out, err };
  } finally {
    Object.assign(console, { log, error });
    process.stdout.write = write;
    process.stderr.write = writeError;
  }
}
