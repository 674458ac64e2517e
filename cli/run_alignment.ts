import { writeFile } from "node:fs/promises";
import process from "node:process";
import { audit } from "../lib/audit/audit.ts";
import type { AuditReport } from "../lib/audit/report.ts";
import { functionSubject } from "../lib/audit/subjects/function_subject.ts";
import type { Claim } from "../lib/core/claim.ts";
import type { Dataset, Domain } from "../lib/core/dataset.ts";
import { type Pair, pairOf, type Relation } from "../lib/core/relation.ts";
import { datasetsOfDomain, neighboursAmong } from "../lib/exact/enumeration/finite_domain.ts";
import { alignmentCertificate } from "../lib/exact/alignment/alignment_certificate.ts";
import {
  type NeighbourCase,
  neighbourCases,
  pairCases,
} from "../lib/exact/alignment/neighbour_cases.ts";
import { type AlignmentReport, proveAlignment } from "../lib/exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../lib/exact/alignment/trace_program.ts";
import { NotTraceable } from "../lib/exact/alignment/traced_value.ts";
import { SeededSource } from "../lib/random/seeded_source.ts";
import { alignmentJson } from "../lib/report/alignment_json.ts";
import { type AlignmentAudit, alignmentText } from "../lib/report/alignment_text.ts";
import { BadInput } from "./bad_input.ts";
import type { ExactArguments } from "./exact.ts";
import { ExitStatus } from "./exit_status.ts";
import { usesStandardOutput } from "./output_files.ts";
import { wrapLines } from "./wrap_lines.ts";

/** Draws of the audit of the pair at which a proof failed, and of the search after it. */
const PAIR_DRAWS = 200_000, SEARCH_DRAWS = 1_000_000;
/** The chance that a true claim is refuted, of both audits together. */
const ALPHA = 0.01;

/** A program, its claim and where it is to hold. */
export interface AlignmentSubject {
  readonly name: string;
  readonly run: TracedProgram;
  readonly claim: Claim;
  readonly relation: Relation;
  readonly pair?: Pair;
  readonly domain?: Domain;
}

type Proof = Awaited<ReturnType<typeof proveAlignment>>;

/** Proves the claim of a program by alignments, or audits it; prints and writes the report. Returns the exit status. */
export async function runAlignment(
  subject: AlignmentSubject,
  options: ExactArguments,
): Promise<number> {
  const start = performance.now();
  const proof = await prove(subject, options);
  const { report } = proof;
  const provedAfter = (performance.now() - start) / 1000;
  const audited = report.verdict === "holds" ? undefined : await auditUnproved(subject, report);
  const seconds = (performance.now() - start) / 1000;
  const { json, certificate } = options;
  const isTaken = json !== undefined && usesStandardOutput({ json });
  if (json !== undefined) {
    const text = alignmentJson(report, { seconds, ...(audited && { audited }) });
    if (isTaken) process.stdout.write(text);
    else await writeFile(json, text);
  }
  if (certificate !== undefined && report.verdict === "holds") {
    try {
      await writeFile(certificate, alignmentCertificate(proof));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      console.error(`dpcheck: ${error.message}`);
    }
  }
  const stream = isTaken ? process.stderr : process.stdout;
  const color = stream.isTTY && !process.env.NO_COLOR;
  const text = alignmentText(report, {
    seconds: provedAfter,
    color,
    relation: subject.pair === undefined ? subject.relation : undefined,
    ...(audited && { audited }),
  });
  stream.write(wrapLines(`${text.trimEnd()}\n`, stream.columns));
  if (report.verdict === "holds") return ExitStatus.notRefuted;
  return audited?.verdict === "refuted" ? ExitStatus.refuted : ExitStatus.inconclusive;
}

async function prove(
  { name, run, claim, relation, pair, domain }: AlignmentSubject,
  { maxBranches }: ExactArguments,
): Promise<Proof> {
  const attempt = (cases: readonly NeighbourCase[]): Promise<Proof> =>
    proveAlignment({ name, run }, {
      claim,
      cases,
      ...(maxBranches === undefined ? {} : { maxPaths: maxBranches }),
    });
  try {
    if (pair !== undefined) return await attempt(pairCases(pair.left, pair.right));
    const symbolic = neighbourCases(domain!, relation);
    if (symbolic === undefined) return await attempt(finiteCases(domain!, relation));
    try {
      return await attempt(symbolic);
    } catch (error) {
      // A program that needs numbers: pair by pair, where there are finitely many.
      if (!(error instanceof NotTraceable) || !isFinite(domain!)) throw error;
      return await attempt(finiteCases(domain!, relation));
    }
  } catch (error) {
    if (error instanceof NotTraceable) {
      throw new BadInput(`${name} cannot be traced: ${error.message}`, { cause: error });
    }
    if (error instanceof RangeError || error instanceof TypeError) {
      throw new BadInput(error.message, { cause: error });
    }
    throw error;
  }
}

function isFinite(domain: Domain): boolean {
  try {
    return datasetsOfDomain(domain).length > 0;
  } catch {
    return false;
  }
}

function finiteCases(domain: Domain, relation: Relation): NeighbourCase[] {
  const datasets: readonly Dataset[] = datasetsOfDomain(domain);
  return neighboursAmong(datasets, relation).flatMap(([i, j]) =>
    pairCases(datasets[i], datasets[j])
  );
}

/** Audits what was not proved: first the pair at which the proof is tight, then all pairs of the domain. */
async function auditUnproved(
  { name, run, claim, relation, pair, domain }: AlignmentSubject,
  { worst }: AlignmentReport,
): Promise<AlignmentAudit> {
  const draw = async (
    where: { readonly pair: Pair } | { readonly domain: Domain },
    maxDraws: number,
  ): Promise<AuditReport> => {
    const source = new SeededSource(1).split("subject");
    const subject = functionSubject(run, { name, source, claim });
    return await audit(subject, {
      claim,
      relation,
      ...where,
      alpha: pair === undefined ? ALPHA / 2 : ALPHA,
      maxDraws,
      seed: 1,
    });
  };
  const first = pair ?? neighbours(relation, worst?.pair);
  const about = first && await draw({ pair: first }, PAIR_DRAWS);
  if (about !== undefined && (about.verdict === "refuted" || domain === undefined)) {
    return auditOf(about);
  }
  const searched = await draw({ domain: domain! }, SEARCH_DRAWS);
  return auditOf(searched, about?.draws);
}

/** The pair where it is one: numbers that are rounded may not be neighbours. */
function neighbours(
  relation: Relation,
  pair: { readonly left: unknown; readonly right: unknown } | undefined,
): Pair | undefined {
  if (pair === undefined) return undefined;
  try {
    return pairOf(relation, pair as { left: Dataset; right: Dataset });
  } catch {
    return undefined;
  }
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
