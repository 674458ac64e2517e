import { groupPrivacy as groupOf } from "../../lib/accounting/group_privacy.ts";
import { pure } from "../../lib/core/claim.ts";
import { replaceOne } from "../../lib/core/relation.ts";
import type { LawPair } from "../../lib/exact/enumerate.ts";
import { monomial } from "../../lib/exact/polynomial.ts";
import { ratioOutcome } from "../checks/finite_check.ts";
import { all } from "../engine/outcome.ts";
import { theorem } from "../engine/theorem.ts";

/** The power of e^ε claimed for a group of so many. */
type Power = (size: number) => number;

/** Groups of up to four, for all ε, on randomised response of every member. */
export const groupPrivacy = theorem<Power>({
  id: "composition/group_privacy",
  statement:
    "An (ε, 0)-differentially private mechanism is (kε, 0)-differentially private for groups " +
    "of size k, and no better in general.",
  citation: "Dwork, Roth 2014, Theorem 2.2",
  source: "Haußmann’s slides, group privacy",
  kind: "exact",
  checked: "every ε at once; randomised response of four respondents, of whom one to four change",
  subject: (size) => size,
  check: (power) => {
    const outcomes = [1, 2, 3, 4].map((size) => {
      // Four respondents, the first `size` of whom change; t = e^ε.
      const law = (truths: readonly number[]) =>
        Array.from(
          { length: 16 },
          (_, output) =>
            monomial(1, truths.filter((truth, i) => ((output >> i) & 1) === truth).length),
        );
      const pair: LawPair = {
        name: `${size} of four respondents`,
        left: law([0, 0, 0, 0]),
        right: law([0, 1, 2, 3].map((i) => Number(i < size))),
      };
      const outcome = ratioOutcome([pair], { bound: monomial(1, power(size)), of: "group" });
      const claim = groupOf(pure({ epsilon: 0.25, relation: replaceOne }), { size });
      const shipped = claim.kind === "pure" && claim.epsilon >= 0.25 * power(size) &&
        claim.epsilon <= 0.25 * power(size) * (1 + 1e-12);
      return { ...outcome, holds: outcome.holds && shipped };
    });
    return all(outcomes, "groups of 1 to 4 among four respondents, for all ε at once");
  },
  mutants: { "the square root of k, as in composition": (size) => Math.ceil(Math.sqrt(size)) },
});
