import { requireKnown } from "../../core/text/known_options.ts";
import type { Claim } from "../../core/claims/claim.ts";
import { alsoConcentrated } from "../../core/claims/bounded_range.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Relation } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { requireFields, requireInteger } from "../../core/numeric/require.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { histogramSensitivity } from "./counting.ts";
import { integerGaussian } from "./gaussian.ts";
import { integerLaplace } from "./geometric.ts";
import type { GridMechanism } from "./grid_mechanism.ts";

/** Most steps of a stream. */
const MOST_STEPS = 2 ** 20;

/** Options of both kinds of tree counts. */
export interface TreeCountsOptions<Row> {
  /** Number of time steps, T: fixed before the data is seen, at most 2²⁰. */
  readonly steps: number;
  /** The time step of a row, from 1 to T. Rows of other steps count nowhere. */
  readonly stepOf: (row: Row) => number;
  /** When two datasets are neighbours: add-remove-one or replace-one. A row is one event in one time step. */
  readonly relation: Relation;
  /** The datasets that the mechanism is for: what a search may try. */
  readonly domain?: Domain;
}

/** Counts with noise that other claims than the first may be made of. */
export type TreeCounts<Row> = Mechanism<Row, number[]> & {
  /** The most that the counts of the nodes change between neighbours, each by 1. */
  readonly nodeSensitivity: number;
  /** Scale (Laplace) or standard deviation parameter (Gaussian) of the noise of a node. */
  readonly nodeScale: number;
  /** Throws when the data cannot be released. */
  check(data: Dataset<Row>): void;
};

/**
 * The running counts of a stream, the number of rows up to each of T time steps, by the binary tree mechanism (Chan,
 * Shi, Song 2011; Dwork, Naor, Pitassi, Rothblum 2010). A stream of bits is the rows of the steps with bit 1; that one
 * bit differs is then add-remove-one. Node i of the tree counts the steps from i − 2^z + 1 to i, where 2^z is the largest
 * power of two that divides i; each node has exact two-sided geometric noise of scale Δ/ε. The count up to step t is a
 * sum of as many nodes as t has binary ones, so its noise has variance of order (log T)³/ε².
 *
 * A row is in at most ⌊log₂ T⌋ + 1 nodes. That is Δ when a row is added or removed; replaced, it leaves some nodes
 * and enters others. Each node moves by 1 and is (ε/Δ)-DP by itself, so that Δ of them keep ε²/(2Δ)-zCDP besides ε-DP
 * (Bun, Steinke 2016, Proposition 1.4 and Lemma 1.7).
 *
 * Decided by enumeration on small data: `dpcheck prove mechanisms/shipped_by_enumeration_certified`.
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { treeCounts } from "./tree_counts.ts";
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import { openBudget } from "../accounting/budget/budget.ts";
 * import { release } from "./release.ts";
 * const visits = treeCounts<{ hour: number }>({
 *   steps: 24,
 *   stepOf: ({ hour }) => hour,
 *   epsilon: 1,
 *   relation: addRemoveOne,
 * });
 * release(visits, [{ hour: 9 }, { hour: 14 }], { budget: openBudget(visits.claim) }); // 24 integers
 * ```
 */
