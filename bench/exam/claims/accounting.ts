import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { normalTailQuantile } from "../../../lib/core/numeric/normal_tail.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import type { Case, Claims } from "./case.ts";
import {
  below,
  biased,
  deltaOf,
  type Density,
  integral,
  laplaceDensity,
  largestLoss,
  lists,
  mixed,
  normalised,
  type Pair,
  renyi,
  responses,
  reversed,
  sumOf,
} from "./losses.ts";

const ORDERS = [1.01, 1.5, 2, 4, 16, 64, 256], EPSILONS = [0.1, 0.5, 1, 2, 4];

/** The Rényi divergence of Laplace noise of scale 1/ε and a change of 1: the part between the two by quadrature. Less ε, so that exponentials are small. */
function laplaceRenyi(order: number, epsilon: number): number {
  const fall = (2 * order - 1) * epsilon;
  const middle = integral((x) => epsilon / 2 * Math.exp(-fall * x), { from: 0, to: 1 });
  return epsilon + Math.log((1 + Math.exp(-fall)) / 2 + middle) / (order - 1);
}

/** The Rényi divergence of randomised response, in the form that is published. */
const responseBound = (order: number, epsilon: number, times = 1): number =>
  epsilon -
  times / (order - 1) *
    Math.log((1 + Math.exp(-epsilon)) / (1 + Math.exp(-(2 * order - 1) * epsilon)));

/** The logarithm in the published divergence of Laplace noise. */
const laplaceBound = (order: number, epsilon: number): number =>
  (order - 1) * epsilon +
  Math.log((order + (order - 1) * Math.exp(-(2 * order - 1) * epsilon)) / (2 * order - 1));

function* byOrder(of: (order: number, epsilon: number) => Case): Generator<Case> {
  for (const epsilon of EPSILONS) for (const order of ORDERS) yield of(order, epsilon);
}

/** Scores of four candidates, and others that differ by at most 1 each. */
function* scores(): Generator<readonly [number[], number[]]> {
  const source = new SeededSource(1);
  for (let k = 0; k < 2000; k++) {
    const size = 2 + k % 5, left = Array.from({ length: size }, () => 6 * source.uniform());
    yield [left, left.map((score) => score + (source.uniform() < 0.5 ? 1 : -1))];
  }
}

const exponential = (score: readonly number[], rate: number): number[] =>
  normalised(score.map((x) => Math.exp(rate * x)));

/** The worst (ε, δ)-DP pair: it gives everything away with probability δ. */
function worstPair(epsilon: number, delta: number): Pair {
  const { p, q } = responses(epsilon);
  return {
    p: [delta, ...p.map((x) => (1 - delta) * x), 0],
    q: [0, ...q.map((x) => (1 - delta) * x), delta],
  };
}

/** Poisson samples of the worst pair, with and without the row. */
function* poisson(claimed: (rate: number, epsilon: number) => number): Generator<Case> {
  for (const epsilon of [0.5, 1, 2]) {
    for (const delta of [0, 1e-3]) {
      for (const rate of [0.1, 0.5]) {
        const { p, q } = worstPair(epsilon, delta);
        const sampled = { p: q.map((x, i) => (1 - rate) * x + rate * p[i]!), q };
        yield {
          lost: deltaOf(sampled, claimed(rate, epsilon)),
          allowed: rate * delta,
        };
      }
    }
  }
}

const choose = (n: number, k: number): number =>
  k < 0 || k > n
    ? 0
    : Array.from({ length: k }, (_, i) => (n - i) / (i + 1)).reduce((a, b) => a * b, 1);

/** The sum of `size` rows drawn without replacement, `ones` of them `value` and the others `rest`, plus Laplace noise of scale 1/ε. */
function drawn(
  { rows, ones, size, epsilon, value = 1, rest = 0 }: {
    readonly rows: number;
    readonly ones: number;
    readonly size: number;
    readonly epsilon: number;
    readonly value?: number;
    readonly rest?: number;
  },
): Density {
  return mixed(Array.from({ length: size + 1 }, (_, k) => {
    const weight = choose(ones, k) * choose(rows - ones, size - k) / choose(rows, size);
    const sum = k * value + (size - k) * rest;
    return [weight, (x) => laplaceDensity(x - sum, 1 / epsilon)];
  }));
}

