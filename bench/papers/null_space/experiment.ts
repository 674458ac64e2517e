import type { Source } from "../../../lib/core/mechanism/source.ts";
import {
  columnMeans,
  type FeatureMatrix,
  featureMatrix,
  featureRows,
} from "../../../lib/papers/null_space/feature_matrix.ts";
import { addLaplaceNoise } from "../../../lib/papers/null_space/laplace_noise.ts";
import { leastSquares } from "../../../lib/papers/null_space/least_squares.ts";
import {
  applyFirstStage,
  type LinearFirstStage,
  linearFirstStage,
} from "../../../lib/papers/null_space/linear_first_stage.ts";
import { type Amplitudes, nullSpaceCleaner } from "../../../lib/papers/null_space/null_space.ts";
import { completePrivacy, squaredErrors } from "../../../lib/papers/null_space/privacy_measures.ts";
import { refitAttack } from "../../../lib/papers/null_space/refit_attack.ts";

/** The rows with these indices, in this order, as a block of their own. */
function selectRows(
  { columns, values }: FeatureMatrix,
  indices: readonly number[],
): FeatureMatrix {
  const chosen = new Float64Array(indices.length * columns);
  indices.forEach((index, row) => {
    chosen.set(values.subarray(index * columns, (index + 1) * columns), row * columns);
  });
  return { rows: indices.length, columns, values: chosen };
}

/** A data set with several labels a row. */
export interface LabelledData {
  readonly name: string;
  readonly features: FeatureMatrix;
  readonly labels: FeatureMatrix;
}

/** Reads a gzipped table of numbers with a header: features first, then `labels` columns of labels. */
export async function loadLabelled(
  path: string,
  { name, labels, scale }: {
    readonly name: string;
    readonly labels: number;
    readonly scale: (label: number) => number;
  },
): Promise<LabelledData> {
  const file = await Deno.open(path);
  const text = await new Response(file.readable.pipeThrough(new DecompressionStream("gzip")))
    .text();
  const rows = text.trimEnd().split("\n").slice(1).map((line) => line.split(",").map(Number));
  return {
    name,
    features: featureMatrix(rows.map((row) => row.slice(0, -labels))),
    labels: featureMatrix(rows.map((row) => row.slice(-labels).map(scale))),
  };
}

/** Success of an adversary, averaged over test rows and confidential labels. */
export interface Reached {
  /** Squared distance from the prediction that the whole features give. */
  readonly privacyError: number;
  /** Squared distance from the labels themselves. */
  readonly labelError: number;
  /** Share of labels predicted worse than from the mean feature vector. */
  readonly completePrivacy: number;
}

/** One run: a random split, random desired labels. */
export interface RunResult {
  readonly utilityError: number;
  /** Largest |e_utility − min(ε, all there is)| of any training or test row. */
  readonly worstDeviation: number;
  /** The adversary uses the predictor for whole features. */
  readonly unattacked: Reached;
  /** The adversary has learned from cleaned rows. */
  readonly attacked: Reached;
  /** Laplace noise in place of cleaning, if asked for. */
  readonly laplace?: {
    readonly utilityError: number;
    readonly unattacked: Reached;
    readonly attacked: Reached;
  };
}

/** One row of a table. */
export interface Setting {
  /** N_d, the number of desired labels. */
  readonly desired: number;
  readonly epsilon: number;
  readonly amplitudes: Amplitudes;
  /** True if the Laplace baseline runs too. */
  readonly laplace: boolean;
}

/** All settings on one random split: 90% of the rows to fit, the rest to test. */
export function runOnce(
  source: Source,
  { data, settings, intercept = false }: {
    readonly data: LabelledData;
    readonly settings: readonly Setting[];
    /** Whether the predictors have a constant. The paper's are linear operators, without one. */
    readonly intercept?: boolean;
  },
): RunResult[] {
  const order = permutation(source.split("rows"), data.features.rows);
  const cut = Math.floor(0.9 * order.length);
  const train = select(data, order.slice(0, cut)), test = select(data, order.slice(cut));
  const fit = leastSquares(train.features, { targets: train.labels, intercept });
  const labelOrder = permutation(source.split("labels"), data.labels.columns);
  return settings.map((setting, index) =>
    measure(source.split(`noise ${index}`), { train, test, fit, labelOrder, setting })
  );
}

