import type { Claim } from "../../lib/core/claim.ts";
import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import { fit } from "../../lib/learners/erm/fit.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import { fitTuned } from "../../lib/learners/erm/tune.ts";
import { openReusableHoldout } from "../../lib/learners/holdout/thresholdout.ts";
import { finiteDomain } from "../../lib/learners/queries/finite_domain.ts";
import { linearQuery } from "../../lib/learners/queries/linear_query.ts";
import { fitMwem } from "../../lib/learners/queries/mwem.ts";
import { dpSgd } from "../../lib/learners/sgd/dp_sgd.ts";
import { decisionTree } from "../../lib/learners/sulq/decision_tree.ts";
import { kMeans } from "../../lib/learners/sulq/k_means.ts";
import { perceptron } from "../../lib/learners/sulq/perceptron.ts";
import { openStatisticalQueries } from "../../lib/learners/sulq/statistical_queries.ts";
import { openSulq } from "../../lib/learners/sulq/sulq_database.ts";
import { requireEqual, requireRefused, requireThat } from "../engine/requirement.ts";
import { sparseOf } from "./sparse_of.ts";

/** A learner for users: what it is run on, what it costs, data that it refuses, and options that it refuses. */
interface Paid {
  readonly name: string;
  readonly run: (data: never, options: never) => unknown;
  readonly data: unknown;
  readonly options: Readonly<Record<string, unknown>>;
  /** ε of its claim, or ρ. */
  readonly cost: Readonly<Record<string, number>>;
  readonly badData: readonly unknown[];
  readonly badOptions: Readonly<Record<string, unknown>>;
}

const domain = finiteDomain({ shape: [3] });
const rows = [[0.1, 0.2], [0.8, 0.9], [0.3, 0.1], [0.5, 0.6]], labels = [1, -1, 1, -1];
const trained =
  (run: typeof fit | typeof fitTuned) =>
  (data: { rows: typeof rows; labels: number[] }, options: never): unknown =>
    run(denseRows(data.rows), data.labels, options);

const PAID: readonly Paid[] = [
  {
    name: "fit",
    run: trained(fit),
    data: { rows, labels },
    options: { epsilon: 2, lambda: 0.5, normBound: 2 },
    cost: { epsilon: 2 },
    badData: [{ rows: [], labels: [] }, { rows, labels: [1] }, { rows, labels: [1, -1, 1, 5] }],
    badOptions: { lambda: 0, epsilon: -1 },
  },
  {
    name: "fitTuned",
    run: trained(fitTuned),
    data: { rows, labels },
    options: { epsilon: 2, normBound: 2, candidates: [{ lambda: 0.5 }, { lambda: 0.1 }] },
    cost: { epsilon: 2 },
    badData: [{ rows: rows.slice(0, 2), labels: [1, -1] }, { rows, labels: [1, -1, 1, 5] }],
    badOptions: { candidates: [], epsilon: 0 },
  },
  {
    name: "kMeans",
    run: kMeans,
    data: denseRows(rows),
    options: {
      clusters: 2,
      rounds: 1,
      rho: 0.5,
      bounds: { lower: [0, 0], upper: [1, 1] },
      relation: replaceOne,
    },
    cost: { rho: 0.5 },
    badData: [sparseOf(rows), denseRows([[1], [2]]), null],
    badOptions: { clusters: 0, rho: NaN, start: [[0, 0]] },
  },
  {
    name: "openSulq",
    run: openSulq,
    data: [1, 2],
    options: { variance: 8, queries: 4, relation: replaceOne },
    cost: { rho: 0.25 },
    badData: [],
    badOptions: { variance: 2 ** 60, queries: 0, relation: { ...replaceOne } },
  },
  {
    name: "openStatisticalQueries",
    run: openStatisticalQueries,
    data: Array(40).fill(1),
    options: { queries: 2, tolerance: 0.3, failure: 0.1 },
    cost: {},
    badData: [[]],
    badOptions: { queries: 0, tolerance: 0, failure: 1 },
  },
  {
    name: "perceptron",
    run: perceptron,
    data: [{ features: [0.5, 0.5], label: 1 }],
    options: { columnCount: 2, rounds: 2, rho: 0.5 },
    cost: { rho: 0.5 },
    badData: [],
    badOptions: { columnCount: 0, rounds: 0, rho: 0 },
  },
  {
    name: "decisionTree",
    run: decisionTree,
    data: [{ values: [0, 1], label: 1 }],
    options: { attributes: [2, 2], classes: 2, depth: 1, rho: 0.5, relation: addRemoveOne },
    cost: { rho: 0.5 },
    badData: [
      [{ values: [0, 2], label: 1 }],
      [{ values: [0], label: 1 }],
      [{ values: [0, 1], label: 2 }],
    ],
    badOptions: { classes: 1, rho: 0 },
  },
  {
    name: "openReusableHoldout",
    run: openReusableHoldout,
    data: { training: [1], holdout: [1, 2] },
    options: { threshold: 0.1, noiseScale: 8, count: 2 },
    cost: { epsilon: 0.25 },
    badData: [{ training: [], holdout: [1] }, { training: [1], holdout: [] }],
    badOptions: { count: 0, noiseScale: 0, threshold: NaN },
  },
  {
    name: "dpSgd",
    run: dpSgd,
    data: [{ features: [0.5], label: 1 }],
    options: {
      columnCount: 1,
      steps: 1,
      rate: 1,
      clip: 1,
      noiseMultiplier: 5,
      learningRate: 0.1,
      delta: 0.01,
    },
    cost: { delta: 0.01 },
    badData: [],
    badOptions: { columnCount: 0, rate: 2, noiseMultiplier: 0 },
  },
  {
    name: "fitMwem",
    run: fitMwem,
    data: [0, 1, 1],
    options: {
      domain,
      queries: [linearQuery(domain, (cell) => cell % 2)],
      rounds: 1,
      epsilon: 2,
      relation: replaceOne,
    },
    cost: { epsilon: 2 },
    badData: [[], [0, 3], [-1], [0.5], [NaN]],
    badOptions: { rounds: 0, queries: [], epsilon: 0 },
  },
];

