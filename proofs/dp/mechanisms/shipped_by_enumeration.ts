import { finiteCases } from "./checks/finite_cases.ts";
import {
  enumerationMutants,
  enumerationOutcome,
  type EnumerationSubject,
  EPSILONS,
} from "./checks/enumeration_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** Mechanisms of finitely many outputs. */
export const shippedByEnumeration = theorem<EnumerationSubject>({
  id: "mechanisms/shipped_by_enumeration",
  statement:
    "Every shipped mechanism whose draws are discrete and whose outputs are finitely many keeps its claim, on every path of its own sample(), " +
    "which has the law that it states; those that lose their ε lose it exactly.",
  citation: "each mechanism names its own theorem",
  source: "lib/dp/mechanisms, run by lib/judge/exact/enumeration",
  remember: () =>
    `${finiteCases.length} mechanisms at ${EPSILONS.length} values of ε, and no path of their code is left out.`,
  kind: "exact",
  checked: `ε = ${EPSILONS.join(" and ")}: ${
    finiteCases.map(({ name }) => name).join(", ")
  }; all datasets of one to three rows with up to six values`,
  subject: { cases: finiteCases, factor: 1 },
  check: (subject) => enumerationOutcome(subject, true),
  mutants: enumerationMutants(finiteCases),
});
