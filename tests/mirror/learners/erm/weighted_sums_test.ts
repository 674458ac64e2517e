import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { pure } from "../../../../lib/core/claim.ts";
import { replaceOne } from "../../../../lib/core/relation.ts";
import { readColumnDescription } from "../../../../lib/learners/erm/column_description.ts";
import { ermMechanism } from "../../../../lib/learners/erm/mechanism.ts";
import { Model } from "../../../../lib/learners/erm/model.ts";
import {
  addWeightedOuterProducts,
  addWeightedRows,
  computeMargins,
} from "../../../../lib/learners/erm/row_kernels.ts";
import { denseRows, type Rows, sparseRows } from "../../../../lib/learners/erm/rows.ts";
import {
  roundingOf,
  sumRoundingBound,
  sumWeightedRows,
} from "../../../../lib/learners/erm/sum_weighted_rows.ts";
import { divide, type Rational, rational, toNumber } from "../../../../lib/numeric/rational.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const source = new SeededSource(2607);

/** The same rows in both layouts; whole numbers, so that sums are exact. */
function layouts(lists: readonly (readonly number[])[], columnCount: number): Rows[] {
  const offsets = [0], columns: number[] = [], values: number[] = [];
  for (const list of lists) {
    list.forEach((value, j) => value !== 0 && (columns.push(j), values.push(value)));
    offsets.push(values.length);
  }
  return [
    denseRows(Float64Array.from(lists.flat()), { columnCount }),
    sparseRows({
      columnCount,
      offsets: Int32Array.from(offsets),
      columns: Int32Array.from(columns),
      values: Float64Array.from(values),
    }),
  ];
}

// Mutants: a row or a column left out or read twice, products without one of their parts, factors of 0 or 1 skipped.
Deno.test("sums over rows are those of their definition in both layouts, for 0 to 300 rows of 1 to 7 columns", () => {
  for (let run = 0; run < 120; run++) {
    const rowCount = run < 100 ? run % 12 : 120 + source.uint32() % 180;
    const columnCount = 1 + source.uint32() % 7;
    const whole = (): number => source.uint32() % 7 - 3;
    const lists = Array.from(
      { length: rowCount },
      () => Array.from({ length: columnCount }, whole),
    );
    const factors = Float64Array.from({ length: rowCount }, whole);
    const weights = Float64Array.from({ length: columnCount }, whole);
    const signs = Float64Array.from({ length: rowCount }, () => source.uint32() % 2 === 0 ? 1 : -1);
    const margins = lists.map((list, i) =>
      signs[i]! * list.reduce((sum, value, j) => sum + value * weights[j]!, 0)
    );
    const sums = weights.map((_, j) =>
      lists.reduce((sum, list, i) => sum + factors[i]! * list[j]!, 0)
    );
    for (const rows of layouts(lists, columnCount)) {
      // + 0: sums may be −0.
      const found = new Float64Array(rowCount);
      computeMargins(rows, { weights, signs, into: found });
      assertEquals([...found].map((each) => each + 0), margins.map((each) => each + 0));
      const added = new Float64Array(columnCount).fill(10);
      addWeightedRows(rows, { factors, into: added });
      assertEquals(added, sums.map((sum) => sum + 10));
      const fresh = new Float64Array(columnCount).fill(10);
      sumWeightedRows(rows, { factors, into: fresh });
      assertEquals([...fresh].map((each) => each + 0), [...sums].map((each) => each + 0));
      const products = new Float64Array(columnCount ** 2).fill(5);
      addWeightedOuterProducts(rows, { factors, into: products });
      for (let j = 0; j < columnCount; j++) {
        for (let k = 0; k < columnCount; k++) {
          const sum = lists.reduce((all, list, i) => all + factors[i]! * list[j]! * list[k]!, 0);
          assertEquals(products[j * columnCount + k], k <= j ? 5 + sum : 5);
        }
      }
    }
  }
});

/** γ of so many roundings, exactly. */
function gamma(operations: bigint): Rational {
  return divide(rational(operations, 2n ** 53n), rational(2n ** 53n - operations, 2n ** 53n));
}

// Mutants: no compensation in one direction, a bound without one of its parts.
Deno.test("sumWeightedRows() loses no more than sumRoundingBound() allows where plain sums lose all", () => {
  for (const huge of [1, -1]) {
    // Blocks of huge values of both signs between small ones: what they push out comes back from the compensation.
    const lists = Array.from({ length: 1024 }, (_, i) => [
      i === 0 ? huge * 2 ** 60 : i === 1000 ? -huge * 2 ** 60 : i === 500 ? 3 : 0,
      i === 0 ? 3 : i === 500 ? huge * 2 ** 60 : i === 1000 ? -huge * 2 ** 60 : 0,
    ]);
    for (const rows of layouts(lists, 2)) {
      const into = new Float64Array(2);
      sumWeightedRows(rows, { factors: new Float64Array(1024).fill(1), into });
      assertEquals([...into], [3, 3]);
    }
  }
  for (const operations of [1, 3, 130, 1_000_000]) {
    assertAlmostEquals(roundingOf(operations) / toNumber(gamma(BigInt(operations))), 1, 1e-15);
  }
  for (const rowCount of [1, 128, 10 ** 6, 10 ** 9]) {
    // A block of 128, its product, and the result; the square of γ of all rows.
    const least = toNumber(gamma(130n)) + toNumber(gamma(BigInt(rowCount))) ** 2;
    assertAlmostEquals(sumRoundingBound({ rowCount }) / least, 1, 1e-12);
  }
});

