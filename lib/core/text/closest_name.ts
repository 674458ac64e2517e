/**
 * `; did you mean X?` for the name nearest to `word`, or nothing where none is near. Case, hyphens and underlines do not count,
 * and a name that begins with the word is near.
 */
export function closestName(word: string, names: readonly string[]): string {
  const given = plain(word);
  const ranked = names.map((name) => {
    const begins = given.length >= 3 && plain(name).startsWith(given);
    return { name, distance: Math.min(begins ? 0.5 : Infinity, edits(given, plain(name))) };
  }).sort((one, other) => one.distance - other.distance)[0];
  return ranked === undefined || ranked.distance > Math.max(1, given.length / 3)
    ? ""
    : `; did you mean ${ranked.name}?`;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s]/g, "");
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
