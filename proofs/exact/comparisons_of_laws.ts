import type { OutputLaw } from "../../lib/exact/enumeration/enumerate_outputs.ts";
import { compareLaws } from "../../lib/exact/enumeration/compare_laws.ts";
import { largestLoss, leastEpsilon } from "../../lib/exact/enumeration/least_epsilon.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  type Comparisons,
  comparisons,
  requireComparisons,
  requireLeastEpsilons,
  requireSizes,
} from "../checks/comparison_cases.ts";
import { requireCoarseLaws } from "../checks/coarse_laws.ts";
import {
  requireGeneratedBounds,
  requireOpenEnds,
  requireSeveralPairs,
} from "../checks/least_bound_cases.ts";
import { requireNearTies } from "../checks/near_ties.ts";
import { withoutRemainders } from "../checks/without_remainders.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const inPart = (law: OutputLaw): OutputLaw => ({ ...law, complete: false });

/** Least ε and least δ of finite laws against all sets of outputs. */
export const comparisonsOfLaws = theorem<Comparisons>({
  id: "exact/comparisons_of_laws",
  statement:
    "The least ε of finite laws with a given δ is ln((P(S) − δ)/(Q(S) + what was not run of Q)) of the worst set S of outputs, enclosed to three parts in 10^11, " +
    "in five passes over the worst pair, from 1e-12 to 690; a claim is refuted where its δ is too small by one part in 2^50, and equality is told; " +
    "what is missing of a law that was not run to its end counts on the safe side.",
  citation:
    "Dwork, Roth 2014, section 2.3, on (ε, δ) by sets; Lindemann, Weierstrass 1885; e^ε by its series in 400 binary places",
  source: "lib/exact/enumeration: least_epsilon, compare_laws",
  kind: "sampled",
  checked:
    "120 generated families of up to three pairs of laws with five outputs, by all 31 sets; 70 pairs of complete laws at four ε and six δ; losses of 26 sizes from 2 to 2^2900; 700 generated pairs of laws in 8 to 32 units; ratios 2^−300 from e^ε at five ε; 90 generated pairs of six kinds with δ from 0 to next to the mass of an output, and δ at five ε each; all four ways in which two laws are complete or not",
  subject: comparisons,
  check: (of, { seed }) => {
    const source = new SeededSource(seed).split("comparisons of laws");
    return casesOf({
      "least ε": () => requireLeastEpsilons(of, source),
      "claims": () => requireComparisons(of, source),
      "sizes": () => requireSizes(of),
      "bounds in fractions": () => requireGeneratedBounds(of, source),
      "laws in few units": () => requireCoarseLaws(of, source),
      "near ties": () => requireNearTies(of),
      "several pairs": () => requireSeveralPairs(of, source),
      "laws that were not run to their end": () => requireOpenEnds(of),
    });
  },
  mutants: {
    "the first of some pairs": {
      ...comparisons,
      leastEpsilon: (pairs, options) => leastEpsilon([...pairs].slice(0, 1), options),
    },
    "δ forgotten": {
      ...comparisons,
      leastEpsilon: (pairs, options) => leastEpsilon(pairs, { ...options, delta: 0 }),
    },
    "claims by bounds alone": {
      ...comparisons,
      compareLaws: ({ left, right }, options) =>
        compareLaws({ left: inPart(left), right: inPart(right) }, options),
    },
    "the lower end for the upper one": {
      ...comparisons,
      leastEpsilon: (pairs, options) => {
        const { lower } = leastEpsilon(pairs, options);
        return { lower, upper: lower };
      },
    },
    "a wide interval": {
      ...comparisons,
      leastEpsilon: (pairs, options) => ({ ...leastEpsilon(pairs, options), lower: 0 }),
    },
    "the right is complete where the left is": {
      ...comparisons,
      largestLoss: ({ left, right }, options) =>
        largestLoss({ left, right: { ...right, complete: left.complete } }, options),
    },
    "δ without what was not run": {
      ...comparisons,
      compareLaws: ({ left, right }, options) =>
        compareLaws({ left, right: { ...right, remainder: 0n } }, options),
    },
    "what was not run forgotten": { ...comparisons, largestLoss: withoutRemainders },
  },
});
