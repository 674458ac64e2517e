import process from "node:process";
import { auditInShards } from "../../lib/judge/audit/audit.ts";
import type { AuditOptions } from "../../lib/judge/audit/options.ts";
import type { AuditReport, NotRefutedReport } from "../../lib/judge/audit/report.ts";
import { requiredRules } from "../../lib/judge/audit/search/dataset_rules.ts";
import type { SearchSpace } from "../../lib/judge/audit/search/mutate_pairs.ts";
import { seedPairs } from "../../lib/judge/audit/search/seed_pairs.ts";
import type { SubjectDescription } from "../../lib/judge/audit/subjects/thread/worker_subject.ts";
import { besideRows } from "../../lib/judge/audit/subjects/beside_rows.ts";
import {
  type ComparedStarts,
  compareStarts,
  requireFreshDraws,
  SameSeed,
} from "../../lib/judge/audit/kernel/copies/require_fresh_draws.ts";
import { type Subject, SubjectFailure } from "../../lib/judge/audit/kernel/subject.ts";
import { TimeLimit } from "../../lib/judge/audit/kernel/drawing/time_limit.ts";
import { DEFAULT_SECONDS } from "../../lib/judge/audit/validate_options.ts";
import { claimToJSON, describeClaim } from "../../lib/core/claims/claim.ts";
import type { Domain } from "../../lib/core/relations/dataset.ts";
import type { Relation } from "../../lib/core/relations/relation.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { claimedParameter } from "../../lib/judge/report/bound.ts";
import { terminalReport } from "../../lib/judge/report/terminal.ts";
import type { AuditArguments } from "../options/command_options.ts";
import { BadInput } from "../options/bad_input.ts";
import { datasetsOf } from "../options/datasets_of.ts";
import { exactDecides } from "../options/exact_decides.ts";
import { ExitStatus, statusOf } from "../output/exit_status.ts";
import { type Interruption, listenForInterruption } from "../output/interruption.ts";
import { type OpenSubject, openSubject } from "../options/open_subject.ts";
import { checkOutputFiles, usesStandardOutput, writeOutputFiles } from "../output/output_files.ts";
import { progressLine } from "../output/progress.ts";
import { loadQueue } from "../queue/load_queue.ts";
import type { RecordedAbout } from "../options/open_recorder.ts";
import { type RecordedBefore, withRecording } from "../../lib/judge/recording/record_before.ts";
import { replayArguments, replayCommand } from "../output/replay.ts";
import { withCode } from "../output/error_codes.ts";
import { say } from "../options/say.ts";
import type { Checkpoint } from "../shards/checkpoint.ts";
import {
  checkShardOptions,
  type DrawShards,
  isSharded,
  type ShardedAudit,
  shardedAudit,
  shardSubjectOf,
} from "../shards/sharded_audit.ts";
import { numbersOfSubject, subjectFile } from "../options/subject_file.ts";
import { wrapLines } from "../options/wrap_lines.ts";

/** The content of a `--json` file: the report, and the words that run the audit again, which `verify` reads. */
export type Evidence = AuditReport & { readonly replayArguments: readonly string[] };

/**
 * Audits the subject of the options from start to end: opens it, runs, prints and writes the reports,
 * and ends it. Returns the exit status.
 *
 * @throws {BadInput} when the options do not fit together.
 */
