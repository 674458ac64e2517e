import { escaped, unbroken } from "./highlight.ts";

/** Verdicts at the beginning of a line, with the classes that have their colours. */
const VERDICTS: Readonly<Record<string, string>> = {
  "REFUTED": "refuted",
  "NOT REFUTED": "not-refuted",
  "INCONCLUSIVE": "inconclusive",
  "FAILED": "failed",
  "HOLDS": "holds",
  "SUSPECTED": "suspected",
  "BROKEN": "broken",
  "NOT FOLLOWED": "inconclusive",
  "UNDECIDED": "undecided",
};
const VERDICT = new RegExp(`^(${Object.keys(VERDICTS).join("|")})(?=  )`);
/** A line with a bar: what stands before it, the bar, and what stands behind. */
const BARRED = /^( *\S+ +[\d.]+%)(?: {2}(█*) *)(\d[\d,]* of [\d,]+.*)$/;
/** Characters of the widest bar. */
const WIDEST = 30;

/** Writes what a program prints as markup that looks as in a terminal: lines break between words, and bars take the room that is left, to scale. */
export function terminalMarkup(text: string): string {
  // A line with a bar is a block, which ends without a character that would begin another.
  return text.trimEnd().split("\n").map(lineMarkup).join("\n").replaceAll(
    /(?<=^<span class="bars">.*)\n/gm,
    "",
  );
}

function lineMarkup(line: string): string {
  const barred = BARRED.exec(line);
  if (barred !== null) {
    const [, before, bar, after] = barred;
    return `<span class="bars"><span>${escaped(before!)}</span> <span class="room"><span class="b${
      Math.min(WIDEST, bar!.length)
    }"></span></span> <span>${escaped(after!)}</span></span>`;
  }
  const verdict = VERDICT.exec(line)?.[1];
  if (verdict !== undefined) {
    return `<b class="${VERDICTS[verdict]}">${verdict}</b><b>${
      escaped(line.slice(verdict.length))
    }</b>`;
  }
  if (
    /^(Counterexample|Pair |Refuted pair|Where it |What to do|Not seen |Watched |Suspected )/.test(
      line,
    )
  ) {
    return `<b>${escaped(line)}</b>`;
  }
  return unbroken(escaped(line));
}

/** The rules of the bars: a width for each number of characters. */
export function barRules(): string {
  return Array.from(
    { length: WIDEST + 1 },
    (_, k) => `.b${k}{width:${(100 * k / WIDEST).toFixed(1)}%}`,
  ).join("");
}
