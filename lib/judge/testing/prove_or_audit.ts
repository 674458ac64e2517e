import { audit } from "../audit/audit.ts";
import type { AuditReport } from "../audit/report.ts";
import { functionSubject } from "../audit/subjects/function_subject.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { Dataset, Domain, RowSpec } from "../../core/relations/dataset.ts";
import { type Pair, pairOf, type Relation, sameRow } from "../../core/relations/relation.ts";
import {
  type NeighbourCase,
  neighbourCases,
  pairCases,
} from "../exact/alignment/neighbour_cases.ts";
import { type AlignmentReport, proveAlignment } from "../exact/alignment/prove_alignment.ts";
import type { TestValues } from "../exact/alignment/require_same_runs.ts";
import type { TightPair } from "../exact/alignment/tight_pair.ts";
import {
  type DivergenceRefutation,
  refuteByDivergence,
} from "../exact/likelihood/refute_by_divergence.ts";
import {
  type LikelihoodRefutation,
  refuteByLikelihood,
} from "../exact/likelihood/refute_by_likelihood.ts";
import type { TracedProgram } from "../exact/alignment/trace_program.ts";
import { NotTraceable } from "../exact/alignment/traced_value.ts";
import { isRow } from "../audit/search/row_values.ts";
import { datasetsOfDomain, neighboursOfDomain } from "../exact/enumeration/finite_domain.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import { type AlignmentAudit, isProvedButForRounding } from "../report/alignment_text.ts";

/** Draws of the audit of the pair at which a proof failed, and of the search after it. */
const PAIR_DRAWS = 200_000, SEARCH_DRAWS = 1_000_000;
/** Datasets of a domain up to which all are tried. */
const MOST_DATASETS = 2000;
/** The chance that a true claim is refuted, of both audits together. */
const ALPHA = 0.01;

/** A program with continuous noise, its claim and where it is to hold. */
export interface AlignmentSubject {
  readonly name: string;
  readonly run: TracedProgram;
  readonly claim: Claim;
  readonly relation: Relation;
  readonly pair?: Pair;
  /** Needed where there is no pair. */
  readonly domain?: Domain;
  /** Numbers in the program's text and options, on which it is run to compare it with its trace. */
  readonly numbers?: readonly number[];
  /** The program as it was written, where `run` was rewritten: it is run with numbers, and audited. */
  readonly written?: TracedProgram;
}

type Proof = Awaited<ReturnType<typeof proveAlignment>>;

/**
 * Proves the claim of a program by alignments of its noise; a claim that is not proved is audited, first on the pair at which the
 * proof was tight, then on the domain.
 *
 * @returns the proof; the seconds that it took; and the audit, where there was one.
 * @throws {NotTraceable} for a program that cannot be traced.
 * @throws {RangeError} when an option is out of range.
 */
export async function proveOrAudit(
  subject: AlignmentSubject,
  { maxPaths }: { readonly maxPaths?: number } = {},
): Promise<{
  readonly proof: Proof;
  readonly seconds: number;
  readonly refuted?: LikelihoodRefutation | DivergenceRefutation;
  readonly audited?: AlignmentAudit;
}> {
  const start = performance.now();
  const options = { test: testOf(subject), ...maxPaths !== undefined && { maxPaths } };
  const proof = await prove(subject, options);
  const since = (): number => (performance.now() - start) / 1000;
  // No audit sees what rounding loses.
  if (proof.report.verdict === "holds" || isProvedButForRounding(proof.report)) {
    return { proof, seconds: since() };
  }
  const { name, run, claim, relation, pair, domain } = subject;
  const where = {
    claim,
    isPair: (left: unknown, right: unknown) =>
      pair !== undefined ||
      isPair(relation, { left, right }) && [left, right].every((data) => isOfDomain(data, domain!)),
    ...options,
  };
  const refuted = await refuteByDivergence({ name, run }, { ...where, report: proof.report }) ??
    await refuteByLikelihood({ name, run }, {
      ...where,
      details: proof.details,
      whole: pair === undefined && numbersOf(domain!.rows).type === "integer",
    });
  const seconds = since();
  if (refuted !== undefined) return { proof, seconds, refuted };
  return { proof, seconds, audited: await auditUnproved(subject, proof.report) };
}

/** Returns the type of the numbers of rows. */
function numbersOf(rows: RowSpec): RowSpec {
  return rows.type === "vector" ? rows.of : rows;
}

/** Whether datasets of numbers, or of lists or records of them, are of a domain; others were taken from it. */
function isOfDomain(data: unknown, { rows, size }: Domain): boolean {
  const of = numbersOf(rows), list = data as readonly unknown[];
  if (rows.type !== "record" && of.type !== "number" && of.type !== "integer") return true;
  // Searches allow for a norm that was rounded.
  const withinNorm = (row: unknown): boolean =>
    rows.type !== "vector" || rows.norm === undefined ||
    Math.hypot(...row as number[]) <= rows.norm;
  return list.length >= size.min && list.length <= size.max &&
    list.every((row) => isRow(rows, row) && withinNorm(row));
}

