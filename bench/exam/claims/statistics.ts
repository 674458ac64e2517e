import type { Case, Claims } from "./case.ts";
import {
  integral,
  laplaceDensity,
  laplaceTail,
  largestLoss,
  lists,
  normal,
  normalised,
  type Pair,
  renyi,
  sumOf,
} from "./losses.ts";

/** Laplace noise about a number. */
interface Noisy {
  readonly mean: number;
  readonly scale: number;
}

/** ∫ |v|·f(r·v)·g(v) dv: the density of X/V at r, where X and V have the densities f and g. Between its kinks it is v times an exponential. */
function ratioDensity(r: number, [x, v]: readonly [Noisy, Noisy]): number {
  const kinks = [0, v.mean, x.mean / r].toSorted((a, b) => a - b);
  const ends = [-Infinity, ...kinks, Infinity];
  let sum = 0;
  for (const [i, to] of ends.slice(1).entries()) {
    const from = ends[i]!;
    if (!(to > from)) continue;
    const inside = from === -Infinity ? to - 1 : to === Infinity ? from + 1 : (from + to) / 2;
    const [ofX, ofV] = [Math.sign(r * inside - x.mean), Math.sign(inside - v.mean)];
    const growth = -ofX * r / x.scale - ofV / v.scale;
    const start = ofX * x.mean / x.scale + ofV * v.mean / v.scale;
    const f = (at: number): number => at * Math.exp(start + growth * at);
    const until = (at: number): number =>
      Number.isFinite(at) ? Math.exp(start + growth * at) * (at - 1 / growth) / growth : 0;
    const piece = Math.abs(growth) * (to - from) < 1e-3
      ? integral(f, { from, to, cells: 4 })
      : until(to) - until(from);
    sum += Math.abs(piece);
  }
  return sum / (4 * x.scale * v.scale);
}

const RATIOS = Array.from({ length: 61 }, (_, i) => 10 ** ((i - 30) / 10)).flatMap((r) => [-r, r]);

/** The largest loss of quotients of noisy numbers on two datasets. */
const quotientLoss = (
  left: readonly [Noisy, Noisy],
  right: readonly [Noisy, Noisy],
): number =>
  Math.max(
    ...RATIOS.map((r) => Math.abs(Math.log(ratioDensity(r, left) / ratioDensity(r, right)))),
  );

/** Of clipped means, ε = 1, C = 1: sums and counts with one row more, and noise of these scales. */
function* quotients(scales: readonly [number, number], allowed: number): Generator<Case> {
  for (const [sum, n, x] of [[0, 0, 1], [1, 1, -1], [3, 3, -1], [2, 4, 1]] as const) {
    const at = (sum: number, n: number): [Noisy, Noisy] => [
      { mean: sum, scale: scales[0] },
      { mean: n, scale: scales[1] },
    ];
    yield { lost: quotientLoss(at(sum, n), at(sum + x, n + 1)), allowed };
  }
}

/** What both noisy numbers lose together, of which the quotient is a function: changes of each by 1 at most. */
const both = (scales: readonly [number, number], allowed: number): Case[] => [{
  lost: 1 / scales[0] + 1 / scales[1],
  allowed,
}];

/** The law of a/(a + b) clipped to [0, 1], where a and b have Laplace noise of scale 1/ε: what is 0, what is 1, and the density of b/a at some points between. */
function clippedShare([a, b]: readonly [number, number], epsilon: number): number[] {
  const scale = 1 / epsilon;
  const probability = (of: (x: number) => number): number => {
    const from = Math.min(a, 0) - 40 * scale, to = Math.max(a, 0) + 40 * scale;
    const ends = [from, ...[a, 0].toSorted((x, y) => x - y), to];
    return sumOf(
      ends.slice(1).map((end, i) =>
        end > ends[i]!
          ? integral((x) => laplaceDensity(x - a, scale) * of(x), { from: ends[i]!, to: end })
          : 0
      ),
    );
  };
  const above = (y: number): number => laplaceTail(y - b, scale);
  const zero = probability((x) => x < 0 ? above(-x) : 1 - above(-x));
  const one = probability((x) => x < 0 ? above(0) - above(-x) : above(-x) - above(0));
  const noisy = [{ mean: b, scale }, { mean: a, scale }] as const;
  return [zero, one, ...RATIOS.filter((r) => r > 0).map((r) => ratioDensity(r, noisy))];
}

