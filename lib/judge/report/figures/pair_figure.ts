import type { RankedPair } from "../../audit/search/search_pairs.ts";
import { longCount, shortNumber } from "../short_number.ts";
import { shortData } from "../short_data.ts";
import type { Figure } from "./figure_markup.ts";

/** Pairs that are shown, and the characters of each dataset. */
const PAIRS = 10, LENGTH = 80;

/** Returns the pairs that the search ranked first. */
export function pairFigure(pairs: readonly RankedPair[], tried: number): Figure {
  const shown = pairs.slice(0, PAIRS);
  return {
    title: "Pairs tried",
    says:
      `Pairs of datasets tried: ${
        longCount(tried)
      }. What stood first at the end of the search, by the ε ` +
      "that it expected to refute on each: an estimate.",
    heads: ["left", "right", "draws", "expected ε"],
    rows: shown.map(({ left, right, draws, refutable }) => [
      shortData(left, LENGTH),
      shortData(right, LENGTH),
      longCount(draws),
      shortNumber(refutable, 3),
    ]),
  };
}
