import { claimedParameter, roundedDown } from "./bound.ts";
import type { ExactReport, ExactWitness } from "../exact/enumeration/check_exactly.ts";
import { asideOf, findingsOf, headlineOf, limitLine } from "./exact_text.ts";
import { shownOutput } from "./exact_json.ts";
import { barsPicture, pairPicture } from "./pair_picture.ts";
import { NOT_SEEN, notSeenByExact } from "./not_seen.ts";
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

/** Colours of verdicts. */
const COLOURS: Readonly<Record<ExactReport["verdict"], Colour>> = {
  holds: "not-refuted",
  refuted: "refuted",
  undecided: "inconclusive",
};

/** Returns the report of an enumeration as one self-contained HTML page, as those of audits. */
export function exactHtml(
  report: ExactReport,
  { seconds, threads = 0, ...made }: Made & {
    readonly seconds: number;
    readonly threads?: number;
  },
): string {
  const { verdict, subject, witness, outOfTime } = report;
  const isCut = outOfTime !== undefined;
  return reportPage({
    title: `dpcheck exact: ${subject} ${verdict}`,
    colour: COLOURS[verdict],
    verdict: verdict.toUpperCase(),
    headline: headlineOf(report),
    plain: PLAIN[verdict],
    cards: isCut
      ? [card("What to do", paragraphs([limitLine(report.datasets, outOfTime)]), { wide: true })]
      : [
        card("How much", amountMarkup(amountOf(report))),
        witness === undefined ? "" : card("Told apart best on", witnessMarkup(witness)),
        card("What to do", paragraphs(adviceOf(report)), { wide: true }),
      ],
    folds: isCut ? [] : [
      folded("What was decided", paragraphs([...findingsOf(report), ...asideOf(report)])),
      folded(NOT_SEEN, paragraphs(notSeenByExact(report))),
      folded("Evidence", evidence(report, { seconds, threads, ...made })),
    ],
  });
}

const PLAIN = {
  holds:
    "On all the datasets that were asked for, no answer is more likely on one than the claim allows on a neighbour. That was computed, not sampled.",
  refuted:
    "Some answer is more likely on one dataset than the claim allows on its neighbour. That was computed, not sampled.",
  undecided: "This run cannot say whether the claim is true.",
} as const;

function amountOf({ verdict, epsilon, claim, attained }: ExactReport): Amount {
  const colour = COLOURS[verdict];
  const { value } = claimedParameter({ claim });
  const atDelta = claim.kind === "approximate" ? `, with δ = ${claim.delta}` : "";
  const fine = `Least ε: ${
    epsilon.upper === epsilon.lower || verdict !== "refuted"
      ? epsilon.upper === Infinity ? "none" : roundedUp(epsilon.upper, 6)
      : `above ${shortNumber(roundedDown(epsilon.lower, 6), 6)}`
  }${atDelta}. Claimed: ε = ${value}.`;
  if (verdict === "undecided") {
    return { colour, large: "not known", says: "Too much was not run.", fine };
  }
  if (verdict === "refuted") {
    return epsilon.lower === Infinity
      ? {
        colour,
        large: "no ε",
        says: "covers it: an answer that is possible on one side is impossible on the other.",
        fine,
      }
      : {
        colour,
        ...timesAtLeast(epsilon.lower, value),
        drawn: { claimed: value, shown: epsilon.lower },
        fine,
      };
  }
  return {
    colour,
    large: timesAtMost(epsilon.upper, value),
    says: attained ? "the claim, exactly" : "the claim, at most",
    drawn: { claimed: value, shown: epsilon.upper },
    fine,
  };
}

function witnessMarkup({ left, right, output, probability }: ExactWitness): string {
  const middle = (side: "left" | "right"): number =>
    (probability[side].lower + probability[side].upper) / 2;
  return `${pairPicture({ left, right })}<p>How likely the answer <code>${
    quoteFor("markup", shortData(shownOutput(output)))
  }</code> is:</p>${
    barsPicture(
      { left: middle("left"), right: middle("right") },
      (side) => `${shortNumber(100 * middle(side), 6)}%`,
    )
  }`;
}

function adviceOf({ verdict, epsilon, delta, claim, kind }: ExactReport): string[] {
  const atDelta = claim.kind === "approximate" ? ` with δ = ${claim.delta}` : "";
  switch (verdict) {
    case "holds":
      return [
        "Nothing, for datasets of these rows and lengths. Ask again with others that your data can have.",
      ];
    case "refuted":
      return [
        "Let the chances of this answer differ by less between the two datasets: draw more noise.",
        // What was left out may need more.
        ...(kind === "certified" ? [] : [
          epsilon.upper === Infinity
            ? `Or claim a δ: on these datasets (ε = ${claim.epsilon}, δ = ${
              roundedUp(delta.upper, 4)
            }) holds.`
            : `Or claim what it keeps: on these datasets ε = ${
              roundedUp(epsilon.upper, 4)
            }${atDelta} holds.`,
        ]),
      ];
    case "undecided":
      return [
        "Run more (--max-branches), leave out more (--remainder), or take fewer values of rows or shorter datasets.",
      ];
  }
}

function evidence(
  report: ExactReport,
  { seconds, threads, ...made }: Made & { readonly seconds: number; readonly threads: number },
): string {
  return factTable([
    ["relation", report.claim.relation.description],
    ["datasets", longCount(report.datasets)],
    ["pairs", longCount(report.pairs)],
    ["runs", longCount(report.branches)],
    ["further runs in other orders, answered alike", longCount(report.repeats)],
    ...(threads === 0
      ? []
      : [["fresh threads, answered alike", longCount(threads)] as [string, string]]),
    ["left out, at most, on a dataset", shortNumber(report.remainder, 3)],
    ["seconds", shortNumber(seconds, 3)],
  ], made);
}
