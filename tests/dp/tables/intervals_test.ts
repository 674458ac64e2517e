import { assert, assertEquals } from "@std/assert";
import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { discreteGaussian } from "../../../lib/core/random/discrete_gaussian.ts";
import { discreteLaplace } from "../../../lib/core/random/discrete_laplace.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { preparedDistinct } from "../../../lib/dp/tables/distinct.ts";
import { ratioInterval, reachOf } from "../../../lib/dp/tables/intervals.ts";
import type { Request } from "../../../lib/dp/tables/ask.ts";
import type { Cost } from "../../../lib/dp/tables/noise.ts";
import { dailyOf } from "../../long.ts";
import { put, reading, REQUESTS, viewOf } from "./tables_of_rows.ts";

const RUNS = 10_000;
/** Of 10,000 runs fewer than 94.3% hit with a probability below 0.001 where 95% do, and more than 96.7% where 96% do. */
const FEWEST = 0.943, MOST = 0.967;

/** Three groups: one of many rows, one of some, one of few. */
const rows = [300, 40, 6].flatMap((size, group) =>
  Array.from({ length: size }, (_, i) => ({
    group: "abc"[group]!,
    number: (7 * i + 13 * group) % (41 + 20 * group),
    person: null,
  }))
);

const truths: Readonly<
  Record<Exclude<Request["what"], "ratio">, (numbers: readonly number[]) => number>
> = {
  count: (numbers) => numbers.length,
  sum: (numbers) => numbers.reduce((a, b) => a + b, 0),
  mean: (numbers) => truths.sum(numbers) / numbers.length,
  variance: (numbers) =>
    truths.mean(numbers.map((value) => value ** 2)) - truths.mean(numbers) ** 2,
};

/** How often the interval of each group holds the truth. */
function coverage(
  request: Request,
  { cost, relation }: { cost: Cost; relation: Relation },
): number[] {
  const view = viewOf({
    schema: {
      columns: {
        group: { type: "category", values: ["a", "b", "c"] },
        number: { type: "number", lower: 0, upper: 100 },
      },
      unit: "row",
      relation,
      budget: { epsilon: 1 },
    },
    bounds: { groups: 1, rows: 1 },
  });
  const asked = put(view, { ...request, by: "group", cost });
  reading(asked, rows, new SeededSource(0));
  const truth = ["a", "b", "c"].map((group) =>
    truths[request.what as keyof typeof truths](
      rows.filter((row) => row.group === group).map(({ number }) => number),
    )
  );
  const source = new SeededSource(`coverage ${request.what}`), hits = [0, 0, 0];
  for (let run = 0; run < RUNS; run++) {
    asked.draw(source).rows.forEach(({ lower, upper }, i) => {
      // The last bits of a mean are rounded.
      if (lower! <= truth[i]! + 1e-9 && truth[i]! <= upper! + 1e-9) hits[i]!++;
    });
  }
  return hits.map((each) => each / RUNS);
}

for (const request of REQUESTS) {
  Deno.test(`intervals of a ${request.what} hold it in at least 95% of 10,000 runs`, () => {
    for (
      const options of [
        { cost: { epsilon: 0.1 }, relation: addRemoveOne },
        { cost: { epsilon: 2 }, relation: addRemoveOne },
        { cost: { epsilon: 0.5 }, relation: replaceOne },
        { cost: { rho: 0.02 }, relation: addRemoveOne },
      ]
    ) {
      const shares = coverage(request, options);
      const wide = request.what !== "variance" && options.cost.epsilon !== 2;
      for (const share of shares) {
        assert(share >= FEWEST, `${JSON.stringify(options.cost)}: ${shares}`);
        // A mean that may be anything has an interval up to its bounds.
        if (wide && request.what !== "mean") {
          assert(share <= MOST, `${JSON.stringify(options.cost)}: ${shares}`);
        }
      }
      if (wide) assert(shares[0]! <= MOST, `${JSON.stringify(options.cost)}: ${shares}`);
    }
  });
}

Deno.test("intervals of a mean and a variance of rows that are publicly many hold them in at least 95% of 10,000 runs", () => {
  const bounds = { groups: 1, rows: 1 }, some = rows.slice(0, 50);
  const schema = {
    columns: { number: { type: "number", lower: 0, upper: 100, missing: 0 } },
    unit: "row",
    relation: replaceOne,
    rowCountIsPublic: true,
    budget: { epsilon: 1 },
  } as const;
  for (const [what, sums] of [["mean", 1], ["variance", 2]] as const) {
    const cost = { epsilon: 0.5 };
    const asked = put(viewOf({ schema, bounds }), { what, column: "number", by: undefined, cost });
    assertEquals(asked.totals.length, sums);
    // What was read before is forgotten, and its number too.
    reading(asked, rows, new SeededSource(0));
    reading(asked, some, new SeededSource(0));
    const truth = truths[what](some.map(({ number }) => number)),
      source = new SeededSource("publicly many");
    let hits = 0;
    for (let run = 0; run < RUNS; run++) {
      const [{ lower, upper }] = asked.draw(source).rows as never as [
        { lower: number; upper: number },
      ];
      if (lower <= truth + 1e-9 && truth <= upper + 1e-9) hits++;
    }
    assert(hits / RUNS >= FEWEST, `${hits}`);
    if (what === "mean") assert(hits / RUNS <= MOST, `${hits}`);
  }
});

