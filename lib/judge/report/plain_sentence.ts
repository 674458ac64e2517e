import { addRemoveOne, type Relation, replaceOne } from "../../core/relations/relation.ts";
import type { AuditReport } from "../audit/report.ts";
import { claimedParameter, roundedDown } from "./bound.ts";
import { shortNumber } from "./short_number.ts";

/** Factors from here on are written as a power of ten. */
const LARGE = 1e6, MOST_DIGITS = 12;

/** Returns the verdict in one sentence for a reader who knows nothing of differential privacy. It says no more than the bound does. */
export function plainSentence(report: AuditReport): string {
  const { subject, claim } = report, { told, other } = neighbourWords(claim.relation);
  switch (report.verdict) {
    case "refuted": {
      const { value } = claimedParameter(report);
      const changes = report.unconfirmed === undefined
        ? ""
        : " Later answers of the same run did not show it again.";
      if (claim.kind !== "pure") {
        return `The answers of ${subject} tell more ${told}.${changes}`;
      }
      const shown = report.epsilonLowerBound > value
        ? `at least ${factor(report.epsilonLowerBound, value)} times`
        : `more than ${factor(value, 0)} times`;
      return `Some answers of ${subject} are ${shown} as likely on one dataset as on ${other}; ` +
        `it promises that none is more than ${factor(value, 0)} times as likely.${changes}`;
    }
    case "not-refuted":
      return `This run saw no sign that ${subject} tells more ${told}; that is no proof.`;
    case "inconclusive":
      return `This run cannot say whether ${subject} keeps its promise.`;
    case "failed":
      return `${subject} could not be tested.`;
  }
}

/** Returns what is told of neighbours, after "more", and the other dataset of a pair: rows are known to everybody, other neighbours are described. */
export function neighbourWords(
  { name, description }: Relation,
): { readonly told: string; readonly other: string } {
  return name === replaceOne.name || name === addRemoveOne.name
    ? {
      told: "about a single row of the data than it promises",
      other: "one that differs in a single row",
    }
    : {
      told: `than it promises where ${description}`,
      other: `a neighbour, where ${description}`,
    };
}

/** e to the power of ε, rounded down, with the digits that it takes to lie above e to the power of `below`; three at least. */
function factor(epsilon: number, below = -Infinity): string {
  const times = Math.exp(epsilon);
  if (times >= LARGE) return large(epsilon / Math.LN10);
  let digits = 3;
  while (roundedDown(times, digits) <= Math.exp(below) && digits < MOST_DIGITS) digits++;
  return shortNumber(roundedDown(times, digits), digits);
}

/** A power of ten in words, rounded down. */
function large(exponent: number): string {
  const names = [[12, "a trillion"], [9, "a billion"], [6, "a million"]] as const;
  const [power, name] = names.find(([least]) => exponent >= least) ?? names[2];
  // A bound may be said too low, never too high.
  const times = Math.min(999, Math.floor(10 ** (exponent - power)));
  return times <= 1 ? name : name.replace("a", String(times));
}
