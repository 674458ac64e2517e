import { visibleText } from "../../../core/text/visible_text.ts";

/** The most characters of a program's text that a message shows. */
const LIMIT = 200;

/** Returns the beginning of a program's text for a message: quoted, on one line. */
export function quoted(text: string): string {
  const part = visibleText(JSON.stringify(text.slice(0, LIMIT)));
  return text.length <= LIMIT ? part : `${part}…`;
}

/**
 * Returns the last lines of a program's text for a message: whole lines, as many as {@linkcode LIMIT} allows, joined to one, without
 * lines that have no letter or digit (as the carets under an error have).
 */
export function quotedEnd(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const last = lines.pop();
  if (last === undefined) return quoted(text);
  if (last.length > LIMIT) return `…"${visibleText(last.slice(-LIMIT))}"`;
  let end = last;
  while (lines.length > 0) {
    const more: string = `${lines.at(-1)} ⏎ ${end}`;
    if (more.length > LIMIT) break;
    end = more;
    lines.pop();
  }
  return `${lines.length > 0 ? "…" : ""}"${visibleText(end)}"`;
}
