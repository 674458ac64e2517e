/** Parameter of an address that has the words by which a search found the page. */
export const FOUND = "found";

/** Marks in the text the words by which a search found the page; browsers that cannot mark show the page as it is. */
export function markFound(): void {
  const words = new URLSearchParams(location.search).get(FOUND)?.match(/[\p{L}\p{N}_]+/gu);
  if (words === undefined || words === null || !("highlights" in CSS)) return;
  // A word of the index may be the beginning of that of the text, as of a plural, or a part of it.
  const beginnings = new RegExp(
    `(?<![\\p{L}\\p{N}])(${words.join("|")})[\\p{L}\\p{N}]*`,
    "giu",
  );
  const walker = document.createTreeWalker(
    document.querySelector("main")!,
    NodeFilter.SHOW_TEXT,
  );
  const ranges: Range[] = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    for (const { index, 0: { length } } of node.textContent!.matchAll(beginnings)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + length);
      ranges.push(range);
    }
  }
  CSS.highlights.set(FOUND, new Highlight(...ranges));
}
