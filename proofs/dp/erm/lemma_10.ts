import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { theorem } from "../../engine/theorem.ts";

type Matrix = readonly (readonly bigint[])[];

function determinant(matrix: Matrix): bigint {
  if (matrix.length === 0) return 1n;
  return matrix[0]!.reduce((sum, entry, j) => {
    const minor = matrix.slice(1).map((row) => row.filter((_, k) => k !== j));
    return sum + (j % 2 === 0 ? entry : -entry) * determinant(minor);
  }, 0n);
}

/** The cofactor matrix's transpose: A·adj(A) = det(A)·I. */
function adjugate(matrix: Matrix): bigint[][] {
  return matrix.map((_, i) =>
    matrix.map((_, j) => {
      const minor = matrix.filter((_, r) => r !== j).map((row) => row.filter((_, c) => c !== i));
      return (i + j) % 2 === 0 ? determinant(minor) : -determinant(minor);
    })
  );
}

/** How many are generated. */
const MATRICES = 400;

/** The determinant identity in whole numbers, for E of rank at most 2. */
export const lemma10 = theorem<{ readonly rank: number; readonly products: bigint }>({
  id: "erm/lemma_10",
  statement: "If A is full rank and E has rank at most 2, (det(A + E) − det A)/det A = " +
    "λ₁ + λ₂ + λ₁λ₂ for the eigenvalues of A⁻¹E.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 10",
  source: "JMLR preprint, Lemma 2",
  remember: () =>
    `A row replaced changes the second derivatives by a matrix of rank two, whatever the dimension: two eigenvalues are all that counts.`,
  onPaper: true,
  kind: "sampled",
  checked:
    `${MATRICES} generated whole matrices from 2×2 to 4×4 but for singular ones, in whole numbers`,
  subject: { rank: 2, products: 1n },
  check: ({ rank, products }, { seed }) => {
    const source = new SeededSource(seed).split("matrices");
    const entry = (): bigint => BigInt(source.uint32() % 7) - 3n;
    let checked = 0;
    for (let k = 0; k < MATRICES; k++) {
      const d = 2 + k % 3;
      const square = (): bigint[][] =>
        Array.from({ length: d }, () => Array.from({ length: d }, entry));
      const a = square();
      const det = determinant(a);
      if (det === 0n) continue;
      const columns = Array.from({ length: rank }, () => [square()[0]!, square()[0]!] as const);
      const e = a.map((_, i) =>
        a.map((_, j) => columns.reduce((sum, [u, v]) => sum + u[i]! * v[j]!, 0n))
      );
      // M = det·A⁻¹E: λ₁ + λ₂ = tr M/det, λ₁λ₂ = (tr² M − tr M²)/(2det²).
      const inverse = adjugate(a);
      const m = inverse.map((row) =>
        row.map((_, j) => row.reduce((sum, value, l) => sum + value * e[l]![j]!, 0n))
      );
      const trace = m.reduce((sum, row, i) => sum + row[i]!, 0n);
      const square2 = m.reduce(
        (sum, row, i) => sum + row.reduce((inner, value, j) => inner + value * m[j]![i]!, 0n),
        0n,
      );
      const moved = determinant(a.map((row, i) => row.map((value, j) => value + e[i]![j]!)));
      const left = 2n * det * (moved - det);
      const right = 2n * det * trace + products * (trace * trace - square2);
      if (left !== right) {
        return {
          holds: false,
          margin: NaN,
          witness: `a ${d}×${d} matrix of determinant ${det}`,
          detail: "identity",
        };
      }
      checked++;
    }
    return { holds: true, margin: NaN, detail: `${checked} whole matrices up to 4×4, exactly` };
  },
  mutants: {
    "without the product λ₁λ₂": { rank: 2, products: 0n },
    "E of rank 3": { rank: 3, products: 1n },
  },
});
