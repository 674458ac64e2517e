/** Control characters, marks that turn or hide text, separators of lines, and halves of a character. */
export const INVISIBLE: RegExp = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;

/**
 * Text of somebody else in which every character can be seen: those that a terminal obeys, that turn the direction of text or
 * that hide it are written as in JavaScript, `\u001b`. With `lines`, line feeds and tabs stay.
 */
export function visibleText(
  text: string,
  { lines = false }: { readonly lines?: boolean } = {},
): string {
  return text.replaceAll(INVISIBLE, (character) => {
    return lines && (character === "\n" || character === "\t") ? character : escaped(character);
  });
}

const SHORT = new Map([["\n", "\\n"], ["\r", "\\r"], ["\t", "\\t"]]);

/** A character as JSON and JavaScript write it: `\n`, or `\u` and four digits for each half. */
export function escaped(character: string): string {
  return SHORT.get(character) ??
    character.split("").map((half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
}
