import { pointsOf } from "../core/claim_curve.ts";
import type { Pair } from "../core/relation.ts";
import { SeededSource } from "../random/seeded_source.ts";
import { beginFinalBound } from "./begin_final_bound.ts";
import { evidenceFor } from "./betting/evidence_for.ts";
import { confirmationBudget, confirmRefutation } from "./counterexample/confirm_refutation.ts";
import { eventInSamples } from "./counterexample/event_in_samples.ts";
import { eventDraws, eventOn } from "./counterexample/event_on.ts";
import { type Confirmation, shrinkPair } from "./counterexample/shrink_pair.ts";
import { Sampler } from "./drawing/sampler.ts";
import type { FixedSampleBound } from "./fixed_sample/fixed_sample_bound.ts";
import type { AuditOptions } from "./options.ts";
import { Play } from "./play/play.ts";
import { detectableParameter } from "./power/detectable_parameter.ts";
import { inconclusiveReason } from "./power/inconclusive_reason.ts";
import { type CandidatePair, candidatePairOf } from "./prediction/candidate_pair.ts";
import type { AuditFigures, AuditReport } from "./report.ts";
import { narrowQuickly, narrowThoroughly } from "./search/narrow_finalists.ts";
import { screenAndSearch } from "./search/screened_search.ts";
import { searchUntil } from "./search/search_until.ts";
import { selectFinalist } from "./search/select_finalist.ts";
import { type Subject, SubjectFailure } from "./subjects/subject.ts";
import { type Settings, validateOptions } from "./validate_options.ts";
import { versions } from "./version.ts";

/**
 * The share of α that the bets have; the test at the end of the budget has the rest. A quick audit refutes by its bets, and a
 * thorough one shows the best bound by the test. Recorded outputs are so few that their test gets half of α. Claims other than
 * pure ones have no test, except of recorded outputs.
 */
const BETS_SHARE = { quick: 2 / 3, thorough: 1 / 8, recorded: 1 / 2, withoutTest: 1 };
/** Seconds to make a pair small, at least and at most; between these, twice the seconds of the audit. */
const SHRINK_SECONDS = { fewest: 1.5, most: 5, times: 2 };
/** Seconds to refute the claim once more on the smaller pair. */
const CONFIRM_SECONDS = 3;
/** Seconds to find an event, and again to count it. */
const EVENT_SECONDS = 3;
/** The power of the ε that a report calls detectable. */
const POWER = 0.9;
/** The most characters of an error that a report shows. */
const ERROR_LENGTH = 200;

/**
 * Audits a subject: does it keep the claim?
 *
 * A fair coin chooses which of two neighbouring datasets the subject runs on, and bettors that see only the output bet on the
 * coin. Under the claim the expected wealth of no bettor grows, so a wealth of 1/α refutes it (Ville 1939), whatever the
 * outputs look like and however the bettors learn. For pure claims and recorded outputs, a test at the end of the budget has
 * its own share of α; the probability to refute a true claim is at most `alpha` in all.
 *
 * Pairs are searched unless one is given, and a refuted pair is reduced to a small one. A refutation that fresh draws on its
 * pair do not confirm gets the verdict "not-refuted", with `unconfirmed` set; with `shrink: false` nothing is confirmed. A
 * subject that crashes, hangs, or answers with something that is no answer or with nothing but errors gets the verdict "failed".
 * A run that refutes nothing and could not have seen a violation of `requirePower` times the claim gets "inconclusive".
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
 */
