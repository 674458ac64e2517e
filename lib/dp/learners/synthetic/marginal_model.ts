import { type JunctionTree, junctionTree } from "./junction_tree.ts";
import { cellsOf, grouped, placesOf, summedInto } from "./marginal_tables.ts";

/** Noisy counts of the rows by some attributes, the last fastest. */
export interface NoisyMarginal {
  /** Their places among all attributes, ascending. */
  readonly attributes: readonly number[];
  /** One count a cell. */
  readonly values: readonly number[];
  /** Of the noise on each. */
  readonly variance: number;
}

/** A clique of the tree, with the tables that belief propagation fills. */
export interface Clique {
  readonly attributes: readonly number[];
  /** The place of its parent; −1 of the first clique. */
  readonly parent: number;
  /** Attributes shared with its parent. */
  readonly separator: readonly number[];
  /** Index in the separator of each of its cells, and of each cell of its parent. */
  readonly places: Uint32Array;
  readonly parentPlaces: Uint32Array;
  /** Sums of logarithms of factors and messages; after a pass their exponentials, the largest of each cell of the separator 1. */
  readonly factors: Float64Array;
  /** One over the sums of these by cells of the separator. */
  readonly scales: Float64Array;
  /** The probability of each cell. */
  readonly beliefs: Float64Array;
}

/** Measurements of one set of attributes, and their factor in the model. */
interface Term {
  readonly key: string;
  /** Means of the counts, weighted by their precisions, which are one over variances. */
  readonly target: Float64Array;
  readonly precision: number;
  /** Logarithms of the factor. */
  readonly weights: Float64Array;
  /** Of each cell, by the model. */
  readonly probabilities: Float64Array;
  /** A clique of the tree that holds the attributes, and where its cells are among theirs. */
  readonly clique: Clique;
  readonly places: Uint32Array;
}

/** After so many steps in a row that are too long, mirror descent is done. */
const MOST_FAILURES = 30;
/** A gain of this share of the error is none. */
const LEAST_GAIN = 1e-6;

/**
 * A law of rows that fits noisy marginals: of all laws with the same marginals the one of largest entropy, a product of one factor
 * a marginal (McKenna, Sheldon, Miklau 2019). All of it is computed from noisy counts.
 */
export class MarginalModel {
  readonly shape: readonly number[];
  /** The number of rows that marginals count. */
  readonly size: number;
  readonly tree: JunctionTree;
  readonly cliques: readonly Clique[];
  readonly #terms: readonly Term[];
  /** Of mirror descent. */
  #step: number;

  /** @param start a model whose factors this one begins with: of fewer marginals, say. */
  constructor(
    { shape, size, marginals, start }: {
      readonly shape: readonly number[];
      readonly size: number;
      readonly marginals: readonly NoisyMarginal[];
      readonly start?: MarginalModel | undefined;
    },
  ) {
    this.shape = shape;
    this.size = size;
    this.tree = junctionTree(shape, marginals.map(({ attributes }) => attributes));
    const { cliques, parents, separators } = this.tree;
    this.cliques = cliques.map((attributes, i) => {
      const cells = cellsOf(shape, attributes), separator = separators[i]!, parent = parents[i]!;
      const above = parent < 0 ? [] : cliques[parent]!;
      return {
        attributes,
        parent,
        separator,
        places: placesOf(shape, attributes, separator),
        parentPlaces: placesOf(shape, above, separator),
        factors: new Float64Array(cells),
        scales: new Float64Array(cellsOf(shape, separator)),
        beliefs: new Float64Array(cells),
      };
    });
    const before = new Map(
      start === undefined ? [] : start.#terms.map(({ key, weights }) => [key, weights]),
    );
    this.#terms = [...grouped(marginals, ({ attributes }) => attributes.join())]
      .map(([key, same]) => this.#termOf(key, same, before.get(key)));
    const precision = this.#terms.reduce((sum, term) => sum + term.precision, 0);
    // The error cannot rise within it: second derivatives are at most size²·precision, in the norm of Pinsker's inequality.
    this.#step = start === undefined ? 1 / (size * size * precision) : start.#step;
    this.#propagate();
  }

  #termOf(key: string, same: readonly NoisyMarginal[], weights?: Float64Array): Term {
    const { attributes } = same[0]!, cells = cellsOf(this.shape, attributes);
    const precision = same.reduce((sum, { variance }) => sum + 1 / variance, 0);
    const target = new Float64Array(cells);
    for (const { values, variance } of same) {
      for (let i = 0; i < cells; i++) target[i]! += values[i]! / variance / precision;
    }
    const clique = this.cliqueWith(attributes)!;
    return {
      key,
      target,
      precision,
      weights: weights?.slice() ?? new Float64Array(cells),
      probabilities: new Float64Array(cells),
      clique,
      places: placesOf(this.shape, clique.attributes, attributes),
    };
  }

