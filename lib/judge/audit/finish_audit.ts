import { parameterOf } from "../../core/claims/claim_curve.ts";
import type { Pair } from "../../core/relations/relation.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import { boundOnPair } from "./bound_on_pair.ts";
import { DrawsAfterVerdict } from "./draws_after_verdict.ts";
import { confirmationDraws, confirmRefutation } from "./counterexample/confirm_refutation.ts";
import type { EventReport } from "./counterexample/event_report.ts";
import { eventEpsilon, exceedsClaim } from "./counterexample/event_epsilon.ts";
import { eventInSamples } from "./counterexample/event_in_samples.ts";
import type { Event, TwoSides } from "./counterexample/event.ts";
import { eventDraws, eventOn, MOST_COUNTED } from "./counterexample/event_on.ts";
import { rareEvent } from "./counterexample/rare_event.ts";
import { type Confirmation, shrinkPair } from "./counterexample/shrink_pair.ts";
import { summariseOutputs } from "./output_summary.ts";
import { Sampler } from "./kernel/drawing/sampler.ts";
import { eitherSignal } from "./interrupted.ts";
import { inconclusiveReason } from "./plan/power/inconclusive_reason.ts";
import type { CandidatePair } from "./model/prediction/candidate_pair.ts";
import type { AuditFigures, AuditReport } from "./report.ts";
import { figures, isRefuted, type Run } from "./run.ts";

/** The most characters of an error that a report shows. */
const ERROR_LENGTH = 200;
/** A run whose pair is known. */
type RunOnPair = Run & { readonly best: CandidatePair };

/** Returns the report of an audit whose budget is spent or whose claim is refuted. */
export async function finishAudit(run: RunOnPair): Promise<AuditReport> {
  const { settings, play } = run;
  const report = figures(run);
  if (isRefuted(run)) return await finishRefutation(run, report);
  // Errors that are the same on all datasets show nothing about a program that works.
  const error = play.sampler.onlyErrors;
  if (error !== undefined) {
    const shown = JSON.stringify(error.slice(0, ERROR_LENGTH));
    return {
      ...report,
      verdict: "failed",
      eValue: 0,
      detectableEpsilon: null,
      failure: `every output was an error, as in ${shown}`,
    };
  }
  const event = await eventFor(run, { pair: run.best.pair, confirmed: 0 });
  const shown = { ...report, event: withinClaim(event, run) };
  const reason = inconclusiveReason({
    claim: settings.claim,
    draws: report.draws,
    onlyValue: play.sampler.onlyValue,
    recorded: run.subject.recorded,
    detectable: report.detectableEpsilon,
    share: report.detectableShare,
    requirePower: settings.requirePower,
  });
  return reason === undefined
    ? { ...shown, verdict: "not-refuted" }
    : { ...shown, verdict: "inconclusive", reason };
}

/**
 * Returns the report of a refutation: on a smaller pair, where fresh draws refute the claim on it once more, with a bound and an event by
 * others. Nothing that is drawn now takes the refutation back: its bets were fixed before their draws, so that a true claim meets it
 * with probability α at most.
 */
async function finishRefutation(run: RunOnPair, report: AuditFigures): Promise<AuditReport> {
  const { subject, settings, best } = run;
  if (!settings.shrink || subject.recorded !== undefined) {
    const { bound, drawn } = subject.recorded === undefined
      ? await boundFor(run, { pair: best.pair, report })
      : { bound: report.epsilonLowerBound, drawn: 0 };
    const event = await eventOfRefutation(run, {
      pair: best.pair,
      confirmed: 0,
      bounded: drawn,
    });
    return { ...report, event, epsilonLowerBound: bound, verdict: "refuted", confirmed: false };
  }
  const confirmation = await confirm(run, report);
  const { pair, draws, eValue, refuted } = confirmation;
  const claimed = parameterOf(settings.claim).value;
  const { bound, drawn } = refuted
    ? await boundFor(run, { pair, report })
    : { bound: Math.max(report.epsilonLowerBound, claimed), drawn: 0 };
  const event = await eventOfRefutation(run, { pair, confirmed: draws, bounded: drawn });
  const shown = {
    ...report,
    pair: { left: pair.left, right: pair.right },
    event,
    epsilonLowerBound: bound,
    verdict: "refuted" as const,
    confirmed: refuted,
  };
  if (refuted) return { ...shown, confirmation: { draws, eValue } };
  // Fewer draws than the refutation took, because time was over, say nothing of the program.
  const isCutShort = run.limit.isOver && draws < report.draws;
  return isCutShort ? shown : { ...shown, unconfirmed: { draws, eValue } };
}

