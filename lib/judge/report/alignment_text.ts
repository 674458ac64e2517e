import { painter } from "./painter.ts";
import type { EventReport } from "../audit/counterexample/event_report.ts";
import { describeClaim } from "../../core/claims/claim.ts";
import type { Relation } from "../../core/relations/relation.ts";
import type { AlignmentReport } from "../exact/alignment/prove_alignment.ts";
import type { DivergenceRefutation } from "../exact/likelihood/refute_by_divergence.ts";
import type { LikelihoodRefutation } from "../exact/likelihood/refute_by_likelihood.ts";
import { inPercent, roundedDown } from "./bound.ts";
import { shownOutput } from "./exact_json.ts";
import { notSeenByAlignment, notSeenSection } from "./not_seen.ts";
import { quoteFor } from "./quote_for.ts";
import { shortData } from "./short_data.ts";
import { longCount, shortNumber } from "./short_number.ts";

/** Audit of a claim that was not proved. */
export interface AlignmentAudit {
  readonly verdict: "refuted" | "not refuted";
  /** The chance that a true claim is refuted. */
  readonly alpha: number;
  readonly draws: number;
  readonly epsilonLowerBound: number;
  readonly eValue: number;
  /** The pair that was drawn on last. */
  readonly pair: { readonly left: unknown; readonly right: unknown } | null;
  readonly event: EventReport | null;
}

/** How a report is shown. */
export interface AlignmentTextOptions {
  /** Of the proof, the audit left out. */
  readonly seconds: number;
  readonly color?: boolean;
  /** Under which the pairs are neighbours; `undefined` for one pair that was given. */
  readonly relation?: Relation | undefined;
  /** Lengths of the datasets; nothing is proved of others. */
  readonly size?: { readonly min: number; readonly max: number } | undefined;
  readonly audited?: AlignmentAudit;
  /** Refutation of a claim that was not proved. */
  readonly refuted?: LikelihoodRefutation | DivergenceRefutation;
  /** Threads in which the program was loaded again, and answered alike. */
  readonly threads?: number;
}

/** The share of a claim by which a loss may exceed it that comes of rounding: widths of noise are doubles. */
const ROUNDING = 1e-9;

/** Returns whether a pure claim is proved but for the rounding of the program's numbers, as where its noise has a scale of 1/3. */
export function isProvedButForRounding(
  { claim, epsilon, mu, open, unrun, verdict }: AlignmentReport,
): boolean {
  return verdict !== "holds" && claim.kind === "pure" && mu === 0 &&
    epsilon <= claim.epsilon * (1 + ROUNDING) && open.length === 0 && unrun.length === 0;
}

const COLORS = { REFUTED: 31, HOLDS: 32, "NOT PROVED": 33 } as const;

/** Returns the report of a proof by alignments for a reader at a terminal. */
export function alignmentText(report: AlignmentReport, options: AlignmentTextOptions): string {
  const { seconds, color = false, audited, refuted, threads = 0 } = options;
  const paint = painter(color);
  const quoted = (text: string): string => quoteFor("terminal", text);
  const verdict = alignmentVerdict(report, options);
  const lines = [
    `${paint(verdict, COLORS[verdict])}  ${paint(quoted(alignmentHeadline(report, options)), 1)}`,
    ...alignmentFindings(report, options).map((sentence) => `  ${quoted(sentence)}`),
    ...(refuted === undefined ? [] : counterexample(refuted).map(quoted)),
    ...(audited?.verdict === "refuted" ? witness(audited).map(quoted) : []),
    ...notSeenSection(notSeenByAlignment(options)),
    "",
    `${longCount(report.paths)} ${report.paths === 1 ? "path" : "paths"}, ${
      longCount(report.cases.length)
    } ${report.cases.length === 1 ? "kind" : "kinds"} of pairs, proof in ${
      shortNumber(seconds, 3)
    } s`,
    `${longCount(report.runs)} runs with numbers${
      threads === 0 ? "" : `, and ${threads} fresh ${threads === 1 ? "thread" : "threads"},`
    } agree: no state was seen`,
  ];
  return lines.join("\n") + "\n";
}

/** Returns the verdict in a line. */
export function alignmentHeadline(report: AlignmentReport, options: AlignmentTextOptions): string {
  const { subject, claim, verdict } = report;
  const { relation, size } = options;
  const words = describeClaim(claim);
  if (verdict === "holds") {
    return relation === undefined
      ? `${subject} keeps ${words} on this pair, both ways round`
      : `${subject} keeps ${words} on all pairs of this domain (${relation.name}${
        size === undefined ? "" : `, lengths ${size.min}..${size.max} only`
      })`;
  }
  return isRefuted(options)
    ? `${subject} does not keep ${words}`
    : `${subject}: ${
      report.open.length === 0 && report.unrun.length > 0
        ? "runs with numbers do not confirm"
        : "no alignment shows"
    } ${words}`;
}

/** Returns the verdict of a proof and of what was tried after it. */
export function alignmentVerdict(
  { verdict }: AlignmentReport,
  options: AlignmentTextOptions,
): keyof typeof COLORS {
  return verdict === "holds" ? "HOLDS" : isRefuted(options) ? "REFUTED" : "NOT PROVED";
}

function isRefuted({ refuted, audited }: AlignmentTextOptions): boolean {
  return refuted !== undefined || audited?.verdict === "refuted";
}

/** Returns what null means in an output, where it is in there. */
function standingFor(output: string): string {
  return output.includes("null") ? " (null stands for a number with noise, or for itself)" : "";
}

