import { assert } from "@std/assert";
import {
  type LabelledData,
  loadLabelled,
  runOnce,
  type RunResult,
  type Setting,
} from "../../../bench/papers/null_space/experiment.ts";
import { featureMatrix } from "../../../lib/papers/null_space/feature_matrix.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** Eight features, four labels that are signs of random combinations of them with noise. */
function synthetic(source: SeededSource): LabelledData {
  const rows = 400, columns = 8, labels = 4;
  const normals = (count: number): Float64Array => floatNormal(source, new Float64Array(count));
  const features = { rows, columns, values: normals(rows * columns) };
  const weights = normals(labels * columns), noise = normals(rows * labels);
  return {
    name: "synthetic",
    features,
    labels: featureMatrix(
      Array.from({ length: rows }, (_, row) =>
        Array.from({ length: labels }, (_, label) => {
          let sum = noise[row * labels + label]!;
          for (let i = 0; i < columns; i++) {
            sum += weights[label * columns + i]! * features.values[row * columns + i]!;
          }
          return Math.sign(sum);
        })),
    ),
  };
}

function setting(desired: number, { laplace = false }: { laplace?: boolean } = {}): Setting {
  return { desired, epsilon: 0.01, amplitudes: "inner-product", laplace };
}

function assertOrderings({ utilityError, worstDeviation, unattacked, attacked }: RunResult): void {
  assert(worstDeviation <= 1e-9, `${worstDeviation}`);
  assert(unattacked.privacyError > 10 * utilityError);
  assert(attacked.privacyError > utilityError);
}

Deno.test("runOnce() finds the paper's orderings when data are synthetic", () => {
  const source = new SeededSource(3);
  const settings = [setting(1, { laplace: true }), setting(2, { laplace: true })];
  for (const result of runOnce(source, { data: synthetic(source), settings })) {
    assertOrderings(result);
    assert(result.attacked.privacyError > result.laplace!.attacked.privacyError);
    assert(result.attacked.labelError > result.laplace!.attacked.labelError);
    assert(result.attacked.completePrivacy > result.laplace!.attacked.completePrivacy);
  }
});

const scene = new URL("../../../shared/data/scene/scene.csv.gz", import.meta.url);
const present = await Deno.stat(scene).then(() => true, () => false);

Deno.test({
  name: `runOnce() finds the paper's orderings on scene${
    present ? "" : " (SKIPPED: no data here)"
  }`,
  ignore: !present,
  async fn(): Promise<void> {
    const data = await loadLabelled(scene.pathname, {
      name: "scene",
      labels: 6,
      scale: (label) => 2 * label - 1,
    });
    const settings = [1, 3, 5].map((desired) => setting(desired));
    for (const result of runOnce(new SeededSource(2017), { data, settings })) {
      assertOrderings(result);
    }
  },
});
