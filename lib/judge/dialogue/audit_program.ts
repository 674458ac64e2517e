import { SeededSource } from "../../core/random/seeded_source.ts";
import { bareJson } from "../../core/text/bare_json.ts";
import { audit } from "../audit/audit.ts";
import { SubjectFailure } from "../audit/kernel/subject.ts";
import type { AuditReport } from "../audit/report.ts";
import { versions } from "../audit/version.ts";
import { chooseStrategies } from "./choose_strategies.ts";
import type { InteractiveProgram } from "./interactive_program.ts";
import { leakAdvice } from "./leak_advice.ts";
import { eventText } from "./leaking_event.ts";
import { excessOf, type Scored, TranscriptDrawer } from "./search_strategies.ts";
import type { SessionReport, TriedAdversary } from "./session_report.ts";
import { type AuditInteractiveOptions, settingsOf } from "./session_settings.ts";
import { MOST_STEPS, MOST_TIMES, scriptOf } from "./strategy.ts";
import type { Candidate } from "./strategy_moves.ts";
import { MOST_ANSWERS } from "./transcript.ts";
import { transcriptSubject } from "./transcript_subject.ts";

/** How α is shared among bets: the second and the third are made only where their candidates broke the claim in the search too. */
const SHARES = [0.6, 0.25, 0.15] as const;
/** From this excess on a second and a third candidate are bet on. */
const WORTH_A_BET = 2.5;
/** A search of fewer strategies says nothing. */
const FEWEST_STRATEGIES = 50;

/** Does what `auditInteractive` does, of any program that holds sessions. It is not closed. */
export async function auditProgram(
  program: InteractiveProgram,
  options: AuditInteractiveOptions,
): Promise<SessionReport> {
  const began = performance.now();
  const settings = await settingsOf(program, options);
  const { claim, alpha, seed, lifetime, kinds, points, deadline, signal } = settings;
  const isGiven = settings.strategy !== undefined;
  const root = new SeededSource(seed).split("sessions");
  const source = root.split("search draws");
  const drawer = new TranscriptDrawer(program, { kinds, lifetime, source, deadline, signal });
  let tried = 0, watched = 0;
  const adversary = (): TriedAdversary => ({
    strategies: tried,
    watched,
    transcripts: drawer.drawn,
    kinds: kinds.names,
    moves: isGiven ? [] : settings.moveWords,
    most: { steps: MOST_STEPS, times: MOST_TIMES, answers: MOST_ANSWERS },
  });
  const report = (
    fields: Partial<SessionReport> & Pick<SessionReport, "verdict">,
  ): SessionReport => ({
    subject: program.name,
    claim,
    lifetime,
    epsilonLowerBound: 0,
    confidence: 1 - alpha,
    alpha,
    eValue: 0,
    draws: 0,
    strategy: null,
    pair: null,
    script: [],
    event: null,
    advice: null,
    seed,
    replay: `await auditInteractive(service, { ...options, seed: ${seed} })`,
    versions: versions(),
    ...fields,
    adversary: adversary(),
    seconds: (performance.now() - began) / 1000,
  });
  try {
    const chosen = await chooseStrategies(settings, { drawer, root, service: program.service });
    ({ tried, watched } = chosen);
    if (!drawer.hasAnswered) {
      return report({
        verdict: "failed",
        failure: `${program.name} answered nothing but refusals, errors and NaN, the first: ${
          drawer.noAnswer ?? "no question was asked"
        }`,
      });
    }
    let draws = 0, shown: { bet: AuditReport; candidate: Scored } | undefined;
    for (const [rank, candidate] of chosen.candidates.slice(0, SHARES.length).entries()) {
      if (rank > 0 && excessOf(candidate, points) < WORTH_A_BET) continue;
      const remaining = (deadline - performance.now()) / 1000;
      if (rank > 0 && remaining <= 0) break;
      const source = root.split(`bet ${rank}`);
      const bet = await audit(
        transcriptSubject(program.name, {
          claim,
          feature: candidate.event.feature,
          transcript: (data) =>
            program.transcript(data, { strategy: candidate.strategy, kinds, lifetime, source }),
        }),
        {
          claim,
          pair: candidate.pair,
          relation: settings.space.relation,
          alpha: alpha * (isGiven ? 1 : SHARES[rank]!),
          maxDraws: settings.maxDraws,
          maxSeconds: Math.max(1, remaining),
          seed: Math.floor(root.split(`coins ${rank}`).uniform() * Number.MAX_SAFE_INTEGER),
          shrink: false,
          requirePower: Infinity,
          ...(signal === undefined ? {} : { signal }),
        },
      );
      draws += bet.draws;
      if (bet.verdict === "failed") {
        return report({ verdict: "failed", failure: bet.failure, draws });
      }
      if (shown === undefined || bet.verdict === "refuted") shown = { bet, candidate };
      if (bet.verdict === "refuted") break;
    }
    const { bet, candidate } = shown!;
    const isShort = !isGiven && tried < FEWEST_STRATEGIES && bet.verdict !== "refuted";
    return report({
      verdict: bet.verdict === "refuted" ? "refuted" : isShort ? "inconclusive" : "not-refuted",
      ...(isShort
        ? {
          reason:
            `only ${tried} strategies were tried, and fewer than ${FEWEST_STRATEGIES} say nothing`,
        }
        : {}),
      epsilonLowerBound: bet.epsilonLowerBound,
      eValue: bet.eValue,
      draws,
      strategy: candidate.strategy,
      pair: { left: candidate.pair.left, right: candidate.pair.right },
      script: scriptOf(candidate.strategy),
      event: eventOf(candidate),
      advice: bet.verdict === "refuted"
        ? leakAdvice(candidate, await drawer.varying(candidate))
        : null,
      replay: replayOf(seed, candidate),
    });
  } catch (error) {
    if (!(error instanceof SubjectFailure)) throw error;
    return report({ verdict: "failed", failure: error.message });
  }
}

/** A call that bets on a candidate again, where `service` and `options` are those of the audit. */
function replayOf(seed: number, { strategy, pair: { left, right } }: Candidate): string {
  return `await auditInteractive(service, { ...options, pair: pairOf(options.relation ?? options.claim.relation, { left: ${
    bareJson(left)
  }, right: ${bareJson(right)} }), strategy: ${bareJson(strategy)}, seed: ${seed} })`;
}

function eventOf({ event, hits, n }: Scored): SessionReport["event"] {
  if (n === 0) return null;
  return {
    text: eventText(event),
    left: event.side === 0 ? hits[0] : hits[1],
    right: event.side === 0 ? hits[1] : hits[0],
    of: n,
    answers: (event.feature.answers ?? []).map((place) => place + 1),
  };
}
