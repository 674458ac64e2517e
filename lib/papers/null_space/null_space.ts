import { requireFields, requireKind, requireNonNegative } from "../../core/numeric/require.ts";
import type { FeatureMatrix } from "./feature_matrix.ts";
import { generalisedEigenproblem, type GeneralisedSpectrum } from "./generalised_eigenproblem.ts";
import { type LinearFirstStage, requireFeatures } from "./linear_first_stage.ts";
import { type CleaningPlan, cleanRows } from "./null_space_kernel.ts";

/**
 * Coefficient a of a vector v in x, whose part a·v steps 4 and 7 of Algorithm 1 remove:
 *
 * - `"inner-product"`: a = vᵀx, as printed. Generalised eigenvectors are not orthogonal, so a is not
 *   x's coordinate along v: once a budget is spent, something of the null space comes back with v, and
 *   no budget, however large, empties x.
 * - `"coordinate"`: the a of x = Σ aᵢvᵢ. What is left is a function of the first stage's outputs
 *   alone, and an unlimited budget leaves nothing.
 *
 * Both spend ε exactly, up to rounding; for coordinates that grows with the condition number of A_d, as
 * taking all of x out along nearly parallel directions takes large steps. They agree where nothing is known about the confidential outputs.
 */
export type Amplitudes = "inner-product" | "coordinate";

/** Cleans feature vectors for one first stage. */
export interface NullSpaceCleaner {
  /** The directions, in the order in which they are taken out. */
  readonly spectrum: GeneralisedSpectrum;
  /**
   * The cleaned rows: each moves the outputs of the first stage by a squared distance of exactly
   * `epsilon` (squared units of the outputs), or of all there is, if that is less. 0 takes out the exact
   * null space and leaves the outputs alone.
   *
   * @throws {RangeError} unless epsilon ≥ 0 and finite, and the number of features is the stage's.
   */
  clean(features: FeatureMatrix, options: { readonly epsilon: number }): FeatureMatrix;
  /** For each row the largest squared distance by which cleaning can move the outputs. */
  removable(features: FeatureMatrix): Float64Array;
}

/**
 * Cleans features in the null space of a predictor that starts with a known linear operator A_d
 * (Xu, Shah, Cao, Maung, Schweitzer 2017, "Enhancing the Privacy of Predictors", Algorithm 1). What the
 * operator does not look at is taken out; then, up to the utility error allowed, what tells most about
 * the confidential outputs for the least change of the desired ones.
 *
 * **This is not differential privacy and makes no claim of it.** Cleaning is deterministic: two
 * different outputs tell two datasets apart with certainty (and where they are equal on paper, the rounding
 * of their last bits may still differ). It protects against predictions that the null
 * space carries, not against what the desired outputs themselves tell, nor against an adversary who knows
 * the row otherwise.
 *
 * @param desired The first stage of the predictor to be kept working.
 * @param options `confidential`: the linear predictor of what is to be hidden, estimated by
 * {@linkcode leastSquares}; its centre and bias play no part. Without it all directions count alike.
 * `amplitudes`: `"inner-product"`, as printed, if absent.
 * @throws {RangeError} when the two predictors take different numbers of features or A_d is 0
 * (or so small or large that its squares are).
 *
 * @example The paper's table: x₁ − x₂ is wanted, x₁ + 2x₂ is not
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { featureMatrix, featureRows } from "./feature_matrix.ts";
 * import { linearFirstStage } from "./linear_first_stage.ts";
 * import { nullSpaceCleaner } from "./null_space.ts";
 * const cleaner = nullSpaceCleaner(linearFirstStage(featureMatrix([[1, -1]])));
 * const cleaned = cleaner.clean(featureMatrix([[3, 1], [4, 2], [5, 1]]), { epsilon: 0 });
 * const rounded = featureRows(cleaned).map((row) => row.map((value) => Number(value.toFixed(12))));
 * assertEquals(rounded, [[1, -1], [1, -1], [2, -2]]);
 * ```
 */
export function nullSpaceCleaner(
  desired: LinearFirstStage,
  options: {
    readonly confidential?: LinearFirstStage;
    readonly amplitudes?: Amplitudes;
  } = {},
): NullSpaceCleaner {
  requireKind("nullSpaceCleaner", "desired", desired, "record");
  const { confidential, amplitudes = "inner-product" } = requireFields(
    "nullSpaceCleaner",
    options,
    { confidential: "record?" },
  );
  const spectrum = generalisedEigenproblem(
    desired.weights,
    confidential === undefined ? {} : { confidential: confidential.weights },
  );
  const plan = cleaningPlan(spectrum, { centre: desired.centre, amplitudes });
  return {
    spectrum,
    clean(features, { epsilon }): FeatureMatrix {
      requireNonNegative("clean features", "epsilon", epsilon);
      requireFeatures("clean features", features, plan.features);
      const out = new Float64Array(features.values.length);
      cleanRows(plan, { input: features.values, out, epsilon });
      return { rows: features.rows, columns: features.columns, values: out };
    },
    removable(features): Float64Array {
      requireFeatures("measure what can be cleaned", features, plan.features);
      return totalCosts(plan, features);
    },
  };
}

function cleaningPlan(
  { basis, rank, vectors, duals, desired, lift }: GeneralisedSpectrum,
  { centre, amplitudes }: { readonly centre: Float64Array; readonly amplitudes: Amplitudes },
): CleaningPlan {
  const size = basis.rows;
  const byCoordinate = amplitudes === "coordinate";
  // Without its null space part x is its projection onto the range of A_d, or the sum of all aᵢvᵢ.
  const start = new Float64Array(size * size);
  for (let j = 0; j < rank; j++) {
    if (!byCoordinate) start[j * size + j] = 1;
    else for (let i = 0; i < size; i++) start[i * size + j] = lift.values[i * rank + j]!;
  }
  return {
    features: basis.columns,
    size,
    steps: rank,
    centre,
    basis: basis.values,
    start,
    amplitudes: byCoordinate ? duals.values : vectors.values,
    vectors: vectors.values,
    desired,
  };
}

/** Σ λ_d a² for every row. */
function totalCosts(plan: CleaningPlan, features: FeatureMatrix): Float64Array {
  const { size, steps, basis, amplitudes, centre, desired } = plan;
  const { columns, values } = features;
  const totals = new Float64Array(features.rows);
  const coordinates = new Float64Array(size);
  for (let row = 0; row < features.rows; row++) {
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let j = 0; j < columns; j++) {
        sum += basis[i * columns + j]! * (values[row * columns + j]! - centre[j]!);
      }
      coordinates[i] = sum;
    }
    for (let step = 0; step < steps; step++) {
      let amplitude = 0;
      for (let i = 0; i < size; i++) amplitude += amplitudes[step * size + i]! * coordinates[i]!;
      totals[row]! += desired[step]! * amplitude * amplitude;
    }
  }
  return totals;
}
