import { type ExponentialSum, multiplySums, term } from "./exponential_sum.ts";

/**
 * Products of powers of positive exponential sums, each known by a number: what probabilities are divided by (powers below
 * 0) and multiplied by. Number 0 is the empty product. Equal products have equal numbers, so that paths through the same
 * laws share one.
 */
export class FactorProducts {
  readonly #factors: ExponentialSum[] = [];
  readonly #places = new Map<string, number>();
  /** Powers by product and place of the factor; those that are missing are 0. */
  readonly #powers: (readonly number[])[] = [[]];
  readonly #numbers = new Map<string, number>([["", 0]]);
  readonly #known = new Map<number, number>();

  /** Returns the number of factor^power. */
  of(factor: ExponentialSum, power: number): number {
    const key = [...factor].map(([x, c]) => `${x}:${c}`).sort().join(",");
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#factors.length;
      this.#places.set(key, place);
      this.#factors.push(factor);
    }
    return this.#numberOf([...new Array<number>(place).fill(0), power]);
  }

  /** Returns the number of the product of two products. */
  times(left: number, right: number): number {
    if (left === 0) return right;
    if (right === 0) return left;
    const key = left * 2 ** 26 + right;
    let number = this.#known.get(key);
    if (number === undefined) {
      const a = this.#powers[left]!, b = this.#powers[right]!;
      const length = Math.max(a.length, b.length);
      number = this.#numberOf(Array.from({ length }, (_, i) => (a[i] ?? 0) + (b[i] ?? 0)));
      this.#known.set(key, number);
    }
    return number;
  }

  /** Returns the powers of a product that divide all of these: the least of each factor. */
  common(numbers: Iterable<number>): number {
    let least: readonly number[] | undefined;
    for (const number of numbers) {
      const powers = this.#powers[number]!;
      const before: readonly number[] = least ?? powers;
      const length = Math.max(before.length, powers.length);
      least = Array.from({ length }, (_, i) => Math.min(before[i] ?? 0, powers[i] ?? 0));
    }
    return this.#numberOf(least ?? []);
  }

  /** Returns `number` divided by `by`, which divides it, multiplied out. */
  quotient(number: number, by: number): ExponentialSum {
    let product = term(0n, 1n);
    const powers = this.#powers[number]!, others = this.#powers[by]!;
    this.#factors.forEach((factor, i) => {
      const power = (powers[i] ?? 0) - (others[i] ?? 0);
      if (power < 0) throw new RangeError("Cannot multiply out: a power is below 0");
      for (let k = 0; k < power; k++) product = multiplySums(product, factor);
    });
    return product;
  }

  #numberOf(powers: readonly number[]): number {
    let length = powers.length;
    while (length > 0 && powers[length - 1] === 0) length--;
    const trimmed = powers.slice(0, length), key = trimmed.join(",");
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#powers.length;
      this.#numbers.set(key, number);
      this.#powers.push(trimmed);
    }
    return number;
  }
}
