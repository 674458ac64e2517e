import { requireFields, requireKind } from "../../core/numeric/require.ts";
import { Matrix, SingularValueDecomposition } from "ml-matrix";
import { type FeatureMatrix, featureMatrix, featureRows } from "./feature_matrix.ts";

/** Numbers below this share of the largest of their kind count as zero when a dimension is decided. */
const RANK_TOLERANCE = 1e-10;

/** Outside these bounds squares of weights, as in γ and λ, vanish or overflow. */
const SMALLEST = 1e-100, LARGEST = 1e100;

/** Far below the rounding of doubles. */
const NEGLIGIBLE = 1e-30;

/**
 * The solution of `B_d v = γ B_c v` for `B_d = A_d A_dᵀ` and `B_c = A_c A_cᵀ` over n features.
 *
 * Most of the n eigenvectors have γ = 0: the null space of A_dᵀ, of dimension `nullity`. Its vectors are
 * not listed. Instead `basis` holds what is left to look at: orthonormal vectors, first those that span
 * the range of A_d, then those that add the range of A_c.
 */
export interface GeneralisedSpectrum {
  /** Orthonormal rows of n numbers that span the columns of A_d and A_c together. */
  readonly basis: FeatureMatrix;
  /** Number of leading basis vectors that span the range of A_d; the others are in the null space. */
  readonly rank: number;
  /** Dimension of the null space of A_dᵀ: that many eigenvectors have γ = 0. */
  readonly nullity: number;
  /** The positive γ in increasing order, `rank` of them; Infinity where v is in the null space of B_c. */
  readonly gamma: Float64Array;
  /** The eigenvectors with positive γ, of length 1, in coordinates of `basis`. */
  readonly vectors: FeatureMatrix;
  /** λ_d = vᵀ B_d v of each, all positive. */
  readonly desired: Float64Array;
  /** λ_c = vᵀ B_c v of each. */
  readonly confidential: Float64Array;
  /** Rows that give the coordinates aᵢ of x = (its part in the null space) + Σ aᵢvᵢ, from `basis`. */
  readonly duals: FeatureMatrix;
  /** Σ aᵢvᵢ in coordinates of `basis`, from the first `rank` coordinates of x; one row a coordinate. */
  readonly lift: FeatureMatrix;
}

/**
 * Solves the generalised eigenproblem of Xu et al. 2017 (Algorithm 1, steps 2 and 3) where both
 * matrices may be singular, as they always are with fewer labels than features.
 *
 * The directions fall apart by null space, and γ = λ_d/λ_c orders them:
 * 1. The null space of A_dᵀ has λ_d = 0. Taking it out costs nothing, so it counts as γ = 0 and comes
 *    first, also where it meets the null space of B_c and the ratio is 0/0: another adversary may use it.
 * 2. Then come finite γ. A vector of this kind is B_c-orthogonal to the null space of A_dᵀ: among all v
 *    with a given `A_dᵀ v = u` it is the one of least |A_cᵀ v|. Written v = E u, the generalised problem
 *    becomes the ordinary one of `EᵀB_cE`, with eigenvalues 1/γ; its orthonormal u make the v
 *    B_d-orthogonal to rounding, which Theorem 1 rests on. No singular matrix is inverted.
 * 3. The rest of the null space of B_c has λ_d > 0 and λ_c = 0, so γ = ∞: it costs utility and buys no
 *    privacy, and comes last. Within it the eigenproblem leaves the basis open; here it is the orthonormal
 *    one that diagonalises B_d, smallest λ_d first.
 *
 * When A_d and A_c are independent, n ≥ N_d + N_c, no γ is finite and positive: the null space of A_dᵀ
 * alone carries all that can be gained.
 *
 * @param desired A_dᵀ: one row for each output of the first stage.
 * @param options `confidential`: A_cᵀ, one row for each confidential output. If absent nothing is known
 * about them and B_c is the identity, so that γ = λ_d and the vectors are the singular ones of A_d.
 *
 * @throws {RangeError} when the two have different numbers of features, or weights so large, or
 * A_d so small, that their squares are not doubles.
 *
 * @example
 * ```ts
 * import { featureMatrix } from "./feature_matrix.ts";
 * import { generalisedEigenproblem } from "./generalised_eigenproblem.ts";
 * const { nullity, gamma } = generalisedEigenproblem(featureMatrix([[1, -1]]));
 * nullity; // 1
 * gamma; // [2]
 * ```
 */