interface Split {
  readonly train: LabelledData;
  readonly test: LabelledData;
  readonly fit: LinearFirstStage;
  readonly labelOrder: readonly number[];
  readonly setting: Setting;
}

function measure(source: Source, { train, test, fit, labelOrder, setting }: Split): RunResult {
  const { desired: count, epsilon, amplitudes } = setting;
  const outputs = (indices: readonly number[]): LinearFirstStage =>
    linearFirstStage(selectRows(fit.weights, indices), {
      bias: indices.map((index) => fit.bias[index]!),
    });
  const hidden = labelOrder.slice(count);
  const desired = outputs(labelOrder.slice(0, count)), confidential = outputs(hidden);
  const secrets = { train: columns(train.labels, hidden), test: columns(test.labels, hidden) };
  const reference = applyFirstStage(confidential, test.features);
  const mean = columnMeans(train.features);
  const fromMean =
    applyFirstStage(confidential, { rows: 1, columns: mean.length, values: mean }).values;
  const reached = (adversary: LinearFirstStage, features: FeatureMatrix): Reached => {
    const predictions = applyFirstStage(adversary, features);
    return {
      privacyError: average(squaredErrors(predictions, { reference })) / hidden.length,
      labelError: average(squaredErrors(predictions, { reference: secrets.test })) / hidden.length,
      completePrivacy: completePrivacy(predictions, { labels: secrets.test, fromMean }),
    };
  };
  const utilityErrors = (before: FeatureMatrix, after: FeatureMatrix): Float64Array =>
    squaredErrors(applyFirstStage(desired, after), { reference: applyFirstStage(desired, before) });

  const cleaner = nullSpaceCleaner(desired, { confidential, amplitudes });
  const cleaned = cleaner.clean(test.features, { epsilon });
  // Cleaned rows lie in the span of the basis: the adversary's regression needs its coordinates only.
  const basis = linearFirstStage(cleaner.spectrum.basis);
  const attacker = refitAttack(train.features, {
    labels: secrets.train,
    clean: (rows) => applyFirstStage(basis, cleaner.clean(rows, { epsilon })),
  });
  const worstDeviation = Math.max(...[train.features, test.features].map((rows) => {
    const total = cleaner.removable(rows);
    return utilityErrors(rows, cleaner.clean(rows, { epsilon })).reduce(
      (worst, error, row) => Math.max(worst, Math.abs(error - Math.min(epsilon, total[row]!))),
      0,
    );
  }));
  const result = {
    utilityError: average(utilityErrors(test.features, cleaned)),
    worstDeviation,
    unattacked: reached(confidential, cleaned),
    attacked: reached(attacker, applyFirstStage(basis, cleaned)),
  };
  if (!setting.laplace) return result;

  const noisy = addLaplaceNoise(source.split("test"), {
    features: test.features,
    stage: desired,
    epsilon,
  });
  const noiseAttacker = refitAttack(train.features, {
    labels: secrets.train,
    clean: (features) =>
      addLaplaceNoise(source.split("train"), { features, stage: desired, epsilon }),
  });
  return {
    ...result,
    laplace: {
      utilityError: average(utilityErrors(test.features, noisy)),
      unattacked: reached(confidential, noisy),
      attacked: reached(noiseAttacker, noisy),
    },
  };
}

function select(data: LabelledData, rows: readonly number[]): LabelledData {
  return {
    name: data.name,
    features: selectRows(data.features, rows),
    labels: selectRows(data.labels, rows),
  };
}

function columns(matrix: FeatureMatrix, indices: readonly number[]): FeatureMatrix {
  return featureMatrix(featureRows(matrix).map((row) => indices.map((index) => row[index]!)));
}

/** A random order of 0 … count − 1: the order of as many uniform draws. */
function permutation(source: Source, count: number): number[] {
  const keys = Array.from({ length: count }, () => source.uniform());
  return Array.from(keys.keys()).sort((left, right) => keys[left]! - keys[right]!);
}

/** The mean of numbers. */
export function average(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}
