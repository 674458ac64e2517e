import type { ApproximateClaim, PureClaim } from "../../../core/claims/claim.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import type { Dataset } from "../../../core/relations/dataset.ts";

/** A program that is run, and how reports call it. */
export interface EnumeratedProgram {
  readonly name: string;
  /** Runs the program once. It must take its randomness from the source alone, and keep nothing from one call to the next. */
  run(data: Dataset, source: Source): unknown;
  /**
   * The same program made anew, so many times, with no memory of earlier calls: what is decided is the law of one for each dataset. Where
   * there are fewer, they take turns at the datasets in a shuffled order. Default: `run`, on all datasets in their order. `run` is
   * called again in other orders, and must answer alike: on all datasets where they took turns.
   */
  readonly instances?: readonly ((data: Dataset, source: Source) => unknown)[];
}

/** On which datasets a program is run, for which claim, and how far. */
export interface ExactOptions {
  /** A pure or an approximate claim. */
  readonly claim: PureClaim | ApproximateClaim;
  /** Datasets. */
  readonly datasets: readonly Dataset[];
  /** Which of them are neighbours, by place. */
  readonly neighbours: Iterable<readonly [left: number, right: number]>;
  /** Most runs of the program, on all datasets together. Default 1,000,000. */
  readonly maxBranches?: number;
  /** Seconds after which the enumeration ends undecided; looked at before each run and each comparison. Default 300. */
  readonly maxSeconds?: number;
  /** Where outputs have no end: the probability, on each dataset, that may be left out. Default 1e-9. */
  readonly remainder?: number;
}
