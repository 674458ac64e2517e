import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  bandedColumns,
  squareRootCoefficients,
  treeColumns,
} from "../../../../lib/dp/accounting/correlated_noise/matrix_columns.ts";
import {
  matrixClaim,
  matrixSensitivity,
  type Participation,
} from "../../../../lib/dp/accounting/correlated_noise/matrix_sensitivity.ts";
import { addRemoveOne, asserted, replaceOne } from "../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

type Columns = readonly (readonly number[])[];

/** All sets of steps that a participation allows. */
function patternsOf(
  steps: number,
  { most = 1, apart = 1, periodic = false }: Participation,
): number[][] {
  return Array.from(
    { length: 2 ** steps - 1 },
    (_, bits) =>
      Array.from({ length: steps }, (_, i) => i).filter((i) => ((bits + 1) >> i) % 2 === 1),
  )
    .filter((taken) =>
      taken.length <= most &&
      taken.every((step, i) => {
        const since = step - (taken[i - 1] ?? -Infinity);
        return periodic && i > 0 ? since === apart : since >= apart;
      })
    );
}

/** By how much vectors of norm 1 at these steps move C·G, in two dimensions, for angles. */
function moved(columns: Columns, taken: readonly number[], angles: readonly number[]): number {
  const length = columns[0]!.length;
  let squares = 0;
  for (let row = 0; row < length; row++) {
    for (const part of [Math.cos, Math.sin]) {
      squares += taken.reduce((sum, step, k) => sum + columns[step]![row]! * part(angles[k]!), 0) **
        2;
    }
  }
  return Math.sqrt(squares);
}

/** The most that neighbours found by trying move C·G: vectors along one line, both ways, and random ones. */
function mostMoved(columns: Columns, participation: Participation): number {
  const source = new SeededSource(17);
  return Math.max(
    ...patternsOf(columns.length, participation).flatMap((taken) => [
      ...Array.from(
        { length: 2 ** (taken.length - 1) },
        (_, signs) =>
          moved(columns, taken, taken.map((_, k) => (signs >> k) % 2 === 1 ? Math.PI : 0)),
      ),
      moved(columns, taken, taken.map(() => 2 * Math.PI * source.uniform())),
    ]),
  );
}

const MIXED: Columns = [[1, -0.5, 0.2, 0], [0.3, 1, 0, -0.7], [0, 0.4, 1, 0.1], [0.6, 0, -0.3, 1]];

// Mutants: the number of bands for that of steps; products of different columns left out; the distance off by one; replaced rows counted once.
Deno.test("matrixSensitivity() is the most that allowed rows move C·G, or above it where steps share rows of C", () => {
  const cases: readonly (readonly [Columns, Participation, "equal" | "above"])[] = [
    [treeColumns({ steps: 9 }), {}, "equal"],
    [treeColumns({ steps: 8 }), { most: 3, apart: 2, periodic: true }, "equal"],
    [treeColumns({ steps: 8 }), { most: 2, apart: 3 }, "above"],
    [treeColumns({ steps: 8 }), { most: 8 }, "equal"],
    [bandedColumns([1, 0.5, 0.375], { steps: 9 }), { most: 3, apart: 3 }, "equal"],
    [bandedColumns([1, -0.5, 0.375], { steps: 9 }), { most: 2, apart: 5 }, "equal"],
    [bandedColumns([1, 0.5, 0.375], { steps: 8 }), { most: 3, apart: 2 }, "above"],
    [bandedColumns([1, 0.5, 0.375], { steps: 8 }), { most: 4, apart: 2, periodic: true }, "equal"],
    [bandedColumns([1], { steps: 5 }), { most: 9, apart: 2 }, "equal"],
    [MIXED, { most: 2 }, "above"],
    [MIXED, { most: 4, periodic: true }, "above"],
  ];
  for (const [columns, participation, kind] of cases) {
    const bound = matrixSensitivity(columns, participation);
    const found = mostMoved(columns, participation), asked = JSON.stringify(participation);
    assert(found <= bound, `${asked}: ${found} > ${bound}`);
    assert(bound < found * (kind === "equal" ? 1 + 1e-12 : 1.35), `${asked}: ${bound}, ${found}`);
  }
});

// Mutant: squares of the numbers themselves, which are 0, short of digits or infinite.
Deno.test("sensitivities are bounds for the smallest and the largest numbers, too", () => {
  for (const value of [5e-324, 1e-310, 1e-200, 1e-160, 1e200, 1.7e308]) {
    const bound = matrixSensitivity([[value, 0], [0, -value]], { most: 1 });
    assert(bound >= value && bound < value * (1 + 1e-12) + 1e-323, `${value}: ${bound}`);
  }
  assertEquals(matrixSensitivity([[0], [0]]), 0);
});

Deno.test("trees and bands have the sensitivities of the papers, for thousands of steps too", () => {
  const tree = treeColumns({ steps: 1024 });
  assertAlmostEquals(matrixSensitivity(tree), Math.sqrt(11), 1e-11);
  const coefficients = squareRootCoefficients({ count: 16 });
  assertEquals(coefficients.slice(0, 4), [1, 1 / 2, 3 / 8, 5 / 16]);
  const norm = Math.hypot(...coefficients), columns = bandedColumns(coefficients, { steps: 512 });
  assertAlmostEquals(
    matrixSensitivity(columns, { most: 8, apart: 16 }),
    Math.sqrt(8) * norm,
    1e-11,
  );
  const options = { sigma: 2, participation: { most: 4, apart: 64 } };
  assertAlmostEquals(matrixClaim(columns, { ...options, relation: addRemoveOne }).mu, norm, 1e-11);
  assertAlmostEquals(
    matrixClaim(columns, { ...options, relation: replaceOne }).mu,
    2 * norm,
    1e-11,
  );
});

Deno.test("matrices refuse what is none, and participations that mean nothing", () => {
  const columns = treeColumns({ steps: 3 });
  assertThrows(() => matrixSensitivity([]), RangeError, "the number of columns");
  assertThrows(() => matrixSensitivity([[1, 2], [1]]), RangeError, "finite numbers each");
  assertThrows(() => matrixSensitivity([[NaN]]), RangeError, "finite numbers each");
  const relation = asserted;
  assertThrows(() => matrixClaim(columns, { sigma: 1, relation }), RangeError, "addRemoveOne or");
});
