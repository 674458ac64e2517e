import { endlessCases } from "./checks/endless_cases.ts";
import {
  enumerationMutants,
  enumerationOutcome,
  type EnumerationSubject,
} from "./checks/enumeration_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** Mechanisms of endlessly many outputs. */
export const shippedByEnumerationCertified = theorem<EnumerationSubject>({
  id: "mechanisms/shipped_by_enumeration_certified",
  statement:
    "Every shipped mechanism whose draws are discrete and whose outputs have no end keeps its claim, on all paths of its own sample() but for " +
    "a remainder, with the law that it states.",
  citation: "each mechanism names its own theorem",
  source: "lib/dp/mechanisms, run by lib/judge/exact/enumeration",
  remember: () =>
    `${endlessCases.length} mechanisms; paths that are left out have a probability of ${
      Math.max(...endlessCases.map(({ remainder = 1e-9 }) => remainder))
    } at most, and are counted against the claim.`,
  kind: "certified",
  checked: `one ε each from .5 to 4: ${
    endlessCases.map(({ name }) => name).join(", ")
  }; all datasets of up to three rows with up to four values; remainders from 1e-9 to 1e-4`,
  subject: { cases: endlessCases, factor: 1 },
  check: (subject) => enumerationOutcome(subject, false),
  mutants: enumerationMutants(endlessCases),
});
