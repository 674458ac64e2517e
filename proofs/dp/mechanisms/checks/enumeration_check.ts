import { type Claim, pure, type PureClaim } from "../../../../lib/core/claims/claim.ts";
import { certificateOf } from "../../../../lib/judge/exact/enumeration/certificate.ts";
import { outcomeOf, requireThat } from "../../../engine/requirement.ts";
import type { Outcome } from "../../../engine/theorem.ts";
import { PageCertificates } from "../../../engine/page_certificates.ts";
import { compareWithStated, enumerated } from "./enumerated_mechanisms.ts";
import type { EnumeratedCase } from "./enumerated_case.ts";

/** The ε that are looked at; those of mechanisms with many paths are the least that they can be run for. */
export const EPSILONS: readonly number[] = [0.5, 1.3];

/** A factor of the ε that mechanisms are made with; their claim stays. */
export interface EnumerationSubject {
  readonly cases: readonly EnumeratedCase[];
  readonly factor: number;
}

const claimed = (factor: number) => (claim: Claim): PureClaim => {
  const { epsilon, relation } = claim as PureClaim;
  return factor === 1 ? claim as PureClaim : pure({ epsilon: epsilon / factor, relation });
};

/** Runs the shipped `sample` on every path, against the claim and against the law that the mechanism states. */
export function enumerationOutcome({ cases, factor }: EnumerationSubject, exact: boolean): Outcome {
  const certificates = new PageCertificates("scripts/check_certificate.ts");
  const outcome = outcomeOf(`${cases.length} mechanisms`, () => {
    let most = 0;
    for (const each of cases) {
      for (const epsilon of exact ? EPSILONS : [Math.max(each.from ?? 0, 0.5)]) {
        const { report, details, mechanism, datasets, neighbours } = enumerated(
          each,
          epsilon,
          claimed(factor),
        );
        const { epsilon: own } = report.claim;
        requireThat(
          report.verdict === "holds",
          () => `${each.name} at ε = ${epsilon} loses ${report.epsilon.lower} of ${own}`,
        );
        requireThat(
          report.kind === (exact ? "exact" : "certified"),
          `${each.name}: not all paths were run, or all of endlessly many`,
        );
        requireThat(
          exact
            ? report.attained === each.attained
            : !each.attained || report.epsilon.lower > 0.97 * own,
          `${each.name} at ε = ${epsilon} does not attain its claim, or attains it`,
        );
        requireThat(
          !exact || report.epsilon.upper > (each.share ?? 0.45) * own,
          `${each.name} wastes noise: it loses ${report.epsilon.upper} of ${own}`,
        );
        compareWithStated(mechanism, details, datasets, each.remainder ?? (exact ? 1e-10 : 1e-9));
        most = Math.max(most, report.epsilon.lower / own);
        const text = certificateOf({ report, details }, { datasets, neighbours });
        certificates.add(`${each.name}, ε = ${epsilon}`, text);
      }
    }
    return most;
  });
  return { ...outcome, certificates: certificates.all };
}

export function enumerationMutants(
  cases: readonly EnumeratedCase[],
): Record<string, EnumerationSubject> {
  return Object.fromEntries(
    cases.filter(({ attained }) => attained).map((each) => [
      `${each.name}, made for 1.15 times its claim`,
      { cases: [each], factor: 1.15 },
    ]),
  );
}
