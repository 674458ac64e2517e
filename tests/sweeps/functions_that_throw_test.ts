import { assert, assertEquals } from "@std/assert";
import { addRemoveOne, replaceOne } from "../../lib/core/relations/relation.ts";
import { noisySufficientStatistics } from "../../lib/papers/bayes/noisy_sufficient_statistics.ts";
import { posteriorSampling } from "../../lib/papers/bayes/posterior_sampling.ts";
import { privateLearner } from "../../lib/papers/pac/private_learner.ts";
import { subsampleAndAggregate } from "../../lib/papers/aggregate/subsample_and_aggregate.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import { quantile } from "../../lib/dp/mechanisms/quantile.ts";
import { release } from "../../lib/dp/mechanisms/release.ts";
import { FACTORIES } from "../dp/mechanisms/manifest.ts";
import { Ledger } from "./sweep.ts";

// A function of the caller that throws on a row: whenever it is called in a release, its error comes before the budget pays.
// It throws at its first call, at its second, and so on, until a release ends without it.

type Make = (options: Record<string, unknown>) => Mechanism<unknown, unknown>;

const epsilon = 1;
const LEARNERS: readonly (readonly [Make, Record<string, unknown>, readonly unknown[]])[] = [
  [
    noisySufficientStatistics as never,
    {
      statistic: (x: number) => [x],
      bounds: { lower: [0], upper: [1] },
      epsilon,
      relation: replaceOne,
    },
    [0.5, 0.25],
  ],
  [
    noisySufficientStatistics as never,
    {
      statistic: (x: number) => [x],
      bounds: { lower: [0], upper: [1] },
      epsilon,
      relation: addRemoveOne,
    },
    [0.5, 0.25],
  ],
  [
    (({ epsilon, relation, samples, ...posterior }: Record<string, unknown>) =>
      posteriorSampling(posterior as never, { epsilon, relation, samples } as never)) as never,
    {
      parameters: [0.25, 0.75],
      logPrior: () => 0,
      logLikelihood: (x: boolean, p: number) => Math.log(x ? p : 1 - p),
      range: 2,
      samples: 1,
      epsilon,
      relation: replaceOne,
    },
    [true, false],
  ],
  [
    privateLearner as never,
    {
      hypotheses: [0, 1],
      errs: (h: number, row: number) => h !== row,
      epsilon,
      relation: replaceOne,
    },
    [0, 1],
  ],
  [
    subsampleAndAggregate as never,
    {
      blocks: 2,
      estimator: (rows: readonly number[]) => rows[0]!,
      fallback: 0,
      aggregator: quantile({
        level: 0.5,
        bounds: { lower: 0, upper: 9 },
        epsilon,
        relation: replaceOne,
      }),
      relation: replaceOne,
    },
    [1, 2, 3, 4],
  ],
];

/** Functions that a mechanism calls without the data: with options. */
const NOT_OF_DATA = ["logPrior"];

/** The data on which a mechanism of the list is released. */
function dataFor(options: Record<string, unknown>): readonly unknown[] {
  const { query, dimension } = options as { query?: unknown; dimension?: number };
  if (query !== undefined) return [dimension === undefined ? 1 : Array(dimension).fill(1)];
  if ("stepOf" in options) return [1, 2];
  return [1, 0];
}

function requirePaidLast(
  make: Make,
  { options, data, name }: {
    readonly options: Record<string, unknown>;
    readonly data: readonly unknown[];
    readonly name: string;
  },
): number {
  const given = options[name] as (...args: unknown[]) => unknown;
  for (let last = 1;; last++) {
    let calls = 0, made = false, thrown = false;
    const mechanism = make({
      ...options,
      [name]: (...args: unknown[]): unknown => {
        if (made && ++calls === last) {
          thrown = true;
          throw new Error("this row");
        }
        return given(...args);
      },
    });
    made = true;
    const budget = new Ledger();
    try {
      release(mechanism, data, { budget });
    } catch (error) {
      assertEquals((error as Error).message, "this row", `${mechanism.name}: ${name}`);
      assertEquals(budget.claims, [], `${mechanism.name}: ${name} throws after the budget paid`);
    }
    if (!thrown) return last - 1;
  }
}

// Mutants: a check that calls no function; a draw that calls it again.
Deno.test("functions of the caller are evaluated before the budget pays, in every mechanism and learner", () => {
  let functions = 0;
  const all = [
    ...FACTORIES.map(([make, options]) =>
      [make as never as Make, options, dataFor(options)] as const
    ),
    ...LEARNERS,
  ];
  for (const [make, options, data] of all) {
    const claims = (make(options) as { claim?: unknown }).claim;
    if (claims === undefined) continue;
    for (const [name, value] of Object.entries(options)) {
      if (typeof value !== "function" || NOT_OF_DATA.includes(name)) continue;
      const calls = requirePaidLast(make, { options, data, name });
      assert(calls > 0, `${(make as { name?: string }).name}: ${name} is never called`);
      functions++;
    }
  }
  assert(functions >= 30, `${functions} functions`);
});