export function generalisedEigenproblem(
  desired: FeatureMatrix,
  options: { readonly confidential?: FeatureMatrix } = {},
): GeneralisedSpectrum {
  requireKind("generalisedEigenproblem", "desired", desired, "record");
  const { confidential } = requireFields("generalisedEigenproblem", options, {
    confidential: "record?",
  });
  if (confidential !== undefined && confidential.columns !== desired.columns) {
    throw new RangeError(
      `Cannot solve the eigenproblem: desired and confidential weights must have the same number of ` +
        `features: current value is ${desired.columns} and ${confidential.columns}`,
    );
  }
  const { range, singular } = rangeOf(desired);
  const nullity = desired.columns - range.length;
  if (confidential === undefined) {
    // γ = λ_d = σ² here, and the decomposition lists the largest σ first: turn it round.
    const increasing = singular.toReversed();
    return spectrumOf(range.toReversed(), {
      nullity,
      singular: increasing,
      lift: Matrix.eye(range.length),
      preimages: Matrix.eye(range.length),
      loss: increasing.map((value) => 1 / value),
    });
  }

  const given = matrixOf(confidential);
  const magnitude = Math.max(given.max(), -given.min());
  if (magnitude > LARGEST) {
    throw new RangeError(
      `Cannot solve the eigenproblem: the largest confidential weight must be at most ${LARGEST}: ` +
        `current value is ${magnitude}`,
    );
  }
  const beyond = extendBasis(range, given.to2DArray());
  const seenAlong = (vectors: readonly number[][]): Matrix =>
    vectors.length === 0
      ? Matrix.zeros(given.rows, 0)
      : given.mmul(new Matrix(vectors).transpose());
  const seen = seenAlong(range);
  const { cancelling, left } = cancel(seen, seenAlong(beyond));
  const lift = Matrix.zeros(range.length + beyond.length, range.length);
  lift.setSubMatrix(Matrix.eye(range.length), 0, 0);
  if (beyond.length > 0) lift.setSubMatrix(cancelling, range.length, 0);

  // From here on in terms of u: z = u over the singular values, so that E is lift over them.
  for (const matrix of [seen, left]) matrix.divRowVector(singular);
  const { preimages, loss } = orderByLoss(left, {
    eigenvectors: lift.clone().divRowVector(singular),
    // An eigenvector is at least as long as u over the largest singular value.
    scale: Math.max(seen.norm(), given.norm() / singular[0]!),
  });
  return spectrumOf([...range, ...beyond], { nullity, singular, lift, preimages, loss });
}

/** Weights too small to tell beside the largest one are 0: squares of theirs vanish in a decomposition. */
function matrixOf(weights: FeatureMatrix): Matrix {
  const largest = weights.values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  const threshold = Math.max(SMALLEST, NEGLIGIBLE * largest);
  return new Matrix(
    featureRows(weights).map((row) => row.map((value) => Math.abs(value) < threshold ? 0 : value)),
  );
}

/** Orthonormal vectors that span the rows' weights, and their singular values, largest first. */
function rangeOf(desired: FeatureMatrix): { range: number[][]; singular: number[] } {
  const { rightSingularVectors, diagonal } = new SingularValueDecomposition(
    matrixOf(desired),
    { autoTranspose: true },
  );
  if (!(diagonal[0]! >= SMALLEST && diagonal[0]! <= LARGEST)) {
    throw new RangeError(
      `Cannot solve the eigenproblem: the largest singular value of the desired weights must be ` +
        `from ${SMALLEST} to ${LARGEST}: current value is ${diagonal[0]}`,
    );
  }
  // Every direction of A_d but rounding counts: leaving one out would break the utility promised.
  const threshold = Math.max(desired.rows, desired.columns) * Number.EPSILON * diagonal[0]!;
  const singular = diagonal.filter((value) => value > threshold);
  return { range: singular.map((_, index) => rightSingularVectors.getColumn(index)), singular };
}

