import { assert, assertEquals } from "@std/assert";
import { approximate, pure } from "../../../../lib/core/claim.ts";
import { replaceOne as relation } from "../../../../lib/core/relation.ts";
import type { Source } from "../../../../lib/core/source.ts";
import { rejection } from "../../../../scripts/check_certificate.ts";
import { certificateOf } from "../../../../lib/exact/enumeration/certificate.ts";
import { checkExactly } from "../../../../lib/exact/enumeration/check_exactly.ts";
import { rational } from "../../../../lib/numeric/rational.ts";
import { exactBernoulli, exponentialBernoulli } from "../../../../lib/random/exact_bernoulli.ts";
import { exactChoice } from "../../../../lib/random/exact_choice.ts";
import { randomInteger } from "../../../../lib/random/random_integer.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** Numbers in units of 2^−400. */
const BITS = 400n, ONE = 1n << BITS;
/** What products and quotients may be off by. */
const ROOM = 1n << 40n;

/** e^(numerator/denominator), by its series at a 256th of the exponent. */
function exponential(numerator: bigint, denominator: bigint): bigint {
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
type Tree =
  | { readonly output: number }
  | {
    readonly draw: (source: Source) => number;
    /** Probabilities in units. */
    readonly chances: readonly bigint[];
    readonly next: readonly Tree[];
  };

function run(tree: Tree, source: Source): number {
  return "output" in tree ? tree.output : run(tree.next[tree.draw(source)]!, source);
}

function lawOf(tree: Tree, chance: bigint, law: Map<number, bigint>): number {
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
function generated(random: SeededSource, depth: number, outputs: number): [Tree, Tree] {
  const below = (limit: number): number => random.uint32() % limit;
  if (depth === 0 || below(5) === 0) {
    const output = below(outputs);
    return [{ output }, { output: below(4) === 0 ? below(outputs) : output }];
  }
  const kind = below(4), size = kind < 2 ? 2 + below(2) : 2;
  const children = Array.from({ length: size }, () => generated(random, depth - 1, outputs));
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
function leastDelta(laws: readonly Map<number, bigint>[], factor: bigint): bigint {
  const one = ([p, q]: readonly Map<number, bigint>[]): bigint =>
    [...p!].reduce((sum, [output, chance]) => {
      const excess = chance - (factor * (q!.get(output) ?? 0n) >> BITS);
      return excess > 0n ? sum + excess : sum;
    }, 0n);
  const [there, back] = [one(laws), one(laws.toReversed())];
  return there > back ? there : back;
}

const toDouble = (value: bigint): number => Number(value >> (BITS - 200n)) * 2 ** -200;

// Mutants: a sign, a factor, a bound or a denominator of the comparison; a law whose values or weights are mixed up.
Deno.test("checkExactly() decides 600 generated programs as their laws in 400 binary places do", () => {
  const random = new SeededSource(2608), seen = { holds: 0, refuted: 0, attained: 0, infinite: 0 };
  for (let k = 0; k < 600; k++) {
    const trees = generated(random, 1 + k % 3, 2 + k % 4);
    const laws = trees.map(() => new Map<number, bigint>());
    const runs = trees.reduce((sum, tree, i) => sum + lawOf(tree, ONE, laws[i]!), 0);
    const loss = largestLoss(laws), quarters = Math.round(4 * loss);
    // Where the loss is a multiple of a quarter, equality is decided.
    const epsilon = quarters > 0 && Math.abs(quarters - 4 * loss) < 1e-9
      ? quarters / 4
      : [0.25, 0.5, 1, 2, 0.7][random.uint32() % 5]!;
    const delta = k % 3 === 0 ? [0.125, 0.2, 0.01][random.uint32() % 3]! : 0;
    const claim = delta === 0
      ? pure({ epsilon, relation })
      : approximate({ epsilon, delta, relation });
    const options = {
      claim: claim as ReturnType<typeof pure>,
      datasets: [[0], [1]],
      neighbours: [[0, 1]] as const,
    };
    const checked = checkExactly(
      { name: "it", run: ([row], source) => run(trees[row as 0 | 1]!, source) },
      options,
    );
    const { report } = checked;
    const exact = rational(epsilon), factor = exponential(exact.numerator, exact.denominator);
    const least = leastDelta(laws, factor), allowed = rational(delta);
    const over = least - (allowed.numerator << BITS) / allowed.denominator;
    assertEquals(report.branches, runs);
    assertEquals(report.verdict, over > ROOM ? "refuted" : "holds", `program ${k}`);
    assertEquals(report.kind, "exact");
    const tied = over <= ROOM && over >= -ROOM && (delta > 0 || isTight(laws, factor));
    assertEquals(report.attained, tied, `program ${k}`);
    seen[report.verdict as "holds"]++;
    if (tied) seen.attained++;
    const shown = toDouble(least);
    if (delta > 0 || report.verdict === "refuted") {
      assert(
        report.delta.lower <= shown * (1 + 1e-15) && shown <= report.delta.upper * (1 + 1e-15),
      );
      assert(report.delta.upper - report.delta.lower <= 1e-14 * shown + 1e-60);
    } else assertEquals(report.delta, { lower: 0, upper: 0 });
    if (delta === 0) {
      if (loss === Infinity) seen.infinite++;
      assert(report.epsilon.lower <= loss + 1e-14 && loss <= report.epsilon.upper + 1e-14);
      assert(loss === Infinity || report.epsilon.upper - report.epsilon.lower < 1e-12);
      if (loss === Infinity) assertEquals(report.epsilon.upper, Infinity);
    }
    const certificate = certificateOf(checked, options);
    checkCertificate(certificate, laws);
    assertEquals(rejection(certificate), undefined);
  }
  assert(
    seen.holds > 30 && seen.refuted > 30 && seen.attained > 5 && seen.infinite > 5,
    JSON.stringify(seen),
  );
});

/** Whether some output attains P = e^ε·Q. */
function isTight(laws: readonly Map<number, bigint>[], factor: bigint): boolean {
  return [laws, laws.toReversed()].some(([p, q]) =>
    [...p!].some(([output, chance]) => {
      const difference = chance - (factor * (q!.get(output) ?? 0n) >> BITS);
      return q!.has(output) && difference < ROOM && difference > -ROOM;
    })
  );
}

function largestLoss(laws: readonly Map<number, bigint>[]): number {
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

/** The laws that a certificate states, against those worked out here. */
function checkCertificate(text: string, laws: readonly Map<number, bigint>[]): void {
  const certificate = JSON.parse(text);
  const value = (terms: [string, string][]): bigint =>
    terms.reduce(
      (sum, [exponent, coefficient]) =>
        sum + BigInt(coefficient) * exponential(-BigInt(exponent), BigInt(certificate.scale)),
      0n,
    );
  certificate.laws.forEach(
    ({ denominator, remainder, outputs }: {
      denominator: [string, string][];
      remainder: string;
      outputs: Record<string, [string, string][]>;
    }, i: number) => {
      assertEquals(remainder, "0");
      assertEquals(Object.keys(outputs).length, laws[i]!.size);
      const below = value(denominator);
      for (const [key, terms] of Object.entries(outputs)) {
        const chance = (value(terms) << BITS) / below;
        const expected = [...laws[i]!].find(([output]) => key.includes(String(output)))![1];
        const off = chance - expected;
        assert(off < ROOM && off > -ROOM, `${key}: ${off}`);
      }
    },
  );
}
