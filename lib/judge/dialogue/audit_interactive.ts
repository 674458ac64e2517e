import type { Claim } from "../../core/claims/claim.ts";
import { pointsOf } from "../../core/claims/claim_curve.ts";
import { requireClaim } from "../../core/claims/claim_brand.ts";
import {
  requireChance,
  requireFields,
  requireInteger,
  requireKind,
  requireOneOf,
  requirePositive,
} from "../../core/numeric/require.ts";
import { bareJson } from "../../core/text/bare_json.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import type { Domain } from "../../core/relations/dataset.ts";
import { requireDomain } from "../audit/search/require_domain.ts";
import type { Pair, Relation } from "../../core/relations/relation.ts";
import { audit } from "../audit/audit.ts";
import { SubjectFailure } from "../audit/kernel/subject.ts";
import type { AuditReport } from "../audit/report.ts";
import type { SearchSpace } from "../audit/search/mutate_pairs.ts";
import { DEFAULT_ALPHA, DEFAULT_SECONDS } from "../audit/validate_options.ts";
import { versions } from "../audit/version.ts";
import { functionProgram } from "./function_program.ts";
import type { InteractiveProgram } from "./interactive_program.ts";
import { eventText, mostLeaking, type Point } from "./leaking_event.ts";
import { leakAdvice } from "./leak_advice.ts";
import { QuestionKinds, type QuestionSpecs } from "./question_kinds.ts";
import {
  countEvent,
  excessOf,
  type Scored,
  searchStrategies,
  TranscriptDrawer,
} from "./search_strategies.ts";
import type { Service } from "./service.ts";
import type { SessionReport, TriedAdversary } from "./session_report.ts";
import { shrinkStrategy } from "./shrink_strategy.ts";
import { MOST_STEPS, MOST_TIMES, requireStrategy, scriptOf, type Strategy } from "./strategy.ts";
import { type Candidate, moveNamesOf, MOVES, StrategyMaker } from "./strategy_moves.ts";
import { MOST_ANSWERS } from "./transcript.ts";
import { NoiseWatch } from "./watched_loss.ts";
import { searchByNoise } from "./watched_search.ts";
import { transcriptSubject } from "./transcript_subject.ts";
import type { Lifetime } from "./users.ts";