/** Returns what was proved or refuted, in sentences. */
export function alignmentFindings(
  report: AlignmentReport,
  { audited, refuted }: AlignmentTextOptions,
): string[] {
  const { epsilon, mu, amount, claim, open, unrun, worst, verdict } = report;
  const sentences: string[] = [];
  if (unrun.length > 0) {
    const [{ output, conditions, case: name }] = unrun as [typeof unrun[number]];
    sentences.push(
      `No data and noise were found on which the program, as written, could be run where it puts out ${
        shortData(shownOutput(output))
      } (${name}; ${conditions.length === 0 ? "no conditions" : conditions.join(", ")})${
        unrun.length === 1 ? "" : `, nor for ${longCount(unrun.length - 1)} other paths`
      }: what it does there was not compared.`,
    );
  }
  if (open.length > 0) {
    const output = shortData(shownOutput(open[0]!.output));
    sentences.push(
      `No shift of the noise gives the output ${output}${standingFor(output)} on both sides (${
        open[0]!.case
      })${open.length === 1 ? "" : `, nor ${longCount(open.length - 1)} others`}.`,
    );
  } else {
    const parts = [
      ...(epsilon > 0 || mu === 0 ? [`ε ≤ ${epsilon}`] : []),
      ...(mu > 0 ? [`μ ≤ ${mu} of Gaussian noise`] : []),
    ];
    sentences.push(`Proved by shifts of the noise: ${parts.join(", and ")}.`);
    if (Number.isFinite(amount)) {
      sentences.push(`By the law of that noise: ${AMOUNTS[claim.kind]} ≤ ${amount}.`);
    }
    if (verdict !== "holds" && worst !== undefined) {
      const output = shortData(shownOutput(worst.output));
      sentences.push(
        output === "null" && report.classes === report.cases.length
          ? "One shift does for every output: it is a number with noise."
          : `The output whose shift costs most: ${output}${standingFor(output)}.`,
      );
    }
  }
  if (verdict === "holds") {
    sentences.push("For noise and arithmetic of real numbers: doubles are not what is proved.");
    if (report.byHand) {
      sentences.push(
        "Its noise is made of uniform numbers by hand: as doubles, its last bits can tell what it was added to (Mironov 2012).",
      );
    }
  } else if (refuted !== undefined && "amount" in refuted) {
    sentences.push(
      refuted.amount === Infinity
        ? "The law of its noise refutes it: on the pair below Gaussian noise moves, whose loss no ε bounds."
        : `The law of its noise refutes it: on the pair below ${AMOUNTS[claim.kind]} ≥ ${
          roundedDown(refuted.amount, 4)
        }${claim.kind === "approximate" ? " with this δ" : ""}.`,
      "For noise and arithmetic of real numbers.",
    );
  } else if (refuted !== undefined) {
    sentences.push(
      refuted.loss === Infinity
        ? "One output refutes it: it is possible on the left alone."
        : `One output refutes it: its likelihoods, computed, show ε ≥ ${
          roundedDown(refuted.loss, 4)
        }.`,
      "For noise and arithmetic of real numbers.",
    );
  } else if (audited?.verdict === "refuted") {
    sentences.push(
      `An audit refutes it: ε ≥ ${roundedDown(audited.epsilonLowerBound, 4)} with ${
        inPercent(1 - audited.alpha)
      } confidence, in ${longCount(audited.draws)} draws.`,
    );
  } else if (isProvedButForRounding(report)) {
    sentences.push(
      `Only rounding exceeds the claim: claim ε = ${epsilon}, or give widths of noise that are exact, as { rate: 3 } in place of { scale: 1 / 3 }.`,
    );
  } else {
    sentences.push(
      "That is no refutation: another argument may show the claim.",
      ...(audited === undefined
        ? []
        : [`An audit of ${longCount(audited.draws)} draws did not refute it.`]),
    );
  }
  return sentences;
}

/** The amounts of claims, as they are written. */
export const AMOUNTS = {
  pure: "ε",
  approximate: "ε",
  zcdp: "ρ",
  gaussian: "μ",
  renyi: "the Rényi divergence",
} as const;

function counterexample(refuted: LikelihoodRefutation | DivergenceRefutation): string[] {
  const { left, right } = refuted;
  if ("amount" in refuted) {
    return ["", "Counterexample", `  left   ${shortData(left)}`, `  right  ${shortData(right)}`];
  }
  const { output, likelihood, rank } = refuted;
  const what = rank === 0 ? "probability" : "density";
  const about = ({ lower, upper }: { readonly lower: number; readonly upper: number }): string =>
    shortNumber((lower + upper) / 2, 6);
  return [
    "",
    "Counterexample",
    `  left    ${shortData(left)}`,
    `  right   ${shortData(right)}`,
    `  output  ${shortData(shownOutput(output))}`,
    `    ${what} on the left   ${about(likelihood.left)}`,
    `    ${what} on the right  ${about(likelihood.right)}`,
  ];
}

function witness({ pair, event }: AlignmentAudit): string[] {
  if (pair === null) return [];
  return [
    "",
    "Counterexample",
    `  left   ${shortData(pair.left)}`,
    `  right  ${shortData(pair.right)}`,
    ...(event === null ? [] : [
      `  event  ${event.description}`,
      `    left   ${longCount(event.left.hits)} of ${longCount(event.left.draws)}`,
      `    right  ${longCount(event.right.hits)} of ${longCount(event.right.draws)}`,
    ]),
  ];
}
