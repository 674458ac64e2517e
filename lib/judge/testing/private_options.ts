import type { AuditOptions } from "../audit/options.ts";
import { statedClaim } from "../../core/claims/at_reach.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { Relation } from "../../core/relations/relation.ts";
import { type GivenPair, OptionCheck } from "./option_check.ts";

/**
 * As for `audit`, but made for tests: the seed and the number of draws are fixed unless given, so that
 * a test of code that draws from the given source passes always or never. The claim is the mechanism's
 * own, or `claim`, or `epsilon` (and `delta`) under `relation`.
 */
export interface AssertPrivateOptions extends Omit<AuditOptions, "relation" | "pair"> {
  /** ε in nats, in place of `claim`; needs `relation`. Under a metric it is that of a unit of distance. */
  readonly epsilon?: number;
  /** δ of the claim that `epsilon` makes. Default 0. */
  readonly delta?: number;
  /** The neighbouring relation, or its name, as in "replace-one". Default: the claim's. */
  readonly relation?: Relation | string;
  /** The only pair: made by {@linkcode pairOf}, or two datasets that are neighbours. Default: pairs are searched. */
  readonly pair?: GivenPair;
  /** Chance of refuting a true claim, at most. Default 0.001, so that continuous runs seldom cry wolf. */
  readonly alpha?: number;
  /** The draws of the audit. Default 200,000. */
  readonly maxDraws?: number;
  /** Seed of the draws, the labels and the search. Default 1. */
  readonly seed?: number;
  /** Whether the noise of a function or a mechanism is watched before the audit, which then looks at suspected pairs first. Default true. */
  readonly recording?: boolean;
}

/** Every option: what is not among them is a mistake that a test without type checks would pass over. */
const NAMES: Readonly<Record<keyof AssertPrivateOptions, true>> = {
  claim: true,
  pair: true,
  domain: true,
  numbers: true,
  suspected: true,
  except: true,
  require: true,
  withRows: true,
  relation: true,
  all: true,
  alpha: true,
  maxDraws: true,
  maxSeconds: true,
  seed: true,
  effort: true,
  bits: true,
  shrink: true,
  requirePower: true,
  oneAtATime: true,
  details: true,
  signal: true,
  interrupt: true,
  onProgress: true,
  epsilon: true,
  delta: true,
  recording: true,
};

const check: OptionCheck = new OptionCheck("assert privacy");

/** Returns the options of `audit` that those of an assertion stand for. @throws {RangeError} naming what is wrong. */
export function auditOptionsOf(options: AssertPrivateOptions): AuditOptions {
  check.names(options, NAMES);
  const { epsilon, delta = 0, relation: named, pair, claim: given, recording, ...rest } = options;
  if (recording !== undefined && typeof recording !== "boolean") {
    check.refuse("recording", "be true or false", recording);
  }
  if (rest.domain !== undefined) check.domain(rest.domain);
  const relation = check.relation(named);
  const claim = given ?? claimOf({ epsilon, delta, relation });
  const neighbours = relation ?? claim?.relation;
  return {
    ...rest,
    ...(claim === undefined ? {} : { claim }),
    ...(relation === undefined ? {} : { relation }),
    ...(pair === undefined ? {} : { pair: check.pair(pair, neighbours) }),
    seed: options.seed ?? 1,
    alpha: options.alpha ?? 0.001,
    maxDraws: rest.maxDraws ?? 200_000,
  };
}

function claimOf(
  { epsilon, delta, relation }: {
    readonly epsilon: number | undefined;
    readonly delta: number;
    readonly relation: Relation | undefined;
  },
): Claim | undefined {
  if (epsilon === undefined) return undefined;
  if (relation === undefined) check.refuse("relation", "be given with epsilon", undefined);
  return statedClaim({ epsilon, delta, relation });
}
