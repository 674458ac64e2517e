import { assert } from "@std/assert";
import { pbinom } from "lib-r-math.js";
import { binIndex, countBins } from "../../lib/judge/audit/model/encoding/bin_index.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { chiSquare, type Law } from "../core/random/goodness_of_fit.ts";
import { type Sampler, SAMPLERS } from "../core/random/sampler_laws.ts";
import { LONG } from "../long.ts";

// 7 samplers with 13 checks each at level 1e-5: false alarms 0.1% in all.

/** Every check accepts when its p-value is above this. */
const FALSE_ALARM = 1e-5;
const DRAWS = 1e9, BLOCK = 1 << 16;

/** Probabilities of tails; between the outermost thresholds for Pearson's statistic every cell has at least 1e-5. */
const TAILS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3];
const FIRST_CELL = TAILS.indexOf(1e-5);
const LOWER = [...TAILS, ...Array.from({ length: 100 }, (_, i) => (i + 1) / 200)];

/** Draws in each cell between the quantiles of a law at {@linkcode LOWER}, and at 1 less these. */
function cellCounts(sample: Sampler, { law, name }: { law: Law; name: string }): Float64Array {
  const edges = Float64Array.of(
    ...LOWER.map((p) => law.quantile(p, true)),
    ...LOWER.slice(0, -1).toReversed().map((p) => law.quantile(p, false)),
  );
  const source = new SeededSource("fit at scale").split(name), index = binIndex(edges);
  const counts = new Float64Array(edges.length + 2), block = new Float64Array(BLOCK);
  for (let left = DRAWS; left > 0; left -= BLOCK) {
    const some = block.subarray(0, Math.min(BLOCK, left));
    countBins(index, sample(source, some), some.length, counts);
  }
  assert(counts.at(-1) === 0, "no draw is NaN");
  return counts.subarray(0, -1);
}

/** P-values: of Pearson's statistic on cells of 1e-5 and more, and of the count beyond the end of each tail. */
function pValues(counts: Float64Array): Record<string, number> {
  const cells = LOWER.map((p, i) => p - (LOWER[i - 1] ?? 0));
  const probabilities = [...cells, ...cells.toReversed()];
  const merged = (values: ArrayLike<number>): number[] => {
    const all = Array.from(values), end = all.length - FIRST_CELL - 1;
    const sum = (some: number[]): number => some.reduce((a, b) => a + b, 0);
    return [
      sum(all.slice(0, FIRST_CELL + 1)),
      ...all.slice(FIRST_CELL + 1, end),
      sum(all.slice(end)),
    ];
  };
  const expected = merged(probabilities.map((p) => p * DRAWS));
  const found: Record<string, number> = { cells: chiSquare(merged(counts), expected) };
  for (const [side, own] of Object.entries({ lower: counts, upper: counts.toReversed() })) {
    let beyond = 0;
    TAILS.forEach((p, i) => {
      beyond += own[i]!;
      found[`${side} ${p}`] = twoSidedTail(beyond, p);
    });
  }
  return found;
}

/** Twice the smaller tail of the binomial law of the draws beyond a quantile. */
function twoSidedTail(hits: number, p: number): number {
  const most = pbinom(hits, DRAWS, p), least = pbinom(hits - 1, DRAWS, p, false);
  return Math.min(1, 2 * Math.min(most, least));
}

for (const { name, sample, law } of SAMPLERS) {
  Deno.test({
    name: `${name}() fits R's distribution at 10⁹ draws, tails to 1e-8 included`,
    ignore: !LONG,
    fn(): void {
      const counts = cellCounts(sample, { law, name }), found = pValues(counts);
      const least = Object.entries(found).reduce((a, b) => b[1] < a[1] ? b : a);
      const beyond = `${counts[0]} below, ${
        counts.at(-1)
      } above the quantiles at 1e-8, 10 expected`;
      console.log(
        `${name}: cells ${found["cells"]}; least p-value ${least[1]} (${least[0]}); ${beyond}`,
      );
      assert(least[1] > FALSE_ALARM, JSON.stringify(found));
      // What it sees: a tail beyond 1e-6 that is left out or doubled, and 0.02% of all draws in a neighbouring cell.
      for (const change of [(x: number) => 0 * x, (x: number) => 2 * x]) {
        const tail = counts.map((count, i) => i < 3 ? change(count) : count);
        assert(Object.values(pValues(tail)).some((p) => p < FALSE_ALARM));
      }
      const moved = counts.slice(), at = moved.length >> 1;
      moved[at]! += 2e5;
      moved[at + 1]! -= 2e5;
      assert(pValues(moved)["cells"]! < FALSE_ALARM);
    },
  });
}
