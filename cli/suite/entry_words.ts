import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { VERSION } from "../../lib/judge/audit/version.ts";
import { splitCommand } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { BadInput } from "../options/bad_input.ts";
import { reasonOf } from "../output/reason_of.ts";
import { importedFiles } from "./imported_files.ts";
import type { SuiteEntry } from "./suite_schema.ts";

const OF_THE_SUITE = new Set(["name", "files", "expect", "share"]);
const BUDGETS = ["maxDraws", "maxSeconds", "requirePower", "workers", "fullBudget"];
const JSON_VALUES = new Set(["left", "right", "rows", "withRows"]);

/** Whether the shards of an audit are drawn through the queue of its suite: of one with a full budget of draws, where it can be. */
export function isQueued(entry: SuiteEntry): boolean {
  return entry.fullBudget === true && entry.maxDraws !== undefined && canRunElsewhere(entry);
}

/** Whether a worker can run an audit whole: its subject can be opened on another machine. */
export function canRunElsewhere({ samples, url }: SuiteEntry): boolean {
  return samples === undefined && url === undefined;
}

/** The words of `dpcheck audit` for an entry. */
export function entryWords(entry: SuiteEntry): string[] {
  return Object.entries(entry).flatMap(([key, value]) => {
    if (OF_THE_SUITE.has(key) || value === undefined || value === false) return [];
    const option = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true && !JSON_VALUES.has(key)) return [option];
    if (key === "samples") return [option, ...value as string[]];
    if (key === "except" || key === "require") {
      return (value as string[]).map((event) => `${option}=${event}`);
    }
    return [`${option}=${JSON_VALUES.has(key) ? JSON.stringify(value) : value}`];
  });
}

/**
 * Tells subjects with their claims and domains apart: a hash of the options that name them, of their files with what scripts among
 * these import, and of dpcheck's version.
 */
export function entryKey(entry: SuiteEntry, folder: string): string {
  const named = Object.entries(entry)
    .filter(([key]) => !OF_THE_SUITE.has(key) && !BUDGETS.includes(key)).sort();
  const hash = createHash("sha256").update(JSON.stringify([VERSION, named]));
  for (const file of filesOfEntry(entry, folder)) {
    try {
      hash.update(`\0${file}\0`).update(createHash("sha256").update(readFileSync(file)).digest());
    } catch (error) {
      throw new BadInput(`audit ${entry.name}: ${file} cannot be read: ${reasonOf(error)}`);
    }
  }
  return hash.digest("hex");
}

/** The files that the subject of an entry is made of, as far as it names them and scripts import them. */
export function filesOfEntry(entry: SuiteEntry, folder: string): string[] {
  return [...new Set(subjectFiles(entry, folder).flatMap(importedFiles))];
}

function subjectFiles(entry: SuiteEntry, folder: string): string[] {
  const { module, exec, samples = [], files = [] } = entry;
  const words = exec === undefined ? [] : splitCommand(exec).map((word) => resolve(folder, word));
  return [
    ...(module === undefined ? [] : [module.replace(/#[^#]*$/, "")]).map((at) =>
      resolve(folder, at)
    ),
    ...words.filter((word) => statSync(word, { throwIfNoEntry: false })?.isFile()),
    ...[...samples, ...files].map((at) => resolve(folder, at)),
  ];
}
