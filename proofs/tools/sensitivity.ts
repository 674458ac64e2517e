import type { Source } from "../../lib/core/mechanism/source.ts";
import { requireInteger, requirePositive } from "../../lib/core/numeric/require.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";

/** By how much something changed between neighbours, and how well that is known. */
interface Change {
  /** The computed distance. */
  readonly distance: number;
  /** The true distance is within this of it: for minimisers, the sum of ‖∇J‖/Λ of the two. */
  readonly uncertainty: number;
}

/** The largest change that a search found, as a share of the bound claimed. */
export interface SensitivityFound<Pair> {
  /** (distance − uncertainty)/bound: above 1 the bound is broken for certain. */
  readonly share: number;
  /** (distance + uncertainty)/bound, at the same pair: how close the search came. */
  readonly most: number;
  /** Where. */
  readonly pair: Pair;
  /** How many pairs were measured. */
  readonly pairs: number;
}

/** What a search for a sensitivity looks through. */
interface SensitivitySearch<Pair> {
  /** Neighbours to start from. */
  readonly pairs: Iterable<Pair>;
  /** The change between the two sides of a pair. */
  readonly measure: (pair: Pair) => Change;
  /** The sensitivity claimed, above 0. */
  readonly bound: number;
  /** A neighbouring pair near this one; `size` falls from 0.5. Without it nothing is climbed. */
  readonly move?: (pair: Pair, options: { source: Source; size: number }) => Pair;
  /** How many of the starting pairs are climbed from; 4. */
  readonly climbs?: number;
  /** Moves tried in each climb; 60. */
  readonly steps?: number;
  /** Of the moves. */
  readonly seed: number;
}

/**
 * Searches neighbours for the largest change of a query or a minimiser. Every starting pair is
 * measured; from the `climbs` best of them random moves are tried and kept while the change rises. Computed
 * minimisers come with a certificate of their distance to the true ones, so that a broken bound is
 * broken whatever the solver did.
 *
 * @throws {RangeError} unless bound is positive and there is a pair.
 *
 * @example
 * ```ts
 * import { largestChange } from "./sensitivity.ts";
 * largestChange({
 *   pairs: [[0, 1], [0, 0.5]],
 *   measure: ([a, b]) => ({ distance: Math.abs(a! - b!), uncertainty: 0 }),
 *   bound: 1,
 *   seed: 1,
 * }).share; // 1
 * ```
 */
export function largestChange<Pair>(
  { pairs, measure, bound, move, climbs = 4, steps = 60, seed }: SensitivitySearch<Pair>,
): SensitivityFound<Pair> {
  requirePositive("search for a sensitivity", "bound", bound);
  requireInteger("search for a sensitivity", "climbs", climbs, { min: 0 });
  let measured = 0;
  const found = (pair: Pair): { pair: Pair; share: number; most: number } => {
    measured++;
    const { distance, uncertainty } = measure(pair);
    return {
      pair,
      share: (distance - uncertainty) / bound,
      most: (distance + uncertainty) / bound,
    };
  };
  const ranked = Array.from(pairs, found).sort((a, b) => b.share - a.share);
  let best = ranked[0];
  if (best === undefined) {
    throw new RangeError("Cannot search for a sensitivity: pairs must not be empty");
  }
  if (move !== undefined) {
    const source = new SeededSource(seed).split("moves");
    for (let current of ranked.slice(0, climbs)) {
      for (let step = 0, size = 0.5; step < steps; step++, size *= 0.95) {
        const trial = found(move(current.pair, { source, size }));
        if (trial.share > current.share) current = trial;
      }
      if (current.share > best.share) best = current;
    }
  }
  return { ...best, pairs: measured };
}
