import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { brokenRule } from "../../lib/core/text/broken_rule.ts";
import { BadInput } from "../options/bad_input.ts";
import { withoutByteOrderMark } from "../options/byte_order_mark.ts";
import { FileLock } from "../options/file_lock.ts";
import { reasonOf } from "../options/reason_of.ts";
import { afterRun, nextRun, NO_RUNS, type PastRuns } from "./accumulated_evidence.ts";

const amount = z.number().min(0);
/** Stored evidence on one subject and claim. */
const evidenceRecord = z.strictObject({
  runs: z.int().min(0),
  begun: amount,
  /** Largest evidence after any run: a refuted claim stays refuted. */
  most: amount.optional(),
  /** Set while a run is under way. A run that left no result counts with the e-value 0. */
  pending: z.literal(true).optional(),
  /** The last run, where it ended as expected: what `--changed` compares and shows. */
  green: z.strictObject({
    settings: z.string(),
    verdict: z.enum(["refuted", "not-refuted"]),
    evidence: amount,
  }).optional(),
});
/** Result of an audit in the last run, as text, to which the next run is compared. */
const lastSaid = z.strictObject({
  key: z.string(),
  claim: z.string(),
  verdict: z.string(),
  shown: z.string().optional(),
});
const evidenceFile = z.strictObject({
  schemaVersion: z.literal(1),
  records: z.record(z.string(), evidenceRecord),
  last: z.record(z.string(), lastSaid).optional(),
});

/** Result of an audit in the last run. */
export type LastSaid = z.infer<typeof lastSaid>;

/** Stored evidence on one subject and claim. */
export type EvidenceRecord = PastRuns & z.infer<typeof evidenceRecord>;

/** The evidence of earlier runs, in a folder that one suite at a time may use. */
export class EvidenceStore {
  readonly #folder: string;
  readonly #records: Record<string, EvidenceRecord>;
  /** Results of the last run by the names of audits. */
  readonly last: Readonly<Record<string, LastSaid>>;
  readonly #lock: FileLock;

  /** @throws {BadInput} when another suite uses the folder, or it cannot be read or written. */
  constructor(folder: string) {
    this.#folder = folder;
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      throw new BadInput(`the folder ${folder} cannot be written: ${reasonOf(error)}`);
    }
    this.#lock = lockOf(join(folder, "lock"));
    try {
      const { records, last = {} } = this.#read();
      this.#records = records;
      this.last = last;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The stored evidence of a key. */
  get(key: string): EvidenceRecord {
    const { pending, ...record } = this.#records[key] ?? NO_RUNS as EvidenceRecord;
    return pending ? { ...afterRun(nextRun(record), 0), ...most(record) } : record;
  }

  /** Keeps a record, on the disk before this returns. @throws {BadInput} when it cannot be written; the file stays as it was. */
  set(key: string, record: EvidenceRecord): void {
    this.#records[key] = record;
    this.#write(this.last);
  }

  /** Keeps what this run says of each audit. @throws {BadInput} when it cannot be written; the file stays as it was. */
  say(last: Readonly<Record<string, LastSaid>>): void {
    this.#write(last);
  }

  #write(last: Readonly<Record<string, LastSaid>>): void {
    const file = join(this.#folder, "evidence.json");
    const text = JSON.stringify({ schemaVersion: 1, records: this.#records, last }, null, 2);
    try {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    } catch (error) {
      throw new BadInput(`${file} cannot be written: ${reasonOf(error)}`);
    }
  }

  /** Gives the folder back. */
  close(): void {
    this.#lock.release();
  }

  #read(): Pick<z.infer<typeof evidenceFile>, "records" | "last"> {
    const file = join(this.#folder, "evidence.json");
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return { records: {} };
      throw new BadInput(`${file} cannot be read: ${reasonOf(error)}`);
    }
    let value: unknown;
    try {
      value = JSON.parse(withoutByteOrderMark(text));
    } catch {
      throw new BadInput(`${file} is no evidence of suites; remove it to begin anew`);
    }
    const read = evidenceFile.safeParse(value);
    if (read.success) return read.data;
    const issue = read.error.issues[0]!, place = issue.path.join(".") || "it";
    throw new BadInput(
      `${file} is no evidence of suites: ${place} ${brokenRule(issue)}; remove it to begin anew`,
    );
  }
}

function most({ most }: EvidenceRecord): Pick<EvidenceRecord, "most"> {
  return most === undefined ? {} : { most };
}

/** @throws {BadInput} when another suite has it. */
function lockOf(file: string): FileLock {
  let lock: ReturnType<typeof FileLock.take>;
  try {
    lock = FileLock.take(file);
  } catch (error) {
    throw new BadInput(`${file} cannot be written: ${reasonOf(error)}`);
  }
  if (lock instanceof FileLock) return lock;
  throw new BadInput(
    `another suite uses this evidence (process ${lock.pid} on ${lock.host}); if it does not run, remove ${file}`,
  );
}
