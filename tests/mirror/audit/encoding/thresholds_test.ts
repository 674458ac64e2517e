import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { FeatureValues } from "../../../../lib/audit/encoding/feature_values.ts";
import * as thresholds from "../../../../lib/audit/encoding/thresholds.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const histogramThresholds = (values: Float64Array): Float64Array =>
  thresholds.histogramThresholds(new FeatureValues(values));

const pairThresholds = (values: Float64Array): Float64Array =>
  thresholds.pairThresholds(new FeatureValues(values));

/** How many of the values lie in each bin, and how often the most frequent of them. */
function binCounts(
  values: Float64Array,
  thresholds: Float64Array,
): { count: number; most: number }[] {
  const bins = Array.from({ length: thresholds.length + 1 }, () => ({ count: 0, most: 0 }));
  let last = NaN, run = 0, bin = 0;
  for (const x of values.filter((x) => !Number.isNaN(x)).sort()) {
    while (bin < thresholds.length && thresholds[bin]! < x) bin++;
    run = x === last ? run + 1 : 1;
    bins[bin]!.count++;
    bins[bin]!.most = Math.max(bins[bin]!.most, run);
    last = x;
  }
  return bins;
}

// Mutants: NaN or an infinity lost or kept, values in the order in which they came.
Deno.test("histogramThresholds() of few distinct values are the values, in order", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.integer({ min: -30, max: 30 }), fc.constantFrom(NaN, Infinity, -Infinity)),
      ),
      (values) => {
        const distinct = [...new Set(values)].filter((x) => !Number.isNaN(x));
        assertEquals(
          histogramThresholds(Float64Array.from(values)),
          Float64Array.from(distinct.sort((a, b) => a < b ? -1 : 1)),
        );
      },
    ),
    { seed: 61, numRuns: 300 },
  );
  assertEquals(histogramThresholds(new Float64Array(0)), new Float64Array(0));
  assertEquals(histogramThresholds(new Float64Array(1000).fill(NaN)), new Float64Array(0));
});

/** Many values: a continuous law, of which some are rounded to multiples of `step`, and some missing. */
function manyValues(
  n: number,
  { seed, atoms = 0, missing = 0 }: { seed: number; atoms?: number; missing?: number },
): Float64Array {
  const source = new SeededSource("thresholds").split(seed);
  return Float64Array.from({ length: n }, () => {
    if (source.uniform() < missing) return NaN;
    const x = Math.log(source.uniform()) - Math.log(source.uniform());
    return source.uniform() < atoms ? Math.round(x) : x;
  });
}

// Mutants: equal bins of the line (one of which holds most of the values), a threshold twice, NaN as a threshold.
Deno.test("histogramThresholds() of many values has no large bin but of a single value", () => {
  for (
    const [n, atoms, missing] of [[500, 0, 0], [10_000, 0.5, 0.3], [10_000, 0, 0], [
      200_000,
      0.2,
      0,
    ]] as const
  ) {
    const values = manyValues(n, { seed: n, atoms, missing });
    const thresholds = histogramThresholds(values);
    const own = new Set(values);
    thresholds.forEach((cut, k) => assert(own.has(cut) && (k === 0 || thresholds[k - 1]! < cut)));
    const present = values.filter((x) => !Number.isNaN(x)).length;
    for (const { count, most } of binCounts(values, thresholds)) {
      // 200,000 values are sampled: a few others may lie between a frequent one and the cut below.
      assert(count - most < 0.012 * present + 8, `${count} of ${present}, ${most} of them equal`);
    }
  }
});

// Mutant: quantiles alone, whose outermost bins are too coarse for rare events.
Deno.test("histogramThresholds() reaches far into both tails", () => {
  const values = manyValues(30_000, { seed: 1 });
  const bins = binCounts(values, histogramThresholds(values));
  for (const { count } of [bins[0]!, bins.at(-1)!]) assert(count <= 24, `${count} at an end`);
  // Towards an end the bins grow ever smaller, none more than half of those beyond it.
  for (const side of [bins, bins.toReversed()]) {
    let beyond = side[0]!.count;
    for (const { count } of side.slice(1, 8)) {
      assert(count <= beyond, `${count} next to ${beyond}`);
      beyond += count;
    }
  }
});

