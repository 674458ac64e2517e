import { SeededSource } from "../../core/random/seeded_source.ts";
import { parseEvent } from "./model/encoding/event_rule.ts";
import type { AuditReport, Finding, FurtherFindings } from "./report.ts";

/** The most findings of one audit: a difference in a number may be cut into ever more pieces. */
const MOST_FINDINGS = 10;

/** An audit with these events excepted, at this seed. */
type AuditAgain = (options: {
  readonly except: readonly string[];
  readonly seed: number;
}) => Promise<AuditReport>;

/**
 * Goes on after a refutation: audits the same claim again, by fresh draws, with each event found so far excepted, until one
 * refutes nothing. Each audit has the level α. Once the outputs that are left keep the claim, all further audits are of a true
 * claim and the first of these that refutes nothing ends the list; so the probability of any wrong finding is at most α, as in a
 * fixed sequence of tests (Maurer, Hothorn, Lehmacher 1995).
 */
export async function furtherFindings(
  first: AuditReport,
  { except, auditAgain }: {
    readonly except: readonly string[];
    readonly auditAgain: AuditAgain;
  },
): Promise<FurtherFindings> {
  const seeds = new SeededSource(first.seed).split("further findings");
  const findings: Finding[] = [];
  const known = [...except];
  let report = first;
  for (;;) {
    const finding = findingOf(report);
    if (finding !== undefined) findings.push(finding);
    const rule = finding?.event.description;
    const isOver = rule === undefined || report.failure !== undefined || known.includes(rule) ||
      findings.length >= MOST_FINDINGS || !isRule(rule);
    if (isOver) return { findings, rest: report.verdict };
    known.push(rule);
    report = await auditAgain({ except: [...known], seed: seeds.uint32() });
  }
}

function findingOf(report: AuditReport): Finding | undefined {
  const { verdict, event, pair, epsilonLowerBound, eValue, draws } = report;
  if (verdict !== "refuted" || event === null || pair === null) return undefined;
  return { event, pair, epsilonLowerBound, eValue, draws };
}

/** Returns true if a rule can be read again: the names of fields in it may hold any characters. */
function isRule(text: string): boolean {
  try {
    parseEvent(text);
    return true;
  } catch {
    return false;
  }
}
