import type { ContributionBounds } from "./sensitivity.ts";

/** What is kept of a person in one group. */
interface Kept {
  readonly group: number;
  readonly priority: number;
  /** Rows of the person in the group so far. */
  seen: number;
  /** Of each row that is kept, its priority. */
  readonly priorities: number[];
  /** Of each row that is kept, what it adds. */
  readonly values: (readonly number[])[];
}

/**
 * Keeps of each person so many groups and so many rows in each, chosen by pseudo-random priorities. Which are kept depends on the key and on the
 * person's own rows in their order, and on nothing of anybody else: with any key, good or bad, another person changes nothing here. Memory is by what is kept.
 */
export class BoundedContributions {
  readonly #bounds: ContributionBounds;
  readonly #key: number;
  readonly #persons = new Map<string, Kept[]>();

  /** @param options a random word, and what to keep. */
  constructor(options: { readonly bounds: ContributionBounds; readonly key: number }) {
    this.#bounds = options.bounds;
    this.#key = options.key;
  }

  /** One row of a person in a group. `groupHash` says the group by what is public or the person's own: not by the order of all rows. */
  add(person: string, group: number, { groupHash, values }: {
    readonly groupHash: number;
    readonly values: readonly number[];
  }): void {
    let kept = this.#persons.get(person);
    if (kept === undefined) this.#persons.set(person, kept = []);
    let own = kept.find((each) => each.group === group);
    if (own === undefined) {
      const priority = mixed(hashOfText(person, this.#key) ^ mixed(groupHash));
      own = { group, priority, seen: 0, priorities: [], values: [] };
      if (kept.length < this.#bounds.groups) kept.push(own);
      else {
        const last = indexOfLargest(kept.map((each) => each.priority));
        // A group that was dropped had the largest priority, so it never comes back.
        if (priority >= kept[last]!.priority) return;
        kept[last] = own;
      }
    }
    const priority = mixed(own.priority ^ mixed(++own.seen));
    if (own.priorities.length < this.#bounds.rows) {
      own.priorities.push(priority);
      own.values.push(values);
      return;
    }
    const last = indexOfLargest(own.priorities);
    if (priority >= own.priorities[last]!) return;
    own.priorities[last] = priority;
    own.values[last] = values;
  }

  /** Visits what was kept. */
  forEach(visit: (group: number, values: readonly number[]) => void): void {
    for (const kept of this.#persons.values()) {
      for (const { group, values } of kept) for (const each of values) visit(group, each);
    }
  }
}

function indexOfLargest(numbers: readonly number[]): number {
  let at = 0;
  for (let i = 1; i < numbers.length; i++) if (numbers[i]! > numbers[at]!) at = i;
  return at;
}

/** A 32-bit hash of a text under a key (Fowler, Noll, Vo). */
export function hashOfText(text: string, key: number): number {
  let hash = (key ^ 0x811c9dc5) | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mixed(hash);
}

/** A permutation of 32-bit words that mixes their bits (MurmurHash3's last step), as a number of at least 0. */
function mixed(word: number): number {
  let x = word | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
