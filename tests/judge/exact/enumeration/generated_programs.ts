import { rational } from "../../../../lib/core/numeric/rational.ts";
import type { Source } from "../../../../lib/core/mechanism/source.ts";
import {
  exactBernoulli,
  exponentialBernoulli,
} from "../../../../lib/core/random/exact_bernoulli.ts";
import { exactChoice } from "../../../../lib/core/random/exact_choice.ts";
import { randomInteger } from "../../../../lib/core/random/random_integer.ts";
import type { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** Numbers in units of 2^−400. */
export const BITS = 400n, ONE = 1n << BITS;
/** What products and quotients may be off by. */
export const MARGIN = 1n << 40n;

/** e^(numerator/denominator), by its series at a 256th of the exponent. */
export function exponential(numerator: bigint, denominator: bigint): bigint {
  const extra = 64n, unit = 1n << (BITS + extra);
  const x = (numerator << (BITS + extra)) / (denominator << 8n);
  let sum = unit, power = unit;
  for (let k = 1n; power !== 0n && power !== -1n; k++) {
    power = (power * x >> (BITS + extra)) / k;
    sum += power;
  }
  for (let i = 0; i < 8; i++) sum = sum * sum >> (BITS + extra);
  return sum >> extra;
}

/** A draw or an output: a program as data, which can be run and whose law can be worked out. */
export type Tree =
  | { readonly output: number }
  | {
    readonly draw: (source: Source) => number;
    /** Probabilities in units. */
    readonly chances: readonly bigint[];
    readonly next: readonly Tree[];
  };

export function runTree(tree: Tree, source: Source): number {
  return "output" in tree ? tree.output : runTree(tree.next[tree.draw(source)]!, source);
}

export function lawOf(tree: Tree, chance: bigint, law: Map<number, bigint>): number {
  if (chance === 0n) return 0;
  if ("output" in tree) {
    law.set(tree.output, (law.get(tree.output) ?? 0n) + chance);
    return 1;
  }
  return tree.next.reduce(
    (runs, next, i) => runs + lawOf(next, chance * tree.chances[i]! >> BITS, law),
    0,
  );
}

/** Which draw a node makes, and which numbers it has; the same shape for both rows. */
export function generatedTrees(random: SeededSource, depth: number, outputs: number): [Tree, Tree] {
  const below = (limit: number): number => random.uint32() % limit;
  if (depth === 0 || below(5) === 0) {
    const output = below(outputs);
    return [{ output }, { output: below(4) === 0 ? below(outputs) : output }];
  }
  const kind = below(4), size = kind < 2 ? 2 + below(2) : 2;
  const children = Array.from({ length: size }, () => generatedTrees(random, depth - 1, outputs));
  const quarters = Array.from({ length: size }, () => below(9) - 4);
  const counts = Array.from({ length: size }, (_, i) => i === 0 ? 1 + below(3) : below(4));
  const side = (which: 0 | 1): Tree => {
    const next = children.map((child) => child[which]);
    // Half of the draws depend on the row: choices by their order, coins by their number.
    const turned = which === 1 && counts[1]! % 2 === 1;
    if (kind === 0) {
      const weights = (turned ? quarters.toReversed() : quarters).map((quarter, i) => ({
        exponent: rational(BigInt(quarter), 4n),
        multiplicity: BigInt(counts[i]!),
      }));
      const each = weights.map(({ exponent, multiplicity }) =>
        multiplicity * exponential(-exponent.numerator, exponent.denominator)
      );
      const total = each.reduce((a, b) => a + b);
      return {
        draw: exactChoice(weights),
        chances: each.map((one) => (one << BITS) / total),
        next,
      };
    }
    if (kind === 1) {
      return {
        draw: (source) => randomInteger(source, { below: size }),
        chances: next.map(() => ONE / BigInt(size)),
        next,
      };
    }
    if (kind === 2) {
      const [numerator, denominator] = [BigInt(counts[0]! + (turned ? 1 : 0)), 5n];
      const coin = exactBernoulli(rational(numerator, denominator));
      const yes = numerator * ONE / denominator;
      return { draw: (source) => coin(source) ? 0 : 1, chances: [yes, ONE - yes], next };
    }
    const exponent = rational(BigInt(Math.abs(quarters[0]!) + (turned ? 1 : 0)), 4n);
    const yes = exponential(-exponent.numerator, exponent.denominator);
    return {
      draw: (source) => exponentialBernoulli(source, { exponent }) ? 0 : 1,
      chances: [yes, ONE - yes],
      next,
    };
  };
  return [side(0), side(1)];
}

/** The largest P(S) − e^ε·Q(S), either way round. */
export function leastDelta(laws: readonly Map<number, bigint>[], factor: bigint): bigint {
  const one = ([p, q]: readonly Map<number, bigint>[]): bigint =>
    [...p!].reduce((sum, [output, chance]) => {
      const excess = chance - (factor * (q!.get(output) ?? 0n) >> BITS);
      return excess > 0n ? sum + excess : sum;
    }, 0n);
  const [there, back] = [one(laws), one(laws.toReversed())];
  return there > back ? there : back;
}

export const toDouble = (value: bigint): number => Number(value >> (BITS - 200n)) * 2 ** -200;

/** Whether some output attains P = e^ε·Q. */
export function isTight(laws: readonly Map<number, bigint>[], factor: bigint): boolean {
  return [laws, laws.toReversed()].some(([p, q]) =>
    [...p!].some(([output, chance]) => {
      const difference = chance - (factor * (q!.get(output) ?? 0n) >> BITS);
      return q!.has(output) && difference < MARGIN && difference > -MARGIN;
    })
  );
}

export function largestLoss(laws: readonly Map<number, bigint>[]): number {
  let most = 0;
  for (const [p, q] of [laws, laws.toReversed()]) {
    for (const [output, chance] of p!) {
      const other = q!.get(output);
      if (other === undefined) return Infinity;
      most = Math.max(most, Math.log(toDouble((chance << BITS) / other)));
    }
  }
  return most;
}
