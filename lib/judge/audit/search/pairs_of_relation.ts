import { SeededSource } from "../../../core/random/seeded_source.ts";
import type { Pair } from "../../../core/relations/relation.ts";
import { byTurns } from "../../../core/numeric/ranking.ts";
import { anyDataset, keyOf, pairOfRelation, type SearchSpace } from "./mutate_pairs.ts";

/** Attempts to make the first pairs of a relation, and how many are kept. */
const FIRST_ATTEMPTS = 600, MOST_FIRST = 160;

/** Returns the first pairs of a relation that makes neighbours itself: by turns those that are farthest apart, and as they were made. */
export function firstPairsOfRelation(space: SearchSpace): Pair[] {
  const { relation } = space;
  if (relation.neighbours === undefined) return [];
  const source = new SeededSource(0).split("first pairs"), pairs = new Map<string, Pair>();
  for (let attempt = 0; attempt < FIRST_ATTEMPTS && pairs.size < MOST_FIRST; attempt++) {
    const pair = pairOfRelation(space, anyDataset(space, source), source);
    if (pair !== undefined) pairs.set(keyOf(pair), pair);
  }
  const made = [...pairs.values()];
  if (relation.distance === undefined) return made;
  const distances = new Map(made.map((pair) => [pair, relation.distance!(pair.left, pair.right)]));
  const farthest = made.toSorted((a, b) => distances.get(b)! - distances.get(a)!);
  return byTurns(farthest, made);
}
