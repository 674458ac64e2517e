import {
  thresholdoutClaim,
  thresholdoutMechanism,
} from "../../lib/learners/holdout/thresholdout.ts";
import { treeCalibration } from "../../lib/learners/sulq/decision_tree.ts";
import { sampleKMeans } from "../../lib/learners/sulq/k_means.ts";
import { conjunctionQueries } from "../../lib/learners/sulq/learn_conjunction.ts";
import { perceptronCalibration } from "../../lib/learners/sulq/perceptron.ts";
import { perceptronGuarantee } from "../../lib/learners/sulq/perceptron_guarantee.ts";
import {
  noisySecondMoments,
  principalDirections,
} from "../../lib/learners/sulq/principal_directions.ts";
import { secondMomentError } from "../../lib/learners/sulq/second_moment_error.ts";
import { statisticalQueryCalibration } from "../../lib/learners/sulq/statistical_queries.ts";
import { sulqAccounting, sulqRho } from "../../lib/learners/sulq/sulq_accounting.ts";
import { sulqClaim } from "../../lib/learners/sulq/sulq_database.ts";
import { sulqNoise } from "../../lib/learners/sulq/sulq_noise.ts";
import { treeGainBound } from "../../lib/learners/sulq/tree_gain_bound.ts";
import { addRemoveOne } from "../../lib/core/relation.ts";
import { denseRows } from "../../lib/learners/erm/rows.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  AT_LEAST_0,
  BELOW_1,
  COUNT,
  LEAST,
  NEARLY_1,
  NO_NUMBER,
  POSITIVE,
  type Refusing,
  relation,
  relations,
  TWO,
} from "./refused_values.ts";

const tree = { attributes: [2, 3], classes: 2, depth: 1, rho: 1, relation };

const badTree = {
  attributes: [[], [2, 1], [2, 2.5], [0]],
  classes: TWO,
  depth: [...NO_NUMBER, -1, 0.5],
  rho: POSITIVE,
  relation: relations,
};

const goodTree = {
  attributes: [[2], [2, 2, 2]],
  classes: [2],
  depth: [0, 9],
  relation: [addRemoveOne],
};

const points = denseRows([[0.1, 0.2], [0.8, 0.9]]);

