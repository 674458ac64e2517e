import { assert, assertThrows } from "@std/assert";
import {
  type BooleanRow,
  fitConjunction,
  type Literal,
} from "../../../lib/papers/sulq/fit_conjunction.ts";
import {
  openStatisticalQueries,
  sampleStatisticalQueries,
  statisticalQueryCalibration,
} from "../../../lib/papers/sulq/statistical_queries.ts";
import { sulqNoise } from "../../../lib/papers/sulq/sulq_noise.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { unlimited } from "../../dp/learners/unlimited.ts";

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
