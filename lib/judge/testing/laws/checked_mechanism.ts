import type { Dataset, Domain } from "../../../core/relations/dataset.ts";
import type { Mechanism } from "../../../core/mechanism/mechanism.ts";
import type { Pair } from "../../../core/relations/relation.ts";

/** A mechanism, and what it is tried on. */
export interface CheckedMechanism {
  readonly mechanism: Mechanism;
  readonly domain: Domain;
  /** Datasets of its domain, the longest first. */
  readonly data: readonly Dataset[];
  /** Further ones that it must take. */
  readonly moreData: readonly Dataset[];
  /** Those that it must refuse. */
  readonly badData: readonly Dataset[];
  /** Neighbours. */
  readonly pairs: readonly Pair[];
  readonly seed: number;
  /** {@linkcode DRAWS} outputs on the first dataset, drawn once for all laws. */
  drawn(): readonly unknown[];
  /** Takes note of the largest share of the claim that was seen to be lost. */
  note(share: number, pair: Pair): void;
}

/** Draws for a comparison of laws. */
export const DRAWS = 20_000;
