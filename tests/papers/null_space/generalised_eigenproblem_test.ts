import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { Matrix } from "ml-matrix";
import {
  type FeatureMatrix,
  featureMatrix,
  featureRows,
} from "../../../lib/papers/null_space/feature_matrix.ts";
import {
  generalisedEigenproblem,
  type GeneralisedSpectrum,
} from "../../../lib/papers/null_space/generalised_eigenproblem.ts";

interface Weights {
  readonly desired: FeatureMatrix;
  readonly confidential: FeatureMatrix;
}

const arbitraryWeights: fc.Arbitrary<Weights> = fc.integer({ min: 1, max: 7 }).chain((columns) => {
  const entry = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.integer().map((step) => step / 2 ** 29),
  );
  const rows = fc.array(fc.array(entry, { minLength: columns, maxLength: columns }), {
    minLength: 1,
    maxLength: 6,
  }).map((values) => featureMatrix(values));
  return fc.record({
    desired: rows.filter(({ values }) => values.some((value) => value !== 0)),
    confidential: rows,
  });
});

/** Eigenvectors in feature space, one a row. */
function eigenvectors({ vectors, basis }: GeneralisedSpectrum): Matrix {
  return new Matrix(featureRows(vectors)).mmul(new Matrix(featureRows(basis)));
}

/** B = A Aᵀ from Aᵀ. */
function gram(weights: FeatureMatrix): Matrix {
  const rows = new Matrix(featureRows(weights));
  return rows.transpose().mmul(rows);
}

/** What the definition asks of every eigenpair and of every two of them. */
function checkEigenproblem(solve: (weights: Weights) => GeneralisedSpectrum): void {
  fc.assert(
    fc.property(arbitraryWeights, (weights) => {
      const spectrum = solve(weights);
      const v = eigenvectors(spectrum);
      const desired = gram(weights.desired), confidential = gram(weights.confidential);
      assertEquals(spectrum.rank + spectrum.nullity, weights.desired.columns);
      for (let i = 0; i < spectrum.rank; i++) {
        const vector = Matrix.columnVector(v.getRow(i));
        const gamma = spectrum.gamma[i]!;
        assert(i === 0 || gamma >= spectrum.gamma[i - 1]!, "in increasing order");
        assertAlmostEquals(vector.norm(), 1, 1e-9);
        // B_d v = γ B_c v, divided by γ where that is the larger side.
        const share = Math.min(1, 1 / gamma);
        const residual = desired.mmul(vector).mul(share)
          .sub(confidential.mmul(vector).mul(gamma === Infinity ? 1 : share * gamma));
        assert(residual.norm() < 1e-6, `residual ${residual.norm()} at ${gamma}`);
      }
      // Off the diagonal nothing: utility and privacy add up over the steps.
      for (const matrix of [desired, confidential]) {
        const products = v.mmul(matrix).mmul(v.transpose());
        for (let i = 0; i < spectrum.rank; i++) {
          for (let j = 0; j < i; j++) assert(Math.abs(products.get(i, j)) < 1e-6);
        }
      }
      v.mmul(desired).mmul(v.transpose()).diagonal().forEach((value, i) =>
        assertAlmostEquals(value, spectrum.desired[i]!, 1e-6)
      );
      v.mmul(confidential).mmul(v.transpose()).diagonal().forEach((value, i) =>
        assertAlmostEquals(value, spectrum.confidential[i]!, 1e-6)
      );
    }),
    { seed: 20170204, numRuns: 300, endOnFailure: true },
  );
}

Deno.test("generalisedEigenproblem() solves B_d v = γ B_c v when both may be singular", () => {
  checkEigenproblem(({ desired, confidential }) =>
    generalisedEigenproblem(desired, { confidential })
  );
});

Deno.test("the check of eigenpairs rejects the singular vectors of A_d alone and a wrong order", () => {
  assertThrows(
    () => checkEigenproblem(({ desired }) => generalisedEigenproblem(desired)),
    Error,
    "Property failed",
  );
  assertThrows(
    () =>
      checkEigenproblem(({ desired, confidential }) => {
        const spectrum = generalisedEigenproblem(desired, { confidential });
        return {
          ...spectrum,
          vectors: featureMatrix(featureRows(spectrum.vectors).reverse()),
          gamma: spectrum.gamma.toReversed(),
        };
      }),
    Error,
    "Property failed",
  );
});

Deno.test("generalisedEigenproblem() gives the γ of two diagonal matrices when neither is singular", () => {
  const { gamma, nullity } = generalisedEigenproblem(featureMatrix([[2, 0], [0, 3]]), {
    confidential: featureMatrix([[1, 0], [0, 6]]),
  });
  assertAlmostEquals(gamma[0]!, 9 / 36, 1e-12);
  assertAlmostEquals(gamma[1]!, 4, 1e-12);
  assertEquals(nullity, 0);
});

Deno.test("generalisedEigenproblem() has no finite positive γ when A_d and A_c are independent", () => {
  const { gamma, nullity, confidential } = generalisedEigenproblem(
    featureMatrix([[1, 0, 2, 1], [0, 1, 1, 3]]),
    { confidential: featureMatrix([[1, 1, 0, 0], [2, 0, 0, 1]]) },
  );
  assertEquals(Array.from(gamma), [Infinity, Infinity]);
  assertEquals(Array.from(confidential), [0, 0]);
  assertEquals(nullity, 2);
});

Deno.test("generalisedEigenproblem() lists the cheapest first when B_c sees nothing", () => {
  const { gamma, desired } = generalisedEigenproblem(featureMatrix([[3, 0], [0, 1]]), {
    confidential: featureMatrix([[0, 0]]),
  });
  assertEquals(Array.from(gamma), [Infinity, Infinity]);
  assertAlmostEquals(desired[0]!, 1, 1e-12);
  assertAlmostEquals(desired[1]!, 9, 1e-12);
});
