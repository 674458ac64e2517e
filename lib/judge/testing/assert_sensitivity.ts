import { bareJson } from "../../core/text/bare_json.ts";
import { seedPairs } from "../audit/search/seed_pairs.ts";
import { mutatePair, randomPair, type SearchSpace } from "../audit/search/mutate_pairs.ts";
import { smallerPairs } from "../audit/counterexample/smaller_pairs.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Pair, Relation } from "../../core/relations/relation.ts";
import {
  requireFields,
  requireInteger,
  requireKind,
  requireNonNegative,
} from "../../core/numeric/require.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import { AssertionError } from "./assertion_error.ts";
import { type GivenPair, OptionCheck } from "./option_check.ts";

/** Options of {@linkcode assertSensitivity}: the bound, and the effort of the search for a pair that breaks it. */
export interface AssertSensitivityOptions {
  /** The most that the query may change between neighbours. */
  readonly bound: number;
  /** The datasets for which the bound is claimed. Needed unless `pair` is given. */
  readonly domain?: Domain;
  /** When two datasets are neighbours: a relation, or its name, as in "replace-one". */
  readonly relation: Relation | string;
  /** The only pair: made by `pairOf`, or two datasets that are neighbours. Default: pairs are searched. */
  readonly pair?: GivenPair;
  /** How changes of vectors are measured; numbers need none. */
  readonly norm?: "l1" | "l2" | "max";
  /** Pairs to try. Default 2,000. */
  readonly pairs?: number;
  /** Seed of the search. Default 1. */
  readonly seed?: number;
  /** Excess that is put down to rounding, relative to the bound. Default 1e-9. */
  readonly tolerance?: number;
}

/** Every option. */
const NAMES: Readonly<Record<keyof AssertSensitivityOptions, true>> = {
  bound: true,
  domain: true,
  relation: true,
  pair: true,
  norm: true,
  pairs: true,
  seed: true,
  tolerance: true,
};

/** The norms of a change. */
const NORMS = ["l1", "l2", "max"];

const check: OptionCheck = new OptionCheck("assert a sensitivity");

/** The largest change found. */
export interface SensitivityReport<Row = unknown> {
  /** The change between the sides of the pair. */
  readonly largest: number;
  /** The bound that it was compared with. */
  readonly bound: number;
  /** The pair that changes the query most. */
  readonly pair: Pair<Row>;
  /** Pairs tried. */
  readonly pairsTried: number;
}

/**
 * Searches for two neighbours between which a query changes by more than `bound`: corners of the
 * domain first, then random pairs and small changes of the worst one. Throws with the smallest such
 * pair it finds; otherwise returns the largest change, which is a lower bound on the sensitivity and
 * no proof of the upper one. A change that is not a number counts as infinite.
 *
 * @param query a number or a vector of numbers for a dataset; it must not be random.
 * @throws {AssertionError} when a pair breaks the bound.
 * @throws {RangeError} when an option is unknown or out of bounds, a vector comes without `norm`, or the domain
 * holds no pair of neighbours.
 *
 * @example
 * ```ts
 * import { assertSensitivity } from "@dpcheck/dpcheck/testing";
 *
 * const mean = (ages: readonly number[]) => ages.reduce((sum, age) => sum + age, 0) / ages.length;
 * const report = assertSensitivity(mean, {
 *   bound: 120 / 3,
 *   domain: { rows: { type: "number", min: 0, max: 120 }, size: { min: 3, max: 10 } },
 *   relation: "replace-one",
 * });
 * report.largest; // 40: the bound is reached
 * ```
 */
