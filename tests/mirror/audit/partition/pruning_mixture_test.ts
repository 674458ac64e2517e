import { assert, assertAlmostEquals } from "@std/assert";
import * as fc from "fast-check";
import { evidenceGain, leafLogOdds } from "../../../../lib/audit/partition/pruning_mixture.ts";
import { type Partition, trivialPartition } from "../../../../lib/audit/partition/grow_tree.ts";
import { partitionOf, type Tree } from "../trees.ts";

/** What a partition of one leaf predicts after these counts. */
function alone(left: number, right: number): number {
  const [odds] = leafLogOdds(trivialPartition, {
    counts: Float64Array.of(left, right),
    standardErrors: [0],
  });
  return 1 / (1 + Math.exp(-odds![0]!));
}

/** The probability of a sequence with these counts, by the chain rule: predictions one by one. */
function evidence(left: number, right: number): number {
  let product = 1;
  for (let k = 0; k < left; k++) product *= 1 - alone(k, 0);
  for (let k = 0; k < right; k++) product *= alone(left, k);
  return product;
}

/** Every pruning below a node, as the set of its leaves, with its prior probability. */
function prunings(partition: Partition, node: number): { leaves: number[]; prior: number }[] {
  const l = partition.left[node]!, r = partition.right[node]!;
  if (l < 0) return [{ leaves: [node], prior: 1 }];
  const split = partition.splitPrior[node]!;
  const below = prunings(partition, l).flatMap((a) =>
    prunings(partition, r).map((b) => ({
      leaves: [...a.leaves, ...b.leaves],
      prior: split * a.prior * b.prior,
    }))
  );
  return [{ leaves: [node], prior: 1 - split }, ...below];
}

/** The draws of a label below a node. */
function totalOf(partition: Partition, counts: Float64Array, node: number, label: 0 | 1): number {
  const { left, right } = partition;
  return left[node]! < 0
    ? counts[2 * node + label]!
    : totalOf(partition, counts, left[node]!, label) +
      totalOf(partition, counts, right[node]!, label);
}

/** The mixture at a leaf, summed over all prunings. */
function bruteForce(partition: Partition, counts: Float64Array, leaf: number): number {
  const total = (node: number, label: 0 | 1): number => totalOf(partition, counts, node, label);
  const ancestors: number[] = [];
  for (let node = leaf; node >= 0; node = partition.parent[node]!) ancestors.push(node);
  let sum = 0, mean = 0;
  for (const { leaves, prior } of prunings(partition, 0)) {
    const weight = leaves.reduce(
      (product, node) => product * evidence(total(node, 0), total(node, 1)),
      prior,
    );
    const node = leaves.find((own) => ancestors.includes(own))!;
    sum += weight;
    mean += weight * alone(total(node, 0), total(node, 1));
  }
  return mean / sum;
}

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: "medium" },
    fc.constant<Tree>("leaf"),
    fc.record({
      feature: fc.constant(0),
      threshold: fc.constant(0),
      left: tie("tree"),
      right: tie("tree"),
    }),
  ),
}));

/** A tree of at most 8 leaves with any priors of its splits, and any counts at its leaves. */
const counted = fc.tuple(
  tree,
  fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { minLength: 8, maxLength: 8 }),
  fc.array(fc.double({ min: 0.01, max: 0.9, noNaN: true }), { minLength: 15, maxLength: 15 }),
).map(([own, drawn, priors]) => {
  const partition = partitionOf(own, { features: [] });
  partition.splitPrior.set(priors.slice(0, partition.left.length));
  const counts = new Float64Array(2 * partition.left.length);
  const leaves = [...partition.left.keys()].filter((node) => partition.left[node]! < 0);
  leaves.forEach((leaf, k) => counts.set(drawn[k]!, 2 * leaf));
  return { partition, counts, leaves };
});

// Mutants: the prior of stopping and of splitting exchanged, one level of ancestors left out.
Deno.test("leafLogOdds() is the mixture over every pruning of the tree", () => {
  fc.assert(
    fc.property(counted, ({ partition, counts, leaves }) => {
      const [odds] = leafLogOdds(partition, { counts, standardErrors: [0] });
      for (const leaf of leaves) {
        const probability = 1 / (1 + Math.exp(-odds![leaf]!));
        assertAlmostEquals(probability, bruteForce(partition, counts, leaf), 1e-9);
      }
    }),
    { seed: 14, numRuns: 150 },
  );
});

// Mutants: the evidence of another node than the root subtracted, the best pruning for the mixture.
Deno.test("evidenceGain() is the log ratio of the mixture over every pruning to the root alone", () => {
  fc.assert(
    fc.property(counted, ({ partition, counts }) => {
      const of = (node: number): number =>
        evidence(totalOf(partition, counts, node, 0), totalOf(partition, counts, node, 1));
      const mixture = prunings(partition, 0).reduce(
        (sum, { leaves, prior }) =>
          sum + leaves.reduce((product, node) => product * of(node), prior),
        0,
      );
      assertAlmostEquals(evidenceGain(partition, counts), Math.log(mixture / of(0)), 1e-9);
    }),
    { seed: 15, numRuns: 150 },
  );
});

Deno.test("leafLogOdds() is 0 without counts and comes to the counts' own odds", () => {
  assertAlmostEquals(alone(0, 0), 0.5, 1e-12);
  assertAlmostEquals(alone(1e6, 3e6), 0.75, 1e-4);
  assertAlmostEquals(alone(20, 60) + alone(60, 20), 1, 1e-12);
  // The first draws of one label only: far from ½, for gross violations, but less than ½ a count allows.
  assert(alone(0, 10) > 0.7 && alone(0, 10) < 10.5 / 11);
});

Deno.test("leafLogOdds() draws odds towards 0 by more standard errors", () => {
  const counts = Float64Array.of(100, 160);
  const standardErrors = [0, 0.5, 1, 2, 5];
  const odds = leafLogOdds(trivialPartition, { counts, standardErrors }).map((own) => own[0]!);
  for (let k = 1; k < odds.length; k++) assert(odds[k]! < odds[k - 1]! || odds[k] === 0);
  assertAlmostEquals(odds[4]!, 0, 1e-12);
  const error = Math.sqrt(1 / 100.5 + 1 / 160.5);
  assertAlmostEquals(odds[2]!, odds[0]! - error, 1e-9);
  const mirrored = leafLogOdds(trivialPartition, { counts: counts.toReversed(), standardErrors });
  mirrored.forEach((own, k) => assertAlmostEquals(own[0]!, -odds[k]!, 1e-9));
});

Deno.test("leafLogOdds() stays finite at huge counts", () => {
  const partition = partitionOf(
    { feature: 0, threshold: 0, left: "leaf", right: "leaf" },
    { features: [], prior: 1e-4 },
  );
  const counts = Float64Array.of(0, 0, 1e9, 0, 0, 1e9);
  for (const odds of leafLogOdds(partition, { counts, standardErrors: [0, 1] })) {
    for (const x of odds.subarray(1)) assert(Number.isFinite(x) && Math.abs(x) > 5);
  }
});
