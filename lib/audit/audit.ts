import { type Claim, claimToJSON } from "../core/claim.ts";
import type { Pair } from "../core/relation.ts";
import { SeededSource } from "../random/seeded_source.ts";
import { type Arm, armOf } from "./arm.ts";
import { type Evidence, evidenceFor, pointsOf } from "./evidence.ts";
import { countEvent, findEvent } from "./find_event.ts";
import { GuessTest } from "./guess_test.ts";
import type { AuditOptions } from "./options.ts";
import type { AuditReport, EventReport } from "./report.ts";
import { searchPairs } from "./search.ts";
import { Session } from "./session.ts";
import { type Confirmation, shrinkPair } from "./shrink.ts";
import { type Subject, SubjectFailure } from "./subject.ts";
import { type Settings, validateOptions } from "./validate_options.ts";
import { VERSION } from "./version.ts";

/** The share of α that the bets hold where the guess test at the end holds the rest. */
const BETS_SHARE = 2 / 3;

/** Shares of the budget: pairs are searched until the first, the partition is refined until the second. */
const SEARCH_UNTIL = 0.3;
const REFINE_UNTIL = 0.5;

/**
 * Audits a subject: does it keep the claim?
 *
 * A fair coin chooses which of two neighbouring datasets the subject runs on, and bettors who see
 * only the output bet on the coin. Under the claim nobody's expected wealth grows, so that a wealth of
 * 1/α refutes it, whatever the outputs look like and however the bettors learn; the chance to refute
 * a true claim is at most `alpha`. Pairs are searched unless one is given, and a refuted pair is
 * reduced to a small one. A subject that fails (crashes, hangs, talks nonsense) gets the verdict
 * "failed". The verdict is never "private": runs cannot prove that.
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
  const { claim, alpha, seed, bits } = settings;
  const root = new SeededSource(seed).split("audit");
  const session = new Session(subject, {
    ...settings,
    labels: root.split("labels"),
  });
  const pureClaim = claim.kind === "pure";
  const evidence = evidenceFor(claim, pureClaim ? BETS_SHARE * alpha : alpha);
  const done = (): boolean => session.spent >= 1 || (evidence.refuted && !settings.fullBudget);

  let best: Arm | undefined;
  let pairsTried = 0;
  let guess: GuessTest | undefined;
  try {
    if (settings.pair !== undefined) {
      best = armOf(settings.pair, { bits });
      pairsTried = 1;
    } else {
      const found = await searchPairs(settings.space, {
        session,
        evidence,
        bits,
        source: root.split("pairs"),
        target: pointsOf(claim)[0]!.epsilon,
        until: () => done() || session.spent >= SEARCH_UNTIL,
      });
      best = found.best;
      pairsTried = found.tried;
    }
    while (!done() && session.spent < REFINE_UNTIL && !best.learner.settled) {
      await session.step(best, evidence, "search");
    }
    if (!done()) {
      if (pureClaim) {
        best.learner.freeze();
        guess = new GuessTest(best, {
          alpha: (1 - BETS_SHARE) * alpha,
          draws: session.remainingDraws,
        });
      }
      while (!done()) {
        const batch = await session.step(best, evidence, "confirm");
        guess?.add(batch);
      }
      // Ended by a refutation, the test would have been stopped by what it saw: it counts only at the end.
      if (session.spent < 1) guess = undefined;
    }
    return await finish({ subject, settings, session, evidence, guess, best, pairsTried });
  } catch (error) {
    if (!(error instanceof SubjectFailure)) throw error;
    return {
      ...figures({ settings, subject, session, evidence, guess: undefined, pairsTried }),
      verdict: "failed",
      pair: best === undefined ? null : sidesOf(best.pair),
      event: null,
      failure: error.message,
    };
  }
}

interface Run {
  readonly subject: Subject;
  readonly settings: Settings;
  readonly session: Session;
  readonly evidence: Evidence;
  readonly guess: GuessTest | undefined;
  readonly pairsTried: number;
}

function sidesOf({ left, right }: Pair): { left: unknown; right: unknown } {
  return { left, right };
}

/** The report of an audit whose budget is spent or whose claim is refuted. */
async function finish(run: Run & { readonly best: Arm }): Promise<AuditReport> {
  const { subject, settings, best } = run;
  const report = figures(run);
  const more = (label: string, seconds: number): Session =>
    new Session(subject, {
      labels: new SeededSource(settings.seed).split(label),
      maxDraws: Infinity,
      maxSeconds: seconds,
      ...(settings.signal === undefined ? {} : { signal: settings.signal }),
      ...(settings.onProgress === undefined ? {} : { onProgress: settings.onProgress }),
    });
  let { pair } = best;
  let confirmation: Confirmation | undefined;
  if (report.verdict === "refuted" && settings.shrink) {
    const seconds = Math.min(SHRINK_SECONDS, Math.max(1, 2 * report.seconds));
    confirmation = await shrinkPair(pair, {
      ...settings,
      space: settings.mayShrink ? settings.space : undefined,
      session: more("shrink", seconds),
      confirmSession: more("last word", seconds),
    });
    ({ pair } = confirmation);
  }
  // As many draws as refuted the pair make its rule clear; twice, once to find it and once to count it.
  const draws = Math.min(MAX_EVENT_DRAWS, Math.max(10_000, 2 * (confirmation?.draws ?? 0)));
  const event = await eventOn(pair, { session: more("event", SHRINK_SECONDS), draws, settings });
  return {
    ...report,
    pair: sidesOf(pair),
    event,
    ...(confirmation?.refuted
      ? { confirmation: { draws: confirmation.draws, eValue: confirmation.eValue } }
      : {}),
  };
}

