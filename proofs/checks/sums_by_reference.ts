import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import type { LabelledRow } from "../../lib/learners/erm/mechanism.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import type { KMeansOptions, sampleKMeans } from "../../lib/learners/sulq/k_means.ts";
import { nearestSums } from "../../lib/learners/sulq/k_means_sums.ts";
import type { samplePerceptron } from "../../lib/learners/sulq/perceptron.ts";
import { sampleSulq } from "../../lib/learners/sulq/sulq_database.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear } from "../engine/requirement.ts";
import { presetNoise } from "./preset_noise.ts";

/** Rounds of private k-means with their noise in hand: noisy numbers and sums of the points that are nearest to each centre. */
export function requireClusters(sample: typeof sampleKMeans, source: SeededSource): void {
  const below = (n: number): number => Math.floor(source.uniform() * n);
  for (let k = 0; k < 40; k++) {
    const d = 1 + below(3), clusters = 1 + below(3), rounds = 1 + below(3), n = 10 + below(60);
    const lower = Array.from({ length: d }, () => 4 * source.uniform() - 2);
    const upper = lower.map((least) => least + 0.5 + 3 * source.uniform());
    const rows = Array.from(
      { length: n },
      () => lower.map((least, j) => least + (upper[j]! - least) * (1.4 * source.uniform() - 0.2)),
    );
    const start = k % 4 === 3
      ? undefined
      : Array.from({ length: clusters }, () =>
        lower.map((least, j) => least + (upper[j]! - least) * source.uniform()));
    const options: KMeansOptions = {
      clusters,
      rounds,
      // Two deviations of a number: some 2, 8 or 40 rows.
      rho: rounds * (1 + d) / [2, 32, 800][k % 3]!,
      bounds: { lower, upper },
      relation: k % 2 === 0 ? replaceOne : addRemoveOne,
      ...(start === undefined ? {} : { start }),
    };
    // Where steps are fine, numbers stop at 8 and sums at 8 halves.
    const steps = k % 5 === 4 ? 2 ** 49 : 2 ** 16, most = 2 ** 52 / steps;
    const prepared = presetNoise(steps, () => Math.round((source.uniform() - 0.5) * 4 * steps));
    const own = new SeededSource(k).split("clusters"), same = new SeededSource(k).split("clusters");
    const found = sample(own, { ...options, points: denseRows(rows), prepared });
    // In units of the box around its middle.
    const scaled = (row: readonly number[]): number[] =>
      row.map((x, j) => Math.min(1, Math.max(0, (x - lower[j]!) / (upper[j]! - lower[j]!))) - 0.5);
    const points = rows.map((row) => scaled(row).map((x) => Math.round(x * steps) / steps));
    let at = 0;
    const noise = (): number => prepared.drawn[at++]! / steps;
    let centres = start === undefined
      ? Array.from({ length: clusters }, () => lower.map(() => same.uniform() - 0.5))
      : start.map(scaled);
    let counts: number[] = [];
    const deviation = Math.sqrt(found.calibration.variance);
    for (let round = 0; round < rounds; round++) {
      const nearest = points.map((point) => {
        const distances = centres.map((centre) =>
          centre.reduce((sum, c, j) => sum + (c - point[j]!) ** 2, 0)
        );
        return distances.indexOf(Math.min(...distances));
      });
      counts = [];
      centres = centres.map((centre, c) => {
        const own = points.filter((_, i) => nearest[i] === c);
        const count = Math.min(most, own.length) + noise();
        counts.push(count);
        const sums = centre.map((_, j) =>
          own.reduce((sum, p) => Math.max(-most, Math.min(most, sum + p[j]!)), 0) + noise()
        );
        return count > 2 * deviation
          ? sums.map((sum) => Math.min(0.5, Math.max(-0.5, sum / count)))
          : centre;
      });
    }
    requireEqual(at, prepared.drawn.length, "draws");
    found.counts.forEach((count, c) =>
      requireNear(count, counts[c]!, { absolute: 1e-9, what: `count ${c} of run ${k}` })
    );
    found.centres.forEach((centre, c) =>
      centre.forEach((x, j) =>
        requireNear(x, lower[j]! + (upper[j]! - lower[j]!) * (centres[c]![j]! + 0.5), {
          absolute: 1e-6,
          what: `centre ${c} of run ${k}`,
        })
      )
    );
  }
  // Sums that would be inexact stop, in both directions, point by point.
  const far = 2 ** 51, steps = Float64Array.of(far, -far, far, -far, far, -far, -far, far);
  const sums = nearestSums({ columnCount: 2, steps }, {
    centres: Float64Array.of(0, 0),
    out: new Float64Array(3),
  });
  requireEqual([...sums], [4, 2 ** 52 - far, -(2 ** 52) + far]);
  // The first of centres that are equally near.
  const ends = nearestSums({ columnCount: 1, steps: Float64Array.of(0, 3) }, {
    centres: Float64Array.of(-1, 1, 2, 4),
    out: new Float64Array(8).fill(7),
  });
  requireEqual([...ends], [1, 0, 0, 0, 1, 3, 0, 0]);
}

