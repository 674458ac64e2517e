import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { drawBinomial } from "../../../../../lib/judge/audit/kernel/fixed_sample/precedence_binomial.ts";
import {
  countExtremes,
  drawOrderStatistics,
  precedenceStatistic,
  rankWeights,
} from "../../../../../lib/judge/audit/kernel/fixed_sample/precedence_null.ts";
import { logBinomialLowerTail } from "../../../../../lib/core/numeric/binomial_tail.ts";
import { logIncompleteBeta } from "../../../../../lib/core/numeric/incomplete_beta.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

/**
 * Largest distance of an empirical distribution function from the true one, at the values drawn and just below them: whole
 * numbers below them by `gap`.
 */
function distance(
  draws: Float64Array,
  cumulative: (x: number) => number,
  { gap = 0 }: { gap?: number } = {},
): number {
  const sorted = draws.slice().sort(), n = sorted.length;
  let largest = 0;
  for (let i = 0; i < n; i++) {
    if (sorted[i - 1] !== sorted[i]) {
      largest = Math.max(largest, Math.abs(i / n - cumulative(sorted[i]! - gap)));
    }
    if (sorted[i + 1] !== sorted[i]) {
      largest = Math.max(largest, Math.abs((i + 1) / n - cumulative(sorted[i]!)));
    }
  }
  return largest;
}

/** Dvoretzky, Kiefer, Wolfowitz, with the constant of Massart 1990: passed with chance at most 1e-6. */
function band(count: number): number {
  return Math.sqrt(Math.log(2 / 1e-6) / (2 * count));
}

Deno.test("drawBinomial() follows the binomial law, by inversion and by rejection", () => {
  const draws = new Float64Array(20_000);
  for (
    const [n, p] of [
      [1, 0.3],
      [30, 0.3],
      [40, 0.1],
      [40, 0.9],
      [22, 0.49],
      [25, 0.45],
      [40, 0.3],
      [1000, 0.5],
      [1e6, 1e-6],
      [
        1e6,
        0.2,
      ],
      [1e9, 0.7],
    ] as const
  ) {
    const source = new SeededSource("binomial").split(n).split(p);
    for (let i = 0; i < draws.length; i++) draws[i] = drawBinomial(source, n, p);
    const below = (k: number): number => k < 0 ? 0 : Math.exp(logBinomialLowerTail(k, n, p));
    const far = distance(draws, below, { gap: 1 });
    assert(far < band(draws.length), `${n} ${p}: ${far}`);
  }
});

Deno.test("drawOrderStatistics() follows the beta laws of uniform order statistics, and ascends", () => {
  const n = 300, ranks = [1, 6, 150, 300], replicates = 20_000;
  const rows = drawOrderStatistics(new SeededSource("order"), { ranks, n, replicates });
  assertEquals(rows.length, ranks.length);
  ranks.forEach((rank, i) => {
    const far = distance(
      rows[i]!,
      (x) => Math.exp(logIncompleteBeta(x, { a: rank, b: n - rank + 1 }).lower),
    );
    assert(far < band(replicates), `${rank}: ${far}`);
  });
  for (let j = 0; j < replicates; j++) {
    assert(rows[0]![j]! < rows[1]![j]! && rows[2]![j]! < rows[3]![j]!);
  }
  // Ratio of two order statistics: U_(1)/U_(6) is Beta(1, 5) whatever n, so the joint law is right.
  const ratios = rows[0]!.map((u, j) => u / rows[1]![j]!);
  assert(distance(ratios, (x) => 1 - (1 - x) ** 5) < band(replicates));
});

/** ln P(at most j of n0 outputs rank above the k-th largest of n1 others), all n0 + n1 orders equally likely: an exact sum. */
function logNegativeHypergeometric(j: number, k: number, n1: number, n0: number): number {
  const logChoose = (n: number, r: number): number => {
    let log = 0;
    for (let i = 1; i <= r; i++) log += Math.log((n - r + i) / i);
    return log;
  };
  let sum = 0;
  for (let i = 0; i <= j; i++) {
    sum += Math.exp(
      logChoose(k - 1 + i, i) + logChoose(n1 - k + n0 - i, n0 - i) - logChoose(n1 + n0, n0),
    );
  }
  return Math.log(sum);
}