  /** The clique with the fewest cells that has all of the attributes, if there is one. */
  cliqueWith(attributes: readonly number[]): Clique | undefined {
    let best: Clique | undefined;
    for (const clique of this.cliques) {
      if (
        attributes.every((each) => clique.attributes.includes(each)) &&
        !(clique.beliefs.length >= (best?.beliefs.length ?? Infinity))
      ) best = clique;
    }
    return best;
  }

  /**
   * Up to so many steps of mirror descent on the squared errors divided by their variances: logarithms of factors move against the
   * differences of marginals. Momentum (Nesterov 1983) is lost when the error rises. The step doubles until it is too long, once.
   */
  fit(steps: number): void {
    const terms = this.#terms, { size } = this;
    /** Point of least error, and the end of the last step without its momentum. */
    const best = terms.map(({ weights, probabilities }) => ({
      weights: weights.slice(),
      probabilities: probabilities.slice(),
      ended: weights.slice(),
    }));
    let least = this.#error(), taken = 0, failures = 0, isLong = false;
    for (let i = 0; i < steps && failures < MOST_FAILURES; i++) {
      const momentum = taken / (taken + 3);
      const ends = terms.map(({ weights, target, precision }, t) => {
        const { weights: from, probabilities, ended } = best[t]!;
        const rate = this.#step * size * precision;
        return weights.map((_, j) => {
          const end = from[j]! - rate * (size * probabilities[j]! - target[j]!);
          weights[j] = end + momentum * (end - ended[j]!);
          return end;
        });
      });
      this.#propagate();
      const error = this.#error();
      if (error > least) {
        if (!isLong) this.#step /= 8;
        else if (taken === 0) this.#step /= 2;
        isLong = true;
        taken = 0;
        failures++;
        for (const { weights, ended } of best) ended.set(weights);
        continue;
      }
      terms.forEach(({ weights, probabilities }, t) => {
        best[t]!.weights.set(weights);
        best[t]!.probabilities.set(probabilities);
        best[t]!.ended.set(ends[t]!);
      });
      if (!isLong) this.#step *= 2;
      taken++;
      failures = 0;
      const gain = least - error;
      least = error;
      if (!(gain > LEAST_GAIN * least)) break;
    }
    terms.forEach(({ weights }, t) => weights.set(best[t]!.weights));
    this.#propagate();
  }

  /** Half the squared errors of the marginals, divided by their variances. */
  #error(): number {
    let sum = 0;
    for (const { target, precision, probabilities } of this.#terms) {
      let squares = 0;
      for (let i = 0; i < target.length; i++) {
        squares += (this.size * probabilities[i]! - target[i]!) ** 2;
      }
      sum += 0.5 * precision * squares;
    }
    return sum;
  }

  /**
   * Belief propagation (Lauritzen, Spiegelhalter 1988): from the leaves to the root each clique sums its factors and messages
   * out, to the separator; from the root to the leaves its conditional law times the separator's gives its beliefs. Exponentials are taken of
   * differences to the largest of each cell of the separator, so that some are 1 and none overflows.
   */
  #propagate(): void {
    const { cliques } = this;
    for (const { factors } of cliques) factors.fill(0);
    for (const { clique: { factors }, weights, places } of this.#terms) {
      for (let i = 0; i < factors.length; i++) factors[i] = factors[i]! + weights[places[i]!]!;
    }
    for (const { factors, places, scales, parent, parentPlaces } of cliques.toReversed()) {
      const largest = new Float64Array(scales.length).fill(-Infinity);
      for (let i = 0; i < factors.length; i++) {
        const at = places[i]!;
        if (factors[i]! > largest[at]!) largest[at] = factors[i]!;
      }
      scales.fill(0);
      for (let i = 0; i < factors.length; i++) {
        const at = places[i]!, weight = Math.exp(factors[i]! - largest[at]!);
        factors[i] = weight;
        scales[at] = scales[at]! + weight;
      }
      if (parent >= 0) {
        const message = largest.map((most, at) => most + Math.log(scales[at]!));
        const to = cliques[parent]!.factors;
        for (let i = 0; i < to.length; i++) to[i] = to[i]! + message[parentPlaces[i]!]!;
      }
      for (let at = 0; at < scales.length; at++) scales[at] = 1 / scales[at]!;
    }
    for (const { factors, places, scales, parent, parentPlaces, beliefs } of cliques) {
      const separator = new Float64Array(scales.length);
      if (parent < 0) separator[0] = 1;
      else summedInto(separator, cliques[parent]!.beliefs, parentPlaces);
      for (let at = 0; at < separator.length; at++) separator[at] = separator[at]! * scales[at]!;
      for (let i = 0; i < beliefs.length; i++) beliefs[i] = factors[i]! * separator[places[i]!]!;
    }
    for (const { clique, places, probabilities } of this.#terms) {
      summedInto(probabilities.fill(0), clique.beliefs, places);
    }
  }
}