// Mutant: a repeated value as an upper threshold only: it shares its bin with the values just below.
Deno.test("histogramThresholds() gives a value that repeats often a bin of its own", () => {
  // Up to 8191 values are all looked at; of 40,000 one in nine, so that about so many may lie between the
  // repeated value and the one below it that was looked at: more than 90 with a probability below 1e-4.
  for (const [n, strangers] of [[8000, 0], [40_000, 90]] as const) {
    const values = manyValues(n, { seed: 2 });
    const source = new SeededSource("atoms");
    values.forEach((_, i) => {
      const atom = Math.floor(50 * source.uniform());
      if (atom < 3) values[i] = [0.25, Infinity, -Infinity][atom]!;
    });
    const thresholds = histogramThresholds(values);
    const bins = binCounts(values, thresholds);
    for (const atom of [0.25, -Infinity, Infinity]) {
      const own = values.filter((x) => x === atom).length;
      const { count, most } = bins[thresholds.indexOf(atom)]!;
      assertEquals(most, own);
      assert(count - own <= strangers, `${count} with ${own} times ${atom}`);
    }
    // Below the smallest value there is no other.
    assertEquals(bins[0]!.count, bins[0]!.most);
  }
});

// Mutant: a sample taken before missing values are left out, which may be of nothing else.
Deno.test("histogramThresholds() leaves missing values out, wherever they are", () => {
  const source = new SeededSource("holes");
  const present = Float64Array.from({ length: 1 << 16 }, () => source.uniform());
  for (const odd of [0, 1]) {
    const values = new Float64Array(1 << 17).fill(NaN);
    present.forEach((x, i) => values[2 * i + odd] = x);
    const thresholds = histogramThresholds(values);
    assertEquals(thresholds, histogramThresholds(present));
    assert(thresholds.length > 96 && thresholds.every((cut) => cut > 0 && cut < 1));
  }
});

// Mutants: NaN a value, one value more or less of its own, values in the order in which they came.
Deno.test("pairThresholds() of few distinct values are the values, in order", () => {
  const shuffled = (count: number): Float64Array =>
    Float64Array.from({ length: 50 * count }, (_, i) => 7 * i % count);
  for (const count of [1, 2, 24]) {
    const values = shuffled(count);
    assertEquals(pairThresholds(values), Float64Array.from(Array(count).keys()));
    // Holes are no value.
    const holed = Float64Array.from(
      { length: 2 * values.length },
      (_, i) => i % 2 === 0 ? NaN : values[i >> 1]!,
    );
    assertEquals(pairThresholds(holed), pairThresholds(values));
  }
  // Of one more they are quantiles.
  assert(pairThresholds(shuffled(25)).length < 24);
  assertEquals(
    pairThresholds(Float64Array.of(Infinity, NaN, -Infinity, 1)).join(),
    "-Infinity,1,Infinity",
  );
  assertEquals(pairThresholds(new Float64Array(0)), new Float64Array(0));
  assertEquals(pairThresholds(new Float64Array(1000).fill(NaN)), new Float64Array(0));
});

// Mutants: the bins of a histogram (far too many for a pair), quantiles without tails, tails of one
// side, tails that shrink faster than they can be learned, tails of the sample alone.
Deno.test("pairThresholds() of many values are about 12 bins, and tails that halve on either side", () => {
  for (const [n, missing] of [[2000, 0], [30_000, 0], [30_000, 0.4], [400_000, 0]] as const) {
    const values = manyValues(n, { seed: n + 1, missing });
    const thresholds = pairThresholds(values);
    thresholds.forEach((cut, k) =>
      assert(values.includes(cut) && (k === 0 || thresholds[k - 1]! < cut))
    );
    const bins = binCounts(values, thresholds);
    const present = bins.reduce((sum, { count }) => sum + count, 0);
    // Each side halves a twelfth down to 16; where the sample's tail meets the exact one it halves once more.
    const halvings = Math.log2(present / 12 / 16);
    assert(
      thresholds.length <= 11 + 2 * (halvings + 2),
      `${thresholds.length} thresholds of ${present}`,
    );
    for (const { count } of bins) assert(count < 1.4 * present / 12, `${count} of ${present}`);
    for (const side of [bins, bins.toReversed()]) {
      let beyond = 0;
      side.slice(0, Math.floor(halvings)).forEach(({ count }, k) => {
        if (k === 0) assert(count <= 32, `${count} at an end`);
        // Twice as many beyond each cut; up to four times where the two tails meet.
        else assert(count <= 3.2 * beyond, `${count} next to ${beyond}`);
        beyond += count;
      });
    }
  }
});

// Mutant: both sides of a value that repeats, as in a histogram.
Deno.test("pairThresholds() gives values that repeat no bins of their own", () => {
  const values = manyValues(8000, { seed: 3, atoms: 0.5 });
  const thresholds = pairThresholds(values);
  assertEquals(thresholds.length, new Set(thresholds).size);
  assert(thresholds.length <= 11 + 2 * (Math.log2(8000 / 12 / 16) + 2), `${thresholds.length}`);
});