/** Gram–Schmidt, each vector twice (Giraud, Langou 2003): what `more` spans beyond `basis`. */
function extendBasis(basis: readonly number[][], more: readonly number[][]): number[][] {
  const beyond: number[][] = [];
  const largest = Math.max(...more.map((row) => Math.hypot(...row)));
  for (const row of more) {
    for (let pass = 0; pass < 2; pass++) {
      for (const vector of [...basis, ...beyond]) {
        const along = dot(row, vector);
        for (let i = 0; i < row.length; i++) row[i]! -= along * vector[i]!;
      }
    }
    const length = Math.hypot(...row);
    if (length <= RANK_TOLERANCE * largest) continue;
    const unit = row.map((value) => value / length);
    // A short remainder magnifies rounding along the basis: take that out once more.
    for (const vector of [...basis, ...beyond]) {
      const along = dot(unit, vector);
      for (let i = 0; i < unit.length; i++) unit[i]! -= along * vector[i]!;
    }
    beyond.push(unit);
  }
  return beyond;
}

function dot(left: readonly number[], right: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!;
  return sum;
}

/** The P of least |seen + free·P|, and the seen + free·P that is left, both as new matrices. */
function cancel(seen: Matrix, free: Matrix): { cancelling: Matrix; left: Matrix } {
  if (free.columns === 0) {
    return { cancelling: Matrix.zeros(0, seen.columns), left: seen.clone() };
  }
  const { leftSingularVectors: u, rightSingularVectors: v, diagonal } =
    new SingularValueDecomposition(free, { autoTranspose: true });
  const along = u.transpose().mmul(seen);
  const left = seen.clone().sub(u.mmul(along));
  left.sub(u.mmul(u.transpose().mmul(left)));
  return { cancelling: v.mmul(along.divColumnVector(diagonal)).neg(), left };
}

/**
 * Orthonormal u (columns) by decreasing |left·u|, which is √(1/γ), and the zeros among them by increasing
 * λ_d: `eigenvectors` times u is v, not yet of length 1.
 */
function orderByLoss(
  left: Matrix,
  { eigenvectors, scale }: { readonly eigenvectors: Matrix; readonly scale: number },
): { preimages: Matrix; loss: number[] } {
  const rank = left.columns;
  // Rows of zeros make the decomposition complete: it lists all `rank` right vectors.
  const padded = Matrix.zeros(Math.max(left.rows, rank), rank);
  padded.setSubMatrix(left, 0, 0);
  const { rightSingularVectors: preimages, diagonal } = new SingularValueDecomposition(padded);
  const seen = diagonal.filter((value) => value > RANK_TOLERANCE * scale).length;
  const loss = diagonal.map((value, index) => index < seen ? value : 0);
  if (seen < rank) {
    const unseen = preimages.subMatrix(0, rank - 1, seen, rank - 1);
    const turn = new SingularValueDecomposition(eigenvectors.mmul(unseen)).rightSingularVectors;
    preimages.setSubMatrix(unseen.mmul(turn), 0, seen);
  }
  return { preimages, loss };
}

function spectrumOf(
  basis: readonly number[][],
  { nullity, singular, lift, preimages, loss }: {
    readonly nullity: number;
    readonly singular: readonly number[];
    readonly lift: Matrix;
    readonly preimages: Matrix;
    readonly loss: readonly number[];
  },
): GeneralisedSpectrum {
  const rank = singular.length;
  const eigenvectors = lift.clone().divRowVector([...singular]).mmul(preimages);
  const vectors: number[][] = [], duals: number[][] = [];
  const desired = new Float64Array(rank), confidential = new Float64Array(rank);
  for (let index = 0; index < rank; index++) {
    const vector = eigenvectors.getColumn(index);
    const length = Math.hypot(...vector);
    vectors.push(vector.map((value) => value / length));
    duals.push(
      basis.map((_, i) => i < rank ? preimages.get(i, index) * singular[i]! * length : 0),
    );
    desired[index] = 1 / (length * length);
    confidential[index] = (loss[index]! / length) ** 2;
  }
  return {
    basis: featureMatrix(basis),
    rank,
    nullity,
    gamma: Float64Array.from(loss, (value) => 1 / (value * value)),
    vectors: featureMatrix(vectors),
    desired,
    confidential,
    duals: featureMatrix(duals),
    lift: featureMatrix(lift.to2DArray()),
  };
}
