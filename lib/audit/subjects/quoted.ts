/** Longest part of a program's text that a message shows. */
const LIMIT = 200;

/** The beginning of a program's text as it stands in messages: quoted, on one line. */
export function quoted(text: string): string {
  const part = harmless(JSON.stringify(text.slice(0, LIMIT)));
  return text.length <= LIMIT ? part : `${part}…`;
}

/**
 * The last lines of a program's text as they stand in messages: whole ones, as many as there is room for,
 * without those that only point at something, on one line.
 */
export function quotedEnd(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const last = lines.pop();
  if (last === undefined) return quoted(text);
  if (last.length > LIMIT) return `…"${harmless(last.slice(-LIMIT))}"`;
  let end = last;
  while (lines.length > 0) {
    const more: string = `${lines.at(-1)} ⏎ ${end}`;
    if (more.length > LIMIT) break;
    end = more;
    lines.pop();
  }
  return `${lines.length > 0 ? "…" : ""}"${harmless(end)}"`;
}

/** With what a terminal would take for a command written out. */
function harmless(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