/** A part of the rows is rounded down: what so few cannot hide is refused before it is paid for. */
export function requirePaidParts(): void {
  let paid = 0;
  const tune = (count: number, epsilon: number): unknown =>
    fitTuned(
      denseRows(Array.from({ length: count }, () => [0.1, 0.2])),
      Array.from({ length: count }, (_, i) => i % 2 ? 1 : -1),
      {
        epsilon,
        perturbation: "output",
        normBound: 1,
        lambda: 0.1,
        candidates: [{ lambda: 0.1 }],
        budget: { spend: () => void paid++ },
      },
    );
  // Noise of scale 10/ε for two rows, which may be 1e60; of 8/ε if five were two and a half each.
  requireRefused("noise of a part of five", () => tune(5, 9e-60), "scale of the noise");
  requireEqual(paid, 0, "what a part that is too small costs");
  tune(6, 9e-60);
  requireEqual(paid, 1, "what a part that is large enough costs");
}

/** A learner finds what is wrong with its options and data before its budget pays, pays once what it claims, and draws only then. */
export function requirePaid(): void {
  for (const { name, run, data, options, cost, badData, badOptions } of PAID) {
    const spent: Claim[] = [];
    const attempt = (given: unknown, more: Record<string, unknown> = {}): unknown =>
      run(given as never, {
        ...options,
        budget: { spend: (claim: Claim) => void spent.push(claim) },
        ...more,
      } as never);
    for (const bad of badData) requireRefused(`${name}: data`, () => attempt(bad));
    for (const [option, bad] of Object.entries(badOptions)) {
      requireRefused(`${name}: ${option}`, () => attempt(data, { [option]: bad }));
    }
    requireRefused(`${name}: no budget`, () => attempt(data, { budget: undefined }), "budget must");
    requireRefused(
      `${name}: another source`,
      () => attempt(data, { source: { kind: "seeded", uint32: () => 1 } }),
      "source must be secure",
    );
    requireEqual(spent.length, 0, `what ${name} spent on what it refused`);
    requireRefused(
      `${name}: nothing is left`,
      () =>
        attempt(data, {
          budget: {
            spend: (): never => {
              throw new RangeError("nothing is left");
            },
          },
        }),
      "nothing is left",
    );
    requireThat(attempt(data) !== undefined, `${name} gives nothing`);
    requireEqual(spent.length, 1, `how often ${name} spends`);
    for (const [field, value] of Object.entries(cost)) {
      const found = (spent[0] as unknown as Record<string, number>)[field]!;
      requireThat(
        Math.abs(found - value) <= 1e-12 * value,
        `${field} of ${name} is ${found}, not ${value}`,
      );
    }
  }
}
