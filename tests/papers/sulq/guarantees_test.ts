import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { addRemoveOne, asserted, replaceOne } from "../../../lib/core/relations/relation.ts";
import { treeCalibration } from "../../../lib/papers/sulq/decision_tree.ts";
import { nearestCentre, placeSums } from "../../../lib/papers/sulq/k_means_sums.ts";
import {
  type BooleanRow,
  conjunctionQueries,
  fitConjunction,
} from "../../../lib/papers/sulq/fit_conjunction.ts";
import { perceptronCalibration, samplePerceptron } from "../../../lib/papers/sulq/perceptron.ts";
import { perceptronGuarantee } from "../../../lib/papers/sulq/perceptron_guarantee.ts";
import {
  noisySecondMoments,
  principalDirections,
} from "../../../lib/papers/sulq/principal_directions.ts";
import { secondMomentError } from "../../../lib/papers/sulq/second_moment_error.ts";
import { sampleSulq } from "../../../lib/papers/sulq/sulq_database.ts";
import { treeGainBound } from "../../../lib/papers/sulq/tree_gain_bound.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { silentNoise } from "./silent_noise.ts";

const source = new SeededSource(2603);

function assertShare(found: number, expected: number, relative = 1e-9): void {
  assertAlmostEquals(found / expected, 1, relative);
}

// Mutants: each term of the formulas for rounds, noise and tolerance.
Deno.test("perceptronGuarantee() meets the conditions of its proof with equality", () => {
  for (const columnCount of [1, 2, 7]) {
    for (
      const [share, rho, failure] of [[0.3, 0.5, 0.05], [1, 4, 0.9], [0.01, 0.1, 1e-6]] as const
    ) {
      const longest = Math.sqrt(columnCount), margin = share * longest;
      const { options, wrongRows } = perceptronGuarantee({ columnCount, margin, rho, failure });
      const { variance, queries } = perceptronCalibration(options);
      const noise = wrongRows - options.tolerance;
      // No noise of T is beyond t but with probability T·2e^(−t²/2R).
      assertShare(queries * 2 * Math.exp(-(noise ** 2) / (2 * variance)), failure, 1e-6);
      // η = 3t√d/tolerance = γ/4.
      const error = margin / 4;
      assertShare(3 * noise * longest, error * options.tolerance, 1e-9);
      // The updates k ≤ ((√d + η)/(γ − 2η))², and one round that finds that it may stop.
      const updates = ((longest + error) / (margin / 2)) ** 2;
      assert(options.rounds - 1 <= updates * (1 + 1e-12) && updates * (1 - 1e-12) < options.rounds);
      assertEquals([options.columnCount, options.rho], [columnCount, rho]);
    }
  }
  const goal = { columnCount: 2, margin: 0.5, rho: 0.5, failure: 0.05 };
  const refused = { columnCount: 0, margin: 0, rho: 0, failure: 0 };
  for (const [name, value] of Object.entries(refused)) {
    assertThrows(() => perceptronGuarantee({ ...goal, [name]: value }), RangeError, name);
  }
  assertThrows(() => perceptronGuarantee({ ...goal, margin: -1 }), RangeError, "margin");
  assertThrows(() => perceptronGuarantee({ ...goal, failure: -1 }), RangeError, "failure");
  assertThrows(() => perceptronGuarantee({ ...goal, failure: 1 }), RangeError, "failure");
  assertThrows(() => perceptronGuarantee({ ...goal, margin: 1.5 }), RangeError, "margin");
});

Deno.test("secondMomentError() leaves 9^d directions the failure that is asked for, with the deviation of the mechanism", () => {
  for (const columnCount of [2, 5, 20]) {
    for (const relation of [replaceOne, addRemoveOne]) {
      for (const [normBound, rho, failure] of [[1, 0.5, 0.05], [3, 0.02, 0.9]] as const) {
        const options = { columnCount, normBound, rho, relation };
        const error = secondMomentError(options, { failure });
        const { grid } = noisySecondMoments(options);
        const deviation = grid.scaleInSteps * grid.granularity;
        // Each of 9^d unit vectors finds half of the norm, and more than half with probability 2e^(−(error/2)²/(2·2σ²)).
        const chance = columnCount * Math.log(9) + Math.log(2) -
          (error / 2) ** 2 / (4 * deviation ** 2);
        assertAlmostEquals(chance, Math.log(failure), 1e-2);
      }
    }
  }
  const options = { columnCount: 2, normBound: 1, rho: 1, relation: replaceOne };
  for (const failure of [0, -1, 1]) {
    assertThrows(() => secondMomentError(options, { failure }), RangeError, "failure");
  }
});

