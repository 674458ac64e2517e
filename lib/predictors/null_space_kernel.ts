/** What a block of rows is cleaned with; every matrix is a flat block of rows. */
export interface CleaningPlan {
  /** n, the number of features. */
  readonly features: number;
  /** r, the number of basis vectors. */
  readonly size: number;
  /** k, the number of vectors that cost utility. */
  readonly steps: number;
  /** n numbers, subtracted first and added back last. */
  readonly centre: Float64Array;
  /** r × n, orthonormal rows. */
  readonly basis: Float64Array;
  /** r × r: the coordinates of x once all that is free is taken out. */
  readonly start: Float64Array;
  /** k × r: the amplitudes aᵢ. */
  readonly amplitudes: Float64Array;
  /** k × r: the vectors vᵢ, in the order in which they go. */
  readonly vectors: Float64Array;
  /** k numbers λ_d, positive. */
  readonly desired: Float64Array;
}

/**
 * Cleans rows of features: steps 4 to 7 of Algorithm 1 (Xu et al. 2017) on coordinates in the plan's
 * basis. A row costs two passes over r × n numbers; nothing is allocated for it.
 *
 * @returns `out`, rows of n numbers.
 */
export function cleanRows(
  plan: CleaningPlan,
  { input, out, epsilon }: {
    readonly input: Float64Array;
    readonly out: Float64Array;
    readonly epsilon: number;
  },
): Float64Array {
  const { features, size, steps, centre, basis, start, amplitudes, vectors, desired } = plan;
  const offset = project(basis, centre, { at: 0, into: new Float64Array(size) });
  const coordinates = new Float64Array(size), cleaned = new Float64Array(size);
  for (let at = 0; at < input.length; at += features) {
    project(basis, input, { at, into: coordinates });
    for (let i = 0; i < size; i++) coordinates[i]! -= offset[i]!;
    for (let i = 0; i < size; i++) cleaned[i] = inner(start, i * size, coordinates);

    let left = epsilon;
    for (let step = 0; step < steps && left > 0; step++) {
      const amplitude = inner(amplitudes, step * size, coordinates);
      const cost = desired[step]! * amplitude * amplitude;
      // The whole component if the budget pays for it, else the partial last step α.
      const share = cost <= left ? 1 : Math.sqrt(left / cost);
      for (let i = 0; i < size; i++) cleaned[i]! -= share * amplitude * vectors[step * size + i]!;
      left = cost <= left ? left - cost : 0;
    }

    for (let j = 0; j < features; j++) out[at + j] = centre[j]!;
    for (let i = 0; i < size; i++) {
      const factor = cleaned[i]!, from = i * features;
      for (let j = 0; j < features; j++) out[at + j]! += factor * basis[from + j]!;
    }
  }
  return out;
}

/** basis · x for the x that starts `at`; four sums at a time, for one would wait for itself. */
function project(
  basis: Float64Array,
  x: Float64Array,
  { at, into }: { readonly at: number; readonly into: Float64Array },
): Float64Array {
  const features = basis.length / into.length;
  const even = features - features % 4;
  for (let i = 0; i < into.length; i++) {
    const from = i * features;
    let a = 0, b = 0, c = 0, d = 0;
    for (let j = 0; j < even; j += 4) {
      a += basis[from + j]! * x[at + j]!;
      b += basis[from + j + 1]! * x[at + j + 1]!;
      c += basis[from + j + 2]! * x[at + j + 2]!;
      d += basis[from + j + 3]! * x[at + j + 3]!;
    }
    for (let j = even; j < features; j++) a += basis[from + j]! * x[at + j]!;
    into[i] = (a + b) + (c + d);
  }
  return into;
}

function inner(matrix: Float64Array, from: number, vector: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += matrix[from + i]! * vector[i]!;
  return sum;
}