export async function audit(subject: Subject, options: AuditOptions): Promise<AuditReport> {
  const settings = validateOptions(subject, options);
  const { claim, alpha, seed, bits, effort } = settings;
  const root = new SeededSource(seed).split("audit");
  const sampler = new Sampler(subject, {
    ...settings,
    labels: root.split("labels"),
  });
  const betsShare = BETS_SHARE[
    subject.recorded !== undefined ? "recorded" : claim.kind === "pure" ? effort : "withoutTest"
  ];
  const evidence = evidenceFor(claim, betsShare * alpha);
  const play = new Play(sampler, evidence, { fullBudget: effort === "thorough" });
  const isOver = (): boolean => sampler.spent >= 1 || (evidence.refuted && effort === "quick");

  let best: CandidatePair | undefined;
  let finalists: readonly CandidatePair[];
  let pairsTried = 0;
  let finalBound: FixedSampleBound | undefined;
  try {
    if (settings.pair !== undefined) {
      finalists = [candidatePairOf(settings.pair, { bits, effort })];
      pairsTried = 1;
    } else {
      const found = await screenAndSearch(settings.space, {
        play,
        bits,
        source: root.split("pairs"),
        target: pointsOf(claim)[0]!.epsilon,
        effort,
        until: (standing) => isOver() || sampler.spent >= searchUntil(effort, standing),
      });
      pairsTried = found.tried;
      const begun = sampler.spent;
      const within = (share: number): boolean => isOver() || sampler.spent >= begun + share;
      finalists = effort === "thorough"
        ? await narrowThoroughly(found, { play, bits, within })
        : [await narrowQuickly(found.finalists, { play, within })];
    }
    [best] = finalists;
    best = await selectFinalist(finalists, { play, isOver });
    if (!isOver() && betsShare < 1) {
      finalBound = await beginFinalBound(best, {
        subject,
        play,
        claim,
        alpha: (1 - betsShare) * alpha,
        source: root.split(subject.recorded === undefined ? "guesses" : "precedence"),
        isOver,
      });
    }
    if (!isOver()) {
      await play.stay([best], {
        phase: "confirm",
        until: isOver,
        see: (batch) => finalBound?.add(batch),
        most: () => finalBound?.mostDraws ?? Infinity,
      });
      // A test that a refutation by the bets ended was stopped before its end by what was counted: it shows nothing.
      if (evidence.refuted && effort === "quick") finalBound = undefined;
    }
    return await finish({
      subject,
      settings,
      play,
      betsShare,
      finalBound,
      best,
      pairsTried,
    });
  } catch (error) {
    if (!(error instanceof SubjectFailure)) throw error;
    const run = { settings, subject, play, betsShare, finalBound, best, pairsTried };
    // A claim that was refuted before the subject failed stays refuted.
    const verdict = isRefuted(run) ? "refuted" : "failed";
    return { ...figures(run), verdict, failure: error.message };
  }
}

/** An audit whose draws for the verdict are made. */
interface Run {
  readonly subject: Subject;
  readonly settings: Settings;
  readonly play: Play;
  readonly betsShare: number;
  readonly finalBound: FixedSampleBound | undefined;
  readonly best: CandidatePair | undefined;
  readonly pairsTried: number;
}

function sidesOf({ left, right }: Pair): { left: unknown; right: unknown } {
  return { left, right };
}

/** The report of an audit whose budget is spent or whose claim is refuted. */
async function finish(run: Run & { readonly best: CandidatePair }): Promise<AuditReport> {
  const { subject, settings, best } = run;
  const report = figures(run);
  const refuted = isRefuted(run);
  // Errors that are the same on all datasets show nothing about a program that works.
  const error = refuted ? undefined : run.play.sampler.onlyErrors;
  if (error !== undefined) {
    const shown = JSON.stringify(error.slice(0, ERROR_LENGTH));
    return {
      ...report,
      verdict: "failed",
      detectableEpsilon: null,
      failure: `every output was an error, as in ${shown}`,
    };
  }
  const newSampler = (label: string, maxSeconds: number, maxDraws = Infinity): Sampler =>
    new Sampler(subject, {
      labels: new SeededSource(settings.seed).split(label),
      maxDraws,
      maxSeconds,
      ...(settings.signal === undefined ? {} : { signal: settings.signal }),
      ...(settings.onProgress === undefined ? {} : { onProgress: settings.onProgress }),
    });
  let { pair } = best;
  let confirmation: Confirmation | undefined;
  if (refuted && settings.shrink && subject.recorded === undefined) {
    confirmation = await shrinkPair(pair, {
      ...settings,
      space: settings.mayShrink ? settings.space : undefined,
      sampler: newSampler("shrink", shrinkSeconds(report)),
      confirmSampler: () => newSampler("last word", CONFIRM_SECONDS),
    });
    if (!confirmation.refuted) {
      const budget = confirmationBudget(report, settings);
      const sampler = newSampler("confirmation", budget.maxSeconds, budget.maxDraws);
      confirmation = await confirmRefutation(best, { ...settings, sampler });
    }
    ({ pair } = confirmation);
  }
  const event = subject.recorded === undefined
    ? await eventOn(pair, {
      ...settings,
      begin: (label) => newSampler(label, EVENT_SECONDS),
      draws: Math.min(
        settings.maxDraws,
        eventDraws({ audited: report.draws, confirmed: confirmation?.draws ?? 0 }),
      ),
    })
    : eventInSamples(subject.recorded, {
      claim: settings.claim,
      pair,
      centres: best.predictor.centres,
      source: new SeededSource(settings.seed).split("event"),
    });
  const shown = { ...report, pair: sidesOf(pair), event };
  if (!refuted) {
    const reason = inconclusiveReason({
      claim: settings.claim,
      draws: report.draws,
      onlyValue: run.play.sampler.onlyValue,
      recorded: subject.recorded,
      detectable: report.detectableEpsilon,
      requirePower: settings.requirePower,
    });
    return reason === undefined
      ? { ...shown, verdict: "not-refuted" }
      : { ...shown, verdict: "inconclusive", reason };
  }
  if (confirmation === undefined) return { ...shown, verdict: "refuted" };
  const { draws, eValue } = confirmation;
  // A refutation that fresh draws do not confirm is none.
  return confirmation.refuted
    ? { ...shown, verdict: "refuted", confirmation: { draws, eValue } }
    : { ...shown, verdict: "not-refuted", unconfirmed: { draws, eValue } };
}