// The figures are those of the formula in the docstring, in Python.
Deno.test("treeGainBound() is twice the largest error of the entropy", () => {
  const tree = { attributes: [2, 5, 3], classes: 4, depth: 2, rho: 0.7, relation: replaceOne };
  for (const [rows, failure] of [[1000, 0.05], [1, 0.9], [1e6, 1e-9]] as const) {
    const found = treeGainBound(tree, { rows, failure });
    const { variance } = treeCalibration(tree);
    // t is the least at which 40 noises are within it but with the probability of failure.
    let [low, high] = [0, 1e6];
    for (let i = 0; i < 100; i++) {
      const t = (low + high) / 2;
      if (40 * 2 * Math.exp(-t * t / (2 * variance)) > failure) low = t;
      else high = t;
    }
    // 5 values of 4 classes each: the counts of a value grow by t a class, where it has a fifth of the rows.
    const grown = (t: number): number => 4 * t + 4 * t * Math.log(8 + rows / 5 / t);
    assertShare(found, 2 * 5 * grown(high) / rows);
  }
  for (const failure of [0, -1, 1]) {
    assertThrows(() => treeGainBound(tree, { rows: 10, failure }), RangeError, "failure");
  }
  assertThrows(() => treeGainBound(tree, { rows: 0, failure: 0.1 }), RangeError, "rows");
});

// Mutants: a literal that is never asked for, contributions other than 0 and 1, the edge of the tolerance.
Deno.test("fitConjunction() keeps the literals that are false with the label at most as often as the tolerance", () => {
  assertEquals(conjunctionQueries({ columnCount: 5, error: 0.1 }), {
    queries: 10,
    tolerance: 0.005,
  });
  assertEquals(conjunctionQueries({ columnCount: 1, error: 0.4 }), { queries: 2, tolerance: 0.1 });
  assertThrows(() => conjunctionQueries({ columnCount: 0, error: 1 }), RangeError, "columnCount");
  assertThrows(() => conjunctionQueries({ columnCount: 1, error: 0 }), RangeError, "error");
  const rows: BooleanRow[] = Array.from({ length: 8 }, (_, i) => {
    const features = [i % 2 === 0, i % 4 < 2, i % 8 < 4];
    return { features, label: features[0]! && !features[2]! };
  });
  const asked: number[][] = [];
  const oracle = {
    tolerance: 0.125 / 3,
    remaining: 6,
    ask: (contribution: (row: BooleanRow) => number): number => {
      asked.push(rows.map(contribution));
      return asked.at(-1)!.reduce((sum, each) => sum + each) / rows.length;
    },
  } as unknown as Parameters<typeof fitConjunction>[0];
  assertEquals(fitConjunction(oracle, { columnCount: 3, error: 0.5 }), [
    { column: 0, value: true },
    { column: 2, value: false },
  ]);
  assert(asked.flat().every((each) => each === 0 || each === 1));
  // Column 1 is false beside the label in one row of eight, which a tolerance of an eighth allows.
  const coarse = { ...oracle, tolerance: 0.125 };
  assertEquals(fitConjunction(coarse, { columnCount: 3, error: 1.5 }).length, 4);
});

