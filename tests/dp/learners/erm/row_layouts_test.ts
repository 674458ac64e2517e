import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  applyRandomFeatures,
  drawRandomFeatures,
  type RandomFeatures,
} from "../../../../lib/dp/learners/erm/rows/random_features.ts";
import {
  smoothElasticNet,
  squaredNorm,
} from "../../../../lib/dp/learners/erm/losses/regulariser.ts";
import {
  denseRows,
  type Rows,
  type SparseRows,
  sparseRows,
} from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

const source = new SeededSource(2606);

/** The rows as lists, whatever their layout. */
function listed(rows: Rows): number[][] {
  return Array.from({ length: rows.rowCount }, (_, i) => {
    const list = Array<number>(rows.columnCount).fill(0);
    if (rows.kind === "dense") {
      return list.map((_, j) => rows.values[i * rows.columnCount + j]!);
    }
    for (let k = rows.offsets[i]!; k < rows.offsets[i + 1]!; k++) {
      list[rows.columns[k]!] = rows.values[k]!;
    }
    return list;
  });
}

Deno.test("denseRows() takes numbers in a row with their width, and refuses widths that do not divide them", () => {
  assertEquals(listed(denseRows(Float64Array.of(1, 2, 3, 4), { columnCount: 2 })), [[1, 2], [
    3,
    4,
  ]]);
  assertEquals(denseRows(new Float64Array(0), { columnCount: 3 }).rowCount, 0);
  assertEquals(denseRows([]).columnCount, 0);
  assertEquals(denseRows([[5]]).columnCount, 1);
  assertThrows(() => denseRows(Float64Array.of(1, 2)), RangeError, "columnCount");
  assertThrows(
    () => denseRows(Float64Array.of(1, 2), { columnCount: 0 }),
    RangeError,
    "columnCount",
  );
  assertThrows(
    () => denseRows(Float64Array.of(1, 2, 3), { columnCount: 2 }),
    RangeError,
    "values per column",
  );
  for (const value of ["1", null, true, NaN, Infinity]) {
    assertThrows(() => denseRows([[1, value as number]]), RangeError, "row 1, column 2");
  }
  for (const at of [0, 3]) {
    const values = Float64Array.of(1, 2, 3, 4);
    values[at] = NaN;
    assertThrows(
      () => denseRows(values, { columnCount: 2 }),
      RangeError,
      at === 0 ? "row 1, column 1" : "row 2, column 2",
    );
  }
});

Deno.test("sparseRows() takes one column and no rows, and refuses offsets that fall or do not fit", () => {
  const rows = (changed: Partial<SparseRows> = {}): SparseRows =>
    sparseRows({
      columnCount: 3,
      offsets: Int32Array.of(0, 1, 3),
      columns: Int32Array.of(2, 0, 1),
      values: Float64Array.of(7, 8, 9),
      ...changed,
    });
  assertEquals(listed(rows()), [[0, 0, 7], [8, 9, 0]]);
  const none = {
    offsets: Int32Array.of(0),
    columns: new Int32Array(0),
    values: new Float64Array(0),
  };
  assertEquals(rows({ ...none, columnCount: 1 }).rowCount, 0);
  const one = {
    offsets: Int32Array.of(0, 1),
    columns: Int32Array.of(0),
    values: Float64Array.of(1),
  };
  assertEquals(listed(rows({ ...one, columnCount: 1 })), [[1]]);
  assertThrows(() => rows({ ...none, columnCount: 0 }), RangeError, "columnCount");
  assertThrows(
    () => rows({ ...none, offsets: new Int32Array(0) }),
    RangeError,
    "offsets minus one",
  );
  assertThrows(() => rows({ offsets: Int32Array.of(0, 4, 3) }), RangeError);
  assertThrows(
    () => rows({ offsets: Int32Array.of(0, 2, 1, 3), columns: Int32Array.of(0, 1, 2) }),
    RangeError,
    "offsets must not fall: they do at row 2",
  );
  assertThrows(() => rows({ values: Float64Array.of(7, NaN, 9) }), RangeError, "row 2, column 1");
  assertThrows(() => rows({ values: Float64Array.of(NaN, 8, 9) }), RangeError, "row 1, column 3");
});

