import type { DiscreteSource } from "../../lib/core/discrete_source.ts";
import { requireEqual, requireThat } from "../engine/requirement.ts";
import type { LawOf } from "./declared_states.ts";

/** Paths to one state, and states one after the other. */
const PATHS = 40, STATES = 40;

/**
 * Of the paths to a declared state one is gone on from and four others are compared with it: five different ones, early and
 * late ones as often, so that a state which forgets what only late paths depend on is refused as often as any other.
 */
export function requireFollowedPaths(lawOf: LawOf): void {
  const followed = Array.from({ length: STATES }, () => new Set<number>());
  lawOf((source: DiscreteSource) => {
    for (const each of followed) {
      const path = source.integer({ below: PATHS });
      source.merge("declared");
      each.add(path);
    }
    return 0;
  });
  const firsts: number[] = [], others: number[] = [];
  for (const each of followed) {
    const [first, ...rest] = each;
    requireEqual(rest.length, 4, "paths that are compared");
    firsts.push(first!);
    others.push(...rest);
  }
  for (const [name, places] of [["gone on from", firsts], ["compared", others]] as const) {
    const mean = places.reduce((sum, place) => sum + place, 0) / places.length;
    // Of numbers that are as likely each; four deviations.
    const room = 4 * PATHS / Math.sqrt(12 * places.length);
    requireThat(
      Math.abs(mean - (PATHS - 1) / 2) < room,
      () => `paths that are ${name} are number ${mean} of ${PATHS} on average`,
    );
    for (const half of [0, 1]) {
      const share = places.filter((place) => Math.floor(place * 4 / PATHS) === 3 * half).length;
      requireThat(
        Math.abs(share / places.length - 0.25) < 4 * Math.sqrt(0.1875 / places.length),
        () => `${share} of ${places.length} paths that are ${name} are of one quarter`,
      );
    }
  }
}