// Mutants: sums that begin elsewhere, contributions off the grid, sums that pass the end of exact integers.
Deno.test("sums of SuLQ are exact, on the grid, and stop at their end", () => {
  const silent = silentNoise({ stepsPerUnit: 4 });
  const database = sampleSulq(source, {
    variance: 1,
    queries: 9,
    relation: replaceOne,
    data: [0.3, 0.3, 0.3],
    prepared: silent.prepared,
  });
  assertEquals(database.ask((row) => row), 3 / 4);
  assertEquals(database.ask(() => 0.5), 3 / 2);
  assertEquals(database.ask(() => -1), 0);
  const sums = (given: number[], centres: number[], columnCount: number): number[] => {
    const points = { columnCount, steps: Float64Array.from(given) };
    const out = new Float64Array(centres.length / columnCount * (columnCount + 1)).fill(7);
    return [
      ...placeSums(points, { placeOf: nearestCentre(points, Float64Array.from(centres)), out }),
    ];
  };
  assertEquals(sums([2 ** 52, 5, -3], [0], 1), [3, 2 ** 52 - 3]);
  assertEquals(sums([-(2 ** 52), -5, 3], [0], 1), [3, 3 - 2 ** 52]);
  assertEquals(sums([2 ** 52, -(2 ** 52), 1, 1], [0, 0], 2), [2, 2 ** 52, 1 - 2 ** 52]);
  assertEquals(sums([0, 0, 9, 9, 1, 1], [0, 0, 9, 9], 2), [2, 1, 1, 1, 9, 9]);
});

Deno.test("samplePerceptron() stops where no row is wrong, at a tolerance of 0 too", () => {
  const data = [{ features: [1], label: 1 }, { features: [-1], label: -1 }];
  const options = { columnCount: 1, rounds: 5, rho: 0.5, tolerance: 0 };
  const { weights } = samplePerceptron(source, { ...options, data, ...silentNoise() });
  assertEquals(weights, [1]);
});

// Mutants: the margin for rounding products dropped, a sum that begins at a step, triangles of another length.
Deno.test("noisySecondMoments() raises its sensitivity for the rounding of every entry, and sums exactly", () => {
  for (const columnCount of [1, 2, 3, 10]) {
    for (const relation of [replaceOne, addRemoveOne]) {
      const rows = relation === replaceOne ? 2 : 1, entries = columnCount * (columnCount + 1) / 2;
      const { grid } = noisySecondMoments({ columnCount, normBound: 2, rho: 1, relation });
      // Each entry of each row is half a step off at most; a number's square moves by its whole range only once.
      const least = (columnCount === 1 ? 1 : Math.sqrt(rows)) * 2 ** 20 +
        rows * 0.5 * Math.sqrt(entries);
      assert(grid.sensitivityInSteps >= least && grid.sensitivityInSteps <= least + 2);
    }
  }
  // At ρ = 10¹⁶ noise that is not 0 has probability below e^−1000.
  const options = { columnCount: 2, normBound: 1, rho: 1e16, relation: addRemoveOne };
  const rows = [[0.5, 0.5], [0, 1], [0.5, -0.25]];
  assertEquals(noisySecondMoments(options).sample(rows, source), [0.5, 0.125, 1.3125]);
  const domain = { size: { min: 1, max: 1 }, rows: { type: "boolean" } } as const;
  assertEquals(noisySecondMoments({ ...options, domain }).domain, domain);
  assert(!("domain" in noisySecondMoments(options)));
  assertThrows(() => noisySecondMoments({ ...options, columnCount: 0 }), RangeError, "columnCount");
  assertThrows(
    () => noisySecondMoments({ ...options, relation: asserted }),
    RangeError,
    "relation",
  );
});

Deno.test("principalDirections() takes a triangle of d(d + 1)/2 entries and from one to d directions", () => {
  const { values, directions } = principalDirections([2, 0, 0, 3, 0, 1], {
    columnCount: 3,
    count: 1,
  });
  assertAlmostEquals(values[0]!, 3, 1e-12);
  assertAlmostEquals(Math.abs(directions[0]![1]!), 1, 1e-12);
  assertEquals(principalDirections([2, 1, 5], { columnCount: 2, count: 2 }).values.length, 2);
  for (const entries of [5, 7, 12, 24]) {
    const triangle = Array<number>(entries).fill(1);
    assertThrows(
      () => principalDirections(triangle, { columnCount: 3, count: 1 }),
      RangeError,
      "entries",
    );
  }
  assertThrows(() => principalDirections([1], { columnCount: 1, count: 2 }), RangeError, "count");
});