/** The largest loss of the clipped share. */
const shareLoss = (
  left: readonly [number, number],
  right: readonly [number, number],
  epsilon = 1,
): number => largestLoss({ p: clippedShare(left, epsilon), q: clippedShare(right, epsilon) });

/** Of clipped shares all of n rows at the upper end, and one more: what the event "0" shows of the divergence of an order, times ε = 1. */
function shareRenyi(n: number, order: number): number {
  const [p, q] = [n, n + 1].map((a) => clippedShare([a, 0], 1)[0]!);
  return renyi({ p: [p!, 1 - p!], q: [q!, 1 - q!] }, order);
}

/** Densities between the points of a dataset, on all pieces into which its and others' points cut (0, 1): the exponential mechanism of a quantile. */
function quantileDensity(
  data: readonly number[],
  cuts: readonly number[],
  { level, rate, byLength = true }: {
    readonly level: number;
    readonly rate: number;
    readonly byLength?: boolean;
  },
): number[] {
  const points = [0, ...data.toSorted((a, b) => a - b), 1];
  const target = Math.floor(level * data.length);
  const pieces = points.slice(1).map((to, k) => ({ from: points[k]!, to, k }));
  const weights = normalised(
    pieces.map(({ from, to, k }) =>
      Math.exp(-rate * Math.abs(k - target)) * (byLength ? to - from : 1)
    ),
  );
  return cuts.slice(1).map((to, i) => {
    const middle = (cuts[i]! + to) / 2;
    const at = pieces.findIndex((piece) => middle > piece.from && middle < piece.to);
    return weights[at]! / (pieces[at]!.to - pieces[at]!.from);
  });
}

const TENTHS = Array.from({ length: 11 }, (_, i) => i / 10);

function* quantiles(
  { rate, allowed, add = false }: {
    readonly rate: number;
    readonly allowed: number;
    readonly add?: boolean;
  },
): Generator<Case> {
  for (const level of [0, 0.3, 0.5, 0.9, 1]) {
    for (const size of [1, 2, 3]) {
      for (const data of lists([0.1, 0.4, 0.5, 0.9], size)) {
        for (const x of [0.1, 0.2, 0.5, 0.9]) {
          const other = add ? [...data, x] : data.with(0, x);
          const [p, q] = [data, other]
            .map((each) => quantileDensity(each, TENTHS, { level, rate }));
          yield { lost: largestLoss({ p: p!, q: q! }), allowed };
        }
      }
    }
  }
}

/** Means of up to four numbers −1, 0 and 1 in steps of 1/12, and of one more. */
function* means(of: (change: number) => Case): Generator<Case> {
  const mean = (x: readonly number[]): number => x.length === 0 ? 0 : sumOf(x) / x.length;
  for (let n = 0; n <= 4; n++) {
    for (const data of lists([-1, 0, 1], n)) {
      for (const x of [-1, 0, 1]) yield of(Math.abs(mean(data) - mean([...data, x])));
    }
  }
}

/** The difference of the logarithms of two Laplace densities of different scales, far out: it has no bound. */
const scalesLoss = (scales: readonly [number, number]): number =>
  Math.abs(1e9 / scales[0] - 1e9 / scales[1]);

/** ∫ p·ln(p/q). */
const divergence = (
  p: (x: number) => number,
  logRatio: (x: number) => number,
  range: { readonly from: number; readonly to: number },
): number => integral((x) => p(x) * logRatio(x), { ...range, cells: 300 });

/** Trimmed means of 21 zeros, and of 20 and a 1, m = 10: both are 0, with noise of scale e^−10 and 1. */
const TRIMMED = 10;