export async function runAudit(
  options: AuditArguments,
  { preface, fresh = false, confirms, resumed }: {
    readonly preface?: (report: AuditReport) => string;
    /** The audit confirms an earlier refutation of a claim, read from a file: its own draws are the fresh ones. */
    readonly confirms?: { readonly claim: unknown; readonly file: string };
    /** Refuses a subject that draws the same after every start. */
    readonly fresh?: boolean;
    /** The checkpoint that is resumed; the options are those of its audit. */
    readonly resumed?: Checkpoint;
  } = {},
): Promise<number> {
  checkOutputFiles(options);
  checkShardOptions(options);
  const draw = options.queue === undefined ? undefined : await queueOf(options.queue);
  const seed = options.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!;
  const source = new SeededSource(seed).split("subject");
  let open: OpenSubject | undefined, sharded: ShardedAudit | undefined;
  let isWatching = false;
  const interruption = listenForInterruption((status) => {
    if (isWatching) return;
    // A subject that is being opened may hang: the process does not wait for it.
    if (open === undefined) process.exit(status);
    void open.subject.close();
  });
  try {
    // Recorded before the subject is opened, so that the program need not run twice at once.
    isWatching = true;
    const watched = resumed === undefined
      ? await watchedNoise(options, { seed, signal: interruption.signal })
      : undefined;
    isWatching = false;
    // Nothing was drawn: there is no report.
    const ended = interruption.status();
    if (ended !== undefined) return ended;
    // Draws before the shards must not depend on the number of workers.
    const isAlone = isSharded(options) && options.exec === undefined;
    open = await openSubject(isAlone ? { ...options, workers: 1 } : options, { source });
    if (confirms !== undefined) requireSameClaim(open, confirms);
    sharded = shardsOf(options, { open, seed, resumed, draw });
    if (fresh || sharded?.counting.isFunctionOfSeed === false) {
      await requireFreshSubject(options, open, source.split("another start"));
    }
    const audited = await auditOpen(options, { open, seed, interruption, sharded, watched });
    // A program may not run twice at once.
    await open.subject.close();
    const started = canStartAgain(options) && audited.verdict === "not-refuted"
      ? await withFreshStarts(audited, options, source)
      : audited;
    const suggested = await withExactSuggested(started, options, open);
    const report = confirms === undefined ? suggested : asConfirmation(suggested);
    sharded?.finish(report.interrupted === true);
    // Printed before files are written, so that the verdict is seen even if a file cannot be.
    printReport(report, options, preface?.(report) ?? "");
    await writeOutputFiles(report, options, subjectFile(options));
    return interruption.status() ?? statusOf(report.verdict);
  } catch (error) {
    const status = interruption.status();
    if (status !== undefined) return status;
    throw error;
  } finally {
    sharded?.close();
    await open?.subject.close();
    interruption.release();
  }
}

/** @throws {BadInput} unless the file names the claim that is audited now. */
function requireSameClaim(
  { claim }: OpenSubject,
  confirms: { readonly claim: unknown; readonly file: string },
): void {
  const sorted = (fields: object): string => JSON.stringify(Object.entries(fields).sort());
  const now = claimToJSON(claim), said = confirms.claim;
  if (typeof said === "object" && said !== null && sorted(said) === sorted(now)) return;
  throw new BadInput(
    `${confirms.file} must hold the claim that its replayArguments give, ${
      describeClaim(claim)
    } (${claim.relation.name}): it was changed`,
  );
}

/** The report of an audit whose draws confirm an earlier refutation. */
function asConfirmation(report: Evidence): Evidence {
  if (report.verdict !== "refuted" || report.failure !== undefined) return report;
  const { unconfirmed: _, draws, eValue, ...rest } = report;
  return { ...rest, draws, eValue, confirmed: true, confirmation: { draws, eValue } };
}

/** Prints the report to standard output, or to standard error where that is taken; and why there is no verdict. */
function printReport(report: Evidence, options: AuditArguments, preface: string): void {
  const isTaken = usesStandardOutput(options);
  const stream = isTaken ? process.stderr : process.stdout;
  if (!options.quiet) {
    const color = stream.isTTY && !process.env.NO_COLOR;
    const text = `${preface}${terminalReport(report, { color }).trimEnd()}\n`;
    stream.write(wrapLines(text, stream.columns));
  }
  if (report.failure !== undefined && (options.quiet || !(isTaken || stream.isTTY))) {
    say(withCode(report.failure, ExitStatus.failed));
  } else if (report.verdict === "inconclusive" && options.quiet) {
    say(withCode(`inconclusive: ${report.reason}`, ExitStatus.inconclusive));
  }
}

/**
 * Compares two starts of the subject. A program or a module is started anew for both: its first outputs may leak more than those
 * after them, and are left to the audit. @throws {SubjectFailure} when both draw the same.
 */
async function requireFreshSubject(
  options: AuditArguments,
  open: OpenSubject,
  source: Source,
): Promise<void> {
  const { pair, domain } = datasetsOf(options, open), rows = withRowsOf(options) ?? [];
  const started: Subject[] = [];
  const start = async (place: string): Promise<Subject> => {
    const { subject } = await openSubject({ ...options, workers: 1 }, {
      source: source.split(place),
    });
    started.push(subject);
    return subject;
  };
  try {
    const first = canStartAgain(options) ? await start("first") : open.subject;
    const compared = requireFreshDraws(
      [besideRows(first, rows), besideRows(await start("second"), rows)],
      pair ?? seedPairs(spaceOf(options, {
        domain: domain ?? open.subject.domain!,
        relation: open.relation,
      }))[0]!,
    );
    await within(options.maxSeconds ?? DEFAULT_SECONDS, compared);
  } finally {
    await Promise.all(started.map((subject) => subject.close()));
  }
}