const SHRINK_SECONDS = 5;
const MAX_EVENT_DRAWS = 200_000;

/** The rule that tells the two sides of a pair apart, found on some draws and counted on others. */
async function eventOn(
  pair: Pair,
  { session, draws, settings }: { session: Session; draws: number; settings: Settings },
): Promise<EventReport | null> {
  const arm = armOf(pair, settings);
  const event = findEvent(settings.claim, {
    sides: await session.drawMany(pair, draws),
    centres: arm.learner.centres,
  });
  return event === undefined ? null : countEvent(event, await session.drawMany(pair, draws));
}

/** What can be said without a pair. */
function figures(
  { subject, settings, session, evidence, guess, pairsTried }: Run,
): Omit<AuditReport, "pair" | "event"> {
  const { claim, alpha, seed, bits } = settings;
  const guessed = guess?.lowerBound() ?? 0;
  const lowerBound = Math.max(evidence.lowerBound, guessed);
  const guessRefutes = claim.kind === "pure" && guessed > claim.epsilon;
  // The guess test as an e-value: 1/its level if it refutes, else 0; both with their share.
  const eValue = claim.kind === "pure"
    ? BETS_SHARE * Math.exp(evidence.logEValue) + (guessRefutes ? 1 / alpha : 0)
    : Math.exp(evidence.logEValue);
  const detectable = guess?.detectable(epsilonOf(claim), 0.9);
  return {
    verdict: evidence.refuted || guessRefutes ? "refuted" : "not-refuted",
    subject: subject.name,
    claim: claimToJSON(claim),
    epsilonLowerBound: lowerBound,
    confidence: 1 - alpha,
    alpha,
    eValue,
    draws: session.draws,
    seconds: session.seconds,
    seed,
    replay: settings.replay,
    smallestEventProbability: Math.min(1, Math.log(1 / alpha) / Math.max(1, session.draws)),
    detectableEpsilon: detectable === undefined || !Number.isFinite(detectable) ? null : detectable,
    pairsTried,
    bits,
    versions: { dpcheck: VERSION, deno: globalThis.Deno?.version.deno ?? "none" },
  };
}

function epsilonOf(claim: Claim): number {
  return "epsilon" in claim ? claim.epsilon : NaN;
}
