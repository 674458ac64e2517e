import { painter } from "./painter.ts";
import { describeClaim } from "../../core/claims/claim.ts";
import type { ExactReport, ExactWitness } from "../exact/enumeration/check_exactly.ts";
import { requireFields, requireInteger, requireNonNegative } from "../../core/numeric/require.ts";
import { shownOutput } from "./exact_json.ts";
import { longCount, roundedUp, shortNumber } from "./short_number.ts";
import { notSeenByExact, notSeenSection } from "./not_seen.ts";
import { quoteFor } from "./quote_for.ts";
import { shortData } from "./short_data.ts";
import { requireReport } from "./require_report.ts";

const COLORS = { refuted: 31, holds: 32, undecided: 33 } as const;

/**
 * Returns the report of an enumeration for a reader at a terminal: the verdict, the least ε, the pair and the output that are told
 * apart best, and what was left out.
 */
export function exactText(
  report: ExactReport,
  options: {
    readonly seconds: number;
    readonly color?: boolean;
    /** Threads in which the program was loaded again, and answered alike. */
    readonly threads?: number;
  },
): string {
  requireReport("exactText", report, ["claim", "epsilon", "delta"]);
  const { seconds, color = false, threads = 0 } = requireFields("exactText", options, {});
  requireNonNegative("write a report", "seconds", seconds);
  requireInteger("write a report", "threads", threads, { min: 0 });
  const { verdict, witness, outOfTime } = report;
  const paint = painter(color);
  const quoted = (text: string): string => quoteFor("terminal", text);
  const title = `${paint(verdict.toUpperCase(), COLORS[verdict])}  ${
    paint(quoted(headlineOf(report)), 1)
  }`;
  if (outOfTime !== undefined) return `${title}\n  ${limitLine(report.datasets, outOfTime)}\n`;
  const aside = asideOf(report);
  const lines = [
    title,
    ...findingsOf(report).map((sentence) => `  ${quoted(sentence)}`),
    ...(witness === undefined ? [] : ["", ...witnessLines(witness).map(quoted)]),
    ...(aside.length === 0 ? [] : ["", ...aside]),
    ...notSeenSection(notSeenByExact(report)).map(quoted),
    "",
    `${longCount(report.branches)} ${report.branches === 1 ? "run" : "runs"} on ${
      longCount(report.datasets)
    } datasets, ${longCount(report.pairs)} ${report.pairs === 1 ? "pair" : "pairs"}, in ${
      shortNumber(seconds, 3)
    } s`,
    `${longCount(report.repeats)} ${report.repeats === 1 ? "run" : "runs"} more in other orders${
      threads === 0 ? "" : `, and ${threads} fresh ${threads === 1 ? "thread" : "threads"},`
    } answered alike: no state was seen`,
  ];
  return lines.join("\n") + "\n";
}

/** Returns what the limit of time cut, and the remedy. */
export function limitLine(
  run: number,
  { seconds, datasets }: NonNullable<ExactReport["outOfTime"]>,
): string {
  const limit = `${shortNumber(seconds, 3)} s were over`;
  return `${
    run < datasets
      ? `${longCount(run)} of ${longCount(datasets)} datasets were run when ${limit}.`
      : `All ${longCount(datasets)} datasets were run, but not all again or compared when ${limit}.`
  } Give more seconds (--max-seconds), or take fewer row values or rows.`;
}

/** Returns the verdict in a line. */
export function headlineOf({ verdict, subject, claim, remainder }: ExactReport): string {
  const words = describeClaim(claim);
  switch (verdict) {
    case "holds":
      return remainder === 0
        ? `${subject} keeps ${words} on these datasets`
        : `${subject} keeps ${words} on these datasets, but for what was not run`;
    case "refuted":
      return `${subject} does not keep ${words}`;
    case "undecided":
      return `${subject}: too much of ${words} was not run`;
  }
}

/** Returns what was decided, in sentences. */
export function findingsOf(report: ExactReport): string[] {
  const { claim, epsilon, delta, attained, everyEpsilon, kind } = report;
  const atDelta = claim.kind === "approximate" ? ` with δ = ${shortNumber(claim.delta)}` : "";
  const excess = excessOf(report);
  const least = attained && claim.kind === "pure"
    ? `Least ε${atDelta}: ${epsilon.upper}, attained exactly.`
    : epsilon.upper === Infinity
    ? epsilon.lower === Infinity
      ? `No ε holds${atDelta}: an output that is possible on one side is impossible on the other.`
      : `Least ε${atDelta}: above ${shortNumber(epsilon.lower)}.`
    : excess !== undefined
    ? `Least ε: ${claim.epsilon} and at most ${roundedUp(excess, 2)} more. ${EXACTLY}`
    : kind === "exact"
    ? `Least ε${atDelta}: ${roundedUp(epsilon.upper, 10)}.`
    : `Least ε${atDelta}: at least ${
      shortNumber(epsilon.lower, 10)
    }; only what was not run can make it larger.`;
  const sentences = [least];
  if (claim.kind === "approximate") {
    const exactly = attained ? ", attained exactly" : "";
    sentences.push(
      `Least δ with ε = ${claim.epsilon}: ${shortNumber(delta.upper, 6)}${exactly}.`,
    );
  }
  if (everyEpsilon) {
    sentences.push(
      "Every inequality holds for all t ≥ 1 in e^ε = t^k: at any ε, if the exponents of the draws grow with it alone.",
    );
  }
  if (report.comparesUniforms === true) {
    sentences.push(
      "It compares uniform numbers: real ones, and not doubles, whose chances differ by up to 2^−53.",
    );
  }
  return sentences;
}

/** Losses beyond a claim that are rounding, as a share of it. */
const ROUNDING = 1e-9;

/** What a program can do whose chances are doubles near those of its claim. */
const EXACTLY =
  "Chances that are computed as doubles are rounded: choice({ exponents: [0, ε] }) draws 0 with probability e^ε/(1 + e^ε) exactly.";

/**
 * By how much the loss exceeds a pure claim that was refuted, rounded up, where that is so little that digits of ε do not show it: at most
 * ln(1 + (P − e^ε·Q)/(e^ε·Q)).
 */
function excessOf({ claim, verdict, epsilon, delta, witness }: ExactReport): number | undefined {
  if (verdict !== "refuted" || claim.kind !== "pure" || witness === undefined) return undefined;
  if (epsilon.upper > claim.epsilon * (1 + ROUNDING)) return undefined;
  const against = Math.exp(claim.epsilon) * witness.probability.right.lower;
  return delta.upper / against * (1 + 1e-9);
}

function witnessLines({ left, right, output, probability }: ExactWitness): string[] {
  const chance = (side: "left" | "right"): string =>
    shortNumber((probability[side].lower + probability[side].upper) / 2, 8);
  return [
    "Told apart best on",
    `  left    ${shortData(left)}`,
    `  right   ${shortData(right)}`,
    `  output  ${shortData(shownOutput(output))}`,
    `    probability on the left   ${chance("left")}`,
    `    probability on the right  ${chance("right")}`,
  ];
}

/** Returns what was left out, and what that means. */
export function asideOf({ verdict, remainder, kind }: ExactReport): string[] {
  if (kind === "exact") return [];
  const left = `Not run: draws of probability ${shortNumber(remainder, 3)} at most on a dataset.`;
  const meaning = verdict === "refuted"
    ? "They cannot save the claim."
    : verdict === "holds"
    ? "Wherever they fall, δ grows by no more than (1 + e^ε) times that."
    : "Run more (--max-branches), leave out more (--remainder), or take a smaller instance.";
  return [left, meaning];
}
