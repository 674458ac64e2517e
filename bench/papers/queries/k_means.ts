import { largestRho } from "../../../lib/dp/accounting/composition/zcdp.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { type DenseRows, denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleKMeans } from "../../../lib/papers/sulq/k_means.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { markdownTable } from "./markdown.ts";

type Centres = readonly (readonly number[])[];

/** Rows around so many centres, which are uniform in a part of the unit box. */
interface Blobs {
  readonly clusters: number;
  readonly columnCount: number;
  readonly rowCount: number;
  readonly deviation: number;
  readonly part: readonly [from: number, to: number];
}

const CASES: readonly Blobs[] = [
  { clusters: 5, columnCount: 8, rowCount: 1e5, deviation: 0.05, part: [0.1, 0.9] },
  { clusters: 8, columnCount: 8, rowCount: 1e5, deviation: 0.05, part: [0.1, 0.9] },
  { clusters: 8, columnCount: 8, rowCount: 1e5, deviation: 0.1, part: [0.1, 0.9] },
  { clusters: 16, columnCount: 8, rowCount: 1e5, deviation: 0.05, part: [0.1, 0.9] },
  { clusters: 8, columnCount: 8, rowCount: 1e5, deviation: 0.015, part: [0.05, 0.3] },
  { clusters: 8, columnCount: 2, rowCount: 1e5, deviation: 0.03, part: [0.1, 0.9] },
  { clusters: 8, columnCount: 8, rowCount: 1e4, deviation: 0.05, part: [0.1, 0.9] },
];

/**
 * Squared distances to the nearest centre, summed, at (1, 1e-6)-DP for a row replaced, as multiples of those of Lloyd's algorithm from the true
 * centres: with private first centres and two rounds, and with uniform ones and five.
 */
export function kMeansExperiment(source: SeededSource, { runs }: { readonly runs: number }): void {
  const rho = largestRho({ epsilon: 1, delta: 1e-6 });
  const rows = CASES.map((blobs, at) => {
    const ratios: Record<"seeded" | "uniform", number[]> = { seeded: [], uniform: [] };
    for (let run = 0; run < runs; run++) {
      const own = source.split(`${at} ${run}`);
      const { points, truth } = draw(own.split("rows"), blobs);
      const { clusters, columnCount } = blobs;
      const side = (value: number): number[] => new Array<number>(columnCount).fill(value);
      const shared = {
        points,
        clusters,
        bounds: { lower: side(0), upper: side(1) },
        relation: replaceOne,
      };
      const plain = sampleKMeans(own, { ...shared, rounds: 10, rho: 1e9, start: truth });
      const inertia = (centres: Centres): number =>
        inertiaOf(points, centres) / inertiaOf(points, plain.centres);
      const seeded = sampleKMeans(own.split("seeded"), { ...shared, rounds: 2, rho });
      ratios.seeded.push(inertia(seeded.centres));
      const uniform = own.split("uniform");
      const start = truth.map((centre) => centre.map(() => uniform.uniform()));
      ratios.uniform.push(
        inertia(sampleKMeans(uniform, { ...shared, rounds: 5, rho, start }).centres),
      );
    }
    const { clusters, columnCount, rowCount, deviation, part: [from, to] } = blobs;
    return [
      `k = ${clusters}, d = ${columnCount}, n = ${rowCount}, deviation ${deviation}, in ${from} to ${to}`,
      ...[ratios.seeded, ratios.uniform].flatMap((each) => [median(each), Math.max(...each)]),
    ];
  });
  console.log(`k-means at (1, 1e-6)-DP, ${runs} runs\n`);
  console.log(
    markdownTable(["rows", "private first centres", "worst", "uniform ones", "worst"], rows),
  );
}

function draw(
  source: SeededSource,
  { clusters, columnCount, rowCount, deviation, part: [from, to] }: Blobs,
): { readonly points: DenseRows; readonly truth: Centres } {
  const truth = Array.from(
    { length: clusters },
    () => Array.from({ length: columnCount }, () => from + (to - from) * source.uniform()),
  );
  const values = floatNormal(source, new Float64Array(rowCount * columnCount), { scale: deviation })
    .map((value, i) => {
      const centre = truth[Math.floor(i / columnCount) % clusters]!;
      return Math.min(1, Math.max(0, centre[i % columnCount]! + value));
    });
  return { points: denseRows(values, { columnCount }), truth };
}

function inertiaOf({ columnCount, values }: DenseRows, centres: Centres): number {
  let sum = 0;
  for (let from = 0; from < values.length; from += columnCount) {
    let least = Infinity;
    for (const centre of centres) {
      let distance = 0;
      for (let j = 0; j < columnCount; j++) distance += (values[from + j]! - centre[j]!) ** 2;
      least = Math.min(least, distance);
    }
    sum += least;
  }
  return sum;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
