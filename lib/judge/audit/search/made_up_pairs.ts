import type { CandidatePair } from "../model/prediction/candidate_pair.ts";

/** Of this many pairs with equally many draws one goes on to twice as many. */
const GOES_ON = 4;
/** The most pairs that are remembered: of more, the worst among those with the fewest draws is forgotten. */
const MOST_PAIRS = 128;

/** A pair that was made up. */
interface MadeUp {
  /** How often its draws were doubled after its first look. */
  level: number;
  /** What it promises after its last look. */
  promise?: number;
}

/**
 * Many short looks at pairs that are made up, and longer ones at those that did best: asynchronous successive halving (Li,
 * Jamieson, Rostamizadeh, Gonina, Ben-tzur, Hardt, Recht, Talwalkar 2020). At each number of draws the best quarter of the
 * pairs goes on to twice as many.
 */
export class MadeUpPairs {
  readonly #firstLook: number;
  readonly #promiseOf: (candidate: CandidatePair) => number;
  readonly #pairs = new Map<CandidatePair, MadeUp>();
  /** Pairs that came to each level. */
  readonly #reached: number[] = [];
  #current: CandidatePair | undefined;

  /** First looks take `firstLook` draws; `promiseOf` says how far a pair may break the claim. */
  constructor(firstLook: number, promiseOf: (candidate: CandidatePair) => number) {
    this.#firstLook = firstLook;
    this.#promiseOf = promiseOf;
  }

  /** Returns the next pair to draw on: one whose look is not at its end, one that did well, or a new one, if there is any. */
  next(makeUp: () => CandidatePair | undefined): CandidatePair | undefined {
    const current = this.#current, state = current && this.#pairs.get(current);
    if (current !== undefined && state !== undefined) {
      if (current.predictor.draws < this.#firstLook * 2 ** state.level) return current;
      state.promise = this.#promiseOf(current);
    }
    this.#current = this.#goOn() ?? this.#begin(makeUp);
    return this.#current;
  }

  /** Returns the best pair of a level from which too few went on. */
  #goOn(): CandidatePair | undefined {
    for (let level = this.#reached.length - 1; level >= 0; level--) {
      const wentOn = this.#reached[level + 1] ?? 0;
      if (wentOn >= Math.floor(this.#reached[level]! / GOES_ON)) continue;
      const [best] = this.#at(level).sort(([, a], [, b]) => b.promise! - a.promise!);
      if (best === undefined) continue;
      const [candidate, state] = best;
      state.level++;
      this.#reached[level + 1] = wentOn + 1;
      return candidate;
    }
    return undefined;
  }

  #begin(makeUp: () => CandidatePair | undefined): CandidatePair | undefined {
    const candidate = makeUp();
    if (candidate === undefined) return undefined;
    this.#pairs.set(candidate, { level: 0 });
    this.#reached[0] = (this.#reached[0] ?? 0) + 1;
    return candidate;
  }

  /** Pairs that are remembered. */
  get size(): number {
    return this.#pairs.size;
  }

  /** Returns the pair to forget, where there are too many: never one whose look has not ended. */
  forget(): CandidatePair | undefined {
    if (this.#pairs.size <= MOST_PAIRS) return undefined;
    for (let level = 0; level < this.#reached.length; level++) {
      const worst = this.#at(level).sort(([, a], [, b]) => a.promise! - b.promise!)[0]?.[0];
      if (worst === undefined) continue;
      this.#pairs.delete(worst);
      return worst;
    }
    return undefined;
  }

  /** Returns pairs of a level whose look is at its end. */
  #at(level: number): [CandidatePair, MadeUp][] {
    return [...this.#pairs].filter(([candidate, state]) =>
      candidate !== this.#current && state.level === level && state.promise !== undefined
    );
  }
}
