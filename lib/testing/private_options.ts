import type { AuditOptions } from "../audit/options.ts";
import { approximate, type Claim, pure } from "../core/claim.ts";
import type { Domain } from "../core/dataset.ts";
import { type Pair, pairOf, type Relation } from "../core/relation.ts";
import { relationNamed } from "../core/relation_named.ts";

/**
 * As for `audit`, but made for tests: the seed and the number of draws are fixed unless given, so that
 * a test of code that draws from the given source passes always or never. The claim is the mechanism's
 * own, or `claim`, or `epsilon` (and `delta`) under `relation`.
 */
export interface AssertPrivateOptions extends Omit<AuditOptions, "relation" | "pair"> {
  /** ε in nats, in place of `claim`; needs `relation`. */
  readonly epsilon?: number;
  /** δ of the claim that `epsilon` makes. Default 0. */
  readonly delta?: number;
  /** The neighbouring relation, or its name, as in "replace-one". Default: the claim's. */
  readonly relation?: Relation | string;
  /** The only pair: made by {@linkcode pairOf}, or two datasets that are neighbours. Default: pairs are searched. */
  readonly pair?: Pair | { readonly left: readonly unknown[]; readonly right: readonly unknown[] };
  /** Chance of refuting a true claim, at most. Default 0.001, so that continuous runs seldom cry wolf. */
  readonly alpha?: number;
  /** Stop after this many draws. Default 200,000 unless `maxSeconds` is given. */
  readonly maxDraws?: number;
  /** Seed of the draws, the labels and the search. Default 1. */
  readonly seed?: number;
}

/** Every option: what is not among them is a mistake that a test without type checks would pass over. */
const NAMES: Readonly<Record<keyof AssertPrivateOptions, true>> = {
  claim: true,
  pair: true,
  domain: true,
  withRows: true,
  relation: true,
  alpha: true,
  maxDraws: true,
  maxSeconds: true,
  seed: true,
  effort: true,
  bits: true,
  shrink: true,
  requirePower: true,
  signal: true,
  interrupt: true,
  onProgress: true,
  epsilon: true,
  delta: true,
};

/** The kinds of rows of a domain. */
const ROW_TYPES = ["number", "integer", "boolean", "category", "vector", "record"];

/** The options of `audit` that those of an assertion stand for. @throws {RangeError} naming what is wrong. */
export function auditOptionsOf(options: AssertPrivateOptions): AuditOptions {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(NAMES, name)) {
      refuse("options", `be among ${Object.keys(NAMES).toSorted().join(", ")}`, name);
    }
  }
  const { epsilon, delta = 0, relation: named, pair, claim: given, ...rest } = options;
  if (rest.domain !== undefined) requireDomain(rest.domain);
  const relation = typeof named === "string" ? relationOf(named) : named;
  const claim = given ?? claimOf({ epsilon, delta, relation });
  const neighbours = relation ?? claim?.relation;
  return {
    ...rest,
    ...(claim === undefined ? {} : { claim }),
    ...(relation === undefined ? {} : { relation }),
    ...(pair === undefined ? {} : { pair: pairFrom(pair, neighbours) }),
    seed: options.seed ?? 1,
    alpha: options.alpha ?? 0.001,
    ...(rest.maxSeconds === undefined ? { maxDraws: rest.maxDraws ?? 200_000 } : {}),
  };
}

function relationOf(name: string): Relation {
  return relationNamed(name) ??
    refuse("relation", "be a relation, or the name of one, as replace-one or add-remove-one", name);
}

function claimOf(
  { epsilon, delta, relation }: {
    readonly epsilon: number | undefined;
    readonly delta: number;
    readonly relation: Relation | undefined;
  },
): Claim | undefined {
  if (epsilon === undefined) return undefined;
  if (relation === undefined) refuse("relation", "be given with epsilon", undefined);
  return delta === 0 ? pure({ epsilon, relation }) : approximate({ epsilon, delta, relation });
}

function pairFrom(
  pair: NonNullable<AssertPrivateOptions["pair"]>,
  relation: Relation | undefined,
): Pair {
  if ("relation" in pair) return pair;
  if (relation === undefined) refuse("relation", "be given with two datasets", undefined);
  return pairOf(relation, { left: pair.left, right: pair.right });
}

function requireDomain({ rows, size }: Domain): void {
  if (!ROW_TYPES.includes(rows?.type)) {
    refuse("domain.rows.type", `be one of ${ROW_TYPES.join(", ")}`, rows?.type);
  }
  if (
    !(Number.isInteger(size?.min) && Number.isInteger(size?.max) && size.min >= 0 &&
      size.max >= size.min)
  ) {
    refuse("domain.size", "have whole numbers min and max, 0 ≤ min ≤ max", JSON.stringify(size));
  }
  if (size.max === 0) {
    refuse("domain.size", "allow a row: the empty dataset alone has no neighbour", "0");
  }
}

function refuse(name: string, rule: string, value: unknown): never {
  throw new RangeError(
    `Cannot assert privacy: ${name} must ${rule}: current value is ${value}`,
  );
}
