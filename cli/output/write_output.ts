import {
  closeSync,
  lstatSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import process from "node:process";
import { BadInput } from "../options/bad_input.ts";
import { reasonOf } from "../options/reason_of.ts";

/** The name that stands for standard output. */
export const STANDARD_OUTPUT = "-";

/**
 * Writes the file of an option, or to standard output. A file that could be written in part only is removed.
 *
 * @throws {BadInput} when the file cannot be written, naming the option.
 */
export function writeOutput(option: string, file: string, text: string): void {
  if (file === STANDARD_OUTPUT) return void process.stdout.write(text);
  try {
    writeFileSync(file, text);
  } catch (error) {
    // Only a regular file is removed.
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) rmSync(file, { force: true });
    throw new BadInput(`${option} ${file} cannot be written: ${reasonOf(error)}`);
  }
}

/** The real path of the file of an option, after an attempt to write it, which precedes what is long or paid for. @throws {BadInput} naming the option. */
export function writablePath(option: string, file: string): string {
  if (file === STANDARD_OUTPUT) return file;
  try {
    const created = lstatSync(file, { throwIfNoEntry: false }) === undefined;
    // Opened for appending, so that an older file stays until the new one is written; a pipe would wait for its reader.
    if (!statSync(file, { throwIfNoEntry: false })?.isFIFO()) closeSync(openSync(file, "a"));
    const path = realpathSync(file);
    if (created) rmSync(file);
    return path;
  } catch (error) {
    throw new BadInput(`${option} ${file} cannot be written: ${reasonOf(error)}`);
  }
}

/** Files by the options that name them. */
type NamedFiles = Readonly<Record<`--${string}`, string | undefined>>;

/** Refuses to write over what a command reads: rows may be nowhere else. @throws {BadInput} naming both options. */
export function keepInputs(outputs: NamedFiles, inputs: NamedFiles): void {
  for (const [written, out] of Object.entries(outputs)) {
    const path = out === undefined ? undefined : pathIfThere(out);
    if (path === undefined) continue;
    for (const [read, file] of Object.entries(inputs)) {
      if (file !== undefined && pathIfThere(file) === path) {
        throw new BadInput(
          `${written} ${out} must be another file than ${read}, which it would overwrite`,
        );
      }
    }
  }
}

function pathIfThere(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? realpathSync(file) : undefined;
}