/** The largest loss of two densities that are sums of Laplace densities at whole numbers: at these, or in the tails. */
const lossAtWhole = (p: Density, q: Density): number =>
  Math.max(
    ...Array.from({ length: 61 }, (_, i) => Math.abs(Math.log(p(i - 30) / q(i - 30)))),
  );

function* withoutReplacement(claimed: (share: number, epsilon: number) => number): Generator<Case> {
  for (const epsilon of [0.5, 1, 2]) {
    for (const [rows, size] of [[2, 1], [3, 2], [5, 2], [8, 3]] as const) {
      for (let ones = 0; ones < rows; ones++) {
        const p = drawn({ rows, ones, size, epsilon });
        const q = drawn({ rows, ones: ones + 1, size, epsilon });
        yield { lost: lossAtWhole(p, q), allowed: claimed(size / rows, epsilon) };
      }
    }
  }
}

/** An exponential mechanism of counts of three candidates with ε = 1, whose counts change as is said. */
function* counted(
  changes: readonly (readonly number[])[],
  { weight, allowed }: { readonly weight: (count: number) => number; readonly allowed: number },
): Generator<Case> {
  for (const counts of lists([0, 1, 2, 3, 6], 3)) {
    for (const change of changes) {
      const [p, q] = [counts, counts.map((count, i) => count + change[i]!)]
        .map((each) => normalised(each.map(weight)));
      yield { lost: largestLoss({ p: p!, q: q! }), allowed };
    }
  }
}

const ADD = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], REPLACE = [[1, -1, 0], [0, 1, -1], [-1, 0, 1]];

/** Laplace noise of one scale on all numbers: what a change of them loses. */
const laplaceVector = (change: readonly number[], scale: number): number =>
  sumOf(change.map(Math.abs)) / scale;

/** The change of the counts of bins, each by a test, between two lists of rows. */
function changed(
  rows: readonly (readonly number[])[],
  binsOf: (rows: readonly number[]) => readonly ((x: number) => boolean)[],
): number[] {
  const [left, right] = rows.map((some) => binsOf(some).map((bin) => some.filter(bin).length));
  return left!.map((count, i) => count - right![i]!);
}

const quarters = [0, 1, 2, 3].map((k) => (x: number) => x >= k && x < k + 1);

/**
 * Steps of randomised response, the answer of each to a bit of its own part, turned round by the earlier answers. Neighbours differ in one
 * part.
 */
function* adaptive(epsilons: readonly number[]): Generator<Case> {
  const outcomes = [...lists([0, 1], epsilons.length)];
  const law = (bits: readonly number[]): number[] =>
    outcomes.map((answers) =>
      answers.reduce((product, answer, i) => {
        const truth = (bits[i]! + sumOf(answers.slice(0, i))) % 2;
        return product / (1 + Math.exp(answer === truth ? -epsilons[i]! : epsilons[i]!));
      }, 1)
    );
  for (const bits of lists([0, 1], epsilons.length)) {
    for (const part of bits.keys()) {
      const other = bits.with(part, 1 - bits[part]!);
      yield {
        lost: largestLoss({ p: law(bits), q: law(other) }),
        allowed: Math.max(...epsilons),
      };
    }
  }
}

/** Parts in which a row takes part, with the ε of each. */
const together = (epsilons: readonly number[], allowed: number): () => Case[] => () => [{
  lost: sumOf(epsilons),
  allowed,
}];

/** So many exponential mechanisms of two candidates whose losses are `up` and `up − ε`. */
function boundedRange(epsilon: number, up: number, count: number): Pair {
  const other = -Math.expm1(up - epsilon) / (Math.exp(up) - Math.exp(up - epsilon));
  return biased({ truth: other * Math.exp(up), other }, count);
}

