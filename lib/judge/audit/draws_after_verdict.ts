/** Draws to make a pair small: this multiple of those of the audit, at least and at most these shares of the usual ones. */
const SHRINK = { times: 10, fewest: 1 / 2, most: 2 };
/** Draws for the bound on the pair of a refutation: this multiple of those of the audit, and the fewest and the most. */
const BOUND = { times: 2, fewest: 4000, most: 200_000 };
/** The share of the usual draws that the bound takes at least, where the audit was given no number of draws. */
const USUAL_BOUND = 1 / 5;
/** The share of the usual draws that is enough to confirm a refutation or to count an event, where less was drawn. */
const FEWEST_SHARE = 1 / 10;

/**
 * How many draws are made once the verdict is known: counts that follow from the draws of the audit, and from those that are usual for the
 * kind of subject, so that a program that is started is not asked for as many as a function is.
 */
export class DrawsAfterVerdict {
  readonly #usual: number;
  readonly #given: boolean;
  readonly #audited: number;

  /** For an audit of `draws`. */
  constructor(
    { usualDraws, isUsual }: {
      /** The usual draws of the kind of subject. */
      readonly usualDraws: number;
      /** Whether the audit was given no number of draws. */
      readonly isUsual: boolean;
    },
    { draws }: { readonly draws: number },
  ) {
    this.#usual = usualDraws;
    this.#given = !isUsual;
    this.#audited = draws;
  }

  /** The most to make the pair small. */
  get toShrink(): number {
    const { times, fewest, most } = SHRINK;
    return Math.ceil(
      Math.min(most * this.#usual, Math.max(fewest * this.#usual, times * this.#audited)),
    );
  }

  /** For the bound on the pair. */
  get forBound(): number {
    const { times, fewest, most } = BOUND;
    const least = this.#given ? fewest : USUAL_BOUND * this.#usual;
    return Math.ceil(Math.max(least, Math.min(most, Math.max(fewest, times * this.#audited))));
  }

  /** The fewest that are enough to confirm a refutation, or to count an event. */
  get enough(): number {
    return Math.ceil(FEWEST_SHARE * this.#usual);
  }
}
