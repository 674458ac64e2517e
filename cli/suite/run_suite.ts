import { dirname, resolve } from "node:path";
import { confirmationDraws } from "../../lib/judge/audit/counterexample/confirm_refutation.ts";
import { BadInput } from "../options/bad_input.ts";
import { ExitStatus } from "../output/exit_status.ts";
import { subjectFile } from "../options/subject_file.ts";
import { afterRun, evidenceOf, levelOfRun, nextRun, NO_RUNS } from "./accumulated_evidence.ts";
import { loadQueue } from "../queue/load_queue.ts";
import type { WholeAudits } from "../queue/whole_audits.ts";
import { canRunElsewhere, entryKey, entryWords, isQueued } from "../entries/entry_words.ts";
import { eValueOfRun } from "./evidence_of_run.ts";
import { boundWords, claimWords } from "./claim_words.ts";
import { EvidenceStore, type LastSaid } from "./evidence_store.ts";
import { falseDiscoveryRate, familyWise } from "./refuted_claims.ts";
import { type ChildReport, type ChildResult, runChild } from "../entries/run_child.ts";
import type { Suite, SuiteEntry } from "../entries/suite_schema.ts";

/** Result of one audit of a suite. */
export interface EntryResult {
  readonly name: string;
  readonly verdict: "refuted" | "not-refuted" | "inconclusive" | "failed" | "bad-input";
  readonly expect: "refuted" | "not-refuted";
  /** The claim, as in `1-DP`, and the lower bound of this run or of the last one, as in `ε ≥ 0.98`. */
  readonly claim: string;
  readonly shown?: string;
  /** Changes since the last run, in a few words; empty if there are none. */
  readonly news: string;
  /** Share of the exit status of the suite. */
  readonly status: number;
  /** The e-value of all runs of this subject and claim. */
  readonly evidence: number;
  readonly runs: number;
  /** Not run: it is as in the last run, which ended as expected. */
  readonly unchanged: boolean;
  /** The file of the subject, from the current folder, if it is below that. */
  readonly file?: string;
  /** Reason for a missing verdict. */
  readonly message?: string;
  /** The end of what the module printed to standard output. */
  readonly printed?: string;
  /** The report of this run. */
  readonly report?: ChildReport;
}

/** Options of a run. */
export interface SuiteRun {
  readonly file: string;
  readonly jobs: number;
  readonly changed: boolean;
  /** Redis, through which workers draw audits of a full budget of draws, and run others. */
  readonly queue?: string;
  /** Folder of the pages, absolute. */
  readonly html?: string;
  readonly signal: AbortSignal;
}

interface Raw {
  readonly child?: ChildResult;
  readonly evidence: number;
  /** The most evidence after any run, this one too. */
  readonly most: number;
  readonly runs: number;
  readonly unchanged?: ChildReport["verdict"];
  /** Set if the subject was refuted when it could read ahead, and not one output at a time. */
  readonly isUnconfirmed?: boolean;
}

/** Result of a suite. */
export interface SuiteResults {
  /** In the order of the file. */
  readonly results: readonly EntryResult[];
  /** Audits that the last run had, and this one has not. */
  readonly removed: readonly string[];
}

