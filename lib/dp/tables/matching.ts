/**
 * The most values that persons can stand for when each stands for at most `most` of its own and each value counts once: the size of a largest
 * matching. A person who is added or removed changes it by at most `most`, for a matching without that person is one with, and one with it has at most
 * `most` values less without (Knop, Steinke 2023). Taking for each person in turn the first values that are left is another rule: one person can move it by more.
 *
 * @param valuesOf for each person its values, as numbers from 0; none twice.
 */
export function largestMatching(
  valuesOf: readonly (readonly number[])[],
  { valueCount, most }: { readonly valueCount: number; readonly most: number },
): number {
  const standsFor = new Int32Array(valueCount).fill(-1);
  const counts = new Int32Array(valuesOf.length);
  // Of the search that runs: the person from whom a value was reached, and the value through which a person was.
  const cameFrom = new Int32Array(valueCount), through = new Int32Array(valuesOf.length);
  const valueSeen = new Int32Array(valueCount), personSeen = new Int32Array(valuesOf.length);
  let search = 0, size = 0;

  /** Finds one more value for a person, by a shortest chain of persons who each give theirs to the one before and take another. */
  function standForOneMore(person: number): boolean {
    const reached: number[] = [];
    search++;
    personSeen[person] = search;
    for (let at = -1, from = person;;) {
      for (const value of valuesOf[from]!) {
        if (valueSeen[value]! === search || valueSeen[value] === DEAD) continue;
        valueSeen[value] = search;
        cameFrom[value] = from;
        if (standsFor[value] === -1) {
          passOn(value, person);
          return true;
        }
        reached.push(value);
      }
      do {
        if (++at === reached.length) {
          // Whatever was reached leads to no value that is left, now and later.
          for (const value of reached) valueSeen[value] = DEAD;
          return false;
        }
        from = standsFor[reached[at]!]!;
      } while (personSeen[from] === search);
      personSeen[from] = search;
      through[from] = reached[at]!;
    }
  }

  /** Each person of a chain takes the value that was reached from them, and the one before takes theirs. */
  function passOn(free: number, first: number): void {
    for (let value = free;;) {
      const from = cameFrom[value]!;
      standsFor[value] = from;
      if (from === first) return;
      value = through[from]!;
    }
  }

  for (let round = 0; round < most; round++) {
    valuesOf.forEach((values, person) => {
      if (counts[person]! === round && round < values.length && standForOneMore(person)) {
        counts[person]!++;
        size++;
      }
    });
  }
  return size;
}

/** Marks values that no search need visit. */
const DEAD = -1;
