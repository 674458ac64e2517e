import type { Dataset } from "../../core/relations/dataset.ts";
import type { Pair } from "../../core/relations/relation.ts";
import type { SeededSource } from "../../core/random/seeded_source.ts";
import { bareJson } from "../../core/text/bare_json.ts";
import {
  exactPair,
  mutatePair,
  randomPair,
  type SearchSpace,
} from "../audit/search/mutate_pairs.ts";
import { pickIndex, randomRow } from "../audit/search/row_values.ts";

/** Datasets whose neighbours are looked at, and neighbours of each. */
const MOST_DATASETS = 400, MOST_NEIGHBOURS = 8;
/** Pairs to climb from in each direction, the share of the datasets that are random, and attempts to make one that was not looked at. */
const PARENTS = 2, RANDOM = 0.1, ATTEMPTS = 20;
/** Datasets in a row without a neighbour that can be compared, after which no more are looked at. */
const MOST_FAILURES = 4;
/** A value moves further than another one if it does by more than this share: the rest is rounding. */
const FURTHER = 1 + 1e-6;

/** A pair, and by how much values under noise move up from its second dataset to its first, in units of their noise. */
interface Moved {
  readonly pair: Pair;
  readonly by: number;
}

/** Returns by how much values move up to a dataset from each neighbour, `undefined` for those that cannot be compared; nothing when the runs are over. */
type Looks = (
  neighbours: readonly Dataset[],
  data: Dataset,
) => Promise<readonly (number | undefined)[] | undefined>;

/**
 * Climbs to pairs whose values move far, by what they move by and not by what that costs: up in one direction, and down in the other. A count that one row more
 * mostly raises by 1, and at most lowers by 2, costs as much at +1 as at −1, so that what it costs leads nowhere. Of a dataset all neighbours with a row less,
 * or with another row in its place, are looked at together. Of equal pairs the newest is the one to go on from, so that rows that change nothing are exchanged
 * until one does.
 */
export class Climb {
  readonly #space: SearchSpace;
  readonly #source: SeededSource;
  readonly #looks: Looks;
  readonly #seen = new Set<string>();
  readonly #highest: Moved[] = [];
  readonly #lowest: Moved[] = [];
  #furthest = 0;
  #failures = 0;

  /** Climbs among the pairs of `space`. */
  constructor(
    space: SearchSpace,
    { source, looks }: { readonly source: SeededSource; readonly looks: Looks },
  ) {
    this.#space = space;
    this.#source = source;
    this.#looks = looks;
  }

  /** Returns the next pair whose values move further than those of all before; `undefined` where the climb is at its end. */
  async next(): Promise<Pair | undefined> {
    while (this.#seen.size < MOST_DATASETS && this.#failures < MOST_FAILURES) {
      const data = this.#dataset();
      if (data === undefined) return undefined;
      const pairs = this.#neighboursOf(data);
      const moves = pairs.length === 0
        ? []
        : await this.#looks(pairs.map(({ right }) => right), data);
      if (moves === undefined) return undefined;
      const moved = pairs.flatMap((pair, k): Moved[] => {
        const by = moves[k];
        return by === undefined ? [] : [{ pair, by }];
      });
      this.#failures = moved.length === 0 ? this.#failures + 1 : 0;
      if (moved.length === 0) continue;
      const ascending = moved.toSorted((a, b) => a.by - b.by);
      const lowest = ascending[0]!, highest = ascending.at(-1)!;
      insert(this.#lowest, lowest, (a, b) => a.by - b.by);
      insert(this.#highest, highest, (a, b) => b.by - a.by);
      const { pair, by } = highest.by > -lowest.by ? highest : lowest;
      if (Math.abs(by) <= FURTHER * this.#furthest) continue;
      this.#furthest = Math.abs(by);
      return pair;
    }
    return undefined;
  }

  /** Returns a dataset that was not looked at: near that of a pair to climb from, or a random one. */
  #dataset(): Dataset | undefined {
    const source = this.#source, space = this.#space;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const parents = source.uniform() < 0.5 ? this.#highest : this.#lowest;
      const parent = parents[Math.floor(source.uniform() ** 2 * parents.length)];
      const pair = parent === undefined || source.uniform() < RANDOM
        ? randomPair(space, source)
        : mutatePair(space, parent.pair, source);
      if (pair === undefined) continue;
      const { left, right } = pair, data = right.length > left.length ? right : left;
      const key = bareJson(data)!;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      return data;
    }
    return undefined;
  }

  /** Returns pairs of a dataset and one that lacks a row of it, or has another one in its place. */
  #neighboursOf(data: Dataset): Pair[] {
    const space = this.#space, source = this.#source;
    const places = [...data.keys()];
    while (places.length > MOST_NEIGHBOURS) places.splice(pickIndex(source, places.length), 1);
    return places.flatMap((place) =>
      exactPair(space, data, data.toSpliced(place, 1)) ??
        exactPair(space, data, data.with(place, randomRow(space.domain.rows, source))) ?? []
    );
  }
}

/** Inserts one before those that are equal to it, and drops the last. */
function insert(all: Moved[], one: Moved, order: (a: Moved, b: Moved) => number): void {
  all.unshift(one);
  all.sort(order).splice(PARENTS);
}
