import { Play } from "./play/play.ts";
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
import { type CandidatePair, candidatePairOf } from "./prediction/candidate_pair.ts";
import type { AuditFigures, AuditReport } from "./report.ts";
import { narrowQuickly, narrowThoroughly } from "./search/narrow_finalists.ts";
import { screenAndSearch } from "./search/screened_search.ts";
import { searchUntil } from "./search/search_until.ts";
import { selectFinalist } from "./search/select_finalist.ts";
import { type Subject, SubjectFailure } from "./subjects/subject.ts";
import { type Settings, validateOptions } from "./validate_options.ts";
import { VERSION } from "./version.ts";

/**
 * The share of α that the bets hold; the guess test at the end holds the rest. Who wants a refutation soon
 * needs the bets, who wants the best bound at the end the test.
 */
const BETS_SHARE = { quick: 2 / 3, thorough: 1 / 8 };

/**
 * Audits a subject: does it keep the claim?
 *
 * A fair coin chooses which of two neighbouring datasets the subject runs on, and bettors who see
 * only the output bet on the coin. Under the claim nobody's expected wealth grows, so that a wealth of
 * 1/α refutes it, whatever the outputs look like and however the bettors learn; the chance to refute
 * a true claim is at most `alpha`. Pairs are searched unless one is given, and a refuted pair is
 * reduced to a small one. A refutation that fresh draws on its pair do not confirm gets the verdict "not-refuted" and
 * says so (`unconfirmed`); with `shrink: false` nothing is confirmed. A subject that fails (crashes, hangs, talks
 * nonsense, answers with nothing but errors) gets the verdict "failed". Errors are outputs all the same: where they tell
 * the datasets apart they refute the claim. The verdict is never "private": runs cannot prove that.
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
  // Recorded samples end for good, so the last word gets more of α there.
  const betsShare = subject.recorded !== undefined
    ? 1 / 2
    : claim.kind === "pure"
    ? BETS_SHARE[effort]
    : 1;
  const evidence = evidenceFor(claim, betsShare * alpha);
  const play = new Play(sampler, evidence, { fullBudget: effort === "thorough" });
  const done = (): boolean => sampler.spent >= 1 || (evidence.refuted && effort === "quick");

  let best: CandidatePair | undefined;
  let left: readonly CandidatePair[];
  let pairsTried = 0;
  let last: FixedSampleBound | undefined;
  try {
    if (settings.pair !== undefined) {
      left = [candidatePairOf(settings.pair, { bits, effort })];
      pairsTried = 1;
    } else {
      const found = await screenAndSearch(settings.space, {
        play,
        bits,
        source: root.split("pairs"),
        target: pointsOf(claim)[0]!.epsilon,
        effort,
        until: (standing) => done() || sampler.spent >= searchUntil(effort, standing),
      });
      pairsTried = found.tried;
      const begun = sampler.spent;
      const within = (share: number): boolean => done() || sampler.spent >= begun + share;
      left = effort === "thorough"
        ? await narrowThoroughly(found, { play, bits, within })
        : [await narrowQuickly(found.finalists, { play, within })];
    }
    [best] = left;
    best = await selectFinalist(left, { play, isOver: done });
    if (!done() && betsShare < 1) {
      last = await beginFinalBound(best, {
        subject,
        play,
        claim,
        alpha: (1 - betsShare) * alpha,
        source: root.split(subject.recorded === undefined ? "guesses" : "precedence"),
        isOver: done,
      });
    }
    if (!done()) {
      await play.stay([best], {
        phase: "confirm",
        until: done,
        see: (batch) => last?.add(batch),
        most: () => last?.mostDraws ?? Infinity,
      });
      // Ended by a refutation, the test was stopped by what it saw: it counts only at the end.
      if (evidence.refuted && effort === "quick") last = undefined;
    }
    return await finish({
      subject,
      settings,
      play,
      betsShare,
      last,
      best,
      pairsTried,
    });
  } catch (error) {
    if (!(error instanceof SubjectFailure)) throw error;
    const run = { settings, subject, play, betsShare, last, best, pairsTried };
    // What was refuted before the subject broke stays refuted.
    const verdict = isRefuted(run) ? "refuted" : "failed";
    return { ...figures(run), verdict, failure: error.message };
  }
}

interface Run {
  readonly subject: Subject;
  readonly settings: Settings;
  readonly play: Play;
  readonly betsShare: number;
  readonly last: FixedSampleBound | undefined;
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
  // Errors that are the same on all datasets say nothing of what the program does when it works.
  const error = refuted ? undefined : run.play.sampler.onlyErrors;
  if (error !== undefined) {
    const shown = JSON.stringify(error.slice(0, 200));
    return {
      ...report,
      verdict: "failed",
      detectableEpsilon: null,
      failure: `every output was an error, as in ${shown}`,
    };
  }
  const more = (label: string, maxSeconds: number, maxDraws = Infinity): Sampler =>
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
      sampler: more("shrink", Math.min(SHRINK_SECONDS, Math.max(1.5, 2 * report.seconds))),
      confirmSampler: () => more("last word", LAST_WORD_SECONDS),
    });
    if (!confirmation.refuted) {
      const budget = confirmationBudget(report, settings);
      const sampler = more("confirmation", budget.maxSeconds, budget.maxDraws);
      confirmation = await confirmRefutation(best, { ...settings, sampler });
    }
    ({ pair } = confirmation);
  }
  const event = subject.recorded === undefined
    ? await eventOn(pair, {
      ...settings,
      begin: (label) => more(label, EVENT_SECONDS),
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
  if (!refuted) return { ...shown, verdict: "not-refuted" };
  if (confirmation === undefined) return { ...shown, verdict: "refuted" };
  const { draws, eValue } = confirmation;
  // A refutation that fresh draws do not confirm is none.
  return confirmation.refuted
    ? { ...shown, verdict: "refuted", confirmation: { draws, eValue } }
    : { ...shown, verdict: "not-refuted", unconfirmed: { draws, eValue } };
}

/** To make a pair small, at most, and to refute the claim on it once more. */
const SHRINK_SECONDS = 5;
const LAST_WORD_SECONDS = 3;
/** To find an event, and to count it. */
const EVENT_SECONDS = 3;