/** Tells if the subject can be started again: a program or a module, which may fix a seed. */
function canStartAgain({ exec, module }: AuditArguments): boolean {
  return exec !== undefined || module !== undefined;
}

/** Waits this many seconds at most; `undefined` if the result comes later. */
async function within<Found>(seconds: number, found: Promise<Found>): Promise<Found | undefined> {
  const late = new TimeLimit(seconds).after(seconds);
  try {
    return await Promise.race([found, late.promise.then(() => undefined)]);
  } finally {
    late.release();
  }
}

/**
 * Adds a comparison of two new starts to the report of a claim that was not refuted. A subject that draws the same after every start
 * has no noise for those who can run it: that is a failure. The draws of one start cannot show it.
 */
async function withFreshStarts(
  report: Evidence,
  options: AuditArguments,
  source: Source,
): Promise<Evidence> {
  const alone = { ...options, workers: 1 }, rows = withRowsOf(options) ?? [];
  try {
    const compared = compareStarts(
      async (place) => {
        const { subject } = await openSubject(alone, { source: source.split(`${place} start`) });
        return rows.length === 0 ? subject : besideRows(subject, rows);
      },
      report.pair!,
    );
    const { maxSeconds = DEFAULT_SECONDS } = options;
    const starts = await within(Math.max(0, maxSeconds - report.seconds), compared);
    if (starts !== undefined) return { ...report, starts };
    const cut = [...report.cut ?? [], { what: "the comparison of two starts", done: 0 }];
    return { ...report, cut, starts: { outputs: 0, differ: false } };
  } catch (error) {
    if (error instanceof SameSeed) {
      const nothing = { eValue: 0, detectableEpsilon: null };
      return {
        ...report as NotRefutedReport & Evidence,
        ...nothing,
        verdict: "failed",
        failure: error.message,
      };
    }
    // A program that can be started only once cannot be compared.
    if (!(error instanceof SubjectFailure || error instanceof BadInput)) throw error;
    const none: ComparedStarts = { outputs: 0, differ: false };
    return { ...report, starts: none };
  }
}

/** The report of a module whose claim was not refuted, with the number of datasets on which `--exact` would decide it. */
async function withExactSuggested(
  report: Evidence,
  options: AuditArguments,
  open: OpenSubject,
): Promise<Evidence> {
  const { module, withRows, require, except } = options, { verdict, pair, claim } = report;
  const isOpen = verdict === "not-refuted" || verdict === "inconclusive";
  const isPlain = withRows === undefined && require === undefined && except === undefined;
  // `exactDecides` runs the module in this thread, and one that was interrupted may never return.
  if (report.interrupted === true || report.cut !== undefined) return report;
  if (module === undefined || pair === null || !isOpen || !isPlain) return report;
  const domain = options.left === undefined
    ? datasetsOf(options, open).domain ?? open.subject.domain
    : undefined;
  const datasets = await exactDecides(module, { claim, pair, domain });
  return datasets === undefined ? report : { ...report, exactDecides: { datasets } };
}

/** The space in which pairs are searched. */
function spaceOf(
  options: AuditArguments,
  { domain, relation }: { readonly domain: Domain; readonly relation: Relation },
): SearchSpace {
  const space = { domain, relation }, { require: rules = [] } = options;
  if (rules.length === 0) return space;
  const before = withRowsOf(options) ?? [];
  return { ...space, required: requiredRules(rules, { rows: domain.rows, before }) };
}

