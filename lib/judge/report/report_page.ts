import { ROUNDING, timesTheClaim } from "./bound.ts";
import { htmlPage } from "./html_page.ts";
import { boundPicture } from "./pair_picture.ts";
import { quoteFor } from "./quote_for.ts";
import { roundedUp } from "./short_number.ts";

/** When and of which code a report was made. */
export interface Made {
  readonly date?: Date;
  /** The commit of the code that was judged. */
  readonly commit?: string;
}

/** A report for a reader who has one minute: the verdict, cards on the first screen, and parts that are unfolded by who wants them. */
export interface ReportParts {
  /** Class of the look with the colour of the verdict. */
  readonly colour: Colour;
  readonly verdict: string;
  readonly headline: string;
  /** The verdict in a sentence for who knows nothing of differential privacy. */
  readonly plain?: string;
  /** Markup of {@linkcode card}; empty ones are left out. */
  readonly cards: readonly string[];
  /** Markup of {@linkcode folded}; empty ones are left out. */
  readonly folds: readonly string[];
}

/** Classes of the look that verdicts have. */
export type Colour = "refuted" | "not-refuted" | "inconclusive" | "failed";

/** Returns a report as markup, without a page around it. */
export function reportMarkup(
  { colour, verdict, headline, plain, cards, folds }: ReportParts,
): string {
  const shown = cards.filter((each) => each !== "");
  return [
    `<h1><span class="${colour}">${quoteFor("markup", verdict)}</span>${
      quoteFor("markup", headline)
    }</h1>`,
    plain === undefined ? "" : `<p class="plain">${quoteFor("markup", plain)}</p>`,
    shown.length === 0 ? "" : `<div class="first">\n${shown.join("\n")}\n</div>`,
    ...folds,
  ].filter((part) => part !== "").join("\n");
}

/** Returns a report as a page of its own. */
export function reportPage(
  { title, style, script, ...parts }: ReportParts & {
    readonly title: string;
    readonly style?: string;
    readonly script?: string;
  },
): string {
  return htmlPage({
    title,
    body: reportMarkup(parts),
    ...(style === undefined ? {} : { style }),
    ...(script === undefined ? {} : { script }),
  });
}

/** Returns a card of the first screen; none without content. */
export function card(
  title: string,
  content: string,
  { wide = false }: { readonly wide?: boolean } = {},
): string {
  return content === ""
    ? ""
    : `<section class="card${wide ? " whole" : ""}"><h2>${
      quoteFor("markup", title)
    }</h2>${content}</section>`;
}

/** Returns a part that is unfolded by who wants it; none without content. */
export function folded(title: string, content: string): string {
  return content === ""
    ? ""
    : `<details class="fold"><summary><h2>${
      quoteFor("markup", title)
    }</h2></summary>\n${content}</details>`;
}

/** Sentences as paragraphs. */
export function paragraphs(sentences: readonly string[]): string {
  return sentences.map((sentence) => `<p>${quoteFor("markup", sentence)}</p>`).join("\n");
}

/** Returns a table of facts, with those of {@linkcode Made} at its end. */
export function factTable(
  facts: readonly (readonly [name: string, value: string])[],
  { date, commit }: Made = {},
): string {
  const all = [
    ...facts,
    ...(commit === undefined ? [] : [["commit", commit] as const]),
    ...(date === undefined ? [] : [["date", date.toISOString()] as const]),
  ];
  const body = all.map(([name, value]) =>
    `<tr><th scope="row">${quoteFor("markup", name)}</th><td>${quoteFor("markup", value)}</td></tr>`
  );
  return `<table>\n${body.join("\n")}\n</table>`;
}

/** The amount of a report at a glance. */
export interface Amount {
  readonly colour: Colour;
  /** A few words in large letters. */
  readonly large: string;
  readonly says: string;
  /** The amount that is claimed and the one that is shown, which are drawn on one line. */
  readonly drawn?: { readonly claimed: number; readonly shown: number };
  readonly fine?: string;
}

/** Returns an amount as the content of a card. */
export function amountMarkup({ colour, large, says, drawn, fine }: Amount): string {
  const isDrawn = drawn !== undefined && Number.isFinite(drawn.claimed) &&
    Number.isFinite(drawn.shown);
  return `<p class="times ${colour}">${quoteFor("markup", large)}</p><p>${
    quoteFor("markup", says)
  }</p>${isDrawn ? boundPicture(drawn.claimed, drawn.shown) : ""}${
    fine === undefined ? "" : paragraphs([fine])
  }`;
}

/** Returns how many times the claim a lower bound is, in large letters, and what it is: `how` says it of other amounts. */
export function timesAtLeast(
  bound: number,
  claimed: number,
  { how }: { readonly how?: string } = {},
): Pick<Amount, "large" | "says"> {
  const times = timesTheClaim(bound, claimed);
  return times === undefined
    ? { large: "more", says: `than the claim${how === undefined ? "" : `, ${how}`}` }
    : { large: `${times} ×`, says: `the claim, ${how ?? "at least"}` };
}

/** Returns how many times the claim an upper bound is. */
export function timesAtMost(bound: number, claimed: number): string {
  return `${roundedUp(bound / claimed * (1 - ROUNDING), 2)} ×`;
}
