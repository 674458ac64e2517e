import type { CandidatePair } from "../prediction/candidate_pair.ts";
import type { SearchSpace } from "./mutate_pairs.ts";
import { Screening } from "./screening.ts";
import { type SearchOptions, searchPairs, type SearchResult } from "./search_pairs.ts";

/** Candidates to begin with after screening. */
const FIRST_CANDIDATES = { quick: 1, thorough: 5 };

/**
 * Searches for a pair ({@linkcode searchPairs}). Where the domain has few datasets, all pairs are screened, and the search
 * begins with the best ones. A quick search makes some draws before that, in which it may end.
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
  const learnEarlier = ({ pair, predictor }: CandidatePair): void => {
    const outputs = screening.outputsOn(pair);
    if (outputs !== undefined) predictor.observe(outputs.left, outputs.right);
  };
  const found = await searchPairs(space, options, {
    pairs,
    first: FIRST_CANDIDATES[effort],
    ...(effort === "thorough" ? {} : { learnEarlier }),
  });
  return { ...found, tried: before + found.tried };
}
