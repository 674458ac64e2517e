import type { Claim } from "../claims/claim.ts";
import type { Dataset, Domain } from "../relations/dataset.ts";
import type { Source } from "./source.ts";

/**
 * A randomised algorithm and the claim it makes. `sample` is what audits and proofs call; users of a
 * shipped mechanism call `release`, which spends a budget and insists on a secure source.
 */
export interface Mechanism<Row = unknown, Output = unknown> {
  /** Name in reports. */
  readonly name: string;
  /** Privacy claim about neighbours. */
  readonly claim: Claim;
  /**
   * Other claims that hold of the same output, each by itself: ε²/8-zCDP of a choice that is ε-DP, say. A budget pays
   * for the one that costs it least.
   */
  readonly alsoKeeps?: readonly Claim[];
  /** The datasets for which the claim is made; a search for pairs stays inside. */
  readonly domain?: Domain;
  /**
   * Throws when `data` is nothing that can be released (a value that is not finite, an empty list of
   * candidates, …), without using randomness; `release` asks before it spends the budget.
   */
  check?(data: Dataset<Row>): void;
  /** One output. */
  sample(data: Dataset<Row>, source: Source): Output;
  /**
   * Numbers per output of {@linkcode Mechanism.sampleMany}; required where that exists. Outputs of
   * varying length are padded with NaN, where NaN stands for nothing else in them.
   */
  readonly width?: number;
  /** `count` independent outputs as one block of `count * width` doubles, in the law of `sample`. */
  sampleMany?(data: Dataset<Row>, count: number, source: Source): Float64Array;
  /** Natural logarithm of the density (or probability) of `output` on `data`. */
  logDensity?(output: Output, data: Dataset<Row>): number;
  /** All outputs with their probabilities, where there are finitely many. */
  distribution?(data: Dataset<Row>): readonly { output: Output; probability: number }[];
}
