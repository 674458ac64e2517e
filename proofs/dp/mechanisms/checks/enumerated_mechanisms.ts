import type { Claim } from "../../../../lib/core/claims/claim.ts";
import type { Dataset } from "../../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../../lib/core/mechanism/mechanism.ts";
import {
  checkExactly,
  type ExactDetails,
  type ExactReport,
} from "../../../../lib/judge/exact/enumeration/check_exactly.ts";
import type { ExactOptions } from "../../../../lib/judge/exact/enumeration/enumerated_program.ts";
import {
  datasetsOfDomain,
  neighboursOfDomain,
} from "../../../../lib/judge/exact/enumeration/finite_domain.ts";
import { outputKey } from "../../../../lib/judge/exact/enumeration/output_key.ts";
import { requireThat } from "../../../engine/requirement.ts";
import type { EnumeratedCase } from "./enumerated_case.ts";

/** Runs a case, for its own claim or another. */
export function enumerated(
  { make, domain, remainder = 1e-9 }: EnumeratedCase,
  epsilon: number,
  claimed: (claim: Claim) => ExactOptions["claim"] = (claim) => claim as ExactOptions["claim"],
): {
  report: ExactReport;
  details: ExactDetails;
  mechanism: Mechanism;
  datasets: readonly Dataset[];
  neighbours: ExactOptions["neighbours"];
} {
  const mechanism = make(epsilon) as Mechanism;
  const datasets = datasetsOfDomain(domain);
  const neighbours = [...neighboursOfDomain(domain, mechanism.claim.relation)];
  const { report, details } = checkExactly(
    { name: mechanism.name, run: (data, source) => mechanism.sample(data, source) },
    {
      claim: claimed(mechanism.claim),
      datasets,
      neighbours,
      remainder,
      maxBranches: 400_000,
    },
  );
  return { report, details, mechanism, datasets, neighbours };
}

/** The enumerated law against `distribution` or `logDensity`, which no draw depends on. */
export function compareWithStated(
  mechanism: Mechanism,
  { laws, units }: ExactDetails,
  datasets: readonly Dataset[],
  cut: number,
): void {
  const unit = 2 ** units.bits;
  laws.forEach(({ outputs }, i) => {
    const stated = mechanism.distribution === undefined ? undefined : new Map(
      mechanism.distribution(datasets[i]!).map(({ output, probability }) =>
        [outputKey(output), probability] as const
      ),
    );
    let compared = 0;
    for (const [key, { output, lower }] of outputs) {
      const chance = Number(lower) / unit;
      const expected = stated?.get(key) ??
        Math.exp(mechanism.logDensity!(output as never, datasets[i]!));
      requireThat(
        chance <= expected * (1 + 1e-9) + 1e-11 && expected <= chance + cut * 1.001,
        () => `${mechanism.name}: ${key} is drawn with ${chance}, stated is ${expected}`,
      );
      if (++compared > 3000) break;
    }
  });
}