Deno.test("intervals of a number of different values hold it in at least 95% of 10,000 runs", () => {
  const view = viewOf({
    schema: {
      columns: { number: { type: "text" } },
      unit: { person: "person" },
      relation: addRemoveOne,
      budget: { epsilon: 1 },
    },
    bounds: { groups: 1, rows: 1 },
  });
  const asked = preparedDistinct(view, "number", { epsilon: 0.1, values: 2 });
  reading(asked, rows.map((row, i) => ({ ...row, person: i >> 1 })), new SeededSource(0));
  const source = new SeededSource("different"), truth = asked.total[0]!;
  let hits = 0;
  for (let run = 0; run < RUNS; run++) {
    const [{ lower, upper }] = asked.draw(source).rows as never as [
      { lower: number; upper: number },
    ];
    if (lower <= truth && truth <= upper) hits++;
  }
  assert(hits / RUNS >= FEWEST && hits / RUNS <= MOST, `${hits}`);
});

// Of 2,000 runs fewer than 93.3% hit with a probability below 0.001 where 95% do.
Deno.test("intervals of the largest groups hold all at once in at least 95% of 2,000 runs", () => {
  const values = Array.from({ length: 40 }, (_, i) => `v${i}`);
  const sizes = values.map((_, i) => i % 9 === 0 ? 25 : 20);
  const many = values.flatMap((group, i) =>
    new Array(sizes[i]!).fill({ group, number: 0, person: null })
  );
  const view = viewOf({
    schema: {
      columns: { group: { type: "category", values } },
      unit: "row",
      relation: addRemoveOne,
      budget: { epsilon: 1 },
    },
    bounds: { groups: 1, rows: 1 },
  });
  const asked = put(view, { what: "count", together: true, by: "group", cost: { epsilon: 0.2 } });
  reading(asked, many, new SeededSource(0));
  const source = new SeededSource("largest");
  let held = 0;
  for (let run = 0; run < 2000; run++) {
    const chosen = asked.draw(source).rows.map((row, i) => ({ ...row, size: sizes[i]! }))
      .sort((a, b) => b.value - a.value).slice(0, 6);
    if (chosen.every(({ lower, upper, size }) => lower! <= size && size <= upper!)) held++;
  }
  assert(held / 2000 >= 0.933, `${held}`);
});

Deno.test("reachOf() is the least reach that noise exceeds with the probability given", () => {
  for (const scale of [0.1, 0.5, 1, 3, 1000, 2 ** 30]) {
    for (const miss of [0.5, 0.05, 1e-6]) {
      for (
        const law of [
          discreteLaplace({ scale: rational(scale) }),
          discreteGaussian({ variance: rational(scale ** 2) }),
        ]
      ) {
        const reach = reachOf(law, miss);
        const beyond = (t: number): number => 2 * Math.exp(law.logUpperTail(t + 1));
        assert(beyond(reach) <= miss * (1 + 1e-9), `${scale} ${miss}`);
        assert(reach === 0 || beyond(reach - 1) > miss, `${scale} ${miss}`);
      }
    }
  }
});

// By summing both laws: mutants are a reach taken at the inner end of a piece, and a block's tail at its upper end.
Deno.test("ratioInterval() leaves out the true mean with at most the probability given, and not much less", () => {
  const miss = 0.05;
  const scales = [[40, 2], [5, 0.5], [100, 10], [1, 40]] as const;
  // The third takes nine tenths of the time.
  for (const [sumScale, sizeScale] of dailyOf(scales, (_, place) => place !== 2)) {
    const sum = discreteLaplace({ scale: rational(sumScale) }),
      size = discreteLaplace({ scale: rational(sizeScale) });
    const interval = ratioInterval({ sum, size, lower: -20, upper: 20, miss });
    for (const [mean, rows] of [[0, 5], [7, 12], [-20, 30], [19, 100], [19.9, 400]] as const) {
      let missed = 0;
      // Beyond are less than 2e-5.
      for (let y = -12 * sizeScale; y <= 12 * sizeScale; y++) {
        for (let x = -12 * sumScale; x <= 12 * sumScale; x++) {
          const [lower, upper] = interval(mean * rows + x, rows + y);
          if (lower > mean + 1e-9 || upper < mean - 1e-9) {
            missed += Math.exp(sum.logProbability(x) + size.logProbability(y));
          }
        }
      }
      assert(missed <= miss, `${sumScale} ${sizeScale} ${mean} ${rows}: ${missed}`);
      // Wider than it must be: a piece that the noise rules out is kept.
      if (mean === 7) assert(missed >= 0.7 * miss, `${sumScale} ${sizeScale}: ${missed}`);
    }
  }
});
