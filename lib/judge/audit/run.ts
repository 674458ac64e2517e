import { type DetailsKept, powerByDraws } from "./details_kept.ts";
import type { BoundAtEnd } from "./plan/bound_at_end.ts";
import type { ReadBound } from "./kernel/fixed_sample/fixed_sample_bound.ts";
import type { Sampler } from "./kernel/drawing/sampler.ts";
import type { CutPart, TimeLimit } from "./kernel/drawing/time_limit.ts";
import type { Play } from "./kernel/play.ts";
import type { CandidatePair } from "./model/prediction/candidate_pair.ts";
import { RARE_UP_TO } from "./model/prediction/rare_outputs.ts";
import { detectableParameter, type TestsMade } from "./plan/power/detectable_parameter.ts";
import { rarestRefuted } from "./plan/power/rarest_event.ts";
import { longerRun } from "./plan/power/longer_run.ts";
import type { AuditFigures } from "./report.ts";
import type { Subject } from "./kernel/subject.ts";
import type { Settings } from "./validate_options.ts";
import { versions } from "./version.ts";

/** The power of the ε that a report calls detectable. */
const POWER = 0.9;

/** An audit whose draws for the verdict are made. */
export interface Run {
  readonly subject: Subject;
  readonly settings: Settings;
  readonly play: Play;
  readonly betsShare: number;
  readonly finalBound: BoundAtEnd<ReadBound> | undefined;
  readonly best: CandidatePair | undefined;
  /** Other pairs that the search ended with, the best first. */
  readonly others: readonly CandidatePair[];
  readonly pairsTried: number;
  /** The clock, which ends the audit at its limit. */
  readonly limit: TimeLimit;
  /** The draws that were made after those for the verdict, and what they were for. */
  readonly later: { readonly what: string; readonly sampler: Sampler }[];
  /** Data for a page with plots, where they were asked for. */
  readonly kept: DetailsKept | undefined;
}

/** Returns true if the bets or the test at the end refute the claim. */
export function isRefuted({ play, finalBound }: Pick<Run, "play" | "finalBound">): boolean {
  return play.evidence.refuted || (finalBound?.bound.refutes() ?? false);
}

/** Returns the parts of a report that every verdict has; its event is found later. */
export function figures(run: Run): AuditFigures {
  const { subject, settings, play, betsShare, finalBound, best, pairsTried } = run;
  const { claim, alpha, seed, bits } = settings;
  const { sampler, evidence } = play;
  const testRefutes = finalBound?.bound.refutes() ?? false;
  const share = best?.predictor.rarerShare ?? 0;
  const seen = best === undefined ? null : detectableParameter(share, testsOn(best, run));
  const longer = best === undefined ? undefined : longerRun(share, {
    ...testsOn(best, run),
    all: sampler.draws,
    detectable: seen,
  });
  return {
    subject: subject.name,
    claim,
    epsilonLowerBound: Math.max(evidence.lowerBound, finalBound?.bound.lowerBound() ?? 0),
    confidence: 1 - alpha,
    alpha,
    // The test has an e-value too: if it refutes, 1 divided by its level, else 0. Both are weighted by their shares of α.
    eValue: betsShare * Math.exp(evidence.logEValue) + (testRefutes ? 1 / alpha : 0),
    draws: sampler.draws,
    seconds: run.limit.seconds,
    pair: best === undefined ? null : { left: best.pair.left, right: best.pair.right },
    event: null,
    ...(settings.except.length === 0 ? {} : { except: settings.except }),
    ...(settings.space.required === undefined ? {} : { require: settings.space.required.texts }),
    seed,
    replay: settings.replay,
    smallestEventProbability: best === undefined ? 1 : rarest(best, run),
    detectableEpsilon: seen,
    detectableShare: share,
    ...(longer === undefined ? {} : { longerRun: longer }),
    requiredPower: settings.requirePower,
    pairsTried,
    bits,
    ...(subject.calledWith === undefined ? {} : { calledWith: subject.calledWith }),
    ...(subject.independent === true ? { declaredIndependent: true as const } : {}),
    ...(subject.asksAhead === true ? { askedAhead: true as const } : {}),
    versions: versions(),
  };
}

/** Returns the bets and the test that were made on a pair. */
function testsOn(
  { pair, predictor }: CandidatePair,
  { settings, play, betsShare, finalBound }: Run,
): TestsMade {
  const { left, right } = play.drawsOn(pair);
  return {
    claim: settings.claim,
    power: POWER,
    bets: {
      alpha: betsShare * settings.alpha,
      draws: Math.floor((left + right) * predictor.keptShare),
    },
    test: finalBound?.counted(),
  };
}

/** Returns the report with what the limit of time cut. */
export function withCut<Report extends AuditFigures>(
  report: Report,
  { play: { sampler }, limit, later }: Run,
): Report {
  const all = [{ what: "draws for the verdict", sampler }, ...later];
  const ended = all.filter(({ sampler }) => sampler.wasCut).map(({ what, sampler }): CutPart => ({
    what,
    done: sampler.draws,
    of: sampler.maxDraws,
  }));
  const cut = [...limit.cut, ...ended];
  return cut.length === 0 ? report : { ...report, cut };
}

/** Returns the report with what was kept for a page with plots, where that was asked for. */
export function withDetails<Report extends AuditFigures>(report: Report, run: Run): Report {
  const { kept, best } = run;
  if (kept === undefined) return report;
  if (best !== undefined) {
    kept.power = powerByDraws(best.predictor.rarerShare, testsOn(best, run));
  }
  return { ...report, details: kept.all };
}

/** Returns the least probability of an event on one dataset of the pair alone that the bets would have refuted. */
function rarest(best: CandidatePair, run: Run): number {
  const { predictor } = best, { sampler, evidence } = run.play;
  const rareDraws = predictor.rare.draws;
  return rarestRefuted({
    ...testsOn(best, run),
    rareDraws,
    batch: sampler.batchSize(predictor.batchShare * rareDraws),
    begun: evidence.rareCells,
    rareUpTo: RARE_UP_TO,
  });
}
