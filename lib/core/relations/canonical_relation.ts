import type { Relation } from "./relation.ts";

/** Relations of this library: one of them is known by its name. */
const canonical = new WeakSet<Relation>();

/**
 * Freezes a relation of this library and marks it as one whose name says all of it: two that are called alike, say
 * of `changeEach({ by: 1 })` called twice, are the same.
 */
export function canonicalRelation(relation: Relation): Relation {
  const frozen = Object.freeze({ ...relation });
  canonical.add(frozen);
  return frozen;
}

/**
 * Returns true if two relations are known to relate the same datasets: they are one object, or both are this
 * library's and are called alike. Two of your own with one name are different.
 */
export function sameRelation(left: Relation, right: Relation): boolean {
  return left === right ||
    (canonical.has(left) && canonical.has(right) && left.name === right.name);
}
