import { claimToJSON } from "../../core/claim.ts";
import { byCoefficients } from "./every_epsilon.ts";
import { overCommon } from "./compare_laws.ts";
import type { ExactDetails, ExactOptions, ExactReport } from "./check_exactly.ts";
import type { OutputLaw } from "./enumerate_outputs.ts";
import { type ExponentialSum, multiplySums } from "./exponential_sum.ts";
import type { OutcomeUnits } from "./law_outcomes.ts";

/** Terms coefficient·exp(−exponent/scale), as pairs of whole numbers in decimal. */
type Terms = readonly (readonly [exponent: string, coefficient: string])[];

/**
 * A certificate as JSON text: the laws of the outputs on each dataset, from which somebody else can compute the verdict
 * (`scripts/check_certificate.ts` does). Laws that are complete are written exactly, as sums of exponentials over one
 * denominator for each dataset; others as lower bounds with a remainder.
 *
 * That the laws are those of the program is not certified: the enumeration says so.
 *
 * @throws {RangeError} when the verdict is undecided: there is nothing to certify.
 */
export function certificateOf(
  { report, details: { laws, units, inequalities } }: {
    report: ExactReport;
    details: ExactDetails;
  },
  { datasets, neighbours }: Pick<ExactOptions, "datasets" | "neighbours">,
): string {
  const { verdict, claim, kind } = report;
  if (verdict === "undecided") {
    throw new RangeError("Cannot write a certificate: the verdict must not be undecided");
  }
  const exact = kind === "exact";
  return JSON.stringify({
    dpcheck: "certificate 1",
    subject: report.subject,
    claim: claimToJSON(claim),
    verdict,
    kind,
    // Those that Sturm's theorem decided are certified at the claim's ε alone.
    everyEpsilon: inequalities !== undefined && byCoefficients(inequalities),
    scale: String(units.scale),
    datasets,
    pairs: neighbours,
    laws: laws.map((law) => exact ? exactLaw(law, units) : boundedLaw(law, units)),
  }) + "\n";
}

function exactLaw(law: OutputLaw, units: OutcomeUnits): {
  denominator: Terms;
  remainder: string;
  outputs: Record<string, Terms>;
} {
  const { products } = units;
  const { common, numerators } = overCommon(law, units);
  const least = products.common([common, 0]);
  const lift = products.quotient(common, least);
  return {
    denominator: termsOf(products.quotient(0, least)),
    remainder: "0",
    outputs: Object.fromEntries(
      [...law.outputs.keys()].map((key) => [key, termsOf(multiplySums(numerators(key), lift))]),
    ),
  };
}

function termsOf(sum: ExponentialSum): Terms {
  return [...sum].map(([x, c]) => [String(x), String(c)] as const);
}

function boundedLaw(
  { outputs, remainder }: OutputLaw,
  { bits }: OutcomeUnits,
): ReturnType<typeof exactLaw> {
  return {
    denominator: [["0", String(1n << BigInt(bits))]],
    remainder: String(remainder),
    outputs: Object.fromEntries(
      [...outputs].filter(([, { lower }]) => lower > 0n)
        .map(([key, { lower }]) => [key, [["0", String(lower)]]]),
    ),
  };
}