// Mutants: frequencies of one sign, phases of half the circle, a stale row beside a sparse one.
Deno.test("drawRandomFeatures() draws frequencies of the kernel's law and phases of the whole circle", () => {
  const count = 20_000;
  for (const name of ["gaussian", "laplacian"] as const) {
    const { frequencies, phases } = drawRandomFeatures(source, {
      kernel: { name, gamma: 0.5 },
      inputCount: 1,
      count,
    });
    // Quartiles: a normal law of deviation 1, a Cauchy law of scale ½; phases uniform on (−π, π).
    const quartile = name === "gaussian" ? 0.6744897501960817 : 0.5;
    const cuts: [ArrayLike<number>, number[]][] = [
      [frequencies, [-quartile, 0, quartile]],
      [phases, [-Math.PI / 2, 0, Math.PI / 2]],
    ];
    for (const [values, at] of cuts) {
      at.forEach((cut, k) => {
        const below = Array.from(values).filter((value) => value < cut).length / count;
        // Six standard errors: 2e-9 a cut.
        assertAlmostEquals(below, (k + 1) / 4, 6 * Math.sqrt(3 / 16 / count));
      });
    }
    assert(phases.every((phase) => Math.abs(phase) <= Math.PI));
  }
  const options = { kernel: { name: "laplacian", gamma: 1 }, inputCount: 1, count: 1 } as const;
  assertEquals(drawRandomFeatures(source, options).frequencies.length, 1);
  assert(drawRandomFeatures(source, options).frequencies[0] !== 0);
  const refused = [
    [{ kernel: { name: "gaussian", gamma: 0 } }, "gamma"],
    [{ inputCount: 0 }, "inputCount"],
    [{ count: 0 }, "count"],
  ] as const;
  for (const [changed, named] of refused) {
    assertThrows(() => drawRandomFeatures(source, { ...options, ...changed }), RangeError, named);
  }
});

Deno.test("applyRandomFeatures() is √(1/D)·cos(ω·x + ψ) on dense and sparse rows, and 0 where products overflow", () => {
  const features: RandomFeatures = {
    kernel: { name: "gaussian", gamma: 1 },
    inputCount: 2,
    count: 3,
    frequencies: Float64Array.of(1, 2, 0.5, -1, 3, 0),
    phases: Float64Array.of(0.1, 0.2, 0.3),
  };
  const lists = [[1, 2], [0, 0], [0, -1], [3, 0]];
  const expected = lists.map(([x, y]) =>
    [[1, 2, 0.1], [0.5, -1, 0.2], [3, 0, 0.3]].map(([a, b, phase]) =>
      Math.cos(a! * x! + b! * y! + phase!) / Math.sqrt(3)
    )
  );
  const sparse = sparseRows({
    columnCount: 2,
    offsets: Int32Array.of(0, 2, 2, 3, 4),
    columns: Int32Array.of(0, 1, 1, 0),
    values: Float64Array.of(1, 2, -1, 3),
  });
  for (const rows of [denseRows(lists), sparse]) {
    listed(applyRandomFeatures(features, rows)).forEach((row, i) => {
      row.forEach((value, j) => assertAlmostEquals(value, expected[i]![j]!, 1e-12));
    });
  }
  const far = listed(applyRandomFeatures(features, denseRows([[1e308, 1e308]])))[0]!;
  assertEquals(far[0], 0);
});

// Mutants: a curvature or a slope that is not scaled, a value that is not 0 at 0, options that are let through.
Deno.test("regularisers are 0 at 0, and their slopes and curvatures are those of their values", () => {
  for (const regulariser of [squaredNorm, smoothElasticNet(0), smoothElasticNet(1.5)]) {
    assertEquals(regulariser.value(new Float64Array(3)), 0);
    const weights = Float64Array.of(0.5, -2, 0, 7), direction = Float64Array.of(1, -0.5, 2, 0.25);
    const scale = 0.75, h = 1e-4;
    const gradient = (at: Float64Array): Float64Array => {
      const into = new Float64Array(4);
      regulariser.addGradient(at, { scale, into });
      return into;
    };
    const moved = (by: number, along: Float64Array): Float64Array =>
      weights.map((weight, j) => weight + by * along[j]!);
    const hessian = new Float64Array(16).fill(1), product = new Float64Array(4).fill(1);
    regulariser.addHessian(weights, { scale, into: hessian });
    regulariser.addHessianProduct(weights, { direction, scale, into: product });
    for (let j = 0; j < 4; j++) {
      const axis = Float64Array.from({ length: 4 }, (_, k) => Number(k === j));
      const slope = (regulariser.value(moved(h, axis)) - regulariser.value(moved(-h, axis))) /
        (2 * h);
      assertAlmostEquals(gradient(weights)[j]!, scale * slope, 1e-6);
      const [up, down] = [gradient(moved(h, axis)), gradient(moved(-h, axis))];
      for (let k = 0; k < 4; k++) {
        assertAlmostEquals(hessian[k * 4 + j]! - 1, (up[k]! - down[k]!) / (2 * h), 1e-6);
      }
      const [ahead, behind] = [gradient(moved(h, direction)), gradient(moved(-h, direction))];
      assertAlmostEquals(product[j]! - 1, (ahead[j]! - behind[j]!) / (2 * h), 1e-6);
    }
  }
  for (const softening of [-1, NaN, Infinity]) {
    assertThrows(() => smoothElasticNet(softening), RangeError, "softening");
  }
});
