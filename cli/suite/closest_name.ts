/** `; did you mean X?` for the name nearest to `word` by edits, or nothing where none is near. */
export function closestName(word: string, names: readonly string[]): string {
  const ranked = names.map((name) => ({ name, edits: edits(word, name) }))
    .sort((one, other) => one.edits - other.edits)[0];
  return ranked === undefined || ranked.edits > Math.max(1, word.length / 3)
    ? ""
    : `; did you mean ${ranked.name}?`;
}

/** The edit distance of Levenshtein (1966). */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = row[j]! + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
