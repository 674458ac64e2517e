import { assert, assertEquals } from "@std/assert";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { kMeansSquaredSensitivity, sampleKMeans } from "../../../lib/papers/sulq/k_means.ts";
import { seedCentres, seedingCells } from "../../../lib/papers/sulq/k_means_seeding.ts";
import { placeSums } from "../../../lib/papers/sulq/k_means_sums.ts";
import { sulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { below, pick } from "../../sweeps/draws.ts";
import { LONG } from "../../long.ts";
import { box } from "./k_means_cases.ts";

const HALF = 512;

/** The exact records of every release, where what comes out of each is what a script says, whatever the data are. */
function exactRecords(
  steps: readonly number[],
  { columnCount, seed }: { columnCount: number; seed: number },
): number[][] {
  const records: number[][] = [], script = new SeededSource(seed).split("script");
  const points = { columnCount, steps: Float64Array.from(steps) };
  seedCentres(new SeededSource(seed), {
    points,
    clusters: 2,
    half: HALF,
    deviation: 1,
    release: (placeOf, count) => {
      const out = new Float64Array(count * (columnCount + 1));
      records.push([...placeSums(points, { placeOf, out })]);
      // Some large counts, so that cells are cut, and means anywhere.
      return out.map((_, i) =>
        i % (columnCount + 1) === 0 ? 200 * script.uniform() ** 8 : 2e5 * (script.uniform() - 0.5)
      );
    },
  });
  return records;
}

// Given equal outputs of all releases before, each moves by no more than a round of Lloyd's algorithm. Mutants: rows of a cell that is not cut
// counted in a new one; a row in the cells of two parents; cells that are cut at the means of their own rows.
Deno.test("a row moves each release for the first centres by at most what a round is charged for, whatever came out before", () => {
  const source = new SeededSource(4701);
  const most = { add: 0, replace: 0 };
  let deep = 0;
  for (let trial = 0; trial < (LONG ? 150 : 50); trial++) {
    const columnCount = 1 + below(source, 6), seed = below(source, 1000);
    const row = (): number[] =>
      Array.from({ length: columnCount }, () => pick(source, [-HALF, HALF, 0, 17, -300]));
    const rest = Array.from({ length: below(source, 6) }, row).flat();
    const one = row(), other = pick(source, [row(), one.map((value) => -value)]);
    const of = (steps: readonly number[]): number[][] => exactRecords(steps, { columnCount, seed });
    const [first, second, without] = [[...one, ...rest], [...other, ...rest], rest].map(of);
    for (
      const [key, relation, changed] of [["replace", replaceOne, second], [
        "add",
        addRemoveOne,
        without,
      ]] as const
    ) {
      const allowed = kMeansSquaredSensitivity({ clusters: 2, bounds: box(columnCount), relation });
      first!.forEach((records, at) => {
        assertEquals(records.length, changed![at]!.length);
        // Counts in rows, sums in sides of the box.
        const moved = records.reduce(
          (sum, value, i) =>
            sum + ((value - changed![at]![i]!) / (i % (columnCount + 1) === 0 ? 1 : 2 * HALF)) ** 2,
          0,
        );
        assert(moved <= allowed, `${moved} of ${allowed} in release ${at}`);
        most[key] = Math.max(most[key], moved / allowed);
        if (at > 1 && moved > 0) deep++;
      });
    }
    assertEquals(first!.length, seedingCells(columnCount).length);
    assert(
      first!.every((records, at) =>
        records.length <= seedingCells(columnCount)[at]! * (columnCount + 1)
      ),
    );
  }
  assertEquals(most, { add: 1, replace: 1 });
  assert(deep > (LONG ? 20 : 6), `${deep}`);
});

// In 8 columns the cells are 1 and 2⁸, whatever the data are. Mutant: releases for the first centres without noise.
Deno.test("as many numbers get noise as the calibration counts, those for the first centres included", () => {
  let filled = 0;
  const noise = {
    ...sulqNoise({ variance: 100 }).noise,
    fill: (_: unknown, out: Float64Array): Float64Array => {
      filled += out.length;
      return out;
    },
  };
  const { calibration } = sampleKMeans(new SeededSource(4703), {
    points: denseRows(Array.from({ length: 50 }, (_, i) => new Array<number>(8).fill(i / 50))),
    clusters: 3,
    rounds: 2,
    rho: 1,
    bounds: box(8),
    relation: replaceOne,
    prepared: { stepsPerUnit: 1024, noise },
  });
  assertEquals([filled, calibration.queries], [(1 + 256 + 2 * 3) * 9, (1 + 256 + 2 * 3) * 9]);
});

// A seeded case: (1, 1e-6)-DP by ρ = 0.0243. Mutants: starts uniform in the box (2.2 to 15 times the inertia); cells that are not weighted.
Deno.test("private first centres find clusters wherever they lie in the box", () => {
  for (
    const [columnCount, low, high, scale] of [[8, 0.1, 0.9, 0.05], [2, 0.1, 0.9, 0.02], [
      8,
      0.1,
      0.3,
      0.01,
    ]] as const
  ) {
    const source = new SeededSource(4702), clusters = 5, rowCount = 20_000;
    const truth = Array.from(
      { length: clusters },
      () => Array.from({ length: columnCount }, () => low + (high - low) * source.uniform()),
    );
    const values = floatNormal(source, new Float64Array(rowCount * columnCount), { scale });
    for (let i = 0; i < values.length; i++) {
      values[i]! += truth[Math.floor(i / columnCount) % clusters]![i % columnCount]!;
    }
    const inertia = (centres: readonly (readonly number[])[]): number => {
      let sum = 0;
      for (let i = 0; i < rowCount; i++) {
        sum += Math.min(
          ...centres.map((centre) =>
            centre.reduce((all, value, j) => all + (value - values[i * columnCount + j]!) ** 2, 0)
          ),
        );
      }
      return sum;
    };
    const ratios = [1, 2, 3].map((seed) => {
      const { centres } = sampleKMeans(new SeededSource(seed), {
        points: denseRows(values, { columnCount }),
        clusters,
        rounds: 2,
        rho: 0.1,
        bounds: box(columnCount),
        relation: replaceOne,
      });
      return inertia(centres) / inertia(truth);
    });
    const median = ratios.toSorted((a, b) => a - b)[1]!;
    assert(median < 1.5, `${ratios} in ${columnCount} columns`);
  }
});
