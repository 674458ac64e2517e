import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  type BooleanRow,
  conjunctionQueries,
  fitConjunction,
  type Literal,
} from "../../../lib/papers/sulq/fit_conjunction.ts";
import {
  openStatisticalQueries,
  sampleStatisticalQueries,
  statisticalQueryCalibration,
  type StatisticalQueryOptions,
} from "../../../lib/papers/sulq/statistical_queries.ts";
import { sulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { refutes } from "../../dp/learners/refutes.ts";
import { unlimited } from "../../dp/learners/unlimited.ts";
import { longTest } from "../../long.ts";

Deno.test("sampleStatisticalQueries() answers all queries within the tolerance as often as promised", () => {
  const data = Array.from({ length: 500 }, (_, i) => i % 2);
  const options = { queries: 5, tolerance: 0.05, failure: 0.2, data };
  const prepared = sulqNoise(statisticalQueryCalibration(options, { rowCount: 500 }));
  let failed = 0;
  for (let run = 0; run < 400; run++) {
    const oracle = sampleStatisticalQueries(new SeededSource(650).split(run), {
      ...options,
      prepared,
    });
    let off = 0;
    while (oracle.remaining > 0) off = Math.max(off, Math.abs(oracle.ask((row) => row) - 0.5));
    if (off > 0.05) failed++;
  }
  // At most 80 of 400 on average, with deviation 8: beyond 120 with chance below 1e-6. Less noise would
  // waste privacy: the tail bound promises a fifth and about 2% happen.
  assert(failed >= 1 && failed <= 120, `${failed} runs failed`);
});

const target: readonly Literal[] = [{ column: 0, value: true }, { column: 3, value: false }];
const holds = (literals: readonly Literal[], features: readonly boolean[]): boolean =>
  literals.every(({ column, value }) => features[column] === value);

function conjunctionRows(rowCount: number, seed: number): BooleanRow[] {
  const source = new SeededSource(seed);
  return Array.from({ length: rowCount }, () => {
    const features = Array.from({ length: 6 }, () => source.uniform() < 0.6);
    return { features, label: holds(target, features) };
  });
}

Deno.test("fitConjunction() errs on no more than the error in at least the promised share of 40 runs", () => {
  const data = conjunctionRows(4000, 651);
  const learning = { columnCount: 6, error: 0.2 };
  const options = { ...conjunctionQueries(learning), failure: 0.05, data };
  let good = 0;
  for (let run = 0; run < 40; run++) {
    const oracle = sampleStatisticalQueries(new SeededSource(652).split(run), options);
    const learnt = fitConjunction(oracle, learning);
    const wrong = data.filter(({ features, label }) => holds(learnt, features) !== label).length;
    if (wrong <= 0.2 * data.length) good++;
    assertEquals(oracle.remaining, 0);
  }
  // 95% of 40 at least on average: fewer than 32 with chance below 3e-4 if it is no more.
  assert(good >= 32, `${good} runs are good`);
});

Deno.test("fitConjunction() refuses an oracle that is too coarse or nearly spent", () => {
  const data = conjunctionRows(100, 653);
  const oracle = openStatisticalQueries(data, {
    queries: 12,
    tolerance: 0.1,
    failure: 0.05,
    budget: unlimited,
  });
  assertThrows(
    () => fitConjunction(oracle, { columnCount: 6, error: 0.2 }),
    RangeError,
    "oracle",
  );
  const spent = openStatisticalQueries(data, {
    queries: 11,
    tolerance: 0.001,
    failure: 0.05,
    budget: unlimited,
  });
  assertThrows(() => fitConjunction(spent, { columnCount: 6, error: 0.2 }), RangeError, "oracle");
});

/** The answers to two queries on four rows, as a mechanism whose claim is that of `claimed`. */
function mechanismOf(
  options: StatisticalQueryOptions,
  claimed = options,
): Mechanism<number, number[]> {
  const prepared = sulqNoise(statisticalQueryCalibration(options, { rowCount: 4 }));
  const source = new SeededSource(0), data = [0, 0, 0, 0];
  return {
    name: "statistical queries",
    claim: sampleStatisticalQueries(source, { ...claimed, data }).claim,
    sample(data, source): number[] {
      const oracle = sampleStatisticalQueries(source, { ...options, data, prepared });
      return [oracle.ask((row) => row), oracle.ask((row) => 1 - row)];
    },
  };
}

longTest(
  "an audit does not refute statistical queries, and refutes them with half the tolerance",
  async () => {
    const options = { queries: 2, tolerance: 0.8, failure: 0.1 };
    const pair = pairOf(replaceOne, { left: [1, 0, 0, 1], right: [0, 0, 0, 1] });
    assertEquals(await refutes(mechanismOf(options), { pair, seed: 654 }), false);
    const weak = mechanismOf({ ...options, tolerance: 0.4 }, options);
    assert(await refutes(weak, { pair, seed: 655 }));
  },
);

longTest(
  "an audit does not refute a learnt conjunction, and refutes it with a fifth of the tolerance",
  async () => {
    const learning = { columnCount: 1, error: 4 };
    const options = { ...conjunctionQueries(learning), failure: 0.5 };
    const row = (feature: boolean): BooleanRow => ({ features: [feature], label: true });
    const data = [row(true), row(true)];
    const learner = (tolerance: number): Mechanism<BooleanRow, string> => {
      const given = { ...options, tolerance };
      const prepared = sulqNoise(statisticalQueryCalibration(given, { rowCount: 2 }));
      return {
        name: "conjunction",
        claim: sampleStatisticalQueries(new SeededSource(0), { ...options, data }).claim,
        sample: (rows, source) =>
          JSON.stringify(
            fitConjunction(
              { ...sampleStatisticalQueries(source, { ...given, data: rows, prepared }) },
              learning,
            ),
          ),
      };
    };
    const pair = pairOf(replaceOne, { left: data, right: [row(true), row(false)] });
    assertEquals(await refutes(learner(options.tolerance), { pair, seed: 656 }), false);
    assert(await refutes(learner(options.tolerance / 5), { pair, seed: 657 }));
  },
);