/** Numbers of which powers are tried: the first in a program's text. */
const MOST_BASES = 16;

/** Powers of the first numbers of a program, which they are written with. */
function powersOf(numbers: readonly number[]): number[] {
  const few = [...new Set(numbers.map(Math.abs))].slice(0, MOST_BASES);
  const powers = few.flatMap((base) => few.flatMap((power) => [base ** power, base ** -power]));
  return [...new Set(powers)].filter((value) => Number.isFinite(value) && value !== 0);
}

/** Returns the test that traces are compared with. */
function testOf({ pair, domain, numbers, written }: AlignmentSubject): TestValues {
  const datasets = pair === undefined ? allDatasets(domain!) : undefined;
  return {
    numbers: [
      ...numbers ?? [],
      ...powersOf(numbers ?? []),
      ...pair === undefined ? wholeNumbers(domain!.rows) : [],
    ],
    ...(written && { written }),
    ...(datasets && { datasets }),
  };
}

async function prove(
  subject: AlignmentSubject,
  options: { readonly maxPaths?: number; readonly test: TestValues },
): Promise<Proof> {
  const { name, run, claim, relation, pair, domain } = subject;
  const attempt = (cases: readonly NeighbourCase[]): Promise<Proof> =>
    proveAlignment({ name, run }, { claim, cases, ...options });
  if (pair !== undefined) return await attempt(pairCases(pair.left, pair.right));
  const symbolic = neighbourCases(domain!, relation);
  if (symbolic === undefined) return await attempt(finiteCases(domain!, relation));
  try {
    return await attempt(symbolic);
  } catch (error) {
    // A program that needs numbers: pair by pair, where there are finitely many.
    if (!(error instanceof NotTraceable) || options.test.datasets === undefined) throw error;
    return await attempt(finiteCases(domain!, relation));
  }
}

/** All datasets of a domain; `undefined` where there are too many. */
function allDatasets(domain: Domain): Dataset[] | undefined {
  try {
    const datasets = datasetsOfDomain(domain, { most: MOST_DATASETS });
    return datasets.length > 0 ? datasets : undefined;
  } catch {
    return undefined;
  }
}

/** Whole numbers that a row may be, where they are few: each is tried in each place. */
const MOST_WHOLE_NUMBERS = 1000;

function wholeNumbers(rows: RowSpec): number[] {
  const { type, min, max } = numbersOf(rows) as RowSpec & {
    readonly min: number;
    readonly max: number;
  };
  if (type !== "integer" || max - min >= MOST_WHOLE_NUMBERS) return [];
  return Array.from({ length: max - min + 1 }, (_, i) => min + i);
}

function finiteCases(domain: Domain, relation: Relation): NeighbourCase[] {
  const datasets: readonly Dataset[] = datasetsOfDomain(domain, { most: MOST_DATASETS });
  return [...neighboursOfDomain(domain, relation)].flatMap(([i, j]) =>
    pairCases(datasets[i], datasets[j])
  );
}

/** Audits what was not proved: first the pair at which the proof is tight, then all pairs of the domain. */
async function auditUnproved(
  { name, run: traced, written = traced, claim, relation, pair, domain }: AlignmentSubject,
  { worst }: AlignmentReport,
): Promise<AlignmentAudit> {
  const draw = async (
    where: { readonly pair: Pair } | { readonly domain: Domain },
    maxDraws: number,
  ): Promise<AuditReport> => {
    const source = new SeededSource(1).split("subject");
    const subject = functionSubject(written, { name, source, claim });
    return await audit(subject, {
      claim,
      relation,
      ...where,
      alpha: pair === undefined ? ALPHA / 2 : ALPHA,
      maxDraws,
      seed: 1,
    });
  };
  const first = pair ?? neighbours(relation, worst?.pair, domain!);
  const about = first && await draw({ pair: first }, PAIR_DRAWS);
  if (about !== undefined && (about.verdict === "refuted" || domain === undefined)) {
    return auditOf(about);
  }
  const searched = await draw({ domain: domain! }, SEARCH_DRAWS);
  return auditOf(searched, about?.draws);
}

/**
 * The pair where it is one to audit: numbers that are rounded may not be neighbours, both sides may be the same, and the proof knows neither
 * that rows are whole numbers nor their norm.
 */
function neighbours(
  relation: Relation,
  pair: TightPair | undefined,
  domain: Domain,
): Pair | undefined {
  return pair !== undefined && isPair(relation, pair) &&
      [pair.left, pair.right].every((data) => isOfDomain(data, domain))
    ? pairOf(relation, pair as { left: Dataset; right: Dataset })
    : undefined;
}

function isPair(relation: Relation, { left, right }: TightPair): boolean {
  return !sameRow(left, right) &&
    relation.violation(left as Dataset, right as Dataset) === undefined;
}

function auditOf(report: AuditReport, before = 0): AlignmentAudit {
  return {
    verdict: report.verdict === "refuted" ? "refuted" : "not refuted",
    alpha: ALPHA,
    draws: report.draws + before,
    epsilonLowerBound: report.epsilonLowerBound,
    eValue: report.eValue,
    pair: report.pair,
    event: report.event,
  };
}
