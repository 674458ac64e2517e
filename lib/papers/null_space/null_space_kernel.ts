/** Matrices for cleaning a block of rows; each is stored flat, row by row. */
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
    combine(basis, cleaned, { at, out });
  }
  return out;
}

/** basis · x for the x that starts `at`, four vectors at a time: their sums do not wait for each other. */
function project(
  basis: Float64Array,
  x: Float64Array,
  { at, into }: { readonly at: number; readonly into: Float64Array },
): Float64Array {
  const size = into.length, features = basis.length / size;
  const even = size - size % 4;
  for (let i = 0; i < even; i += 4) {
    const a = i * features, b = a + features, c = b + features, d = c + features;
    let p = 0, q = 0, r = 0, s = 0;
    for (let j = 0; j < features; j++) {
      const value = x[at + j]!;
      p += basis[a + j]! * value;
      q += basis[b + j]! * value;
      r += basis[c + j]! * value;
      s += basis[d + j]! * value;
    }
    into[i] = p;
    into[i + 1] = q;
    into[i + 2] = r;
    into[i + 3] = s;
  }
  for (let i = even; i < size; i++) {
    let sum = 0;
    for (let j = 0; j < features; j++) sum += basis[i * features + j]! * x[at + j]!;
    into[i] = sum;
  }
  return into;
}

/** Adds Σ factorᵢ · basisᵢ to the row that starts `at`, four vectors for each pass over it. */
function combine(
  basis: Float64Array,
  factors: Float64Array,
  { at, out }: { readonly at: number; readonly out: Float64Array },
): void {
  const size = factors.length, features = basis.length / size;
  const even = size - size % 4;
  for (let i = 0; i < even; i += 4) {
    const p = factors[i]!, q = factors[i + 1]!, r = factors[i + 2]!, s = factors[i + 3]!;
    const a = i * features, b = a + features, c = b + features, d = c + features;
    for (let j = 0; j < features; j++) {
      out[at + j]! += (p * basis[a + j]! + q * basis[b + j]!) +
        (r * basis[c + j]! + s * basis[d + j]!);
    }
  }
  for (let i = even; i < size; i++) {
    const factor = factors[i]!, from = i * features;
    for (let j = 0; j < features; j++) out[at + j]! += factor * basis[from + j]!;
  }
}

function inner(matrix: Float64Array, from: number, vector: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += matrix[from + i]! * vector[i]!;
  return sum;
}