/** Whether the bets or the last test refute the claim. */
function isRefuted({ play, last }: Pick<Run, "play" | "last">): boolean {
  return play.evidence.refuted || (last?.refutes() ?? false);
}

/** What is reported whatever the verdict. */
function figures(
  { subject, settings, play, betsShare, last, best, pairsTried }: Run,
): AuditFigures {
  const { claim, alpha, seed, bits } = settings;
  const { sampler, evidence } = play;
  const lastRefutes = last?.refutes() ?? false;
  return {
    subject: subject.name,
    claim,
    epsilonLowerBound: Math.max(evidence.lowerBound, last?.lowerBound() ?? 0),
    confidence: 1 - alpha,
    alpha,
    // The last test is an e-value too: 1/its α if it refutes, else 0. Both have their share of the stake.
    eValue: betsShare * Math.exp(evidence.logEValue) + (lastRefutes ? 1 / alpha : 0),
    draws: sampler.draws,
    seconds: sampler.seconds,
    pair: best === undefined ? null : sidesOf(best.pair),
    event: null,
    seed,
    replay: settings.replay,
    smallestEventProbability: best === undefined ? 1 : rarestSeen(play.drawsOn(best.pair), alpha),
    detectableEpsilon: last?.detectable(0.9) ?? null,
    pairsTried,
    bits,
    ...(subject.independent === true ? { declaredIndependent: true as const } : {}),
    versions: { dpcheck: VERSION, deno: globalThis.Deno?.version.deno ?? "none" },
  };
}

/** The probability p of an event that n draws on a dataset show at least once with probability 1 − α: (1 − p)ⁿ = α. */
function rarestSeen(
  { left, right }: { readonly left: number; readonly right: number },
  alpha: number,
): number {
  const draws = Math.min(left, right);
  return draws === 0 ? 1 : -Math.expm1(Math.log(alpha) / draws);
}
