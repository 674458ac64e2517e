import { finiteCases } from "./checks/finite_cases.ts";
import {
  enumerationMutants,
  enumerationOutcome,
  type EnumerationSubject,
} from "./checks/enumeration_check.ts";
import { theorem } from "../engine/theorem.ts";

/** Mechanisms of finitely many outputs. */
export const shippedByEnumeration = theorem<EnumerationSubject>({
  id: "mechanisms/shipped_by_enumeration",
  statement:
    "Every shipped mechanism whose draws are discrete and whose outputs are finitely many keeps its claim, on every path of its own sample(), " +
    "which has the law that it states; those that lose their ε lose it exactly.",
  citation: "each mechanism names its own theorem",
  source: "lib/mechanisms, run by lib/exact/enumeration",
  kind: "exact",
  checked:
    "ε = .5 and 1.3: two-coin survey, randomised response (two and three categories), unary encodings, RAPPOR, keep or replace, mixed noise, exponential (also to base 2), permute-and-flip, noisy max (exponential, Gumbel), quantile; all datasets of one to three rows with up to six values",
  subject: { cases: finiteCases, factor: 1 },
  check: (subject) => enumerationOutcome(subject, true),
  mutants: enumerationMutants(finiteCases),
});