export function treeCounts<Row>(
  given: TreeCountsOptions<Row> & {
    /** The claim, in nats. */
    readonly epsilon: number;
  },
): TreeCounts<Row> {
  const { epsilon, ...options } = requireFields("treeCounts", given, {
    stepOf: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call treeCounts()", given, ["steps", "stepOf", "relation", "domain", "epsilon"]);
  const sensitivity = nodeSensitivity("make tree counts", options);
  const nodes = integerLaplace<Row>({
    ...options,
    query: nodeCounts(options),
    dimension: options.steps,
    epsilon,
    sensitivity,
  });
  const rho = roundUp(0.5 * epsilon * epsilon / sensitivity, { relativeError: 2 ** -50 });
  const alsoKeeps = alsoConcentrated({ rho, relation: options.relation });
  return runningCounts("tree counts", nodes, { sensitivity, alsoKeeps });
}

/**
 * As {@linkcode treeCounts}, with exact discrete Gaussian noise of variance parameter Δ/(2ρ) on each node: ρ-zCDP, for
 * the nodes move by √Δ in Euclidean norm (Canonne, Kamath, Steinke 2020, Theorem 4).
 *
 * @throws {RangeError} when a parameter is out of range.
 *
 * @example
 * ```ts
 * import { gaussianTreeCounts } from "./tree_counts.ts";
 * import { replaceOne } from "../../core/relations/relation.ts";
 * const visits = gaussianTreeCounts<number>({
 *   steps: 1000,
 *   stepOf: (step) => step,
 *   rho: 0.1,
 *   relation: replaceOne,
 * });
 * ```
 */
export function gaussianTreeCounts<Row>(
  given: TreeCountsOptions<Row> & {
    /** ρ of the zCDP claim, in nats. */
    readonly rho: number;
  },
): TreeCounts<Row> {
  const { rho, ...options } = requireFields("gaussianTreeCounts", given, {
    stepOf: "function",
    relation: "relation",
    domain: "record?",
  });
  requireKnown("call gaussianTreeCounts()", given, [
    "steps",
    "stepOf",
    "relation",
    "domain",
    "rho",
  ]);
  const sensitivity = nodeSensitivity("make Gaussian tree counts", options);
  const nodes = integerGaussian<Row>({
    ...options,
    query: nodeCounts(options),
    dimension: options.steps,
    rho,
    sensitivity: Math.sqrt(sensitivity),
  });
  return runningCounts("gaussian tree counts", nodes, { sensitivity });
}

/** Binary digits of `count`: how many nodes step 1 of so many is in. 0 for 0. */
function levels(count: number): number {
  return 32 - Math.clz32(count);
}

/**
 * The most nodes whose counts change when a row is added or removed: those that step 1 is in. When one is replaced:
 * those that its two steps are in, without those that both are in. These are most for two steps in different trees,
 * step 1 and the first after the largest power of two, or for steps 1 and T/2 + 1 of a whole tree.
 */
function nodeSensitivity<Row>(
  action: string,
  { steps, relation }: TreeCountsOptions<Row>,
): number {
  requireInteger(action, "steps", steps, { min: 1, max: MOST_STEPS });
  const most = levels(steps), stepsBeyond = steps - 2 ** (most - 1);
  return histogramSensitivity(action, relation) === 1
    ? most
    : Math.max(most + levels(stepsBeyond), 2 * most - 3);
}

/** The largest power of two that divides `node`: how many steps it counts. */
function span(node: number): number {
  return node & -node;
}

/** Returns the number of rows that each node counts. */
function nodeCounts<Row>(
  { steps, stepOf }: TreeCountsOptions<Row>,
): (data: Dataset<Row>) => number[] {
  return (data) => {
    const counts = new Array<number>(steps).fill(0);
    for (const row of data) {
      // A number outside 1 to T has no place.
      const place = stepOf(row) - 1;
      if (counts[place] !== undefined) counts[place]!++;
    }
    // Children come before their parent, and the last node has none.
    for (let node = 1; node < steps; node++) {
      const above = node + span(node);
      if (above <= steps) counts[above - 1]! += counts[node - 1]!;
    }
    return counts;
  };
}

/** Nodes become the running counts, in place: those from `start` on. */
function addUp(
  values: number[] | Float64Array,
  { start, steps }: { start: number; steps: number },
): void {
  // Nodes 1 and 2 count from step 1 on.
  for (let node = 3; node <= steps; node++) {
    const before = node - span(node);
    if (before > 0) values[start + node - 1]! += values[start + before - 1]!;
  }
}

/** Computes running counts from noisy nodes. The privacy loss is exactly that of the nodes, which can be computed back. */
function runningCounts<Row>(
  name: string,
  nodes: GridMechanism<Row, number[]>,
  { sensitivity, alsoKeeps }: {
    readonly sensitivity: number;
    readonly alsoKeeps?: readonly Claim[];
  },
): TreeCounts<Row> {
  const { claim, domain, check } = nodes, steps = nodes.width!;
  return {
    name,
    claim,
    ...(alsoKeeps && { alsoKeeps }),
    ...(domain === undefined ? {} : { domain }),
    nodeSensitivity: sensitivity,
    nodeScale: nodes.grid.scaleInSteps,
    width: steps,
    check,
    sample(data: Dataset<Row>, source: Source): number[] {
      const counts = nodes.sample(data, source);
      addUp(counts, { start: 0, steps });
      return counts;
    },
    sampleMany(data: Dataset<Row>, count: number, source: Source): Float64Array {
      const counts = nodes.sampleMany!(data, count, source);
      for (let start = 0; start < counts.length; start += steps) addUp(counts, { start, steps });
      return counts;
    },
    logDensity(output: number[], data: Dataset<Row>): number {
      return nodes.logDensity!(
        output.map((count, i) => count - (output[i - span(i + 1)] ?? 0)),
        data,
      );
    },
  };
}