async function auditOpen(
  options: AuditArguments,
  { open, seed, interruption, sharded, watched }: {
    open: OpenSubject;
    seed: number;
    interruption: Interruption;
    sharded: ShardedAudit | undefined;
    watched: RecordedBefore | undefined;
  },
): Promise<Evidence> {
  const { claim, relation, recording } = open;
  const progress = progressLine(claimedParameter({ claim }).symbol);
  const settings: AuditOptions = {
    claim,
    seed,
    relation,
    ...(recording === undefined ? datasetsOf(options, open) : { pair: recording.pair }),
    ...(watched === undefined ? {} : { suspected: watched.suspected }),
    numbers: numbersOfSubject(options),
    ...given("withRows", withRowsOf(options)),
    ...given("require", options.require),
    ...given("except", options.except),
    ...given("all", options.all),
    ...given("alpha", options.alpha),
    ...given("maxSeconds", secondsLeft(options, watched?.seconds ?? 0)),
    ...given("maxDraws", options.maxDraws),
    ...given("requirePower", options.requirePower),
    ...given("oneAtATime", options.oneAtATime),
    effort: options.fullBudget ? "thorough" : "quick",
    bits: options.bits ?? false,
    shrink: recording === undefined && options.shrink,
    details: options.html !== undefined,
    interrupt: interruption.signal,
    onProgress: (state) => progress.show(state),
  };
  try {
    const counting = sharded === undefined ? {} : { counting: sharded.counting };
    const report = await auditInShards(open.subject, { ...settings, ...counting })
      .catch(asBadInput);
    // A refutation that later draws did not repeat is replayed by its search, as it was found.
    const isFound = report.verdict === "refuted" && report.unconfirmed === undefined;
    const pair = isFound && recording === undefined ? report.pair : null;
    const words = replayArguments(options, { seed, pair });
    return {
      ...(watched === undefined ? report : withRecording(report, watched)),
      replay: replayCommand(words),
      replayArguments: words,
    };
  } finally {
    progress.clear();
  }
}

/** Watches the noise of a program or a module before the audit draws, where it can be. */
async function watchedNoise(
  options: AuditArguments,
  { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
): Promise<RecordedBefore | undefined> {
  const { exec, mechanism, module, url, samples, recording = true } = options;
  const named = [exec, mechanism, module, url, samples].filter((each) => each !== undefined);
  // Two subjects are refused where the subject is opened.
  if (!recording || named.length !== 1 || (exec ?? module) === undefined) return undefined;
  const [{ recordedBefore }, { recordedAbout }] = await Promise.all([
    import("../options/recorded_noise.ts"),
    import("../options/open_recorder.ts"),
  ]);
  const withRows = withRowsOf(options) ?? [];
  const about = (declared: SubjectDescription): RecordedAbout | undefined => {
    const about = recordedAbout(options, declared);
    return about?.space === undefined ? about : { ...about, space: spaceOf(options, about.space) };
  };
  return await recordedBefore(options, { about, withRows, seed, signal }).catch(asBadInput);
}

/** The seconds that are left for the audit. */
function secondsLeft({ maxSeconds = DEFAULT_SECONDS }: AuditArguments, taken: number): number {
  return maxSeconds - taken;
}

/** Draws shards through a queue. @throws {BadInput} where what needs Redis cannot be loaded. */
async function queueOf(url: string): Promise<DrawShards> {
  const { throughQueue } = await loadQueue(() => import("../queue/queue_shards.ts"));
  return throughQueue(url);
}

/** Prepares the shards that draw the end of the audit; `undefined` if there are none. */
function shardsOf(
  options: AuditArguments,
  { open, seed, resumed, draw }: {
    readonly open: OpenSubject;
    readonly seed: number;
    readonly resumed: Checkpoint | undefined;
    readonly draw: DrawShards | undefined;
  },
): ShardedAudit | undefined {
  if (!isSharded(options)) return undefined;
  const { claim, subject: { name } } = open;
  return shardedAudit(options, {
    subject: shardSubjectOf(options, { claim, withRows: withRowsOf(options) ?? [] }),
    name,
    words: replayArguments(options, { seed, pair: null }),
    resumed,
    draw,
  });
}

/** The rows of `--with-rows`. @throws {BadInput} when they are not a list, or outputs were recorded. */
function withRowsOf({ withRows, samples }: AuditArguments): readonly unknown[] | undefined {
  if (withRows === undefined) return undefined;
  const { text, value } = withRows;
  if (!Array.isArray(value)) throw new BadInput(`--with-rows ${text} must be a list of rows`);
  if (samples !== undefined) {
    throw new BadInput(`--with-rows ${text} cannot be given with --samples: nothing is drawn`);
  }
  return value;
}

/** The engine refuses what cannot be audited with a RangeError. */
function asBadInput(error: unknown): never {
  if (error instanceof RangeError) throw new BadInput(error.message, { cause: error });
  throw error;
}

function given<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { [key in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [key in Key]?: Value };
}