/** Returns a sampler of draws that are made after those for the verdict; `what` they are is said where the clock ends them. */
function samplerFor(
  { subject, settings, limit, later }: Run,
  label: string,
  { maxDraws, what }: { readonly maxDraws: number; readonly what: string },
): Sampler {
  const { seed, onProgress } = settings;
  const sampler = new Sampler(subject, {
    labels: new SeededSource(seed).split(label),
    maxDraws,
    limit,
    signal: eitherSignal(settings),
    onProgress,
  });
  later.push({ what, sampler });
  return sampler;
}

/** Returns the draws that an audit makes after those for its verdict. */
function drawsAfter(
  { settings }: Run,
  report: Pick<AuditFigures, "draws">,
): DrawsAfterVerdict {
  return new DrawsAfterVerdict(settings, report);
}

/**
 * Makes the pair small, and refutes the claim on the result once more by fresh draws. The bets that refuted it were made on all
 * pairs of the search, and the one that looks best may keep the claim: then the others are tried, until one is refuted. That
 * makes no false alarm likelier, for the claim was refuted before.
 */
async function confirm(
  run: RunOnPair,
  report: AuditFigures,
): Promise<Confirmation> {
  const { settings, best, others } = run;
  const { toShrink, enough } = drawsAfter(run, report);
  const maxDraws = confirmationDraws({ ...report, enough });
  const confirming = { maxDraws, what: "draws to confirm the refutation" };
  const smallest = async (pair: Pair, place: string): Promise<Confirmation> =>
    await shrinkPair(pair, {
      ...settings,
      mostDraws: maxDraws,
      space: settings.mayShrink ? settings.space : undefined,
      sampler: samplerFor(run, `shrink${place}`, {
        maxDraws: toShrink,
        what: "draws to make the pair small",
      }),
      confirmSampler: () => samplerFor(run, `last word${place}`, confirming),
    });
  const again = async (candidate: CandidatePair, place: string): Promise<Confirmation> =>
    await confirmRefutation(candidate, {
      ...settings,
      sampler: samplerFor(run, `confirmation${place}`, confirming),
    });
  const smaller = await smallest(best.pair, "");
  if (smaller.refuted) return smaller;
  const first = await again(best, "");
  if (first.refuted) return first;
  for (const [k, candidate] of others.entries()) {
    const place = ` of pair ${k + 2}`;
    const confirmed = await again(candidate, place);
    if (!confirmed.refuted) continue;
    const reduced = await smallest(candidate.pair, place);
    return reduced.refuted ? reduced : confirmed;
  }
  return first;
}

/**
 * Returns the lower bound on the pair of a confirmed refutation. A thorough audit has spent its budget on a bound. A quick one ends at
 * the claim, so the bound is shown by draws of its own: it is wrong with probability at most α whatever was drawn before, and
 * where it is below the claim, the claim is what the refutation shows. Returns the number of these draws too.
 */
async function boundFor(
  run: RunOnPair,
  { pair, report }: { pair: Pair; report: AuditFigures },
): Promise<{ bound: number; drawn: number }> {
  const { subject, settings } = run;
  if (settings.effort === "thorough") return { bound: report.epsilonLowerBound, drawn: 0 };
  const maxDraws = drawsAfter(run, report).forBound;
  const sampler = samplerFor(run, "bound", { maxDraws, what: "draws for the bound" });
  const source = new SeededSource(settings.seed).split("guesses of the bound");
  const bound = await boundOnPair(pair, {
    ...settings,
    subject,
    sampler,
    source,
  });
  return { bound: Math.max(bound, parameterOf(settings.claim).value), drawn: sampler.draws };
}

