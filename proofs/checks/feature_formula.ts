import { applyRandomFeatures, drawRandomFeatures } from "../../lib/learners/erm/random_features.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import { floatNormal } from "../../lib/random/float_normal.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused } from "../engine/requirement.ts";
import { sparseOf } from "./sparse_of.ts";

/** Features as their formula has them, of frequencies and phases as they are drawn. */
export function requireFeatures(): void {
  for (const name of ["gaussian", "laplacian"] as const) {
    for (const [gamma, inputCount, count] of [[0.4, 3, 5], [7, 1, 1], [1, 2, 40]] as const) {
      const own = new SeededSource(count).split("features");
      const same = new SeededSource(count).split("features");
      const kernel = { name, gamma };
      const features = drawRandomFeatures(own, { kernel, inputCount, count });
      // Deviation √(2γ), or γ·tan of an angle that is uniform; phases uniform in [−π, π).
      const frequencies = name === "gaussian"
        ? floatNormal(same, new Float64Array(count * inputCount), { scale: 1 })
          .map((each) => each * Math.sqrt(2 * gamma))
        : Float64Array.from(
          { length: count * inputCount },
          () => gamma * Math.tan(Math.PI * same.uniform() - Math.PI / 2),
        );
      frequencies.forEach((each, k) =>
        requireNear(features.frequencies[k]!, each, {
          relative: 1e-9,
          absolute: 1e-12,
          what: "a frequency",
        })
      );
      const phases = Float64Array.from(
        { length: count },
        () => 2 * Math.PI * same.uniform() - Math.PI,
      );
      phases.forEach((each, k) =>
        requireNear(features.phases[k]!, each, { relative: 1e-9, absolute: 1e-12 })
      );
      requireEqual([
        features.inputCount,
        features.count,
        features.kernel,
        features.frequencies.length,
      ], [
        inputCount,
        count,
        kernel,
        count * inputCount,
      ]);
      const table = [[0.5, 0, -2], [0, 3, 0], [0, 0, 0], [1, 1, 1]].map((row) =>
        row.slice(0, inputCount)
      );
      for (const rows of [denseRows(table), sparseOf(table)]) {
        const mapped = applyRandomFeatures(features, rows);
        requireEqual([mapped.rowCount, mapped.columnCount, mapped.values.length], [
          4,
          count,
          4 * count,
        ]);
        table.forEach((row, i) => {
          for (let j = 0; j < count; j++) {
            const angle = row.reduce(
              (sum, x, k) => sum + x * features.frequencies[j * inputCount + k]!,
              features.phases[j]!,
            );
            requireNear(mapped.values[i * count + j]!, Math.cos(angle) / Math.sqrt(count), {
              absolute: 1e-12,
              what: `feature ${j} of row ${i}`,
            });
          }
        });
      }
      // An angle that is no number stands for no feature.
      const endless = {
        ...features,
        frequencies: features.frequencies.map((each) => Math.sign(each) * 1e308),
      };
      requireEqual(
        [
          ...applyRandomFeatures(endless, denseRows([new Array<number>(inputCount).fill(1e10)]))
            .values,
        ],
        new Array<number>(count).fill(0),
      );
      for (const columns of [inputCount - 1, inputCount + 1]) {
        if (columns === 0) continue;
        requireRefused(
          "rows of other columns",
          () => applyRandomFeatures(features, denseRows([new Array<number>(columns).fill(1)])),
          "columns",
        );
      }
    }
  }
  const good = { kernel: { name: "gaussian", gamma: 1 } as const, inputCount: 1, count: 1 };
  drawRandomFeatures(new SeededSource(1), good);
  for (
    const wrong of [
      { kernel: { name: "gaussian", gamma: 0 } },
      { kernel: { name: "laplacian", gamma: NaN } },
      { inputCount: 0 },
      { inputCount: 1.5 },
      { count: 0 },
      { count: 1.5 },
    ] as const
  ) {
    requireRefused(
      JSON.stringify(wrong),
      () => drawRandomFeatures(new SeededSource(1), { ...good, ...wrong }),
      "draw random features",
    );
  }
}
