import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  countExtremes,
  precedenceStatistic,
  rankWeights,
} from "../../../../lib/audit/fixed_sample/precedence_null.ts";
import { logBinomialLowerTail } from "../../../../lib/numeric/binomial_tail.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

// Where the quadrature and the tables begin and end, and how fine they are, as is stated of them.

// Mutants: another step or centre; an end that is not 1e-12 of the peak.
Deno.test("rankWeights() has points half a standard deviation apart, as far as weights are 1e-12 of the peak", () => {
  for (const [rank, n] of [[1, 1], [1, 40], [40, 40], [6, 1000], [700, 1000], [1, 1e6]] as const) {
    const { us, weights } = rankWeights(rank, n), a = rank, b = n - rank + 1;
    const step = 0.5 * Math.sqrt(1 / a + 1 / b), centre = Math.log(a / b);
    /** Of the density of logit u, over its value at the centre. */
    const log = (t: number): number =>
      a * (t - centre) - n * Math.log1p(Math.exp(t)) - Math.log1p(Math.exp(t)) +
      (n + 1) * Math.log1p(Math.exp(centre));
    const points = [...us].map((u) => Math.log(u) - Math.log1p(-u)).sort((x, y) => x - y);
    const first = Math.round((points[0]! - centre) / step);
    points.forEach((t, i) => {
      // Near 1, where u has few digits of 1 − u, closely enough to count.
      assert(Math.abs((t - centre) / step - (first + i)) < 0.01, `${rank} of ${n}: ${t}`);
    });
    const last = first + points.length - 1;
    for (const inside of [first, last]) {
      assert(log(centre + inside * step) >= Math.log(1e-12) - 1e-6);
    }
    for (const outside of [first - 1, last + 1]) {
      assert(log(centre + outside * step) < Math.log(1e-12) + 1e-6, `${rank} of ${n}: ${outside}`);
    }
    const top = Math.max(...weights);
    us.forEach((u, i) => {
      const expected = Math.exp(log(Math.log(u) - Math.log1p(-u)));
      assertAlmostEquals(weights[i]! / top, expected, 1e-6);
    });
  }
});

/** ln p_k(j), summed over the points. */
function exactLog(
  { us, weights }: ReturnType<typeof rankWeights>,
  { allowed, others, j }: { allowed: (u: number) => number; others: number; j: number },
): number {
  let below = 0, above = 0;
  us.forEach((u, i) => {
    const p = allowed(u);
    const share = p === 1 ? Number(j >= others) : Math.exp(logBinomialLowerTail(j, others, p));
    below += weights[i]! * share;
    above += weights[i]! * (1 - share);
  });
  return below < 0.5 ? Math.log(below) : Math.log1p(-above);
}

// Mutants: a mean, a deviation or a number of counts that is another; sums of masses that begin too late or end too early.
Deno.test("precedenceStatistic() tabulates from 8 deviations below the mean to 6 above, at 256 counts about", () => {
  const times = (most: number) => (u: number): number => most * u;
  const cases: [rank: number, n: number, others: number, allowed: (u: number) => number][] = [
    [40, 400, 20_000, times(0.5)],
    [300, 400, 9_000, times(0.9)],
    [3, 50, 2000, times(0.3)],
    [1, 1000, 10, times(1)],
    [1, 1000, 40, times(0.2)],
    [400, 1000, 120, times(1)],
    [48, 50, 3000, times(1)],
    // 257 counts from the first to the last.
    [50, 100, 601, times(0.5)],
    // Chances of 0 and 1, for some of the outputs.
    [5, 10, 3000, (u) => u < 0.5 ? u : 1],
    [5, 10, 3000, (u) => u < 0.3 ? 0 : u],
    [5, 10, 60, (u) => u < 0.3 ? 0 : u > 0.7 ? 1 : u],
  ];
  for (const [rank, n, others, allowed] of cases) {
    const law = rankWeights(rank, n);
    const statistic = precedenceStatistic([law], { allowed, others });
    let mean = 0, square = 0;
    law.us.forEach((u, i) => {
      const q = allowed(u), weight = law.weights[i]!;
      mean += weight * others * q;
      square += weight * ((others * q) ** 2 + others * q * (1 - q));
    });
    const deviation = Math.sqrt(square - mean * mean);
    const first = Math.max(0, Math.floor(mean - 8 * deviation));
    const last = Math.min(others, Math.ceil(mean + 6 * deviation));
    const step = Math.max(1, Math.ceil((last - first) / 256));
    const knots = Math.floor((last - first) / step) + 1;
    const at = `${rank} of ${n}, ${others}`;
    for (let k = 0; k <= knots; k++) {
      const j = first + k * step, found = statistic([j]);
      const exact = exactLog(law, { allowed, others, j: Math.min(j, others) });
      // Masses are left out from 10 deviations on.
      if (exact < -40) assert(found < -38, `${at}: ${found}, not ${exact} at ${j}`);
      else assertAlmostEquals(found, exact, 1e-8 * Math.max(0.001, -exact), `${at}: ${j}`);
      if (k === knots) continue;
      const next = statistic([j + step]);
      for (const part of [1, Math.floor(step / 2), step - 1]) {
        if (part < 1) continue;
        const between = found + (part / step) * (next - found);
        assertAlmostEquals(statistic([j + part]), between, 1e-12 * (1 - found), `${at}: ${j}`);
      }
    }
    if (first > 0) assertEquals(statistic([first - 1]), statistic([first]), at);
    const end = first + knots * step;
    if (end < others) assertEquals(statistic([end + 1]), statistic([end]), at);
  }
});

// Mutants: a logarithm of 0; a first value above all logarithms.
Deno.test("precedenceStatistic() is at least the logarithm of 1e-300, and 0 of no ranks", () => {
  const allowed = (u: number): number => 0.5 + u / 2;
  const statistic = precedenceStatistic([rankWeights(1, 1)], { allowed, others: 10_000 });
  assertEquals(statistic([0]), Math.log(1e-300));
  assertEquals(precedenceStatistic([], { allowed, others: 5 })([]), 0);
});

// Mutant: a curve that is rounded downwards between two ranks, after which the next one gets outputs anew.
Deno.test("countExtremes() gives no outputs to a rank whose chance is not above those before", () => {
  const rows = [0.1, 0.2, 0.3].map((u) => new Float64Array(2000).fill(u));
  const chances = new Map([[0.1, 0.5], [0.2, 0.2], [0.3, 0.5]]);
  const extremes = countExtremes(new SeededSource(2402), {
    orderStatistics: rows,
    allowed: (u) => chances.get(u)!,
    others: 8,
    statistic: (counts) => counts[0] === counts[1] && counts[1] === counts[2] ? 0 : -1,
    observed: -1,
  });
  assertEquals(extremes, 0);
});
