import { assertAlmostEquals } from "@std/assert";
import fc from "fast-check";
import {
  type FeatureMatrix,
  featureMatrix,
  featureRows,
} from "../../../lib/papers/null_space/feature_matrix.ts";
import {
  applyFirstStage,
  linearFirstStage,
} from "../../../lib/papers/null_space/linear_first_stage.ts";
import type { Amplitudes } from "../../../lib/papers/null_space/null_space.ts";
import { squaredErrors } from "../../../lib/papers/null_space/privacy_measures.ts";
import {
  type Clean,
  type CleaningCase,
  directionsOf,
  textbookCleaner,
} from "./textbook_cleaner.ts";

/** fc.double is uniform in its bits, nearly always close to 0; this one is uniform in value. */
function uniform(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: 2 ** 31 - 1 }).map((step) =>
    min + (max - min) * step / (2 ** 31 - 1)
  );
}

/** Small integers make dependent rows common. */
const smallIntegers = fc.integer({ min: -3, max: 3 });

/** Nearly dependent rows and entries of any size too. */
const anyEntries = fc.oneof(
  smallIntegers,
  uniform(-5, 5),
  fc.double({ min: -5, max: 5, noNaN: true }),
);

function arbitraryCase(
  entry: fc.Arbitrary<number>,
  { maxFeatures = 7 }: { readonly maxFeatures?: number } = {},
): fc.Arbitrary<CleaningCase> {
  return fc.integer({ min: 1, max: maxFeatures }).chain((columns) => {
    const rowsOf = (value: fc.Arbitrary<number>): fc.Arbitrary<FeatureMatrix> =>
      fc.array(fc.array(value, { minLength: columns, maxLength: columns }), {
        minLength: 1,
        maxLength: 5,
      }).map((rows) => featureMatrix(rows));
    return fc.record({
      desired: rowsOf(entry).filter(({ values }) =>
        values.some((value) => Math.abs(value) >= 1e-100)
      ),
      confidential: rowsOf(entry),
      features: rowsOf(uniform(-10, 10)),
      epsilon: fc.oneof(
        fc.constantFrom(0, 1e9),
        uniform(0, 1),
        uniform(0, 100),
        fc.double({ min: 0, max: 1, noNaN: true }),
      ),
    });
  });
}

/** What a check may be told; without `endOnFailure` a failing case is shrunk. */
interface CheckOptions {
  readonly amplitudes: Amplitudes;
  readonly endOnFailure?: boolean;
}

/** Coordinates lose digits where rows are nearly dependent: see Amplitudes. */
function entriesFor(amplitudes: Amplitudes): fc.Arbitrary<number> {
  return amplitudes === "coordinate" ? smallIntegers : anyEntries;
}

const parameters = { seed: 20170204, numRuns: 400 };

/** How far cleaning moved the outputs of these weights, row by row. */
function moved(weights: FeatureMatrix, { features, cleaned }: {
  readonly features: FeatureMatrix;
  readonly cleaned: FeatureMatrix;
}): Float64Array {
  const stage = linearFirstStage(weights);
  return squaredErrors(applyFirstStage(stage, cleaned), {
    reference: applyFirstStage(stage, features),
  });
}

/** Theorem 1 (Xu et al. 2017): e_utility = min(ε, all there is) on every row, within 1e-9. */
export function checkUtilityError(
  clean: Clean,
  { amplitudes, endOnFailure = false }: CheckOptions,
): void {
  const entry = entriesFor(amplitudes);
  fc.assert(
    fc.property(arbitraryCase(entry), (given) => {
      const { desired, features, epsilon } = given;
      const errors = moved(desired, { features, cleaned: clean(given) });
      const directions = directionsOf(given, amplitudes);
      featureRows(features).forEach((row, index) => {
        const total = directions.reduce((sum, { dual, lambda }) => {
          const amplitude = dual.reduce((inner, value, i) => inner + value * row[i]!, 0);
          return sum + lambda * amplitude * amplitude;
        }, 0);
        const expected = Math.min(epsilon, total);
        // Where all is taken, rounding is relative to what there was.
        assertAlmostEquals(errors[index]!, expected, 1e-9 * Math.max(1, expected));
      });
    }),
    { ...parameters, endOnFailure },
  );
}

/** The cleaner agrees with Algorithm 1 written out on whole vectors. */
export function checkAgainstTextbook(
  clean: Clean,
  { amplitudes, endOnFailure = false }: CheckOptions,
): void {
  fc.assert(
    fc.property(arbitraryCase(smallIntegers), (given) => {
      assertRowsClose(clean(given), textbookCleaner(amplitudes)(given), 1e-9);
    }),
    { ...parameters, endOnFailure },
  );
}

function assertRowsClose(left: FeatureMatrix, right: FeatureMatrix, tolerance: number): void {
  left.values.forEach((value, index) =>
    assertAlmostEquals(value, right.values[index]!, tolerance * Math.max(1, Math.abs(value)))
  );
}