Deno.test("Model.fromJSON() refuses parts that do not fit together", () => {
  const right = {
    format: "dpcheck-linear-model",
    version: 1,
    statement: "",
    claim: { kind: "pure", epsilon: 1, relation: replaceOne.name },
    classes: [-1, 1],
    weights: [[1, 2]],
    preparation: { normBound: 1, intercept: null, features: null },
    training: {
      loss: "logistic",
      regulariser: "squared-norm",
      lambda: 1,
      perturbation: "objective",
      rowCount: 1,
    },
  };
  const features = {
    kernel: { name: "gaussian", gamma: 1 },
    inputCount: 2,
    count: 2,
    frequencies: [1, 2, 3, 4],
    phases: [0, 1],
  };
  const mapped = { normBound: null, intercept: null, features };
  assertEquals(Model.fromJSON(right).claim, pure({ epsilon: 1, relation: replaceOne }));
  assertEquals(Model.fromJSON({ ...right, weights: [[1]] }).weights.length, 1);
  const three = { ...right, classes: ["a", "b", "c"], weights: [[1], [2], [3]] };
  assertEquals(Model.fromJSON(three).classes, ["a", "b", "c"]);
  assertEquals(Model.fromJSON({ ...right, preparation: mapped }).preparation.features?.count, 2);
  const withIntercept = { ...mapped, intercept: 1 };
  assertEquals(
    Model.fromJSON({ ...right, weights: [[1, 2, 3]], preparation: withIntercept }).weights[0]!
      .length,
    3,
  );
  const approximate = { kind: "approximate", epsilon: 1, delta: 0.25, relation: replaceOne.name };
  const { claim } = Model.fromJSON({ ...right, claim: approximate });
  assertEquals(claim.kind === "approximate" && claim.delta, 0.25);
  const { delta: _, ...without } = approximate;
  const bare = Model.fromJSON({ ...right, claim: without }).claim;
  assertEquals(bare.kind === "pure" || (bare.kind === "approximate" && bare.delta === 0), true);
  const refused: [object, string][] = [
    [{ classes: [1] }, "classes"],
    [{ weights: [[]] }, "weights"],
    [{ weights: [] }, "weights"],
    [{ weights: [[1], [2]] }, "one vector for two classes"],
    [{ classes: [1, 2, 3], weights: [[1], [2]] }, "one a class for more"],
    [{ classes: [1, 2, 3], weights: [[1], [2], [3, 4]] }, "equally long"],
    [{ preparation: { ...right.preparation, normBound: null } }, "normBound must be given"],
    [{ preparation: { ...mapped, features: { ...features, phases: [1] } } }, "as they say"],
    [{ preparation: { ...mapped, features: { ...features, frequencies: [1, 2] } } }, "as they say"],
    [{ preparation: withIntercept }, "as they say"],
    [{ preparation: mapped, weights: [[1, 2, 3]] }, "as they say"],
    [{ claim: { ...approximate, delta: 1 } }, "claim.delta"],
    [{ claim: { ...approximate, delta: -0.1 } }, "claim.delta"],
  ];
  for (const [changed, named] of refused) {
    assertThrows(() => Model.fromJSON({ ...right, ...changed }), TypeError, named);
  }
});

Deno.test("ermMechanism() names the datasets that a search may try, and draws model after model", () => {
  const options = { epsilon: 1, lambda: 1, normBound: 2, relation: replaceOne, columnCount: 2 };
  const mechanism = ermMechanism(options);
  assertEquals(mechanism.domain, {
    size: { min: 1, max: 20 },
    rows: {
      type: "record",
      fields: {
        features: { type: "vector", length: 2, of: { type: "number", min: -2, max: 2 } },
        label: { type: "category", values: [-1, 1] },
      },
    },
  });
  const data = [{ features: [1, 0], label: 1 }, { features: [0, 1], label: -1 }];
  const many = mechanism.sampleMany!(data, 3, new SeededSource(9)), one = new SeededSource(9);
  assertEquals([...many], Array.from({ length: 3 }, () => mechanism.sample(data, one)).flat());
  assert(new Set(many).size === 6);
});

Deno.test("readColumnDescription() takes names, values and classes of one letter or one value, and refuses none", () => {
  const number = { name: "a", type: "number", min: 0, max: 1 } as const;
  const category = { name: "b", type: "category", values: ["x"] } as const;
  const label = { name: "c", classes: ["0", "1"] };
  readColumnDescription({ columns: [number, category], label });
  readColumnDescription({ columns: [number] });
  const refused = [
    { columns: [] },
    { columns: [{ ...number, name: "" }] },
    { columns: [{ ...category, name: "" }] },
    { columns: [{ ...category, values: [] }] },
    { columns: [number], label: { ...label, name: "" } },
    { columns: [number], label: { ...label, classes: ["0"] } },
  ];
  for (const description of refused) {
    assertThrows(() => readColumnDescription(description));
  }
});
