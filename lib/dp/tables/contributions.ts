import type { ContributionBounds } from "./sensitivity.ts";

/** Contributions of persons within their bounds: of each person so many groups, and rows in each. */
export interface ContributionOptions {
  readonly bounds: ContributionBounds;
  /** Number of values of a row; with none rows are counted, and it does not matter which are kept. */
  readonly width: number;
  /** A hash of a person under a secret key: nobody else's rows change it. */
  readonly hashOf: (person: number) => number;
}

/**
 * Keeps of each person so many groups and so many rows in each, chosen by pseudo-random priorities: the smallest are kept. Which these are depends on the
 * key and on the person's own rows in their order, and on nothing of anybody else: with any key, good or bad, another person changes nothing here.
 *
 * Memory is by what is kept: lists of groups and of rows in typed arrays, linked by their places.
 */
export class BoundedContributions {
  readonly #bounds: ContributionBounds;
  readonly #width: number;
  readonly #hashOf: (person: number) => number;
  readonly #persons = new Columns({ hash: Uint32Array, groups: Int32Array });
  readonly #groups = new Columns({
    group: Int32Array,
    priority: Uint32Array,
    seen: Uint32Array,
    kept: Uint32Array,
    rows: Int32Array,
    next: Int32Array,
  });
  readonly #rows = new Columns({ priority: Uint32Array, next: Int32Array });
  #values = new Float64Array(0);
  /** Rows of groups that were dropped. */
  #free = NONE;

  constructor(options: ContributionOptions) {
    this.#bounds = options.bounds;
    this.#hashOf = options.hashOf;
    this.#width = options.width;
  }

  /** One row of a person, by its number, in a group. `groupHash` says the group by what is public or the person's own: not by the order of all rows. */
  add(person: number, group: number, { groupHash, values }: {
    readonly groupHash: number;
    readonly values: ArrayLike<number>;
  }): void {
    while (this.#persons.size <= person) this.#newPerson();
    const own = this.#groupOf(person, group, groupHash);
    if (own === NONE) return;
    const { priority, seen, kept, rows } = this.#groups.of, row = this.#rows.of;
    if (this.#width === 0) {
      if (kept[own]! < this.#bounds.rows) kept[own]!++;
      return;
    }
    const chance = mixed(priority[own]! ^ mixed(++seen[own]!));
    let at: number;
    if (kept[own]! < this.#bounds.rows) {
      kept[own]!++;
      at = this.#newRow();
      this.#rows.of.next[at] = rows[own]!;
      rows[own] = at;
    } else {
      at = rows[own]!;
      for (let other = row.next[at]!; other !== NONE; other = row.next[other]!) {
        if (row.priority[other]! > row.priority[at]!) at = other;
      }
      if (chance >= row.priority[at]!) return;
    }
    this.#rows.of.priority[at] = chance;
    for (let i = 0; i < this.#width; i++) this.#values[at * this.#width + i] = values[i]!;
  }

  /** Visits what was kept; the list of values is used again. */
  forEach(visit: (group: number, values: ArrayLike<number>) => void): void {
    const { groups } = this.#persons.of, { group, kept, rows, next } = this.#groups.of;
    const values = new Array<number>(this.#width).fill(0);
    for (let person = 0; person < this.#persons.size; person++) {
      for (let own = groups[person]!; own !== NONE; own = next[own]!) {
        if (values.length === 0) {
          for (let i = kept[own]!; i > 0; i--) visit(group[own]!, values);
        }
        for (let row = rows[own]!; row !== NONE; row = this.#rows.of.next[row]!) {
          for (let i = 0; i < values.length; i++) {
            values[i] = this.#values[row * values.length + i]!;
          }
          visit(group[own]!, values);
        }
      }
    }
  }

  #newPerson(): void {
    const place = this.#persons.add();
    this.#persons.of.hash[place] = this.#hashOf(place);
    this.#persons.of.groups[place] = NONE;
  }

  /** The group of a person, which may take the place of another; NONE where it is not kept. */
  #groupOf(person: number, group: number, groupHash: number): number {
    const { hash, groups } = this.#persons.of, { group: groupAt, priority, next } = this.#groups.of;
    let count = 0, last = NONE;
    for (let own = groups[person]!; own !== NONE; own = next[own]!) {
      if (groupAt[own] === group) return own;
      count++;
      if (last === NONE || priority[own]! > priority[last]!) last = own;
    }
    const chance = mixed(hash[person]! ^ mixed(groupHash));
    let own = last;
    if (count < this.#bounds.groups) {
      own = this.#groups.add();
      this.#groups.of.next[own] = groups[person]!;
      groups[person] = own;
    } else {
      // A group that was dropped had the largest priority, so it never comes back.
      if (chance >= priority[last]!) return NONE;
      this.#freeRows(last);
    }
    const { of } = this.#groups;
    of.group[own] = group;
    of.priority[own] = chance;
    of.seen[own] = of.kept[own] = 0;
    of.rows[own] = NONE;
    return own;
  }

  #freeRows(own: number): void {
    const { next } = this.#rows.of;
    for (let row = this.#groups.of.rows[own]!; row !== NONE;) {
      const after = next[row]!;
      next[row] = this.#free;
      this.#free = row;
      row = after;
    }
  }

  #newRow(): number {
    const row = this.#free;
    if (row !== NONE) {
      this.#free = this.#rows.of.next[row]!;
      return row;
    }
    const added = this.#rows.add(), length = this.#rows.of.next.length * this.#width;
    if (this.#values.length < length) this.#values = grown(this.#values, length);
    return added;
  }
}

/** No place. */
const NONE = -1;

type Typed = Int32Array | Uint32Array | Float64Array;

/** Typed arrays of one length, which grows. */
class Columns<Kinds extends Readonly<Record<string, new (length: number) => Typed>>> {
  /** The arrays: others after each {@linkcode Columns.add}. */
  of: { [Name in keyof Kinds]: InstanceType<Kinds[Name]> };
  /** Entries that are in use. */
  size = 0;
  #capacity = 1024;

  constructor(kinds: Kinds) {
    this.of = Object.fromEntries(
      Object.entries(kinds).map(([name, Kind]) => [name, new Kind(this.#capacity)]),
    ) as typeof this.of;
  }

  /** The place of one more entry. */
  add(): number {
    if (this.size === this.#capacity) {
      this.#capacity *= 2;
      this.of = Object.fromEntries(
        Object.entries(this.of).map((
          [name, array],
        ) => [name, grown(array as Typed, this.#capacity)]),
      ) as typeof this.of;
    }
    return this.size++;
  }
}

function grown<Array extends Typed>(array: Array, length: number): Array {
  const longer = new (array.constructor as new (length: number) => Array)(length);
  longer.set(array);
  return longer;
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
