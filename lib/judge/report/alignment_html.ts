import type { AlignmentReport } from "../exact/alignment/prove_alignment.ts";
import {
  alignmentFindings,
  alignmentHeadline,
  type AlignmentTextOptions,
  alignmentVerdict,
} from "./alignment_text.ts";
import { claimedParameter, roundedDown } from "./bound.ts";
import { shownOutput } from "./exact_json.ts";
import { NOT_SEEN, notSeenByAlignment } from "./not_seen.ts";
import { barsPicture, pairPicture, ratesPicture } from "./pair_picture.ts";
import { quoteFor } from "./quote_for.ts";
import {
  type Amount,
  amountMarkup,
  card,
  type Colour,
  factTable,
  folded,
  type Made,
  paragraphs,
  reportPage,
  timesAtLeast,
  timesAtMost,
} from "./report_page.ts";
import { shortData } from "./short_data.ts";
import { longCount, roundedUp, shortNumber } from "./short_number.ts";

type Verdict = ReturnType<typeof alignmentVerdict>;

const COLOURS: Readonly<Record<Verdict, Colour>> = {
  HOLDS: "not-refuted",
  REFUTED: "refuted",
  "NOT PROVED": "inconclusive",
};

const PLAIN: Readonly<Record<Verdict, string>> = {
  HOLDS:
    "On all the datasets that were asked for, the noise covers every change that the claim is about. That was proved, not sampled, for real numbers.",
  REFUTED: "Some answer tells two neighbouring datasets apart by more than the claim allows.",
  "NOT PROVED": "No proof was found, and no refutation: nothing can be said about the claim.",
};

const ADVICE: Readonly<Record<Verdict, readonly string[]>> = {
  HOLDS: [
    "Nothing, for datasets of these rows and lengths. Ask again with others that your data can have.",
  ],
  REFUTED: [
    "Give the answers that differ more noise, or claim what they cost. dpcheck record names the line where the noise falls short.",
  ],
  "NOT PROVED": [
    "Draw more: dpcheck audit with more draws (--max-draws) may refute it, and says what it would have seen.",
  ],
};

/** Returns the report of a proof by alignments as one self-contained HTML page, as those of audits. */
export function alignmentHtml(
  report: AlignmentReport,
  { date, commit, ...options }: AlignmentTextOptions & Made,
): string {
  const verdict = alignmentVerdict(report, options), { subject, claim } = report;
  const { threads = 0, seconds } = options;
  return reportPage({
    title: `dpcheck exact: ${subject} ${verdict.toLowerCase()}`,
    colour: COLOURS[verdict],
    verdict,
    headline: alignmentHeadline(report, options),
    plain: PLAIN[verdict],
    cards: [
      card("How much", amountMarkup(amountOf(report, options))),
      card("The pair", verdict === "REFUTED" ? counterexample(options) : ""),
      card("What to do", paragraphs(ADVICE[verdict]), { wide: true }),
    ],
    folds: [
      folded("What was decided", paragraphs(alignmentFindings(report, options))),
      folded("Kinds of pairs", paragraphs(report.cases)),
      folded(NOT_SEEN, paragraphs(notSeenByAlignment(options))),
      folded(
        "Evidence",
        factTable([
          ["relation", claim.relation.description],
          ["paths", longCount(report.paths)],
          ["runs with numbers, which agree", longCount(report.runs)],
          ...(threads === 0
            ? []
            : [["fresh threads, answered alike", longCount(threads)] as const]),
          ["seconds of the proof", shortNumber(seconds, 3)],
        ], { ...(date && { date }), ...(commit && { commit }) }),
      ),
    ],
  });
}

function amountOf(report: AlignmentReport, options: AlignmentTextOptions): Amount {
  const { claim, epsilon, mu, amount } = report;
  const { symbol, value } = claimedParameter({ claim });
  const verdict = alignmentVerdict(report, options), colour = COLOURS[verdict];
  const claimed = `Claimed: ${symbol} = ${value}.`;
  if (verdict === "NOT PROVED") {
    return { colour, large: "not known", says: "The proof was not found.", fine: claimed };
  }
  if (verdict === "REFUTED") {
    const bound = refutedBound(options);
    if (bound === Infinity) {
      const says = options.refuted !== undefined && "amount" in options.refuted
        ? "bounds the loss of Gaussian noise that moves."
        : "covers an answer of one side alone.";
      return { colour, large: "no ε", says, fine: claimed };
    }
    return {
      colour,
      ...timesAtLeast(bound, value),
      drawn: { claimed: value, shown: bound },
      fine: `Shown: ${symbol} ≥ ${shortNumber(roundedDown(bound, 4))}. ${claimed}`,
    };
  }
  const proved = Number.isFinite(amount)
    ? amount
    : claim.kind === "pure" && mu === 0
    ? epsilon
    : undefined;
  return proved === undefined ? { colour, large: "kept", says: "by this proof", fine: claimed } : {
    colour,
    large: timesAtMost(proved, value),
    says: "the claim, at most",
    drawn: { claimed: value, shown: proved },
    fine: `Proved: ${symbol} ≤ ${roundedUp(proved, 4)}. ${claimed}`,
  };
}

/** The lower bound on the claim's parameter that refutes it. */
function refutedBound({ refuted, audited }: AlignmentTextOptions): number {
  return refuted === undefined
    ? audited!.epsilonLowerBound
    : "amount" in refuted
    ? refuted.amount
    : refuted.loss;
}

function counterexample({ refuted, audited }: AlignmentTextOptions): string {
  if (refuted === undefined) {
    const { pair, event } = audited!;
    return pair === null ? "" : pairPicture(pair) +
      (event === null
        ? ""
        : `<p>How often <code>${quoteFor("markup", event.description)}</code>:</p>${
          ratesPicture(event)
        }`);
  }
  if ("amount" in refuted) return pairPicture(refuted);
  const { output, likelihood, rank } = refuted;
  const middle = (side: "left" | "right"): number =>
    (likelihood[side].lower + likelihood[side].upper) / 2;
  return `${pairPicture(refuted)}<p>The ${
    rank === 0 ? "probability" : "density"
  } of the answer <code>${quoteFor("markup", shortData(shownOutput(output)))}</code>:</p>${
    barsPicture(
      { left: middle("left"), right: middle("right") },
      (side) => shortNumber(middle(side), 6),
    )
  }`;
}