/** Claims about conversions, samples and compositions. */
export const accountingClaims: Claims = {
  1: () =>
    byOrder((order, epsilon) => ({
      lost: laplaceRenyi(order, epsilon),
      allowed: laplaceBound(order, epsilon) / (order - 1),
    })),
  2: () =>
    byOrder((order, epsilon) => ({
      lost: laplaceRenyi(order, epsilon),
      allowed: laplaceBound(order, epsilon) / order,
    })),
  3: () => asGaussian(2),
  4: () => asGaussian(1),
  // Gaussian noise keeps no ε: its δ is above 0 at any.
  *5(): Generator<Case> {
    for (const mu of [0.5, 1, 2]) {
      yield { lost: gaussianDelta(mu, Math.log(below(mu / 2) / below(-mu / 2))), allowed: 0 };
    }
  },
  // Weights exp(ε·score/2), which is what ε-DP by the general theorem means. Randomised response is an exponential mechanism too, by its ε twice this.
  *6(): Generator<Case> {
    for (const [left, right] of scores()) {
      for (const epsilon of [0.5, 2, 6]) {
        const pair = {
          p: exponential(left, epsilon / 2),
          q: exponential(right, epsilon / 2),
        };
        for (const order of ORDERS) {
          yield { lost: renyi(pair, order), allowed: order * epsilon ** 2 / 8 };
        }
      }
    }
  },
  // Two candidates with scores 0, 1 and 1, 0: the second wins with exp(−ε/2)/2.
  *7(): Generator<Case> {
    for (const epsilon of EPSILONS) {
      const lower = Math.exp(-epsilon / 2) / 2;
      const pair = { p: [1 - lower, lower], q: [lower, 1 - lower] };
      yield { lost: renyi(pair, 1.01), allowed: 1.01 * epsilon ** 2 / 8 };
    }
  },
  8: () =>
    byOrder((order, epsilon) => ({
      lost: laplaceRenyi(order, epsilon),
      allowed: responseBound(order, epsilon),
    })),
  9: () =>
    byOrder((order, epsilon) => ({
      lost: laplaceRenyi(order, epsilon),
      allowed: responseBound(order, epsilon, 2),
    })),
  // μ = 0.2 is (1, 1e-5)-DP and loses μ²·α/2.
  *10(): Generator<Case> {
    yield { lost: gaussianDelta(0.2, 1), allowed: 1e-5 };
    yield { lost: 0.02 * 256, allowed: responseBound(256, 1) + 1e-5 };
  },
  11: () =>
    byOrder((order, epsilon) => ({
      lost: renyi(responses(epsilon), order),
      allowed: order * Math.tanh(epsilon / 2) * epsilon,
    })),
  12: () =>
    byOrder((order, epsilon) => ({
      lost: laplaceRenyi(order, epsilon),
      allowed: order * epsilon * Math.expm1(epsilon) / (Math.exp(epsilon) + 2),
    })),
  13: () => poisson((rate, epsilon) => Math.log1p(rate * Math.expm1(epsilon))),
  14: () => poisson((rate, epsilon) => Math.log(1 - rate * Math.exp(epsilon) - rate)),
  // A sum of numbers −1 and 1, with one 1 more: a drawn row is replaced by it.
  *15(): Generator<Case> {
    const p = drawn({ rows: 2, ones: 0, size: 1, epsilon: 1, rest: -1 });
    const q = drawn({ rows: 3, ones: 1, size: 1, epsilon: 1, rest: -1 });
    yield { lost: lossAtWhole(p, q), allowed: Math.log1p(Math.expm1(1) / 2) };
  },
  16: () => withoutReplacement((share, epsilon) => Math.log1p(share / 2 * Math.expm1(epsilon))),
  17: () => withoutReplacement((share, epsilon) => Math.log1p(share * Math.expm1(epsilon))),
  18: () => counted(ADD, { weight: Math.exp, allowed: 1 }),
  19: () =>
    counted(ADD, {
      weight: (count) => Math.exp(Math.abs(Math.sin(Math.PI / 2 * count))),
      allowed: 1,
    }),
  20: () => counted(REPLACE, { weight: Math.exp, allowed: 1 }),
  21: () => counted(ADD, { weight: Math.exp, allowed: 1 / 2 }),
  22: () => counted(ADD, { weight: (count) => Math.exp(2 * count), allowed: 1 }),
  // Histograms: ε = 1, rows in bins.
  94: () => histogram([[0.5], [1.5]], 2),
  95: () => {
    const nested = [1, 2, 3].map((end) => (x: number) => x < end);
    const change = changed([[0.5], [3.5]], () => nested);
    return [{ lost: laplaceVector(change, 2), allowed: 1 }];
  },
  96: () => histogram([[0.5], [1.5]], 1),
  97: () => histogram([[0.5], []], 1),
  // Bins up to the mean, and above it: one row more moves four others.
  98: () => {
    const split = (rows: readonly number[]): ((x: number) => boolean)[] => {
      const mean = sumOf(rows) / rows.length;
      return [(x) => x <= mean, (x) => x > mean];
    };
    return [{
      lost: laplaceVector(changed([[0, 0, 0, 0], [0, 0, 0, 0, -1]], split), 1),
      allowed: 1,
    }];
  },
  // Of parts: one row more or less, which is in one of them.
  99: () => adaptive([0.5, 1, 0.2]),
  100: () => adaptive([0.2, 1, 0.5]),
  101: () => adaptive([0.5, 1, 0.2, 1.5]),
  102: () => adaptive([1.5, 0.3, 1, 0.2]),
  // Each answer is drawn again wherever it is written.
  103: together([1, 1, 1], 1),
  104: together([2], 1),
  105: together([1, 1], 1),
  106: together([1, 1], 1),
  // A row between others that alternate moves them all on by one place.
  107: together([1, 1, 1, 1], 1),
  120: () => composed(10, (n, epsilon, order) => [order, n * epsilon ** 2 / 2]),
  121: () => composed(10, (n, epsilon, order) => [order, Math.sqrt(n) * epsilon ** 2]),
  122: () => composed(10, (n, epsilon, order) => [order, order * n * epsilon ** 2 / 2]),
  123: () => composed(100, (n, epsilon, order) => [order, order * Math.sqrt(n) * epsilon ** 2 / 2]),
  *124(): Generator<Case> {
    for (const n of [1, 2, 5, 20, 100]) {
      for (const epsilon of [0.1, 0.5, 0.99]) {
        yield {
          lost: deltaOf(responses(epsilon / n, n), epsilon / 10),
          allowed: Math.exp(epsilon ** 2 / n - epsilon / 10 - 1),
        };
      }
    }
  },
  *125(): Generator<Case> {
    for (const n of [1, 2, 5, 20, 100, 200]) {
      for (const epsilon of [0.1, 1, 4, 10]) {
        for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
          const each = epsilon / n;
          yield {
            lost: deltaOf(boundedRange(each, share * each, n), epsilon / 16),
            allowed: Math.exp(epsilon ** 2 / (4 * n) - epsilon / 16 - 1),
          };
        }
      }
    }
  },
  // Two answers t apart in units of the noise: Φ(t) and Φ(−t). At t = 0.9 it is (1, 0.316)-DP and no better.
  126: () => {
    const pair = { p: [below(0.9), below(-0.9)], q: [below(-0.9), below(0.9)] };
    return [{ lost: deltaOf(pair, 1), allowed: Math.exp(1 / 8 - 2) }];
  },
};

/** So many randomised responses beside Gaussian noise with so many times √n·Φ⁻¹(e^ε/(1 + e^ε)). */
function* asGaussian(times: number): Generator<Case> {
  for (const n of [1, 2, 5, 20]) {
    for (const each of EPSILONS) {
      const mu = times * Math.sqrt(n) * normalTailQuantile(1 / (1 + Math.exp(each)));
      for (let at = 0; at <= 2 * n; at++) {
        const epsilon = at / 2 * each;
        yield {
          lost: deltaOf(responses(each, n), epsilon),
          allowed: gaussianDelta(mu, epsilon),
        };
      }
    }
  }
}

function* histogram(rows: readonly (readonly number[])[], scale: number): Generator<Case> {
  yield { lost: laplaceVector(changed(rows, () => quarters), scale), allowed: 1 };
}

/** So many randomised responses at all orders. */
function* composed(
  n: number,
  claim: (n: number, epsilon: number, order: number) => readonly [number, number],
): Generator<Case> {
  for (const epsilon of [0.1, 0.5, 1]) {
    for (const order of ORDERS) {
      const [at, allowed] = claim(n, epsilon, order);
      yield { lost: n * renyi(reversed(responses(epsilon)), at), allowed };
    }
  }
}