/** Runs the audits of a suite side by side, and keeps their evidence in `.dpcheck` beside the suite file. */
export async function runSuite(suite: Suite, run: SuiteRun): Promise<SuiteResults> {
  const { alpha = 0.01, error = "family-wise", audits } = suite;
  const folder = dirname(resolve(run.file));
  const total = audits.reduce((sum, { share = 1 }) => sum + share, 0);
  const shares = audits.map(({ share = 1 }) => alpha * share / total);
  const keys = audits.map((entry) => entryKey(entry, folder));
  const twin = keys.findIndex((key, index) => keys.indexOf(key) < index);
  if (twin >= 0) {
    const first = audits[keys.indexOf(keys[twin]!)]!.name;
    throw new BadInput(`audits ${first} and ${audits[twin]!.name} must differ in subject or claim`);
  }
  const store = new EvidenceStore(resolve(folder, ".dpcheck"));
  // An audit that writes a page runs on this machine.
  const isWhole = (entry: SuiteEntry): boolean =>
    run.queue !== undefined && run.html === undefined && !isQueued(entry) && canRunElsewhere(entry);
  const here: number[] = [], there: number[] = [];
  for (const [index, entry] of audits.entries()) (isWhole(entry) ? there : here).push(index);
  // Loaded here, so that nothing else needs Redis.
  const elsewhere = there.length > 0
    ? await (await loadQueue(() => import("../queue/whole_audits.ts"))).WholeAudits.open(run.queue!)
    : undefined;
  try {
    const settings = audits.map((entry, index) =>
      JSON.stringify([alpha, error, shares[index], entryWords(entry), entry.expect])
    );
    const raw: Raw[] = [];
    const runAt = async (index: number, elsewhere?: WholeAudits): Promise<void> => {
      raw[index] = await runEntry(audits[index]!, {
        key: keys[index]!,
        settings: settings[index]!,
        level: { share: shares[index]!, alpha },
        page: run.html === undefined ? undefined : resolve(run.html, `${index + 1}.html`),
        folder,
        store,
        run,
        elsewhere,
      });
    };
    const work = async (): Promise<void> => {
      for (let index = here.shift(); index !== undefined; index = here.shift()) await runAt(index);
    };
    await Promise.all([
      ...there.map((index) => runAt(index, elsewhere)),
      ...Array.from({ length: Math.min(run.jobs, here.length) }, work),
    ]);
    // By Ville's inequality the level holds for the most evidence after any run. The false discovery rate is that of one run.
    const refuted = error === "family-wise"
      ? familyWise(raw.map(({ most }) => most), shares)
      : falseDiscoveryRate(raw.map(({ evidence }) => evidence), alpha);
    const results = audits.map((entry, index) =>
      resultOf(entry, raw[index]!, {
        isRefuted: refuted[index]!,
        folder,
        key: keys[index]!,
        last: Object.hasOwn(store.last, entry.name) ? store.last[entry.name] : undefined,
      })
    );
    results.forEach(({ status, expect, evidence, unchanged, report }, index) => {
      if (unchanged || status !== 0 || report === undefined) return;
      const green = { settings: settings[index]!, verdict: expect, evidence };
      store.set(keys[index]!, { ...store.get(keys[index]!), green });
    });
    store.say(Object.fromEntries(results.map(({ name, claim, verdict, shown }, index) => [
      name,
      { key: keys[index]!, claim, verdict, ...(shown === undefined ? {} : { shown }) },
    ])));
    const names = new Set(audits.map(({ name }) => name));
    return { results, removed: Object.keys(store.last).filter((name) => !names.has(name)) };
  } finally {
    await elsewhere?.close();
    store.close();
  }
}

async function runEntry(entry: SuiteEntry, options: {
  readonly key: string;
  readonly settings: string;
  readonly level: { readonly share: number; readonly alpha: number };
  readonly page: string | undefined;
  readonly folder: string;
  readonly store: EvidenceStore;
  readonly run: SuiteRun;
  /** Workers that run it, in place of this machine. */
  readonly elsewhere: WholeAudits | undefined;
}): Promise<Raw> {
  const { key, settings, level, page, folder, store, run, elsewhere } = options;
  const known = store.get(key);
  if (run.changed && known.green?.settings === settings) {
    const { verdict, evidence } = known.green;
    return { unchanged: verdict, evidence, most: evidence, runs: known.runs };
  }
  if (run.signal.aborted) return { evidence: 1, most: 1, runs: known.runs };
  // Recorded outputs are the same in every run: their evidence is that of this run alone.
  const isRecorded = entry.samples !== undefined;
  const coming = nextRun(isRecorded ? NO_RUNS : known);
  const alpha = isRecorded ? level.share : levelOfRun(coming, level);
  const { runs, begun, most = 0 } = known;
  if (!isRecorded) store.set(key, { runs, begun, most, pending: true });
  const more = [`--alpha=${alpha}`];
  // A product of e-values needs draws that are new in every run.
  if (coming.run > 1) more.push("--fresh-start");
  if (page !== undefined) more.push(`--html=${page}`);
  const { signal } = run;
  const audit = (own: SuiteEntry, ownKey: string, words: readonly string[]): Promise<ChildResult> =>
    elsewhere?.run(own, { key: ownKey, folder, more: words, signal }) ??
      runChild([...entryWords(own), ...words], {
        folder,
        signal,
        queue: isQueued(own) ? run.queue : undefined,
      });
  const child = await audit(entry, key, more);
  const confirm = async (): Promise<ChildReport | undefined> => {
    if (signal.aborted) return undefined;
    const again = confirmationOf(entry, child.report!);
    const words = [`--alpha=${alpha}`, "--fresh-start", "--no-shrink"];
    return (await audit(again, entryKey(again, folder), words)).report;
  };
  const eValue = await eValueOfRun(child.report, mayReadAhead(entry) ? { confirm } : {});
  if (isRecorded) {
    store.set(key, NO_RUNS);
    return { child, evidence: eValue, most: eValue, runs: 1 };
  }
  const past = afterRun(coming, eValue), evidence = evidenceOf(past);
  const mostNow = Math.max(most, evidence);
  store.set(key, { ...past, most: mostNow });
  return {
    child,
    evidence,
    most: mostNow,
    runs: past.runs,
    isUnconfirmed: eValue < 1 / alpha && (child.report?.eValue ?? 0) >= 1 / alpha,
  };
}

