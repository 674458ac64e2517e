import type { AuditReport, RecordedFinding, RecordedNoise } from "../audit/report.ts";
import type { Claim } from "../../core/claims/claim.ts";
import { amountOf } from "../recording/amount_of.ts";
import { longCount } from "./short_number.ts";

/** Says what suspicions rest on. */
export function caveats(findings: readonly RecordedFinding[]): string[] {
  const suspected = findings.filter(({ kind }) => kind !== "declaration-broken");
  const byOutcomes = suspected.filter(({ kind }) => kind === "all-outcomes").length;
  return [
    ...(byOutcomes > 0
      ? [
        "Probabilities of forced outcomes are exact if every draw of the program was recorded. dpcheck audit confirms the finding or not.",
      ]
      : []),
    ...(byOutcomes < suspected.length
      ? [
        "This compares two runs with the same noise. Another comparison may cover the change: dpcheck audit confirms the finding or not.",
      ]
      : []),
  ];
}

/** Says what watched noise shows about an audit: the cause of what it refuted, or what it could not confirm. */
export function recordedNoiseLines(
  { recording, claim, verdict }: AuditReport,
): {
  readonly heading: string;
  /** Sentences of what was found, and then of what the noise pays for. */
  readonly lines: readonly string[];
  readonly costs: readonly string[];
  /** Whether it is the cause of a refutation, which is read before what to do about it. */
  readonly isCause: boolean;
} | undefined {
  if (recording === undefined) return undefined;
  // A program that failed fails in both, and the report says why.
  if (verdict === "failed" && recording.findings.length === 0) return undefined;
  const { findings } = recording;
  const heading = findings.length === 0
    ? recording.verdict === "not followed" ? "Watched noise: not followed" : "Watched noise"
    : verdict === "refuted"
    ? "Where it may come from, as watched noise shows"
    : recording.verdict === "broken"
    ? "Watched noise: a declaration is broken, for certain"
    : "Suspected by watched noise, and not confirmed: a longer run of the pair may confirm it, or a better coupling may exist that covers it";
  const costs = costLines(recording, claim);
  const lines = [...findings.map(({ sentence }) => sentence), ...costs];
  const isCause = findings.length > 0 && verdict === "refuted";
  return lines.length === 0 ? undefined : { heading, lines, costs, isCause };
}

/** Says what the noise pays for on pairs where it covers everything, and where it could not be followed. */
export function costLines(
  { cost, pairs, notFollowed, findings }: RecordedNoise,
  claim: Claim,
): string[] {
  // Beside findings it is about the other pairs, of which those on which nothing changes are not worth a word.
  const isOfAll = findings.length === 0;
  return [
    ...(cost === null || !isOfAll && cost === 0 ? [] : [
      isOfAll
        ? `Estimated from the noise alone: at most ${amountOf(claim, cost, 3)}, on ${
          pairCount(pairs - (notFollowed?.pairs ?? 0))
        }.`
        : `On pairs where the noise covers all that changes, estimated from the noise alone: at most ${
          amountOf(claim, cost, 3)
        }.`,
    ]),
    ...(notFollowed === undefined ? [] : [notFollowedLine(notFollowed, pairs)]),
  ];
}

function notFollowedLine(
  { reason, pairs, place = "" }: NonNullable<RecordedNoise["notFollowed"]>,
  all: number,
): string {
  if (pairs === 0) return `The noise was not recorded: ${reason}.`;
  const on = pairs === all ? "" : ` on ${longCount(pairs)} of ${longCount(all)} pairs`;
  const at = place === "" || reason.includes(place) ? "" : ` (${place})`;
  const why = reason.replace(/^it /, "the program ").replace(/^its /, "the program's ");
  return `Cannot locate the line${on}: ${why}${at}.`;
}

/** Says what the limit of time cut of a recording, which depends on the machine. */
export function cutLines({ cut = [] }: RecordedNoise): string[] {
  return cut.map(({ what, done, of }) =>
    `the limit of time (--max-seconds) cut ${what} after ${longCount(done)} of ${longCount(of!)}`
  );
}

/** Returns a number of pairs, in words. */
export function pairCount(pairs: number): string {
  return `${longCount(pairs)} ${pairs === 1 ? "pair" : "pairs"}`;
}

/** Advice about a finding, by its kind. */
const REMEDIES: Readonly<Record<string, (at: string) => string>> = {
  "too-little-noise": (at) =>
    `Bound the value${at} so that it moves by no more than its noise hides, or give the noise the scale of that change.`,
  "spent-more-than-once": () =>
    "Divide the claimed amount among the noisy values: each costs a part of it.",
  "noise-depends-on-data": (at) =>
    `Take the scale of the noise${at} from bounds that are fixed beforehand, and not from rows.`,
  "control-flow": (at) => `Let a noisy value decide${at}, or take the same steps on all data.`,
  "bounded-noise": (at) =>
    `Take noise${at} that has all values, or claim a δ that covers those that it cannot have.`,
  "all-outcomes": (at) =>
    `Let the chances of the draws${at} change by less between neighbours, or claim what they cost.`,
  "declaration-broken": (at) =>
    `Declare the change that rows can make${at}, or bound the value so that they make no larger one.`,
  "uncovered-output": () => "Add noise to what is put out there, or leave it out.",
};

/** Advises on the first line that a refutation may come from. */
export function adviceOnLine({ recording, verdict }: AuditReport): string[] {
  const [finding] = recording?.findings ?? [];
  return finding === undefined || verdict !== "refuted" ? [] : remedyFor(finding);
}

/** Returns what to do about a finding. */
export function remedyFor({ kind, place }: RecordedFinding): string[] {
  const remedy = REMEDIES[kind];
  return remedy === undefined ? [] : [remedy(place === "" ? "" : ` at ${place}`)];
}