export function assertSensitivity<Row>(
  query: (data: Dataset<Row>) => number | ArrayLike<number>,
  options: AssertSensitivityOptions,
): SensitivityReport<Row> {
  requireKind("assertSensitivity", "query", query, "function");
  requireFields("assertSensitivity", options, { domain: "record?", pair: "record?" });
  check.names(options, NAMES);
  const { bound, domain, norm, pairs = 2000, seed = 1, tolerance = 1e-9 } = options;
  const action = "assert a sensitivity";
  requireNonNegative(action, "bound", bound);
  requireNonNegative(action, "tolerance", tolerance);
  requireInteger(action, "pairs", pairs, { min: 1 });
  if (norm !== undefined && !NORMS.includes(norm)) {
    check.refuse("norm", `be one of ${NORMS.join(", ")}`, norm);
  }
  if (options.relation === undefined) check.refuse("relation", "be given", undefined);
  const relation = check.relation(options.relation);
  if (domain !== undefined) check.domain(domain);
  const only = options.pair === undefined ? undefined : check.pair(options.pair, relation);
  if (domain === undefined && only === undefined) {
    check.refuse("domain", "be given, or a pair", undefined);
  }
  // Without a domain the pair stays as it is.
  const space = { domain: domain ?? NO_DATASETS, relation: only?.relation ?? relation };
  const change = ({ left, right }: Pair): number =>
    distance(query(left as Dataset<Row>), query(right as Dataset<Row>), norm);
  const limit = bound * (1 + tolerance);

  let best: { pair: Pair; change: number } | undefined;
  let pairsTried = 0;
  for (
    const pair of only === undefined ? proposals(space, { seed, best: () => best?.pair }) : [only]
  ) {
    const found = change(pair);
    pairsTried++;
    if (best === undefined || found > best.change) best = { pair, change: found };
    if (found > limit || pairsTried >= pairs) break;
  }
  if (best === undefined) {
    throw new RangeError(
      `Cannot ${action}: the domain must hold two neighbours under ${relation.name}`,
    );
  }
  const broken = best.change > limit;
  if (broken) best = simplest(space, { pair: best.pair, change, limit });
  const report = {
    largest: best.change,
    bound,
    pair: best.pair as Pair<Row>,
    pairsTried,
  };
  if (!broken) return report;
  throw new AssertionError(
    `The query changes by ${best.change} between neighbours (${relation.name}): at most ${bound} ` +
      `is claimed\n  left   ${bareJson(best.pair.left)}\n  right  ` +
      `${bareJson(best.pair.right)}\n${pairsTried} pairs tried, seed ${seed}`,
    { report },
  );
}

/** A domain that no pair lies in. */
const NO_DATASETS: Domain = { rows: { type: "boolean" }, size: { min: 0, max: 0 } };

/** Pairs without end, unless the space holds none: the first ones, then mutants of the best and others. */
function* proposals(
  space: SearchSpace,
  { seed, best }: { seed: number; best: () => Pair | undefined },
): Generator<Pair> {
  yield* seedPairs(space);
  const source = new SeededSource(seed).split("pairs");
  for (let misses = 0; misses < 100;) {
    const from = source.uniform() < 0.7 ? best() : undefined;
    const pair = from === undefined ? randomPair(space, source) : mutatePair(space, from, source);
    if (pair === undefined) misses++;
    else yield pair;
  }
}

function simplest(
  space: SearchSpace,
  { pair, change, limit }: { pair: Pair; change: (pair: Pair) => number; limit: number },
): { pair: Pair; change: number } {
  for (let current = { pair, change: change(pair) };;) {
    let simpler: typeof current | undefined;
    for (const candidate of smallerPairs(space, current.pair)) {
      const found = change(candidate);
      if (found > limit) {
        simpler = { pair: candidate, change: found };
        break;
      }
    }
    if (simpler === undefined) return current;
    current = simpler;
  }
}

function distance(
  left: number | ArrayLike<number>,
  right: number | ArrayLike<number>,
  norm: "l1" | "l2" | "max" | undefined,
): number {
  if (typeof left === "number" && typeof right === "number") return sizeOf([left - right], "max");
  if (typeof left === "number" || typeof right === "number") return Infinity;
  if (norm === undefined) {
    throw new RangeError(
      "Cannot assert a sensitivity: norm must be given for a vector: current value is undefined",
    );
  }
  if (left.length !== right.length) return Infinity;
  return sizeOf(Array.from(left, (x, i) => x - right[i]!), norm);
}

function sizeOf(difference: readonly number[], norm: "l1" | "l2" | "max"): number {
  const sizes = difference.map(Math.abs);
  const size = norm === "l1"
    ? sizes.reduce((sum, x) => sum + x, 0)
    : norm === "l2"
    ? Math.hypot(...sizes)
    : Math.max(0, ...sizes);
  return Number.isNaN(size) ? Infinity : size;
}
