import { assert } from "@std/assert";
import { drawBinomial } from "../../../../lib/audit/fixed_sample/precedence_binomial.ts";
import { drawOrderStatistics } from "../../../../lib/audit/fixed_sample/precedence_null.ts";
import { logBinomialLowerTail } from "../../../../lib/numeric/binomial_tail.ts";
import { logIncompleteBeta } from "../../../../lib/numeric/incomplete_beta.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** Largest distance of an empirical distribution function from the true one at the values drawn. */
function distance(draws: Float64Array, cumulative: (x: number) => number): number {
  const sorted = draws.slice().sort();
  let largest = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (sorted[i + 1] === sorted[i]) continue;
    largest = Math.max(largest, Math.abs((i + 1) / sorted.length - cumulative(sorted[i]!)));
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
    const [n, p] of [[1, 0.3], [40, 0.1], [40, 0.9], [40, 0.3], [1000, 0.5], [1e6, 1e-6], [
      1e6,
      0.2,
    ], [1e9, 0.7]] as const
  ) {
    const source = new SeededSource("binomial").split(n).split(p);
    for (let i = 0; i < draws.length; i++) draws[i] = drawBinomial(source, n, p);
    const far = distance(draws, (k) => Math.exp(logBinomialLowerTail(k, n, p)));
    assert(far < band(draws.length), `${n} ${p}: ${far}`);
  }
});

Deno.test("drawBinomial() gives the only value possible at the ends", () => {
  const source = new SeededSource(1);
  for (
    const [n, p, value] of [[0, 0.5, 0], [5, 0, 0], [5, 1, 5], [5, -1e-18, 0], [5, NaN, 0]] as const
  ) {
    assert(drawBinomial(source, n, p) === value);
  }
});

Deno.test("drawOrderStatistics() follows the beta laws of uniform order statistics, and ascends", () => {
  const n = 300, ranks = [1, 6, 150, 300], replicates = 20_000;
  const rows = drawOrderStatistics(new SeededSource("order"), { ranks, n, replicates });
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
