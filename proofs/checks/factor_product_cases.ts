import {
  addSums,
  type ExponentialSum,
  multiplySums,
} from "../../lib/exact/enumeration/exponential_sum.ts";
import { FactorProducts } from "../../lib/exact/enumeration/factor_products.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireRefused, requireThat } from "../engine/requirement.ts";

/** Powers by place of the factor. */
type Powers = readonly number[];

const shown = (sum: ExponentialSum): string[] => [...sum].map(([x, c]) => `${x}:${c}`).sort();

/** Products of powers of sums, their common parts and quotients, are those of lists of powers. */
export function requireProducts(source: SeededSource): void {
  const factors: ExponentialSum[] = [
    new Map([[0n, 2n]]),
    new Map([[0n, 1n], [3n, -1n]]),
    new Map([[0n, 1n], [1n, 2n], [4n, 1n]]),
    new Map([[2n, 3n], [0n, 1n]]),
  ];
  const multiplied = (powers: Powers): ExponentialSum =>
    powers.reduce<ExponentialSum>((product, power, i) => {
      for (let k = 0; k < power; k++) product = multiplySums(product, factors[i]!);
      return product;
    }, new Map([[0n, 1n]]));
  let same = 0;
  for (let k = 0; k < 12; k++) {
    const products = new FactorProducts();
    const known: { readonly number: number; readonly powers: Powers }[] = [
      { number: 0, powers: factors.map(() => 0) },
    ];
    const one = (): typeof known[number] => known[source.uint32() % known.length]!;
    const keep = (number: number, powers: Powers): void => {
      known.forEach((other) => {
        const isEqual = other.powers.every((power, i) => power === powers[i]);
        if (isEqual) same++;
        requireEqual(other.number === number, isEqual, `numbers of ${powers} and ${other.powers}`);
      });
      known.push({ number, powers });
    };
    for (let step = 0; step < 24; step++) {
      if (step < 4 || source.uint32() % 4 === 0) {
        const place = source.uint32() % factors.length, power = source.uint32() % 5 - 2;
        // The same sum with its terms in another order is the same factor.
        const factor = step % 2 === 0
          ? factors[place]!
          : new Map([...factors[place]!].toReversed());
        keep(products.of(factor, power), factors.map((_, i) => i === place ? power : 0));
        continue;
      }
      const [a, b, c] = [one(), one(), one()];
      if (step % 2 === 0) {
        keep(
          products.times(a.number, b.number),
          a.powers.map((power, i) => power + b.powers[i]!),
        );
        continue;
      }
      const least = a.powers.map((power, i) => Math.min(power, b.powers[i]!, c.powers[i]!));
      const common = products.common([a, b, c].map(({ number }) => number));
      keep(common, least);
      for (const { number, powers } of [a, b, c]) {
        const rest = powers.map((power, i) => power - least[i]!);
        if (Math.max(...rest) > 8) continue;
        requireEqual(shown(products.quotient(number, common)), shown(multiplied(rest)));
        if (rest.some((power) => power > 0)) {
          requireRefused("a quotient the other way", () => products.quotient(common, number));
        }
      }
    }
    requireEqual(products.common([]), 0, "what nothing has in common");
  }
  requireThat(same > 40, `${same} equal products`);
  const sum = addSums(new Map([[0n, 1n]]), new Map([[1n, 2n]]), { factor: -3n, exponent: 2n });
  requireEqual(shown(sum), ["0:1", "3:-6"]);
}
