import type { Dataset } from "../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import { leastWord, ScriptedSource } from "./scripted_source.ts";

/** What a word at a place makes of data: whether the output is on the far side of the word's threshold. */
export interface Chance<Row, Output> {
  /** What is drawn from. */
  readonly mechanism: Pick<Mechanism<Row, Output>, "sample">;
  /** On what. */
  readonly data: Dataset<Row>;
  /** Of the word that decides, in the script. Default 0. */
  readonly place?: number;
  /** Whether the word was at or above the threshold. */
  readonly above: (output: Output) => boolean;
}

/**
 * The chance, as it is drawn, of what words below a threshold give: exact choices and coins compare a word
 * with 2³² times a probability (`lib/core/random/exact_choice.ts`, `lib/core/random/exact_bernoulli.ts`). `undefined`
 * where it is so near 0 or 1 that words of 32 digits do not show it to a part in 10⁴.
 */
export function drawnChance<Row, Output>(
  { mechanism, data, place = 0, above }: Chance<Row, Output>,
): number | undefined {
  const word = leastWord((each) =>
    above(mechanism.sample(data, new ScriptedSource({ [place]: each })))
  );
  const seen = word !== undefined && word > 1e4 && word < 2 ** 32 - 1e4;
  return seen ? word / 2 ** 32 : undefined;
}

/** What 32 digits may be wrong by where a chance is seen at all. */
export const SEEN = 1 - 2e-4;

/** ln(p/(1 − p)) of a chance; 0 where it is not seen. */
export function logOdds(chance: number | undefined): number {
  return chance === undefined ? 0 : Math.log(chance / (1 - chance));
}