/** The density of ln|e^(3/2 + b)·a| with b normal and a of Laplace. */
const logOfProduct = (t: number): number =>
  integral((s) => normal(1.5, 1)(t - s) * Math.exp(s - Math.exp(s)), {
    from: -30,
    to: 4,
    cells: 300,
  });

/** Claims about means and quantiles; ε = 1 and C = 1. */
export const statisticsClaims: Claims = {
  72: () => both([2, 2], 1),
  73: () => means((change) => ({ lost: change, allowed: 1 })),
  // Noise of scale 10/n: the scale tells n.
  74: () => [{ lost: scalesLoss([10 / 3, 10 / 4]), allowed: 1 }],
  75: () => [{ lost: scalesLoss([2 / 3, 2 / 4]), allowed: 1 }],
  // Of a list: a row that comes in before its end is in the sum, and one at its end puts the last one in; either way the sum moves by at most C.
  76: () => both([2, 2], 1),
  77: () => quotients([2, 1], 1),
  // Points x in [0, 1] move (a, b) by (x, 1 − x).
  78: () => [{ lost: 1, allowed: 1 }],
  // A number in [1000, 1001] is not brought to [0, 1]: (a, b) moves by (1000, −999). ε = 0.1.
  79: () => [{ lost: shareLoss([0, 0], [1000, -999], 0.1), allowed: 0.1 }],
  // Numbers less their upper end: (a, b) moves by (−1, 2).
  *80(): Generator<Case> {
    for (const n of [0, 1, 2, 4]) {
      yield { lost: shareLoss([0, n], [-1, n + 2]), allowed: 1 };
    }
  },
  81: () => quotients([2, 2], 1 / 2),
  82: () => both([2, 2], 1),
  // (S + ξ)/(n + ξ) is 1 where S = n.
  83: () => [{ lost: Infinity, allowed: 1 }],
  *84(): Generator<Case> {
    for (const n of [1, 2, 4]) yield { lost: shareLoss([0, n], [1, n - 1]), allowed: 1 };
  },
  85: () => [{ lost: shareRenyi(8, 1e4), allowed: 0.8 }],
  86: () => [{
    lost: shareRenyi(8, 1e4),
    allowed: (3e8 + 11e4 + 8) / (5e8 + 6e4),
  }],
  115: () => quantiles({ rate: 1 / 2, allowed: 1 }),
  116: () => quantiles({ rate: 1 / 2, allowed: 1 / 2 }),
  117: () => quantiles({ rate: 1 / 2, allowed: 1, add: true }),
  118: () => quantiles({ rate: 1, allowed: 1 }),
  // Two points 10⁻⁶ apart.
  119: () => {
    const cuts = [0, 0.5, 0.500001, 0.9, 1];
    const [p, q] = [[0.5, 0.500001], [0.5, 0.9]].map((data) =>
      quantileDensity(data, cuts, { level: 0.5, rate: 1 / 2, byLength: false })
    );
    return [{ lost: largestLoss({ p: p!, q: q! } as Pair), allowed: 1 }];
  },
  // y = sinh(a) with a normal, and e^−10·sinh(b): dy = cosh(a) da. The divergence of order 1.01 is at least that of order 1.
  127: () => {
    const logRatio = (a: number): number => {
      const b = Math.asinh(Math.exp(TRIMMED) * Math.sinh(a));
      return (b * b - a * a) / 2 + Math.log(Math.cosh(b) / Math.cosh(a)) - TRIMMED;
    };
    return [{
      lost: divergence(normal(0, 1), logRatio, { from: -10, to: 10 }),
      allowed: 8 * 1.01,
    }];
  },
  // Scales 1 and 1/e: p²/q grows without end.
  128: () => [{ lost: Infinity, allowed: 16 }],
  129: () => [{
    lost: divergence(
      logOfProduct,
      (t) => Math.log(logOfProduct(t) / logOfProduct(t + TRIMMED)),
      { from: -12, to: 9 },
    ),
    allowed: 2 * 1.01,
  }],
};