// Mutants: another step, peak or end of the quadrature; a table that begins or ends too early; no interpolation; the wrong rank.
Deno.test("precedenceStatistic() is the smallest logarithm of the chances of so few outputs, rank by rank", () => {
  for (const [n1, n0] of [[3, 5], [20, 20], [200, 60], [60, 200]] as const) {
    for (const k of [1, 2, Math.ceil(n1 / 2), n1]) {
      const weights = rankWeights(k, n1);
      assertAlmostEquals(weights.weights.reduce((sum, each) => sum + each, 0), 1, 1e-12);
      const mean = weights.us.reduce((sum, u, i) => sum + u * weights.weights[i]!, 0);
      assertAlmostEquals(mean, k / (n1 + 1), 1e-6 * k / (n1 + 1));
      const exact = (j: number): number => Math.min(0, logNegativeHypergeometric(j, k, n1, n0));
      const statistic = precedenceStatistic([weights], { allowed: (u) => u, others: n0 });
      // Mean and deviation of the negative hypergeometric law.
      const middle = n0 * k / (n1 + 1);
      const width = Math.sqrt(middle * (1 - k / (n1 + 1)) * (n0 + n1 + 1) / (n1 + 2));
      for (let j = 0; j <= n0; j++) {
        // The table is constant far below and far above, where all chances are near 1.
        const isFar = j < middle - 6 * width || j > middle + 5 * width;
        if (!isFar) assertAlmostEquals(statistic([j]), exact(j), 0.01 * Math.max(0.1, -exact(j)));
        else if (j > middle) assert(statistic([j]) > -0.01);
        if (j > 0) assert(statistic([j]) >= statistic([j - 1]));
      }
      // Where all others must be above, no table is needed.
      const all = precedenceStatistic([weights], { allowed: () => 1, others: n0 });
      assertAlmostEquals(all([n0]), 0, 1e-12);
      const both = precedenceStatistic([weights, rankWeights(1, n1)], {
        allowed: (u) => u,
        others: n0,
      });
      const alone = precedenceStatistic([rankWeights(1, n1)], { allowed: (u) => u, others: n0 });
      const far = Math.ceil(middle);
      assertEquals(both([far, n0]), Math.min(statistic([far]), alone([n0]), 0));
      assertEquals(both([n0, 0]), Math.min(statistic([n0]), alone([0]), 0));
    }
  }
});

// Larger tables have steps of several counts, between which they are interpolated.
Deno.test("precedenceStatistic() of many outputs is interpolated closely", () => {
  const n1 = 400, n0 = 20_000;
  for (const k of [1, 40, 399]) {
    const statistic = precedenceStatistic([rankWeights(k, n1)], {
      allowed: (u) => u / 2,
      others: n0,
    });
    const { us, weights } = rankWeights(k, n1);
    const middle = n0 * k / (n1 + 1) / 2;
    const width = middle * Math.sqrt((n1 + 1 - k) / (k * (n1 + 2))) + Math.sqrt(middle);
    for (const j of [-2, -1, -0.5, 0, 0.7, 2].map((s) => Math.round(middle + s * width))) {
      if (j < 0) continue;
      let sum = 0;
      us.forEach((u, i) => sum += weights[i]! * Math.exp(logBinomialLowerTail(j, n0, u / 2)));
      const log = Math.log(Math.min(1, sum));
      assert(Math.abs(statistic([j]) - log) < 0.01 * Math.max(0.1, -log), `${k} ${j}: ${log}`);
    }
  }
});

// Mutants: the chance of a rank not conditional on the one before; a strict comparison; NaN that counts for nothing.
Deno.test("countExtremes() counts configurations as extreme as the one observed, in their exact shares", () => {
  const n1 = 4, n0 = 6, ranks = [1, 3], replicates = 40_000;
  const source = new SeededSource(2401);
  const orderStatistics = drawOrderStatistics(source, { ranks, n: n1, replicates });
  const options = { orderStatistics, allowed: (u: number) => u, others: n0 };
  // All orders are equally likely: 1 or fewer of 6 above rank 3, and 0 above rank 1.
  const shareOf = (isExtreme: (counts: ArrayLike<number>) => boolean): number =>
    countExtremes(source, {
      ...options,
      statistic: (counts) => isExtreme(counts) ? -1 : 0,
      observed: -1,
    }) / replicates;
  let favourable = 0, wanted = 0, all = 0;
  for (let bits = 0; bits < 1 << (n0 + n1); bits++) {
    const own = [...Array(n0 + n1).keys()].filter((i) => (bits >> i) & 1);
    if (own.length !== n1) continue;
    const above = ranks.map((rank) => own[rank - 1]! - (rank - 1));
    all++;
    if (above[0] === 0 && above[1]! <= 1) favourable++;
    if (above[1]! <= 1) wanted++;
  }
  const near = 5 * Math.sqrt(0.25 / replicates);
  assertAlmostEquals(shareOf((c) => c[0] === 0 && c[1]! <= 1), favourable / all, near);
  assertAlmostEquals(shareOf((c) => c[1]! <= 1), wanted / all, near);
  const always = (value: number): number =>
    countExtremes(source, { ...options, statistic: () => value, observed: -1 });
  assertEquals([-2, -1, 0, NaN].map(always), [replicates, replicates, 0, replicates]);
});