/** The seconds to make a pair small, after an audit of so many. */
function shrinkSeconds({ seconds }: { readonly seconds: number }): number {
  const { fewest, most, times } = SHRINK_SECONDS;
  return Math.min(most, Math.max(fewest, times * seconds));
}

/** Whether the bets or the test at the end refute the claim. */
function isRefuted({ play, finalBound }: Pick<Run, "play" | "finalBound">): boolean {
  return play.evidence.refuted || (finalBound?.refutes() ?? false);
}

/** The parts of a report that every verdict has; its event is found later. */
function figures(
  { subject, settings, play, betsShare, finalBound, best, pairsTried }: Run,
): AuditFigures {
  const { claim, alpha, seed, bits } = settings;
  const { sampler, evidence } = play;
  const testRefutes = finalBound?.refutes() ?? false;
  return {
    subject: subject.name,
    claim,
    epsilonLowerBound: Math.max(evidence.lowerBound, finalBound?.lowerBound() ?? 0),
    confidence: 1 - alpha,
    alpha,
    // The test has an e-value too: if it refutes, 1 divided by its level, else 0. Both are weighted by their shares of α.
    eValue: betsShare * Math.exp(evidence.logEValue) + (testRefutes ? 1 / alpha : 0),
    draws: sampler.draws,
    seconds: sampler.seconds,
    pair: best === undefined ? null : sidesOf(best.pair),
    event: null,
    seed,
    replay: settings.replay,
    smallestEventProbability: best === undefined
      ? 1
      : smallestProbability(play.drawsOn(best.pair), alpha),
    detectableEpsilon: detectable({ settings, play, betsShare, finalBound, best }),
    requiredPower: settings.requirePower,
    pairsTried,
    bits,
    ...(subject.independent === true ? { declaredIndependent: true as const } : {}),
    versions: versions(),
  };
}

/** The parameter that the test at the end would have refuted, or the bets where there is none. */
function detectable(
  { settings, play, betsShare, finalBound, best }: Pick<
    Run,
    "settings" | "play" | "betsShare" | "finalBound" | "best"
  >,
): number | null {
  const byTest = finalBound?.detectable(POWER) ?? null;
  if (byTest !== null || best === undefined) return byTest;
  const { left, right } = play.drawsOn(best.pair);
  return detectableParameter(best.predictor, {
    claim: settings.claim,
    alpha: betsShare * settings.alpha,
    draws: left + right,
    power: POWER,
  });
}

/** The probability p of an event that n draws on a dataset show at least once with probability 1 − α: (1 − p)ⁿ = α. */
function smallestProbability(
  { left, right }: { readonly left: number; readonly right: number },
  alpha: number,
): number {
  const draws = Math.min(left, right);
  return draws === 0 ? 1 : -Math.expm1(Math.log(alpha) / draws);
}
