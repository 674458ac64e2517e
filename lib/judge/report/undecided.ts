import { type Claim, claimToJSON, describeClaim } from "../../core/claims/claim.ts";
import { jsonText } from "./json_text.ts";
import { painter } from "./painter.ts";
import { quoteFor } from "./quote_for.ts";
import { card, factTable, folded, type Made, paragraphs, reportPage } from "./report_page.ts";
import { shortNumber } from "./short_number.ts";

/** A decision that its limit of time ended before the program returned. */
interface Undecided {
  readonly subject: string;
  readonly seconds: number;
  /** The claim, where it is known. */
  readonly claim: Claim | undefined;
}

/** Writes an undecided outcome for a reader at a terminal. */
export function undecidedText(
  { subject, seconds, claim }: Undecided,
  { color = false }: { readonly color?: boolean },
): string {
  const paint = painter(color);
  return `${paint("UNDECIDED", 33)}  ${
    paint(quoteFor("terminal", headline({ subject, claim })), 1)
  }\n  ${limitLine(seconds)}\n`;
}

function headline({ subject, claim }: Pick<Undecided, "subject" | "claim">): string {
  const asked = claim === undefined ? "its claim" : describeClaim(claim);
  return `${subject}: whether it keeps ${asked} was not decided`;
}

function limitLine(seconds: number): string {
  return `The limit of time (--max-seconds) cut it: ${
    shortNumber(seconds, 3)
  } s were not enough, or the program does not end.`;
}

/** The same as a page. */
export function undecidedHtml({ subject, seconds, claim }: Undecided, made: Made = {}): string {
  return reportPage({
    title: `dpcheck exact: ${subject} undecided`,
    colour: "inconclusive",
    verdict: "UNDECIDED",
    headline: headline({ subject, claim }),
    plain: limitLine(seconds),
    cards: [card(
      "What to do",
      paragraphs(["Give more seconds (--max-seconds), or take fewer row values or rows."]),
      { wide: true },
    )],
    folds: [
      folded("Evidence", factTable([["limit of time", `${shortNumber(seconds, 3)} s`]], made)),
    ],
  });
}

/** The same for machines: what was cut is `cut`. */
export function undecidedJson({ subject, seconds, claim }: Undecided): string {
  return jsonText({
    verdict: "undecided",
    subject,
    claim: claim === undefined ? null : claimToJSON(claim),
    epsilon: null,
    epsilonLowerBound: null,
    pair: null,
    output: null,
    cut: [{ what: "the run of the program", done: 0, of: 1 }],
    seconds,
  });
}
