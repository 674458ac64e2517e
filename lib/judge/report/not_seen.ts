import type { OneRunReport } from "../audit/one_run/audit_canaries.ts";
import type { SessionReport } from "../dialogue/session_report.ts";
import type { ExactReport } from "../exact/enumeration/check_exactly.ts";
import type { RecordReport } from "../recording/record.ts";
import { pairCount } from "./recorded_noise.ts";
import { longCount } from "./short_number.ts";

/** The heading of what follows, in every report. */
export const NOT_SEEN = "Not seen by this run";

/** Returns the lines of a section for a terminal, an empty line before them. */
export function notSeenSection(sentences: readonly string[]): string[] {
  return ["", NOT_SEEN, ...sentences.map((sentence) => `  ${sentence}`)];
}

/** Says which adversary canaries stand for, and which they do not. */
export function notSeenByCanaries({ canaries }: Pick<OneRunReport, "canaries">): string[] {
  return [
    `The adversary that was tried: one score of each of ${
      longCount(canaries)
    } canaries after one run, and guesses by its size.`,
    "Other records, other scores, several runs, and what scores tell of several records together were not tried.",
  ];
}

/** Says which adversary watched noise stands for, and which it does not. */
export function notSeenByRecord(
  { pairs, runs, claim }: Pick<RecordReport, "pairs" | "runs" | "claim">,
): string[] {
  return [
    `The adversary that was tried: one output of each run, and the noise behind it, in ${
      longCount(runs)
    } runs on ${pairCount(pairs)} (${claim.relation.name}).`,
    "Other pairs, paths that only other noise takes, several outputs together, and the time that an output takes were not tried.",
  ];
}

/** What no guess from one output on the datasets that were given sees. */
const BESIDE_OUTPUTS =
  "Rows and lengths that were not given, several outputs together, and the time that an output takes were not tried.";

/** Says which adversary an enumeration stands for, and which it does not. */
export function notSeenByExact(
  { pairs, claim }: Pick<ExactReport, "pairs" | "claim">,
): string[] {
  return [
    `The adversary that was tried: every guess from one output, on ${
      pairCount(pairs)
    } (${claim.relation.name}).`,
    BESIDE_OUTPUTS,
  ];
}

/** Says which adversary a proof by alignments stands for, and which it does not. */
export function notSeenByAlignment(
  { relation }: { readonly relation?: { readonly name: string } | undefined },
): string[] {
  return [
    `The adversary that was tried: every guess from one output, ${
      relation === undefined
        ? "on the pair that was given"
        : `on pairs of the domain (${relation.name})`
    }.`,
    BESIDE_OUTPUTS,
  ];
}

/** Says which adversary an audit of sessions tried, and which it did not. */
export function notSeenBySessions(
  { adversary, claim }: Pick<SessionReport, "adversary" | "claim">,
): string[] {
  const { strategies, watched, kinds, moves, most } = adversary;
  const tried = strategies === 0
    ? "one strategy that was given, on one pair."
    : `${
      longCount(strategies)
    } strategies of up to ${most.steps} steps, each asked up to ${most.times} times, of ${most.answers} answers at most, ` +
      `about ${kinds.join(", ")}, on pairs of ${claim.relation.name}${
        watched === 0 ? "" : `; of ${longCount(watched)} the noise of one run was watched first`
      }.`;
  return [
    `The adversary that was tried: ${tried}`,
    ...(moves.length === 0 ? [] : [`Its moves: ${moves.join("; ")}.`]),
    "Longer strategies, other kinds of questions, other datasets, and the time that answers take were not tried.",
  ];
}
