import { SeededSource } from "../../core/random/seeded_source.ts";
import { endsWithBets } from "./begin_final_bound.ts";
import { evidenceFor, settledEvidence } from "./kernel/betting/evidence.ts";
import { levelsOf, runFinalPhase } from "./bound_on_pair.ts";
import type { BoundAtEnd } from "./plan/bound_at_end.ts";
import { changedSubject } from "./changed_subject.ts";
import { countInShards, learningBudget, resumedCandidate } from "./count_in_shards.ts";
import { DetailsKept } from "./details_kept.ts";
import { Sampler } from "./kernel/drawing/sampler.ts";
import { TimeLimit } from "./kernel/drawing/time_limit.ts";
import { finishAudit } from "./finish_audit.ts";
import type { ReadBound } from "./kernel/fixed_sample/fixed_sample_bound.ts";
import { furtherFindings } from "./further_findings.ts";
import { eitherSignal, isInterruption, reportSoFar } from "./interrupted.ts";
import type { AuditOptions } from "./options.ts";
import { Play } from "./kernel/play.ts";
import { type CandidatePair, candidatePairOf } from "./model/prediction/candidate_pair.ts";
import type { AuditReport } from "./report.ts";
import { figures, isRefuted, type Run, withCut, withDetails } from "./run.ts";
import { narrowQuickly, narrowThoroughly } from "./search/narrow_finalists.ts";
import { searchPairs, searchUntil } from "./search/search_pairs.ts";
import { selectFinalist } from "./search/select_finalist.ts";
import { type Subject, SubjectFailure } from "./kernel/subject.ts";
import { type OptionsWithShards, validateOptions } from "./validate_options.ts";

/**
 * An audit ends when it has drawn this many outputs and all of them are one and the same error. A search goes on for longer, for it
 * may yet find datasets on which the subject works.
 */
const MOST_ERRORS = { pair: 1000, search: 10_000 };

/**
 * Audits a subject: does it keep the claim?
 *
 * A fair coin chooses which of two neighbouring datasets the subject runs on, and bettors that see only the output bet on the
 * coin. Under the claim the expected wealth of no bettor grows, so a wealth of 1/α refutes it (Ville 1939), whatever the
 * outputs look like and however the bettors learn. For pure claims and recorded outputs, a test at the end of the budget has
 * its own share of α; the probability to refute a true claim is at most `alpha` in all.
 *
 * Pairs are searched unless one is given, and a refuted pair is reduced to a small one. A refutation that fresh draws on its
 * pair do not confirm stands, with `confirmed: false`, and `unconfirmed` has those draws: the program changes between draws. With
 * `shrink: false`, or where time is over, nothing is confirmed. A subject that crashes, hangs, or answers with something that is not an answer or with nothing but
 * errors gets the verdict "failed", and no evidence remains of its audit: it may have failed because it was about to lose a
 * bet. A run that refutes nothing and could not have seen a violation of `requirePower` times the claim gets "inconclusive".
 * Single errors are outputs: where they differ between the datasets they refute the claim. The verdict is never "private": runs
 * cannot prove that.
 *
 * ```ts
 * import { audit, mechanismSubject, pairOf, pure, replaceOne, SeededSource } from "@dpcheck/dpcheck";
 *
 * const mechanism = {
 *   name: "a coin that lies too seldom",
 *   claim: pure({ epsilon: 1, relation: replaceOne }),
 *   sample: (data: readonly unknown[], source: { uniform(): number }) =>
 *     source.uniform() < 0.9 ? data[0] : !data[0],
 * };
 * const report = await audit(mechanismSubject(mechanism, { source: new SeededSource(1) }), {
 *   pair: pairOf(replaceOne, { left: [false], right: [true] }),
 *   maxDraws: 10_000,
 *   seed: 1,
 * });
 * console.log(report.verdict); // "refuted": the coin's ε is ln 9
 * ```
 *
 * @throws {RangeError} when an option is out of its bounds or something needed is missing
 * @throws {TypeError} when the subject cannot be drawn from, or an option is of another kind
 */
export async function audit(subject: Subject, options: AuditOptions): Promise<AuditReport> {
  return await auditInShards(subject, options);
}

/** Does what {@linkcode audit} does, with the end of a thorough audit drawn in shards where `counting` is set. */
export async function auditInShards(
  subject: Subject,
  options: OptionsWithShards,
): Promise<AuditReport> {
  const settings = validateOptions(subject, options);
  const limit = new TimeLimit(
    settings.maxSeconds,
    subject.firstAnswerAt === undefined ? undefined : () => subject.firstAnswerAt!(),
  );
  if (options.counting?.resumed !== undefined) limit.add(options.counting.resumed.state.seconds);
  const first = await auditOnce(subject, options, limit);
  if (options.all !== true || first.verdict !== "refuted") return first;
  const { except = [] } = options, cut = [...first.cut ?? []];
  const further = await furtherFindings(first, {
    except,
    auditAgain: async (again) => {
      const report = await auditOnce(subject, { ...options, ...again, details: false }, limit);
      cut.push(...(report.cut ?? []).map((part) => ({ ...part, what: `${part.what} (further)` })));
      return report;
    },
  });
  return { ...first, further, ...(cut.length === 0 ? {} : { cut }) };
}

