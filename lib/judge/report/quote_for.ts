import { escaped, INVISIBLE, visibleText } from "../../core/text/visible_text.ts";

/** How a text is read where it goes. */
export type TextTarget = "terminal" | "markdown" | "annotation" | "property" | "json" | "markup";

/** Runners of builds obey lines that begin with `::`, and this anywhere in a line. */
const OBEYED = /##(?=[a-z]*\[)/gi;

const QUOTES: Readonly<Record<TextTarget, (text: string) => string>> = {
  terminal,
  markdown: (text: string) =>
    visibleText(text).replaceAll(/[\\`*_[\]<>|#&~]/g, "\\$&")
      // Neither does it become a link.
      .replaceAll("://", ":\\//").replaceAll(/www\./gi, "www\\."),
  /** The message of a workflow command of GitHub Actions. */
  annotation: (text: string) =>
    visibleText(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"),
  /** The value of a property of such a command, which ends at a comma or a colon. */
  property: (text: string) => QUOTES.annotation(text).replaceAll(":", "%3A").replaceAll(",", "%2C"),
  /** A whole JSON text: it stays the same value. */
  json: (text: string) =>
    text.replaceAll(INVISIBLE, (character) => character === "\n" ? character : escaped(character))
      .replaceAll(OBEYED, "#\\u0023"),
  /** XML 1.0 or HTML, between tags or in a quoted attribute; line feeds stay. */
  markup: (text: string) =>
    visibleText(text, { lines: true })
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;"),
};

/**
 * Text that may hold outputs, keys, names or messages of somebody else, as it may stand in a report: without any meaning but that of its
 * characters. All of it is one line, except in markup.
 */
export function quoteFor(target: TextTarget, text: string): string {
  return QUOTES[target](text);
}

function terminal(text: string): string {
  return visibleText(text).replaceAll(OBEYED, "#\\u0023").replace(/^(\s*):(?=:)/, "$1\\u003a");
}