/** Options of an audit of sessions. The claim, the kinds of questions and the datasets have no default. */
export interface AuditInteractiveOptions {
  /** The claim to test: of everything that an adversary sees in the lifetime below. */
  readonly claim: Claim;
  /** Kinds of questions with the values of their arguments, as data or as arbitraries of fast-check. No question is written by hand. */
  readonly questions: QuestionSpecs;
  /** Datasets to search. May be left out where a pair is given. */
  readonly domain?: Domain;
  /** The neighbouring relation: the claim's if absent. */
  readonly relation?: Relation;
  /** A fixed pair of neighbours; otherwise pairs are searched together with strategies. */
  readonly pair?: Pair;
  /** A fixed strategy, as a report has it: nothing is searched. It needs a pair. */
  readonly strategy?: Strategy;
  /** Scope of the claim: one session, all sessions of a user, or all sessions of all users. Default "service". */
  readonly lifetime?: Lifetime;
  /**
   * What a restart of the service keeps: with "everything" the claim covers what is asked before and after it; with "nothing" a new
   * claim begins, and strategies do not restart. Default "everything".
   */
  readonly restartKeeps?: "everything" | "nothing";
  /** The largest probability of refuting a true claim. Default 0.01. */
  readonly alpha?: number;
  /** Transcripts of the search, both sides together. Default: 300,000 of a service of this process, fewer of others. */
  readonly maxSearchDraws?: number;
  /** Transcripts of each of the bets, of which there are at most three. Default: 40,000 of a service of this process. */
  readonly maxDraws?: number;
  /** The audit is cut after this many seconds. Default 600. */
  readonly maxSeconds?: number;
  /** Seconds that a transcript may take before the service counts as hung. Default 30. */
  readonly timeoutSeconds?: number;
  /** Make a strategy that is found smaller. Default true. */
  readonly shrink?: boolean;
  /** Seed of the search, the coins and the service's source. Default: chosen at random and reported. */
  readonly seed?: number;
  /** Aborts the audit: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How α is shared among bets: the second and the third are made only where their candidates broke the claim in the search too. */
const SHARES = [0.6, 0.25, 0.15] as const;
/** From this excess on a second and a third candidate are bet on. */
const WORTH_A_BET = 2.5;
/** A candidate is made smaller from this excess on. */
const WORTH_SHRINKING = 4;
/** The share of the search's transcripts that making it smaller may take. */
const SHRINK_SHARE = 0.4;
/** The share of a bet's transcripts that a smaller candidate is confirmed on, on each side: what shows there is clear to the bet. */
const CONFIRMS_SHARE = 0.125;
/** Runs in which noise is watched, as a share of the search's transcripts. */
const WATCHED_SHARE = 0.1;
/** A search of fewer strategies says nothing. */
const FEWEST_STRATEGIES = 50;

/**
 * Audits a service that answers questions: does everything that an adversary sees of it keep the claim?
 *
 * The adversary is searched: strategies are short programs of questions (repeats, questions that are nearly equal, parts, questions
 * beyond the budget, arguments from earlier answers, a second session, a restart), tried together with pairs of datasets. One
 * transcript is one output of an ordinary audit: a fair coin chooses the dataset, the service is started on it, the strategy is
 * played, and bettors bet on the coin. A strategy is fixed before the coins of its bet, and those draws come from a source of their
 * own, so the statement of error is that of {@linkcode audit}, whatever was searched before; up to three bets share α. It covers
 * services that refuse, fail or end sessions, for these are answers too (Haney, Shoemate, Tian, Vadhan, Vyrros, Xu, Zhang 2023 for
 * claims about interaction).
 *
 * "not-refuted" says that this adversary did not see a leak: the report names it.
 *
 * @throws {RangeError} when an option is out of its bounds or something needed is missing.
 *
 * @example
 * ```ts
 * import { auditInteractive, pure, replaceOne } from "@dpcheck/dpcheck";
 *
 * const service = {
 *   start: (rows: number[], source: { uniform(): number }) => ({ rows, source, left: 1 }),
 *   open: (state: { rows: number[]; source: { uniform(): number }; left: number }) => ({
 *     ask(question: { kind: string; below?: unknown }): unknown {
 *       if (state.left-- <= 0) return { refused: "the budget is spent" };
 *       const noise = Math.log(state.source.uniform() / state.source.uniform());
 *       return state.rows.filter((row) => row < Number(question.below)).length + noise;
 *     },
 *   }),
 * };
 * const report = await auditInteractive(service, {
 *   claim: pure({ epsilon: 1, relation: replaceOne }),
 *   questions: { count: { below: { type: "number", min: 0, max: 10 } } },
 *   domain: { rows: { type: "number", min: 0, max: 10 }, size: { min: 1, max: 3 } },
 *   maxSearchDraws: 5_000,
 *   maxDraws: 2_000,
 *   seed: 1,
 * });
 * console.log(report.verdict); // "not-refuted"
 * ```
 */
export async function auditInteractive<Row, State>(
  service: Service<Row, State>,
  options: AuditInteractiveOptions,
): Promise<SessionReport> {
  requireKind("auditInteractive", "service", service, "record");
  for (const name of ["start", "open"] as const) {
    requireKind("auditInteractive", `${name} of service`, service[name], "function");
  }
  const { timeoutSeconds = 30 } = requireFields("auditInteractive", options, {});
  requirePositive("audit sessions", "timeoutSeconds", timeoutSeconds);
  const program = functionProgram(service as unknown as Service<unknown, unknown>, {
    timeoutSeconds,
  });
  return await auditProgram(program, options);
}

/** Does what {@linkcode auditInteractive} does, of any program that holds sessions. It is not closed. */
export async function auditProgram(
  program: InteractiveProgram,
  options: AuditInteractiveOptions,
): Promise<SessionReport> {
  const began = performance.now();
  const settings = await settingsOf(program, options);
  const { claim, alpha, seed, lifetime, kinds, space, deadline } = settings;
  const root = new SeededSource(seed).split("sessions");
  const points = pointsOf(claim);
  const drawer = new TranscriptDrawer(program, {
    kinds,
    lifetime,
    source: root.split("search draws"),
    deadline,
    signal: options.signal,
  });
  let tried = 0, watched = 0;
  const adversary = (): TriedAdversary => ({
    strategies: tried,
    watched,
    transcripts: drawer.drawn,
    kinds: kinds.names,
    moves: options.strategy === undefined ? settings.moveWords : [],
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
    const found = options.strategy === undefined
      ? await search(settings, {
        drawer,
        points,
        root,
        service: program.service,
        count: (found) => {
          tried = found.tried;
          watched = found.watched;
        },
      })
      : await given(options.strategy, { pair: options.pair!, drawer, points });
    if (!drawer.hasAnswered) {
      return report({
        verdict: "failed",
        failure: `${program.name} answered nothing but refusals and errors, the first: ${
          drawer.noAnswer ?? "no question was asked"
        }`,
      });
    }
    if (found.length === 0) {
      return report({
        verdict: "inconclusive",
        reason: "no strategy could be compared: nothing was drawn in time",
      });
    }
    let draws = 0, shown: { bet: AuditReport; candidate: Scored } | undefined;
    for (const [rank, candidate] of found.slice(0, SHARES.length).entries()) {
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
          relation: space.relation,
          alpha: alpha * (options.strategy === undefined ? SHARES[rank]! : 1),
          maxDraws: settings.betDraws,
          maxSeconds: Math.max(1, remaining),
          seed: Math.floor(root.split(`coins ${rank}`).uniform() * Number.MAX_SAFE_INTEGER),
          shrink: false,
          requirePower: Infinity,
          ...(options.signal === undefined ? {} : { signal: options.signal }),
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
    const isShort = options.strategy === undefined && tried < FEWEST_STRATEGIES &&
      bet.verdict !== "refuted";
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
      advice: bet.verdict === "refuted" ? leakAdvice(candidate) : null,
      replay: replayOf(settings, candidate),
    });
  } catch (error) {
    if (!(error instanceof SubjectFailure)) throw error;
    return report({ verdict: "failed", failure: error.message });
  }
}

/** A call that bets on a candidate again, where `service` and `options` are those of the audit. */
function replayOf({ seed }: Settings, { strategy, pair: { left, right } }: Candidate): string {
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

interface Settings {
  readonly claim: Claim;
  readonly alpha: number;
  readonly seed: number;
  readonly lifetime: Lifetime;
  readonly kinds: QuestionKinds;
  readonly space: SearchSpace;
  readonly pair: Pair | undefined;
  readonly mayRestart: boolean;
  readonly moveWords: readonly string[];
  readonly searchDraws: number;
  readonly betDraws: number;
  readonly shrink: boolean;
  readonly deadline: number;
}

async function settingsOf(
  program: InteractiveProgram,
  options: AuditInteractiveOptions,
): Promise<Settings> {
  const action = "audit sessions";
  requireFields("auditInteractive", options, {
    claim: "record",
    questions: "record",
    domain: "record?",
    relation: "relation?",
    pair: "record?",
    strategy: "list?",
    shrink: "boolean?",
    signal: "signal?",
  });
  const {
    claim,
    alpha = DEFAULT_ALPHA,
    lifetime = "service",
    restartKeeps = "everything",
    pair,
    strategy,
  } = options;
  requireClaim(action, claim);
  requireChance(action, "alpha", alpha);
  requireOneOf<Lifetime>(action, "lifetime", lifetime, ["session", "user", "service"]);
  requireOneOf(action, "restartKeeps", restartKeeps, ["everything", "nothing"] as const);
  const { seed = crypto.getRandomValues(new Uint32Array(1))[0]! } = options;
  requireInteger(action, "seed", seed, { min: 0 });
  const { maxSearchDraws = program.usualDraws.search, maxDraws = program.usualDraws.bet } = options;
  requireInteger(action, "maxSearchDraws", maxSearchDraws, { min: 1 });
  requireInteger(action, "maxDraws", maxDraws, { min: 1 });
  const { maxSeconds = DEFAULT_SECONDS } = options;
  requirePositive(action, "maxSeconds", maxSeconds);
  if (pair === undefined && options.domain === undefined) {
    throw new RangeError(
      "Cannot audit sessions: domain must be given, or a pair: current value is undefined",
    );
  }
  if (options.domain !== undefined) requireDomain(action, options.domain);
  if (strategy !== undefined && pair === undefined) {
    throw new RangeError(
      "Cannot audit sessions: pair must be given with strategy: current value is undefined",
    );
  }
  const mayRestart = program.mayRestart && restartKeeps === "everything" && lifetime !== "session";
  if (strategy !== undefined) {
    requireStrategy(strategy, { kinds: Object.keys(options.questions), lifetime, mayRestart });
  }
  const kinds = await QuestionKinds.of(options.questions, { rows: options.domain?.rows, seed });
  const relation = options.relation ?? pair?.relation ?? claim.relation;
  const space: SearchSpace = {
    domain: options.domain ?? { rows: { type: "boolean" }, size: { min: 0, max: 0 } },
    relation,
  };
  const names = moveNamesOf({ lifetime, mayRestart, isGiven: pair !== undefined });
  return {
    claim,
    alpha,
    seed,
    lifetime,
    kinds,
    space,
    pair,
    mayRestart,
    moveWords: names.filter((name) => !["add", "change", "drop", "pair", "nearPair"].includes(name))
      .map((name) => MOVES[name]),
    searchDraws: maxSearchDraws,
    betDraws: maxDraws,
    shrink: options.shrink ?? true,
    deadline: performance.now() + maxSeconds * 1000,
  };
}

/** The best candidates of a search, the first of them made smaller. */
async function search(
  settings: Settings,
  { drawer, points, root, service, count }: {
    readonly drawer: TranscriptDrawer;
    readonly points: readonly Point[];
    readonly root: SeededSource;
    /** The service whose noise is watched before transcripts are drawn. */
    readonly service: Service<unknown, unknown> | undefined;
    readonly count: (found: { readonly tried: number; readonly watched: number }) => void;
  },
): Promise<Scored[]> {
  const { kinds, space, lifetime, mayRestart, pair, searchDraws } = settings;
  const maker = new StrategyMaker({
    kinds,
    space,
    source: root.split("moves"),
    lifetime,
    mayRestart,
    pair,
  });
  const { suspects, watched } = service === undefined
    ? { suspects: [], watched: 0 }
    : await searchByNoise(maker, {
      watch: new NoiseWatch(service, { kinds, lifetime }),
      points,
      source: root.split("watched"),
      kinds,
      space: pair === undefined ? space : undefined,
      mostRuns: WATCHED_SHARE * searchDraws,
      isLate: () => drawer.isLate,
      pause: () => drawer.pause(),
    });
  const { best, tried } = await searchStrategies(maker, {
    drawer,
    points,
    budget: searchDraws,
    source: root.split("choices"),
    first: suspects,
  });
  count({ tried: tried + watched, watched });
  const [leader, ...others] = best;
  if (leader === undefined) {
    // Nothing stood out: one candidate is bet on all the same.
    const candidate = maker.fresh();
    return await given(candidate.strategy, { pair: candidate.pair, drawer, points });
  }
  if (!settings.shrink || excessOf(leader, points) < WORTH_SHRINKING) return [...best];
  const smaller = await shrinkStrategy(leader, {
    drawer,
    points,
    kinds,
    space: pair === undefined ? space : undefined,
    budget: SHRINK_SHARE * searchDraws,
    most: Math.ceil(CONFIRMS_SHARE * settings.betDraws),
  });
  return smaller === leader ? [leader, ...others] : [smaller, leader, ...others];
}

/** Transcripts of a side on which the event of a given strategy is selected, and counted. */
const GIVEN = { selected: 200, counted: 400 };

/** A given strategy with the event that is selected for it. */
async function given(
  strategy: Strategy,
  { pair, drawer, points }: {
    readonly pair: Pair;
    readonly drawer: TranscriptDrawer;
    readonly points: readonly Point[];
  },
): Promise<Scored[]> {
  const candidate = { strategy, pair, moves: [] };
  const [left, right] = await drawer.both(candidate, GIVEN.selected);
  const selected = mostLeaking(left, right, { points, part: 1 });
  const event = selected?.event ??
    {
      feature: { name: "the last answer", of: ({ answers }) => answers.at(-1) },
      is: "nothing",
      side: 0 as const,
    };
  const scored: Scored = { ...candidate, event, hits: [0, 0], n: 0 };
  await countEvent(drawer, scored, GIVEN.counted);
  return [scored];
}
