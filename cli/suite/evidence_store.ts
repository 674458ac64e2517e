import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { BadInput } from "../bad_input.ts";
import { reasonOf } from "../reason_of.ts";
import { afterRun, nextRun, NO_RUNS, type PastRuns } from "./accumulated_evidence.ts";

/** What is kept of one subject and claim. */
export interface EvidenceRecord extends PastRuns {
  /** Set while a run is under way. A run that left no result counts with the e-value 0. */
  readonly pending?: true;
  /** The last run, where it ended as expected: what `--changed` compares and shows. */
  readonly green?: {
    readonly settings: string;
    readonly verdict: string;
    readonly evidence: number;
  };
}

/** The evidence of earlier runs, in a folder that one suite at a time may use. */
export class EvidenceStore {
  readonly #folder: string;
  readonly #records: Record<string, EvidenceRecord>;

  /** @throws {BadInput} when another suite uses the folder, or it cannot be read or written. */
  constructor(folder: string) {
    this.#folder = folder;
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      throw new BadInput(`the folder ${folder} cannot be written: ${reasonOf(error)}`);
    }
    this.#lock();
    try {
      this.#records = this.#read();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** What is known of a key. */
  get(key: string): EvidenceRecord {
    const { pending, ...record } = this.#records[key] ?? NO_RUNS as EvidenceRecord;
    return pending ? afterRun(nextRun(record), 0) : record;
  }

  /** Keeps a record, on the disk before this returns. */
  set(key: string, record: EvidenceRecord): void {
    this.#records[key] = record;
    const file = join(this.#folder, "evidence.json");
    writeFileSync(
      `${file}.new`,
      JSON.stringify({ schemaVersion: 1, records: this.#records }, null, 2),
    );
    renameSync(`${file}.new`, file);
  }

  /** Gives the folder back. */
  close(): void {
    rmSync(join(this.#folder, "lock"), { force: true });
  }

  #lock(): void {
    const file = join(this.#folder, "lock");
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") {
        throw new BadInput(`${file} cannot be written: ${reasonOf(error)}`);
      }
      throw new BadInput(`another suite uses this evidence; if none runs, remove ${file}`);
    }
  }

  #read(): Record<string, EvidenceRecord> {
    const file = join(this.#folder, "evidence.json");
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return {};
      throw new BadInput(`${file} cannot be read: ${reasonOf(error)}`);
    }
    try {
      const { schemaVersion, records } = JSON.parse(text);
      if (schemaVersion === 1 && typeof records === "object" && records !== null) return records;
    } catch {
      // Worded below.
    }
    throw new BadInput(`${file} is no evidence of suites; remove it to begin anew`);
  }
}
