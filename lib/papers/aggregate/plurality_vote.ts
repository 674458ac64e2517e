import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields } from "../../core/numeric/require.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { replaceOne } from "../../core/relations/relation.ts";
import { exponentialMechanism } from "../../dp/mechanisms/exponential_mechanism.ts";

/**
 * The candidate with most votes, by the exponential mechanism (McSherry, Talwar 2007): with probability
 * ∝ e^(ε·votes/2), for one vote replaced moves each number of votes by at most 1. A vote is a
 * candidate's index; others count for none. With probability 1 − β the chosen one lacks at most
 * 2·ln(m/β)/ε votes of the most, m candidates.
 *
 * @throws {RangeError} when there are no candidates or ε is not positive.
 *
 * @example
 * ```ts
 * import { pluralityVote } from "./plurality_vote.ts";
 * import { openBudget } from "../../dp/accounting/budget/budget.ts";
 * import { release } from "../../dp/mechanisms/release.ts";
 * const label = pluralityVote({ candidates: ["no", "yes"], epsilon: 1 });
 * release(label, [1, 1, 0, 1, 1, 1, 1], { budget: openBudget(label.claim) }); // most likely "yes"
 * ```
 */
export function pluralityVote<Candidate>(
  options: {
    readonly candidates: readonly Candidate[];
    /** The claim, in nats. */
    readonly epsilon: number;
  },
): Mechanism<number, Candidate> {
  const { candidates, epsilon } = requireFields("pluralityVote", options, { candidates: "list" });
  requireKnown("call pluralityVote()", options, ["candidates", "epsilon"]);
  return {
    ...exponentialMechanism<number, Candidate>({
      candidates,
      utilities: (votes) => {
        const counts = candidates.map(() => 0);
        for (const vote of votes) if (counts[vote] !== undefined) counts[vote]++;
        return counts;
      },
      epsilon,
      sensitivity: 1,
      monotone: false,
      relation: replaceOne,
    }),
    name: "plurality vote",
  };
}
