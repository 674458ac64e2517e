import type { Claim } from "../../core/claims/claim.ts";
import { parameterOf } from "../../core/claims/claim_curve.ts";
import { requireClaim } from "../../core/claims/claim_brand.ts";
import {
  requireChance,
  requireFields,
  requireKind,
  requireOneOf,
} from "../../core/numeric/require.ts";
import { requireDomain } from "./search/require_domain.ts";
import { type Pair, sameRow } from "../../core/relations/relation.ts";
import { parseEvent } from "./model/encoding/event_rule.ts";
import type { AuditOptions } from "./options.ts";
import type { AuditEffort } from "./model/prediction/effort.ts";
import { requiredRules } from "./search/dataset_rules.ts";
import type { SearchSpace } from "./search/mutate_pairs.ts";
import { drawsThatLast } from "./subjects/recorded/draws_that_last.ts";
import type { ShardedCounting } from "./sharded_counting.ts";
import type { Subject } from "./kernel/subject.ts";

/** Options with every default filled in. */
export interface Settings {
  readonly claim: Claim;
  readonly pair: Pair | undefined;
  readonly space: SearchSpace;
  /** Rows before every dataset. */
  readonly withRows: readonly unknown[];
  /** Events whose outputs are left out. */
  readonly except: readonly string[];
  /** Whether the domain is known, so that other pairs of it may be tried. */
  readonly mayShrink: boolean;
  readonly alpha: number;
  readonly maxDraws: number;
  /** The usual draws of the kind of subject, and whether the audit was given no other number. */
  readonly usualDraws: number;
  readonly isUsual: boolean;
  readonly maxSeconds: number;
  readonly seed: number;
  readonly effort: AuditEffort;
  readonly bits: boolean;
  readonly shrink: boolean;
  readonly oneAtATime: boolean;
  readonly requirePower: number;
  readonly replay: string;
  readonly details: boolean;
  readonly signal?: AbortSignal;
  readonly interrupt?: AbortSignal;
  readonly counting?: ShardedCounting;
  readonly onProgress?: NonNullable<AuditOptions["onProgress"]>;
}

/** The usual draws of a subject whose kind has no other number. */
const USUAL_DRAWS = 200_000;
/** A thorough audit has so many times the usual draws. */
const THOROUGH = 5;
/** The limit of seconds where none is given. It is there for what hangs or is far too slow. */
export const DEFAULT_SECONDS = 600;
/** The largest ε, ρ or μ: far beyond what any number of draws can refute, and far below what doubles lose. */
export const LARGEST_PARAMETER = 10_000;
/** The smallest above 0: steps of bounds are shares of it, and doubles below have too few digits for these. */
const SMALLEST_PARAMETER = 1e-300;
/** The level of an audit without `alpha`. */
export const DEFAULT_ALPHA = 0.01;
/** The multiple of the claim at which a violation must have been visible. */
const DEFAULT_REQUIRED_POWER = 2;

function refuse(name: string, rule: string, value: unknown): never {
  throw new RangeError(`Cannot audit: ${name} must ${rule}: current value is ${value}`);
}

/** Returns true for numbers, for callers without types: text that looks like a number compares like one. */
function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

/** Options of an audit whose end may be drawn in shards: after the search, a number of draws that is fixed by then. */
export type OptionsWithShards = AuditOptions & { readonly counting?: ShardedCounting };