/** Tells if the subject is foreign code that may read ahead. */
function mayReadAhead({ mechanism, samples, oneAtATime }: SuiteEntry): boolean {
  return mechanism === undefined && samples === undefined && oneAtATime !== true;
}

/** The audit that confirms what another one shows: on its pair, with one output a request. */
function confirmationOf(entry: SuiteEntry, report: ChildReport): SuiteEntry {
  const { rows: _1, size: _2, require: _3, fullBudget: _4, workers: _5, maxDraws, ...rest } = entry;
  const { pair } = report;
  return {
    ...rest,
    left: pair?.left as SuiteEntry["left"],
    right: pair?.right as SuiteEntry["right"],
    oneAtATime: true,
    ...(maxDraws === undefined ? {} : { maxDraws: confirmationDraws(report) }),
  };
}

function resultOf(entry: SuiteEntry, raw: Raw, { isRefuted, folder, key, last }: {
  readonly isRefuted: boolean;
  readonly folder: string;
  readonly key: string;
  readonly last: LastSaid | undefined;
}): EntryResult {
  const { child, evidence, runs, unchanged } = raw;
  const { name, expect = "not-refuted" } = entry;
  const own = unchanged ?? child?.report?.verdict ??
    (child === undefined ? "inconclusive" : child.status === 2 ? "bad-input" : "failed");
  // An audit that refuted at its own level while the suite does not is no refutation of the suite, and does not pass either.
  const ofSuite = child?.report?.failure === undefined ? "inconclusive" : "failed";
  const verdict = isRefuted ? "refuted" : own === "refuted" ? ofSuite : own;
  const message = child?.report?.failure ??
    (isRefuted && own !== "refuted" ? reasonOfRefutation(raw) : undefined) ??
    child?.report?.reason ??
    (isRefuted || own !== "refuted"
      ? undefined
      : raw.isUnconfirmed
      ? "refuted, and not confirmed when asked for one output at a time"
      : "refuted at its own level, and not at that of the suite") ??
    (child === undefined && unchanged === undefined
      ? "not run: interrupted"
      : child?.report === undefined || child.status === ExitStatus.badInput
      ? child?.message
      : undefined);
  const numbers = child?.report?.claim ?? entry, claim = claimWords(numbers);
  const shown = child?.report === undefined || own === "failed"
    ? unchanged === undefined ? undefined : last?.shown
    : boundWords(numbers, child.report.epsilonLowerBound);
  const file = subjectFile(entry, folder);
  return {
    name,
    verdict,
    expect,
    ...(file === undefined ? {} : { file }),
    claim: unchanged === undefined ? claim : last?.claim ?? claim,
    ...(shown === undefined ? {} : { shown }),
    news: newsOf({ key, claim, verdict }, { last, unchanged: unchanged !== undefined }),
    status: statusOf(verdict, expect),
    evidence,
    runs,
    unchanged: unchanged !== undefined,
    ...(message ? { message } : {}),
    ...(child?.printed === undefined ? {} : { printed: child.printed }),
    ...(child?.report === undefined ? {} : { report: child.report }),
  };
}

/** Explains a refutation that rests on earlier runs too. */
function reasonOfRefutation({ evidence, most }: Raw): string {
  return evidence < most
    ? "refuted in an earlier run; what else changed since belongs in files"
    : "refuted by the evidence of all runs";
}

/** Describes the change of an audit since the last run. */
function newsOf(
  now: Pick<LastSaid, "key" | "claim" | "verdict">,
  { last, unchanged }: { readonly last: LastSaid | undefined; readonly unchanged: boolean },
): string {
  if (unchanged) return "";
  if (last === undefined) return "new audit";
  const was = last.shown === undefined ? last.verdict : `${last.verdict}, ${last.shown}`;
  return [
    ...(last.claim === now.claim ? [] : [`the claim was ${last.claim}`]),
    ...(last.key === now.key ? [] : ["subject, options or dpcheck changed"]),
    ...(last.verdict === now.verdict ? [] : [`it was ${was}`]),
  ].join("; ");
}

/** A claim that should be refuted and is not leaves the suite inconclusive. */
function statusOf(verdict: EntryResult["verdict"], expect: EntryResult["expect"]): number {
  if (verdict === expect) return 0;
  return { "bad-input": 2, failed: 3, refuted: 1, inconclusive: 4, "not-refuted": 4 }[verdict];
}

/** The worst of exit statuses, in the order 2, 3, 1, 4, 0. */
export function worstStatus(statuses: readonly number[]): number {
  return [2, 3, 1, 4].find((status) => statuses.includes(status)) ?? 0;
}