/** Functions of SuLQ learners and of the holdout, options that they take, and values of each that they must not take. */
export const SULQ_OPTIONS: readonly Refusing[] = [
  [
    "thresholdoutClaim",
    ({ rowCount, ...options }: { rowCount: number } & Parameters<typeof thresholdoutClaim>[0]) =>
      thresholdoutClaim(options, { rowCount }),
    { threshold: 0.1, noiseScale: 0.1, count: 2, delta: 0.1, rowCount: 20 },
    {
      threshold: AT_LEAST_0,
      noiseScale: POSITIVE,
      count: COUNT,
      delta: [...NO_NUMBER, -0.1, 1],
      rowCount: [...COUNT, 2 ** 32 + 1],
    },
    {
      threshold: [0],
      noiseScale: [1e-9],
      count: [1],
      delta: [0, LEAST, NEARLY_1],
      rowCount: [1, 2 ** 32],
    },
  ],
  ["thresholdoutMechanism", thresholdoutMechanism, {
    threshold: 0.1,
    noiseScale: 0.1,
    count: 2,
    rowCount: 20,
    training: [0],
    statistics: [],
  }, {
    threshold: AT_LEAST_0,
    noiseScale: POSITIVE,
    count: COUNT,
    rowCount: [...COUNT, 2 ** 32 + 1],
  }, { threshold: [0], count: [1], rowCount: [1] }],
  ["sulqRho", sulqRho, { variance: 3, queries: 2, squaredSensitivity: 1 }, {
    variance: POSITIVE,
    queries: COUNT,
    squaredSensitivity: POSITIVE,
  }, { queries: [1] }],
  [
    "sulqAccounting",
    ({ delta, ...options }: { delta: number; variance: number; queries: number }) =>
      sulqAccounting(options, { delta }),
    { variance: 300, queries: 2, delta: 0.1 },
    {
      variance: POSITIVE,
      queries: COUNT,
      delta: BELOW_1,
    },
    { queries: [1], delta: [1e-300] },
  ],
  ["sulqClaim", sulqClaim, { variance: 3, queries: 2, relation }, {
    variance: POSITIVE,
    queries: COUNT,
    relation: relations,
  }, { queries: [1], relation: [addRemoveOne] }],
  ["sulqNoise", sulqNoise, { variance: 3 }, {
    variance: [...POSITIVE, 2 ** -40 * NEARLY_1, 2 ** 54 * (1 + 2 ** -52)],
  }, { variance: [2 ** -40, 2 ** 54] }],
  ["treeCalibration", treeCalibration, tree, badTree, goodTree],
  [
    "treeGainBound",
    ({ rows, failure, ...options }: { rows: number; failure: number } & typeof tree) =>
      treeGainBound(options, { rows, failure }),
    { ...tree, rows: 9, failure: 0.1 },
    {
      ...badTree,
      rows: COUNT,
      failure: BELOW_1,
    },
    { ...goodTree, rows: [1], failure: [1e-300, NEARLY_1] },
  ],
  [
    "sampleKMeans",
    (options: Omit<Parameters<typeof sampleKMeans>[1], "points">) =>
      sampleKMeans(new SeededSource(1), { ...options, points }),
    {
      clusters: 2,
      rounds: 1,
      rho: 100,
      bounds: { lower: [0, 0], upper: [1, 1] },
      start: [[0, 0], [1, 1]],
      relation,
    },
    {
      clusters: COUNT,
      rounds: COUNT,
      rho: POSITIVE,
      bounds: [
        { lower: [0], upper: [1] },
        { lower: [0, 0], upper: [1] },
        { lower: [0, 1], upper: [1, 1] },
        { lower: [0, 2], upper: [1, 1] },
        { lower: [0, NaN], upper: [1, 1] },
        { lower: [0, 0], upper: [1, Infinity] },
      ],
      start: [[[0, 0]], [[0, 0], [1]], [[0, 0], [1, NaN]], [[0, 0], [1, 1], [1, 0]]],
      relation: relations,
    },
    {
      rounds: [1],
      bounds: [{ lower: [-1, -1], upper: [-0.5, 2] }],
      start: [undefined, [[2, 2], [-1, 0]]],
      relation: [addRemoveOne],
    },
  ],
  ["perceptronCalibration", perceptronCalibration, {
    columnCount: 2,
    rounds: 3,
    rho: 1,
    tolerance: 0,
  }, {
    columnCount: COUNT,
    rounds: COUNT,
    rho: POSITIVE,
    tolerance: AT_LEAST_0,
  }, { columnCount: [1], rounds: [1], tolerance: [0] }],
  ["perceptronGuarantee", perceptronGuarantee, {
    columnCount: 2,
    margin: 0.5,
    rho: 1,
    failure: 0.1,
  }, {
    columnCount: COUNT,
    margin: [...POSITIVE, Math.SQRT2 * (1 + 2 ** -52)],
    rho: POSITIVE,
    failure: BELOW_1,
  }, { columnCount: [1], margin: [Math.SQRT2], failure: [1e-300, NEARLY_1] }],
  ["noisySecondMoments", noisySecondMoments, { columnCount: 2, normBound: 1, rho: 1, relation }, {
    columnCount: COUNT,
    normBound: POSITIVE,
    rho: POSITIVE,
    relation: relations,
  }, { columnCount: [1], relation: [addRemoveOne] }],
  [
    "secondMomentError",
    ({ failure, ...options }: { failure: number } & Parameters<typeof secondMomentError>[0]) =>
      secondMomentError(options, { failure }),
    { columnCount: 2, normBound: 1, rho: 1, relation, failure: 0.1 },
    {
      columnCount: COUNT,
      normBound: POSITIVE,
      rho: POSITIVE,
      relation: relations,
      failure: BELOW_1,
    },
    { columnCount: [1], relation: [addRemoveOne], failure: [1e-300, NEARLY_1] },
  ],
  [
    "principalDirections",
    ({ triangle, ...options }: { triangle: number[]; columnCount: number; count: number }) =>
      principalDirections(triangle, options),
    { triangle: [2, 0, 1], columnCount: 2, count: 1 },
    {
      triangle: [[1], [1, 2], [1, 2, 3, 4]],
      count: [...COUNT, 3],
    },
    { count: [1, 2] },
  ],
  ["conjunctionQueries", conjunctionQueries, { columnCount: 3, error: 0.1 }, {
    columnCount: COUNT,
    error: POSITIVE,
  }, { columnCount: [1] }],
  [
    "statisticalQueryCalibration",
    (
      { rowCount, ...options }:
        & { rowCount: number }
        & Parameters<typeof statisticalQueryCalibration>[0],
    ) => statisticalQueryCalibration(options, { rowCount }),
    { queries: 3, tolerance: 0.1, failure: 0.1, rowCount: 9 },
    {
      queries: COUNT,
      tolerance: POSITIVE,
      failure: BELOW_1,
      rowCount: COUNT,
    },
    { queries: [1], failure: [1e-300, NEARLY_1], rowCount: [1] },
  ],
];