/** Checks the options of an audit and fills in its defaults. @throws {RangeError} naming what is wrong. */
export function validateOptions(subject: Subject, options: OptionsWithShards): Settings {
  requireKind("audit", "subject", subject, "record");
  requireKind("audit", "draw of subject", subject.draw, "function");
  requireFields("audit", options, {
    pair: "record?",
    domain: "record?",
    numbers: "list?",
    suspected: "list?",
    relation: "relation?",
    signal: "signal?",
    interrupt: "signal?",
    withRows: "list?",
    require: "list?",
    except: "list?",
    onProgress: "function?",
    all: "boolean?",
    bits: "boolean?",
    shrink: "boolean?",
    oneAtATime: "boolean?",
    details: "boolean?",
  });
  const {
    claim = subject.claim ?? refuse("claim", "be given, for the subject makes none", undefined),
  } = options;
  requireClaim("audit", claim);
  const { name, value } = parameterOf(claim);
  if (value > LARGEST_PARAMETER) refuse(name, `be at most ${LARGEST_PARAMETER}`, value);
  if (value > 0 && value < SMALLEST_PARAMETER) {
    refuse(name, `be 0 or at least ${SMALLEST_PARAMETER}`, value);
  }
  const { alpha = DEFAULT_ALPHA, effort = "quick" } = options;
  requireOneOf<AuditEffort>("audit", "effort", effort, ["quick", "thorough"]);
  const { recorded, usualDraws = USUAL_DRAWS } = subject;
  const usual = (effort === "quick" ? 1 : THOROUGH) * usualDraws;
  const { maxDraws: asked = usual } = options;
  requireChance("audit", "alpha", alpha);
  if (!(asked >= 1 && Number.isInteger(asked))) {
    refuse("maxDraws", "be a whole number, at least 1", asked);
  }
  const isUsual = options.maxDraws === undefined;
  const maxDraws = recorded === undefined
    ? asked
    : Math.min(isUsual ? Infinity : asked, drawsThatLast(recorded));
  const { maxSeconds = DEFAULT_SECONDS } = options;
  if (!(isNumber(maxSeconds) && maxSeconds > 0)) refuse("maxSeconds", "be positive", maxSeconds);
  const { seed = crypto.getRandomValues(new Uint32Array(1))[0]! } = options;
  if (!Number.isSafeInteger(seed) || seed < 0) refuse("seed", "be a non-negative integer", seed);
  const { requirePower = DEFAULT_REQUIRED_POWER } = options;
  if (!(isNumber(requirePower) && requirePower > 1)) {
    refuse("requirePower", "be above 1", requirePower);
  }
  const domain = options.domain ?? subject.domain;
  if (domain !== undefined) requireDomain("audit", domain);
  if (options.pair === undefined && domain === undefined) {
    refuse("pair", "be given, or a domain in which to search for one", undefined);
  }
  if (options.pair !== undefined && sameRow(options.pair.left, options.pair.right)) {
    // No output can refute a claim on equal datasets. The message does not show rows.
    refuse("pair", "have two sides that differ", "twice the same dataset");
  }
  const { withRows = [], require: rules = [], except = [] } = options;
  if (withRows.length > 0 && recorded !== undefined) {
    refuse("withRows", "be left out where outputs were recorded", `${withRows.length} rows`);
  }
  if (
    withRows.length > 0 && options.pair !== undefined &&
    !(Array.isArray(options.pair.left) && Array.isArray(options.pair.right))
  ) {
    refuse("pair", "be two lists of rows where withRows is given", "another value");
  }
  if (rules.length > 0 && (recorded !== undefined || domain === undefined)) {
    refuse("require", "come with a domain, in which pairs are searched", rules.join("; "));
  }
  const required = rules.length === 0
    ? undefined
    : requiredRules(rules, { rows: domain!.rows, before: withRows });
  const { pair } = options;
  if (
    pair !== undefined && required !== undefined &&
    !(required.keeps(pair.left) && required.keeps(pair.right))
  ) {
    refuse("pair", `keep ${required.texts.join(" and ")} on both sides`, "one that does not");
  }
  if (except.length > 0 && recorded !== undefined) {
    refuse("except", "be left out where outputs were recorded", except.join("; "));
  }
  except.forEach(parseEvent);
  if (options.all === true && recorded !== undefined) {
    refuse("all", "be left out where outputs were recorded", true);
  }
  if (options.counting !== undefined && (recorded !== undefined || options.effort !== "thorough")) {
    refuse("counting", 'be left out unless outputs are drawn and effort is "thorough"', "set");
  }
  const settings = {
    claim,
    except,
    withRows,
    pair: options.pair,
    space: {
      ...(options.numbers === undefined ? {} : { numbers: options.numbers }),
      ...(options.suspected === undefined ? {} : { suspected: options.suspected }),
      domain: domain ?? { rows: { type: "boolean" as const }, size: { min: 0, max: 0 } },
      relation: options.pair?.relation ?? options.relation ?? claim.relation,
      ...(required === undefined ? {} : { required }),
    },
    mayShrink: domain !== undefined,
    alpha,
    maxDraws,
    usualDraws,
    isUsual,
    maxSeconds,
    seed,
    effort,
    bits: options.bits ?? false,
    shrink: options.shrink ?? true,
    oneAtATime: options.oneAtATime ?? false,
    requirePower,
    details: options.details ?? false,
    replay: `await audit(subject, { …, seed: ${seed} })`,
  };
  return {
    ...settings,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.interrupt === undefined ? {} : { interrupt: options.interrupt }),
    ...(options.counting === undefined ? {} : { counting: options.counting }),
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
  };
}
