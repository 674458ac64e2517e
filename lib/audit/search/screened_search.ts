import type { CandidatePair } from "../prediction/candidate_pair.ts";
import type { SearchSpace } from "./mutate_pairs.ts";
import { Screening } from "./screening.ts";
import { type SearchOptions, searchPairs, type SearchResult } from "./search_pairs.ts";

/** Pairs to begin with, when all are screened. */
const FIRST_CANDIDATES = { quick: 1, thorough: 5 };

/**
 * Searches for a pair ({@linkcode searchPairs}). Where there are few datasets all pairs are screened first, so
 * that the search begins with the best; but a quick one has its chance to end without that.
 */
export async function screenAndSearch(
  space: SearchSpace,
  options: SearchOptions,
): Promise<SearchResult> {
  const screening = Screening.of(space);
  if (screening === undefined) return await searchPairs(space, options);
  const { play: { sampler }, effort, until } = options;
  let before = 0, isEnded = false;
  if (effort === "quick") {
    const found = await searchPairs(space, {
      ...options,
      until: (standing) => {
        isEnded = until(standing);
        return isEnded || (!standing.isFinishing && screening.isDue(sampler));
      },
    });
    if (isEnded) return found;
    before = found.tried;
  }
  const pairs = await screening.ranking(sampler, effort);
  const teach = ({ pair, predictor: predictor }: CandidatePair): void => {
    const outputs = screening.outputsOn(pair);
    if (outputs !== undefined) predictor.observe(outputs.left, outputs.right);
  };
  const found = await searchPairs(space, options, {
    pairs,
    first: FIRST_CANDIDATES[effort],
    ...(effort === "thorough" ? {} : { teach }),
  });
  return { ...found, tried: before + found.tried };
}
