import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { VERSION } from "../../lib/judge/audit/version.ts";
import { splitCommand } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { BadInput } from "../options/bad_input.ts";
import { reasonOf } from "../options/reason_of.ts";
import { importedFiles } from "../options/imported_files.ts";
import { entryOf, flagOf, type NamesWith, namesWith } from "../options/option_table.ts";
import type { SuiteEntry } from "./suite_schema.ts";

/** Tells if the queue of the suite draws the shards of an audit: one with a full budget, a number of draws, and a subject that can be opened elsewhere. */
export function isQueued(entry: SuiteEntry): boolean {
  return entry.fullBudget === true && entry.maxDraws !== undefined && canRunElsewhere(entry);
}

/** Tells if a worker can run the whole audit: its subject can be opened on another machine. */
export function canRunElsewhere({ samples, url }: SuiteEntry): boolean {
  return samples === undefined && url === undefined;
}

/** The words of `dpcheck audit` for an entry. */
export function entryWords(entry: SuiteEntry): string[] {
  return optionsIn(entry).flatMap(([name, value]) => {
    const option = flagOf(name);
    switch (entryOf(name).suite!.type) {
      case "flag":
        return value === true ? [option] : [];
      case "two texts":
        return [option, ...value as string[]];
      case "texts":
        return (value as string[]).map((text) => `${option}=${text}`);
      case "json":
      case "json list":
        return [`${option}=${JSON.stringify(value)}`];
      default:
        return [`${option}=${value}`];
    }
  });
}

/** The options of an audit that an entry gives. */
function optionsIn(entry: SuiteEntry): [name: NamesWith<"suite">, value: unknown][] {
  return namesWith("suite").flatMap((name) =>
    entry[name] === undefined ? [] : [[name, entry[name]] as [NamesWith<"suite">, unknown]]
  );
}

/**
 * Tells subjects with their claims and domains apart: a hash of the options that name them, of their files with what scripts among
 * these import, and of dpcheck's version.
 */
export function entryKey(entry: SuiteEntry, folder: string): string {
  const named = optionsIn(entry).filter(([name]) => entryOf(name).budget !== true).sort();
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
