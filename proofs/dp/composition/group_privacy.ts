import { groupPrivacy as groupOf } from "../../../lib/dp/accounting/composition/group_privacy.ts";
import { pure } from "../../../lib/core/claims/claim.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import type { LawPair } from "../../tools/enumerate.ts";
import { monomial } from "../../tools/polynomials.ts";
import { ratioOutcome } from "../../engine/finite_check.ts";
import { all, short } from "../../engine/outcome.ts";
import { type Outcome, theorem } from "../../engine/theorem.ts";

/** What is claimed of groups. */
interface Claimed {
  /** The power of e^ε for a group of so many. */
  readonly power: (size: number) => number;
  /** The claim that dpcheck makes for such a group. */
  readonly shipped: typeof groupOf;
}

/** All laws on three outputs in eighths, every output possible. */
const LAWS = Array.from({ length: 7 * 7 }, (_, i) => [1 + i % 7, 1 + Math.floor(i / 7)])
  .filter(([a, b]) => a! + b! < 8).map(([a, b]) => [a!, b!, 8 - a! - b!]);

/** Any mechanism whatever: the laws of datasets of which each is a neighbour of the next, `size` steps apart. */
function chainsOutcome(size: number, power: number): Outcome {
  const within = (p: readonly number[], q: readonly number[], factor: number): boolean =>
    p.every((value, i) => value <= factor * q[i]! && q[i]! <= factor * value);
  let chains = 0, most = 0, witness: string | undefined;
  for (const first of LAWS) {
    let reached = [first];
    for (let step = 0; step < size; step++) {
      reached = LAWS.filter((law) => reached.some((before) => within(before, law, 2)));
    }
    for (const last of reached) {
      chains++;
      most = Math.max(most, ...first.map((value, i) => value / last[i]!));
      if (!within(first, last, 2 ** power)) witness = `(${first})/8 and (${last})/8`;
    }
  }
  return {
    holds: witness === undefined,
    margin: most / 2 ** power,
    detail: `${chains} ends of chains of ${size} steps`,
    ...(witness === undefined ? {} : { witness }),
  };
}

/** Groups of up to four, for all ε, on randomised response of every member. */
export const groupPrivacy = theorem<Claimed>({
  id: "composition/group_privacy",
  statement:
    "An (ε, 0)-differentially private mechanism is (kε, 0)-differentially private for groups " +
    "of size k, and no better in general.",
  citation: "Dwork, Roth 2014, Theorem 2.2",
  source: "Haußmann’s slides, group privacy",
  remember: () => `For a family of four at ε = 1 the factor is e⁴ = ${short(Math.exp(4))}.`,
  kind: "exact",
  checked:
    "every ε at once: randomised response of four respondents, of whom one to four change; e^ε = 2: all chains of up to four laws on three outputs in eighths, each within 2 of the next, in whole numbers; beside them, the claims that groupOf() makes for one to four at ε = .25",
  subject: { power: (size) => size, shipped: groupOf },
  check: ({ power, shipped }) => {
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
      const claim = shipped(pure({ epsilon: 0.25, relation: replaceOne }), { size });
      const isStated = claim.kind === "pure" && claim.epsilon >= 0.25 * power(size) &&
        claim.epsilon <= 0.25 * power(size) * (1 + 1e-12);
      return { ...outcome, holds: outcome.holds && isStated };
    });
    return all(
      [...outcomes, ...[1, 2, 3].map((size) => chainsOutcome(size, power(size)))],
      "groups of 1 to 4 among four respondents, for all ε at once; chains of laws",
    );
  },
  mutants: {
    "the square root of k, as in composition": {
      power: (size) => Math.ceil(Math.sqrt(size)),
      shipped: groupOf,
    },
    "a shipped claim for one less": {
      power: (size) => size,
      shipped: (claim, { size }) => groupOf(claim, { size: Math.max(1, size - 1) }),
    },
  },
});