/** The pair and the number of draws on which an event is looked for. */
interface EventSearch {
  readonly pair: Pair;
  /** Draws of the confirmation. */
  readonly confirmed: number;
  /** Draws of the bound. */
  readonly bounded?: number;
}

/**
 * Returns the event of a refutation: one that exceeds the claim by its own counts, if there is one. Where the refutation rests on
 * outputs so rare that draws made for an event show none of them, it is the rare output itself, counted on the draws of the
 * audit.
 */
async function eventOfRefutation(run: RunOnPair, search: EventSearch): Promise<EventReport | null> {
  const event = await eventFor(run, search, true);
  if (event?.exceedsClaim === true) return event;
  const { settings, best } = run;
  return search.pair === best.pair ? rareEvent(best.predictor.rare, settings) ?? event : event;
}

async function eventFor(
  run: RunOnPair,
  { pair, confirmed, bounded = 0 }: EventSearch,
  /** Whether the claim is refuted: then an event is looked for that shows it by itself. */
  isRefuted = false,
): Promise<EventReport | null> {
  const { subject, settings, play, best, kept } = run;
  const level = { ...settings, ...levelOfEvent(run) };
  const exceeds = (counts: Pick<EventReport, "left" | "right">): boolean =>
    exceedsClaim(counts, level);
  const shown = (event: EventReport | null): EventReport | null => {
    if (event === null) return null;
    const epsilonLowerBound = eventEpsilon(event, level);
    return {
      ...event,
      ...(epsilonLowerBound > 0 ? { epsilonLowerBound } : {}),
      ...(isRefuted ? { exceedsClaim: exceeds(event) } : {}),
    };
  };
  const drawn = (sides: TwoSides, event?: Event): void => {
    if (kept !== undefined) kept.outputs = summariseOutputs(sides, event);
  };
  if (subject.recorded !== undefined) {
    const event = eventInSamples(subject.recorded, {
      claim: settings.claim,
      pair,
      centres: best.predictor.centres,
      source: new SeededSource(settings.seed).split("event"),
      drawn,
    });
    return shown(event);
  }
  const audited = play.sampler.draws, { encoder } = best.predictor;
  const width = encoder?.screenedFrom ?? encoder?.columns.length;
  const { enough } = drawsAfter(run, { draws: audited });
  const event = await eventOn(pair, {
    ...settings,
    drawn,
    ...(isRefuted ? { exceeds } : {}),
    begin: (label, maxDraws) => samplerFor(run, label, { maxDraws, what: "draws for an event" }),
    ...(width === undefined ? {} : { width }),
    draws: Math.min(
      settings.maxDraws,
      eventDraws({ audited, confirmed, bounded, oneAtATime: settings.oneAtATime, enough }),
    ),
  });
  return shown(event);
}

/** Returns the level of what the counts of an event show, and whether outputs are independent of each other. */
function levelOfEvent(
  { subject, settings }: Run,
): { readonly alpha: number; readonly independent: boolean } {
  const isRecorded = subject.recorded !== undefined;
  return {
    alpha: isRecorded ? settings.alpha : settings.alpha / MOST_COUNTED,
    independent: isRecorded || subject.independent === true,
  };
}

/** Returns the event beside a claim that is not refuted: counts of one event have a level of their own and refute nothing. */
function withinClaim(event: EventReport | null, { settings }: Run): EventReport | null {
  const { claim } = settings;
  const most = claim.kind === "pure" || claim.kind === "approximate" ? claim.epsilon : Infinity;
  if ((event?.epsilonLowerBound ?? 0) <= most) return event;
  const { epsilonLowerBound: _above, ...counts } = event as EventReport;
  return counts;
}