/** The perceptron with its noise in hand. */
export function requirePerceptrons(sample: typeof samplePerceptron, source: SeededSource): void {
  for (let k = 0; k < 40; k++) {
    const d = 1 + k % 3, rounds = 1 + k % 4, n = 20 + k;
    const data = Array.from({ length: n }, (): LabelledRow => {
      const features = Array.from({ length: d }, () => 2.6 * source.uniform() - 1.3);
      return { features, label: features[0]! + 0.3 * (source.uniform() - 0.5) > 0 ? 1 : -1 };
    });
    const steps = 2 ** 20, wide = k % 5 === 4 ? 2 ** 48 : steps;
    const prepared = presetNoise(wide, () => Math.round((source.uniform() - 0.5) * 3 * wide));
    const options = {
      columnCount: d,
      rounds,
      rho: [0.5, 1e-2, 50][k % 3]!,
      ...(k % 2 === 0 ? { tolerance: k % 7 } : {}),
    };
    const { weights, calibration, claim } = sample(source, {
      ...options,
      data,
      prepared,
    });
    const tolerance = options.tolerance ?? 2 * Math.sqrt(calibration.variance);
    requireEqual(claim.rho, options.rho);
    let at = 0, stated = new Array<number>(d).fill(0);
    const ask = (of: (row: LabelledRow) => number): number => {
      const sum = data.reduce((sum, row) => Math.min(2 ** 52, sum + Math.round(of(row) * wide)), 0);
      return (sum + prepared.drawn[at++]!) / wide;
    };
    const held = (x: number): number => Math.min(1, Math.max(-1, x));
    for (let round = 0; round < rounds; round++) {
      const at0 = stated;
      const wrong = ({ features, label }: LabelledRow): boolean =>
        label * features.reduce((sum, x, j) => sum + held(x) * at0[j]!, 0) <= 0;
      const count = ask((row) => wrong(row) ? 1 : 0);
      if (count <= tolerance) break;
      stated = at0.map((w, j) =>
        w +
        (2 * ask((row) => wrong(row) ? (1 + row.label * held(row.features[j]!)) / 2 : 0.5) - n) /
          count
      );
    }
    requireEqual(at, prepared.drawn.length, `draws of run ${k}`);
    weights.forEach((w, j) =>
      requireNear(w, stated[j]!, { absolute: 1e-6, what: `weight ${j} of run ${k}` })
    );
  }
  // A number of wrong rows that is the tolerance ends it; one above does not.
  const row = { features: [1, -0.5], label: 1 };
  for (const [tolerance, weights] of [[3, [0, 0]], [2, [1, -0.5]]] as const) {
    requireEqual(
      sample(source, {
        data: [row, row, row],
        columnCount: 2,
        rounds: 1,
        rho: 1,
        tolerance,
        prepared: presetNoise(2 ** 20, () => 0),
      }).weights,
      weights,
    );
  }
  // Rows that are not rows say nothing, and those beyond [−1, 1] are held to it.
  const odd: unknown[] = [
    { features: [9, -9], label: 1 },
    { features: [1, 1], label: 0 },
    { features: [1, 1], label: 2 },
    { features: [1, NaN], label: 1 },
    { features: [1], label: 1 },
    { label: 1 },
    null,
    { features: [Infinity, -Infinity], label: -1 },
    { features: [1, 1], label: "1" },
  ];
  const { weights } = sample(source, {
    data: odd as LabelledRow[],
    columnCount: 2,
    rounds: 1,
    rho: 1,
    tolerance: 0,
    prepared: presetNoise(2 ** 20, () => 0),
  });
  requireEqual(weights.map((w) => w + 0), [0, 0], "what rows that are no rows add");
  // Sums of a database stop where doubles would be inexact.
  for (const [steps, stop] of [[2 ** 50, 4], [2 ** 51, 2]] as const) {
    const database = sampleSulq(source, {
      variance: 1,
      queries: 2,
      relation: addRemoveOne,
      data: new Array<number>(9).fill(1),
      prepared: presetNoise(steps, () => 0),
    });
    requireEqual([database.ask((x) => x), database.ask((x) => x / 16)], [stop, 9 / 16]);
  }
}
