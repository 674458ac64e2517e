import { Matrix, SingularValueDecomposition } from "ml-matrix";
import {
  type FeatureMatrix,
  featureMatrix,
  featureRows,
} from "../../../lib/papers/null_space/feature_matrix.ts";
import { generalisedEigenproblem } from "../../../lib/papers/null_space/generalised_eigenproblem.ts";
import type { Amplitudes } from "../../../lib/papers/null_space/null_space.ts";

/** What a check of cleaning is given: weights are A_dᵀ and A_cᵀ, one row for each output. */
export interface CleaningCase {
  readonly desired: FeatureMatrix;
  readonly confidential: FeatureMatrix;
  readonly features: FeatureMatrix;
  readonly epsilon: number;
}

/** Something that cleans. */
export type Clean = (given: CleaningCase) => FeatureMatrix;

/** How to break Algorithm 1. */
export type CleaningFault =
  | "no partial step"
  | "partial step without its root"
  | "budget per step";

interface Direction {
  readonly vector: number[];
  readonly dual: number[];
  readonly lambda: number;
  readonly gamma: number;
}

/** All n eigenvectors in the space of the features, in the order of Algorithm 1. */
export function directionsOf(
  { desired, confidential }: Pick<CleaningCase, "desired" | "confidential">,
  amplitudes: Amplitudes,
): Direction[] {
  const spectrum = generalisedEigenproblem(desired, { confidential });
  const basis = new Matrix(featureRows(spectrum.basis));
  const rows = new Matrix(featureRows(desired));
  const inFeatures = (coordinates: number[]): number[] =>
    new Matrix([coordinates]).mmul(basis).getRow(0);
  const costly = featureRows(spectrum.vectors).map((coordinates, index): Direction => {
    const vector = inFeatures(coordinates);
    // λ_d from the weights themselves, not from the spectrum.
    const lambda = rows.mmul(Matrix.columnVector(vector)).norm() ** 2;
    const dual = inFeatures(featureRows(spectrum.duals)[index]!);
    return {
      vector,
      dual: amplitudes === "coordinate" ? dual : vector,
      lambda,
      gamma: spectrum.gamma[index]!,
    };
  });
  // The null space of A_dᵀ: what the projection onto the range of A_d leaves of the identity.
  const n = desired.columns;
  const projector = Matrix.eye(n);
  const range = basis.subMatrix(0, spectrum.rank - 1, 0, n - 1);
  projector.sub(range.transpose().mmul(range));
  // Denormal entries upset the decomposition.
  projector.apply((i, j) => {
    if (Math.abs(projector.get(i, j)) < 1e-30) projector.set(i, j, 0);
  });
  const { leftSingularVectors } = new SingularValueDecomposition(projector);
  const free = Array.from({ length: spectrum.nullity }, (_, index): Direction => {
    const vector = leftSingularVectors.getColumn(index);
    // The coordinate along a free direction is what is left once the others have theirs.
    const dual = vector.slice();
    if (amplitudes === "coordinate") {
      for (const other of costly) {
        const along = other.vector.reduce((sum, value, i) => sum + value * vector[i]!, 0);
        other.dual.forEach((value, i) => dual[i]! -= along * value);
      }
    }
    return { vector, dual, lambda: 0, gamma: 0 };
  });
  return [...free, ...costly];
}

/**
 * Algorithm 1 step by step on whole vectors, with every direction written out: the slow double of
 * `nullSpaceCleaner`. With a fault it is a mutant that the checks must reject.
 */
export function textbookCleaner(
  amplitudes: Amplitudes,
  { fault }: { readonly fault?: CleaningFault } = {},
): Clean {
  return ({ desired, confidential, features, epsilon }): FeatureMatrix => {
    const directions = directionsOf({ desired, confidential }, amplitudes);
    return featureMatrix(
      featureRows(features).map((row) => {
        const cleaned = row.slice();
        let spent = 0;
        for (const { vector, dual, lambda } of directions) {
          const amplitude = dual.reduce((sum, value, i) => sum + value * row[i]!, 0);
          const cost = lambda * amplitude * amplitude;
          let alpha = 1;
          if (cost > 0 && spent + cost > epsilon) {
            const share = Math.max(0, epsilon - spent) / cost;
            alpha = fault === "partial step without its root" ? share : Math.sqrt(share);
            if (fault === "no partial step") alpha = 0;
          }
          if (fault !== "budget per step") spent = Math.min(epsilon, spent + cost);
          for (let i = 0; i < cleaned.length; i++) cleaned[i]! -= alpha * amplitude * vector[i]!;
        }
        return cleaned;
      }),
      { columns: features.columns },
    );
  };
}
