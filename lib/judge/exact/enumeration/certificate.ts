import { type Relation, sameRelation, sameRow } from "../../../core/relations/relation.ts";
import { claimToJSON, claimUnder } from "../../../core/claims/claim.ts";
import type { Domain, RowSpec } from "../../../core/relations/dataset.ts";
import { relationNamed } from "../../../core/relations/relation_named.ts";
import { type Rational, rational } from "../../../core/numeric/rational.ts";
import { nextUp } from "../../../core/numeric/round_outward.ts";
import { byCoefficients } from "./every_epsilon.ts";
import { overCommon } from "./compare_laws.ts";
import type { ExactDetails, ExactReport } from "./check_exactly.ts";
import type { ExactOptions } from "./enumerated_program.ts";
import type { OutputLaw } from "./enumerate_outputs.ts";
import { type ExponentialSum, multiplySums } from "./exponential_sum.ts";
import type { OutcomeUnits } from "./law_outcomes.ts";

/** Terms coefficient·exp(−exponent/scale), as pairs of whole numbers in decimal. */
type Terms = readonly (readonly [exponent: string, coefficient: string])[];

/** What a certificate is about. */
export interface Certified extends Pick<ExactOptions, "datasets" | "neighbours"> {
  /** The domain whose datasets they are; without it a certificate is about those that it lists. */
  readonly domain?: Domain;
  /** The SHA-256 of the program's text, in hexadecimal. */
  readonly sha256?: string;
}

/**
 * Returns a certificate as JSON text: the laws of the outputs on each dataset, from which somebody else can compute the verdict
 * (`scripts/check_certificate.ts` does, and finds the datasets and neighbours again). Laws that are complete are written exactly, as sums
 * of exponentials over one denominator; others as lower bounds with a remainder.
 *
 * That the laws are those of the program is not certified: the enumeration says so.
 *
 * @throws {RangeError} when the verdict is undecided, when a claim holds only up to more than 0.001 of δ, for a relation that is not known by
 * its name, and for datasets that JSON cannot hold.
 */
export function certificateOf(
  { report, details: { laws, units, inequalities } }: {
    report: ExactReport;
    details: ExactDetails;
  },
  { datasets, neighbours, domain, sha256 }: Certified,
): string {
  const { verdict, claim, kind } = report;
  if (verdict === "undecided") throw cannotWrite("the verdict must not be undecided");
  if (!isKnown(claim.relation)) throw cannotWrite("the relation must be known by its name");
  if (!datasets.every((data) => sameRow(JSON.parse(JSON.stringify(data)), data))) {
    throw cannotWrite("datasets must be values that JSON can hold");
  }
  const exact = kind === "exact";
  const slack = exact || verdict === "refuted" ? 0 : slackOf(report);
  if (slack > MOST_SLACK) {
    throw cannotWrite(`what was not run must be at most ${MOST_SLACK} of δ: it is ${slack}`);
  }
  const written = new Map<string, number>();
  const texts = new Map<OutputLaw, string>();
  const places = laws.map((law) => {
    let text = texts.get(law);
    if (text === undefined) {
      text = JSON.stringify(exact ? exactLaw(law, units) : boundedLaw(law, units));
      texts.set(law, text);
    }
    if (!written.has(text)) written.set(text, written.size);
    return written.get(text)!;
  });
  return JSON.stringify({
    dpcheck: "certificate 2",
    program: { name: report.subject, sha256: sha256 ?? null },
    // In numbers, as it was decided.
    claim: claimToJSON(claimUnder(claim, claim)),
    domain: domain === undefined ? null : certifiedDomain(domain),
    verdict,
    slack: fractionText(rational(slack)),
    // Those that Sturm's theorem decided are certified at the claim's ε alone.
    everyEpsilon: inequalities !== undefined && byCoefficients(inequalities),
    scale: String(units.scale),
    datasets,
    pairs: [...neighbours],
    places,
    laws: [...written.keys()].map((text) => JSON.parse(text)),
  }) + "\n";
}

function cannotWrite(rule: string): RangeError {
  return new RangeError(`Cannot write a certificate: ${rule}`);
}

/** The δ beyond the claim's that what was not run may add, which a certificate may state at most. */
const MOST_SLACK = 1e-3;

/** Returns by how much δ may be larger than claimed because of paths that were not run, rounded up. */
function slackOf({ claim, delta }: ExactReport): number {
  return Math.max(0, nextUp(delta.upper - (claim.kind === "pure" ? 0 : claim.delta)));
}

/** Returns true if a checker knows the relation by its name. */
export function isKnown(relation: Relation): boolean {
  const named = relationNamed(relation.name);
  return named !== undefined && named.neighbours === undefined && sameRelation(named, relation);
}

/** Returns a domain as checkers read it, or null for rows that they do not enumerate. */
export function certifiedDomain({ rows, size }: Domain): unknown {
  const read = rowsOf(rows);
  return read === undefined ? null : { rows: read, size: { min: size.min, max: size.max } };
}

function rowsOf(spec: RowSpec): unknown {
  const { type } = spec;
  const only = (...keys: readonly string[]): boolean =>
    Object.keys(spec).every((key) => keys.includes(key));
  switch (type) {
    case "boolean":
      return only("type") ? { type } : undefined;
    case "number":
    case "integer":
      return only("type", "min", "max") ? { type, min: spec.min, max: spec.max } : undefined;
    case "category":
      return only("type", "values") ? { type, values: spec.values } : undefined;
    case "vector": {
      const of = rowsOf(spec.of);
      return of === undefined || !only("type", "length", "of")
        ? undefined
        : { type, length: spec.length, of };
    }
    case "record": {
      const fields = Object.entries(spec.fields).map(([name, field]) =>
        [name, rowsOf(field)] as const
      );
      return fields.some(([, field]) => field === undefined) || !only("type", "fields")
        ? undefined
        : { type, fields: Object.fromEntries(fields) };
    }
    default:
      return undefined;
  }
}

/** Returns a fraction in decimal. */
export function fractionText({ numerator, denominator }: Rational): string {
  return denominator === 1n ? String(numerator) : `${numerator}/${denominator}`;
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