async function auditOnce(
  given: Subject,
  options: OptionsWithShards,
  limit: TimeLimit,
): Promise<AuditReport> {
  const settings = validateOptions(given, options);
  const subject = changedSubject(given, settings);
  const { claim, alpha, seed, bits, effort, counting } = settings;
  const root = new SeededSource(seed).split("audit");
  const sampler = new Sampler(subject, {
    ...settings,
    limit,
    ...(counting === undefined ? {} : learningBudget(settings)),
    signal: eitherSignal(settings),
    labels: root.split("labels"),
  });
  const { betsShare, bets, test } = levelsOf({ subject, effort, alpha });
  const kept = settings.details ? new DetailsKept() : undefined;
  const resumed = counting?.resumed?.state;
  const ofBets = resumed === undefined
    ? evidenceFor(claim, bets)
    : settledEvidence(resumed.evidence);
  const evidence = kept?.watch(ofBets, { betsShare, draws: () => sampler.draws }) ?? ofBets;
  const play = new Play(sampler, evidence, { goesOn: effort === "thorough" });
  const enough = MOST_ERRORS[settings.pair === undefined ? "search" : "pair"];
  // This stop rule looks only at outputs; the final test treats it like a deadline.
  const isFailing = (): boolean =>
    sampler.draws >= enough && subject.recorded === undefined &&
    sampler.onlyErrors !== undefined && sampler.onlyValue !== undefined;
  const isOver = (): boolean =>
    sampler.spent >= 1 || (evidence.refuted && effort === "quick") || isFailing();

  let best: CandidatePair | undefined;
  let finalists: readonly CandidatePair[];
  let others: readonly CandidatePair[] = [];
  let pairsTried = 0;
  let finalBound: BoundAtEnd<ReadBound> | undefined;
  let isPlayed = false;
  const later: Run["later"] = [];
  const runSoFar = (): Run => ({
    subject,
    settings,
    play,
    betsShare,
    finalBound,
    best,
    others: others.filter((candidate) => candidate !== best),
    pairsTried,
    limit,
    later,
    kept,
  });
  try {
    if (resumed !== undefined) {
      finalists = [
        resumedCandidate(resumed, { ...settings, play, relation: settings.space.relation }),
      ];
      pairsTried = resumed.pairsTried;
    } else if (settings.pair !== undefined) {
      finalists = [candidatePairOf(settings.pair, { bits, effort })];
      pairsTried = 1;
    } else {
      const found = await searchPairs(settings.space, {
        play,
        bits,
        source: root.split("pairs"),
        claim,
        effort,
        ...(kept && { ranked: (pairs) => kept.pairs = pairs }),
        until: (standing) => isOver() || sampler.spent >= searchUntil(effort, standing),
      });
      pairsTried = found.tried;
      others = found.finalists;
      const begun = sampler.spent;
      const within = (share: number): boolean => isOver() || sampler.spent >= begun + share;
      finalists = effort === "thorough"
        ? await narrowThoroughly(found, { play, bits, within })
        : [await narrowQuickly(found.finalists, { play, within })];
    }
    [best] = finalists;
    if (resumed === undefined) {
      best = await selectFinalist(finalists, {
        play,
        isOver,
        endsWith: endsWithBets(claim, subject) ? "bets" : "guesses",
      });
    }
    const end = {
      subject,
      play,
      claim,
      alpha: test,
      source: root.split(subject.recorded === undefined ? "guesses" : "precedence"),
      isOver,
    };
    if (counting === undefined) {
      await runFinalPhase(best!, { ...end, begun: (bound) => finalBound = bound });
    } else {
      const signal = eitherSignal(settings);
      finalBound = await countInShards(best!, {
        ...settings,
        ...end,
        limit,
        counting,
        pairsTried,
        signal,
      });
    }
    isPlayed = true;
    // The bets of a quick audit have decided, before the test made its guesses: a test of tossed guesses adds nothing.
    if (evidence.refuted && effort === "quick") finalBound = undefined;
    const run = { ...runSoFar(), best: best! };
    return withDetails(withCut(await finishAudit(run), run), run);
  } catch (error) {
    // A test that was not finished shows nothing: the subject may have failed because it was about to lose.
    if (!isPlayed) finalBound = undefined;
    const run = runSoFar();
    if (isInterruption(error, settings)) {
      return withDetails(withCut(reportSoFar(run), run), run);
    }
    if (!(error instanceof SubjectFailure)) throw error;
    // A claim that was refuted before the subject failed stays refuted. What it was about to lose is not known, but where a
    // refutation had ended the bets.
    const report = withDetails(withCut(figures(run), run), run), failure = error.message;
    if (!isRefuted(run)) return { ...report, eValue: 0, verdict: "failed", failure };
    const eValue = isPlayed ? report.eValue : 0;
    return { ...report, eValue, verdict: "refuted", confirmed: false, failure };
  }
}
