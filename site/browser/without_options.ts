/** Replaces options of the command line on a page, where there is none. */
const WORDS: readonly (readonly [pattern: RegExp, said: string])[] = [
  [/To ask for no power, give --require-power[^.<]*\. ?/g, ""],
  [/ \(--one-at-a-time assumes nothing\)/g, ""],
  [/ \(--interactive does\)/g, ""],
  [/ \(--bits does\)/g, " (tick the box above the buttons)"],
  [/ \(--max-draws\)/g, ""],
  [/ \(--independent\)/g, ""],
  [/The limit of time \(--max-seconds\)/g, "The limit of seconds"],
  [/ \(--max-seconds\)/g, ""],
  [/by --max-draws ([\d,]+)/g, "by $1 draws: give it more seconds"],
  [/: --exact decides the claim/g, ": “Decide exactly” decides the claim"],
  [/Give more seconds \(--max-seconds\)/g, "Give more seconds"],
  [/Run more \(--max-branches\), leave out more \(--remainder\), or take/g, "Take"],
  [/: dpcheck audit confirms the finding or not/g, ""],
];

/** A sentence without words of the command line. */
export function withoutOptions(sentence: string): string {
  return WORDS.reduce((text, [pattern, said]) => text.replaceAll(pattern, said), sentence);
}
