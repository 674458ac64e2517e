import { type FSWatcher, watch as watchFolder } from "node:fs";
import { dirname, resolve } from "node:path";
import process from "node:process";
import type { Command } from "commander";
import { quoteFor } from "../../lib/judge/report/quote_for.ts";
import { shortData } from "../../lib/judge/report/short_data.ts";
import { BadInput } from "../options/bad_input.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";
import { listenForInterruption } from "../output/interruption.ts";
import { numberAbove } from "../options/option_values.ts";
import { boundWords, claimWords } from "../suite/claim_words.ts";
import { entryKey, entryWords, filesOfEntry } from "../entries/entry_words.ts";
import { readSuite } from "../suite/read_suite.ts";
import { type ChildResult, runChild } from "../entries/run_child.ts";
import type { Suite, SuiteEntry } from "../entries/suite_schema.ts";
import { wrapLines } from "../options/wrap_lines.ts";

/** Draws of an audit: what a program does wrong in plain sight shows in the first. The clock cuts one that takes far longer. */
const DRAWS = 5000, SECONDS = 60;
/** Milliseconds without another change, after which a save is over: editors write, rename and touch. */
const QUIET = 100;

/** Defines `dpcheck watch`. */
export function defineWatch(command: Command, done: Done): void {
  command
    .argument("[FILE]", "the suite", "dpcheck.json")
    .option(
      "--max-seconds <S>",
      `cut an audit after S seconds (default: ${SECONDS})`,
      numberAbove(0),
    )
    .addHelpText(
      "after",
      "\nRuns the audits of the suite, and again those whose files changed: what a script imports by relative paths, the words of a " +
        "command, and `files`.\nIts runs are no evidence of the suite. Ctrl-C ends it, with status 0.",
    )
    .action(async (file: string, { maxSeconds = SECONDS }: { readonly maxSeconds?: number }) => {
      done(await watch(file, maxSeconds));
    });
}

/** Last result of an audit. */
interface Watched {
  readonly key: string;
  readonly lines: readonly string[];
}

async function watch(file: string, maxSeconds: number): Promise<number> {
  const folder = dirname(resolve(file)), interruption = listenForInterruption(() => {});
  const changes = new Changes(interruption.signal);
  const known = new Map<string, Watched>();
  try {
    // A malformed suite is wrong use at the start. Later it is an edit that is not finished.
    let suite = readSuite(file), problem: string | undefined;
    for (;;) {
      changes.watch([file, ...suite.audits.flatMap((entry) => filesOfEntry(entry, folder))]);
      if (problem === undefined) await runChanged(suite, { folder, maxSeconds, known, changes });
      else show([problem]);
      await changes.next();
      if (interruption.signal.aborted) return ExitStatus.notRefuted;
      await changes.settled();
      try {
        suite = readSuite(file);
        problem = undefined;
      } catch (error) {
        if (!(error instanceof BadInput)) throw error;
        problem = error.message;
      }
    }
  } finally {
    changes.close();
    interruption.release();
  }
}

/** Runs the audits whose files or options are not those of their last run, until something changes. */
async function runChanged({ audits }: Suite, { folder, maxSeconds, known, changes }: {
  readonly folder: string;
  readonly maxSeconds: number;
  readonly known: Map<string, Watched>;
  readonly changes: Changes;
}): Promise<void> {
  const linesOf = ({ name }: SuiteEntry): readonly string[] => known.get(name)?.lines ?? [];
  for (const entry of audits) {
    let key: string;
    try {
      key = entryKey(entry, folder);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      known.set(entry.name, { key: "", lines: [error.message] });
      continue;
    }
    if (known.get(entry.name)?.key === key) continue;
    known.set(entry.name, { key: "", lines: [`…  ${entry.name}`] });
    show(audits.flatMap(linesOf));
    const { fullBudget: _, workers: _1, ...short } = entry;
    const seconds = Math.min(maxSeconds, entry.maxSeconds ?? maxSeconds);
    const maxDraws = Math.min(DRAWS, entry.maxDraws ?? DRAWS);
    const words = [...entryWords({ ...short, maxDraws, maxSeconds: seconds }), "--no-shrink"];
    const result = await runChild(words, { folder, signal: changes.signal });
    if (changes.isPending) return;
    known.set(entry.name, { key, lines: resultLines(entry, result) });
  }
  show(audits.flatMap(linesOf));
}

/** The verdict of an audit, and what it rests on. */
function resultLines(entry: SuiteEntry, { report, message }: ChildResult): string[] {
  const { name, expect = "not-refuted" } = entry;
  if (report === undefined) return [`failed  ${name}`, `  ${message}`];
  const { verdict, pair, event, failure, reason, claim } = report;
  const remark = expect === "refuted" && verdict === "refuted" ? " (as expected)" : "";
  const shown = `${claimWords(claim)} claimed, ${
    boundWords(claim, report.epsilonLowerBound)
  } shown`;
  const limit = report.cut === undefined ? undefined : "cut by the limit of time (--max-seconds)";
  const why = failure ?? reason ?? limit;
  return [
    `${verdict}${remark}  ${name}${verdict === "failed" ? "" : `: ${shown}`}`,
    ...(why === undefined ? [] : [`  ${why}`]),
    ...(verdict === "refuted" && pair && event
      ? [
        `  left   ${shortData(pair.left)}`,
        `  right  ${shortData(pair.right)}`,
        `  event  ${event.description}`,
      ]
      : []),
  ];
}

/** One screen, from its first line; without a terminal what is new, below what was there. */
function show(lines: readonly string[]): void {
  const { stdout } = process;
  const text = lines.map((line) => quoteFor("terminal", line)).join("\n");
  stdout.write(
    (stdout.isTTY ? "\x1b[2J\x1b[H" : "") +
      wrapLines(`${text}\n\nWatching; Ctrl-C ends.\n`, stdout.columns),
  );
}

/** Tells when one of some files changes. */
class Changes {
  #watchers: FSWatcher[] = [];
  #running = new AbortController();
  #last = 0;
  #wake: () => void = () => {};
  readonly #interrupt: AbortSignal;

  constructor(interrupt: AbortSignal) {
    this.#interrupt = interrupt;
    interrupt.addEventListener("abort", () => this.#change(), { once: true });
  }

  /** Aborted when a file changes, or the user interrupts. */
  get signal(): AbortSignal {
    return this.#running.signal;
  }

  /** Tells if something changed since {@linkcode watch}. */
  get isPending(): boolean {
    return this.signal.aborted;
  }

  /** Begins anew, with these files. Their folders are watched: editors put another file in the place of one. */
  watch(files: readonly string[]): void {
    this.close();
    if (!this.#interrupt.aborted) this.#running = new AbortController();
    this.#watchers = [...new Set(files.map((file) => dirname(resolve(file))))].map((folder) => {
      const names = new Set(files.map((file) => resolve(file)));
      const watcher = watchFolder(folder, (_, name) => {
        if (name === null || names.has(resolve(folder, name))) this.#change();
      });
      // A folder that is removed is noticed by the files that cannot be read.
      return watcher.on("error", () => this.#change());
    });
  }

  /** Ends with the next change. */
  next(): Promise<void> {
    return new Promise((resolve) => this.isPending ? resolve() : this.#wake = resolve);
  }

  /** Ends when nothing has changed for some time. */
  async settled(): Promise<void> {
    for (let left = QUIET; left > 0; left = this.#last + QUIET - performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, left));
    }
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }

  #change(): void {
    this.#last = performance.now();
    this.#running.abort();
    this.#wake();
  }
}
