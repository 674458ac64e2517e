import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import * as learners from "../../../lib/papers/learners.ts";
import { boundedMean } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { release, type ReleaseOptions } from "../../../lib/dp/mechanisms/release.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const {
  betaBernoulli,
  clampedVectorMean,
  fitDecisionTree,
  denseRows,
  dirichletMultinomial,
  drawRandomFeatures,
  ermMechanism,
  exponentialFamily,
  finiteDomain,
  fit,
  fitMwem,
  fitTuned,
  gaussianMean,
  huberHinge,
  fitKMeans,
  linearQuery,
  noisySecondMoments,
  noisyStatistics,
  noisySufficientStatistics,
  openReusableHoldout,
  openStatisticalQueries,
  openSulq,
  fitPerceptron,
  pluralityVote,
  posteriorSampling,
  privateLearner,
  rangeQuery,
  smoothedHinge,
  smoothElasticNet,
  sparseRows,
  subsampleAndAggregate,
} = learners;

/** A learner on data of one kind. */
export interface Trial {
  /** Releases from the data; what comes out is a value without NaN, however it is nested. */
  readonly run: (data: never, options: ReleaseOptions) => unknown;
  /** Data that the types and the relation allow, as far out as they go. */
  readonly taken: readonly unknown[];
  /** Data of sizes that are refused: the size is public, and all datasets of it are refused in the same words. */
  readonly refused?: readonly (readonly unknown[])[];
}

function trial<Data>(
  each: Omit<Trial, "run" | "taken" | "refused"> & {
    readonly run: (data: Data, options: ReleaseOptions) => unknown;
    readonly taken: readonly Data[];
    readonly refused?: readonly (readonly Data[])[];
  },
): Trial {
  return each;
}

const RELATIONS = [replaceOne, addRemoveOne];
const MANY = 100_000;
const many = <Row>(row: Row, count = MANY): Row[] => new Array<Row>(count).fill(row);

/** Finite numbers of every size, and numbers that are none, for learners whose rows are any numbers. */
export const FINITE: readonly number[] = [0, -0, 5e-324, -1e-300, 0.5, 2 ** 53, 1e308, -1.7e308];
const ANY = [...FINITE, NaN, Infinity, -Infinity];
const VECTORS = [[0, -0], [5e-324, -5e-324], [1e308, -1.7e308], [1e-300, 1], [1, 1], [-1, 1]];
const numbers: readonly (readonly number[])[] = [
  ...ANY.map((value) => [value]),
  ANY,
  many(1e308),
  [...many(-1e308), 0.5],
];

const released = <Row, Output>(mechanism: Mechanism<Row, Output>) =>
(
  data: Dataset<Row>,
  options: ReleaseOptions,
): Output => release(mechanism, data, options);

/** One trial for each relation; where rows may be added, none are data as well, and no size is refused. */
function inBothRelations<Row>(
  make: (relation: Relation) => Mechanism<Row, unknown>,
  taken: readonly Dataset<Row>[],
): Trial[] {
  return RELATIONS.map((relation) =>
    trial({ run: released(make(relation)), taken: [...taken, []] })
  );
}

/** Rows with labels, for the empirical risk: every vector alone, all of one class, and many alike. */
const LABELLED = [
  ...VECTORS.map((row) => ({ rows: [row], labels: [1] })),
  { rows: VECTORS, labels: VECTORS.map(() => -1) },
  { rows: VECTORS, labels: VECTORS.map((_, i) => i % 2 === 0 ? 1 : -1) },
  { rows: many([1e308, 1e308]), labels: many(1) },
  { rows: [...many([1, 0], 999), [-1e308, 5e-324]], labels: [...many(1, 999), -1] },
];
const NUMBERS = ["a", "b"].map((name) =>
  ({ name, type: "number", min: -1, max: 1, scale: "linear" }) as const
);
const NO_ROWS = { rows: [] as number[][], labels: [] as number[] };
const features = drawRandomFeatures(new SeededSource(1), {
  kernel: { name: "laplacian", gamma: 1e3 },
  inputCount: 2,
  count: 3,
});
const TRAININGS: readonly learners.TrainingOptions[] = [
  { epsilon: 1, lambda: 0.1, normBound: 1 },
  { epsilon: 1e-4, lambda: 1e-6, normBound: 1, perturbation: "output", intercept: 1 },
  { epsilon: 50, lambda: 1e-4, normBound: 1e3, loss: huberHinge(1e-2) },
  { epsilon: 1, delta: 1e-9, lambda: 1e3, normBound: 1e-3, loss: smoothedHinge(1) },
  { epsilon: 1, lambda: 1, normBound: 1, regulariser: smoothElasticNet(0.01) },
  { epsilon: 1, lambda: 0.01, features },
  { epsilon: 1, lambda: 0.1, normBound: 1, classes: [-1, 1, 0] },
];
const labelledRows = (pairs: typeof LABELLED): learners.LabelledRow[][] =>
  pairs.map(({ rows, labels }) => rows.map((each, i) => ({ features: each, label: labels[i]! })));

/** The same rows in the other layout; zeros are left out. */
function sparse(rows: readonly (readonly number[])[]): learners.SparseRows {
  const offsets = [0], columns: number[] = [], values: number[] = [];
  for (const row of rows) {
    row.forEach((value, j) => {
      if (value === 0) return;
      columns.push(j);
      values.push(value);
    });
    offsets.push(values.length);
  }
  return sparseRows({
    columnCount: 2,
    offsets: Int32Array.from(offsets),
    columns: Int32Array.from(columns),
    values: Float64Array.from(values),
  });
}

const bits: readonly boolean[][] = [[true], [false, true], many(false)];
const categories: readonly number[][] = [[0], [1, 0], many(1), [...many(0), 1]];
const cells = finiteDomain({ shape: [2, 3] });
const queries = [
  rangeQuery(cells, { 0: [1, 1] }),
  linearQuery(cells, (cell) => cell / 5),
];
const box = { lower: [-1, 0], upper: [1, 1e-300] };

/** For each exported learner. */
export const EXTREMES: Readonly<Record<string, readonly Trial[]>> = {
  fit: TRAININGS.flatMap((training) =>
    [denseRows, sparse].map((layout) =>
      trial<typeof NO_ROWS>({
        run: ({ rows, labels }, options) =>
          fit(layout === denseRows ? denseRows(rows, { columnCount: 2 }) : sparse(rows), labels, {
            ...training,
            ...options,
          }).weights.map((each) => [...each]),
        taken: LABELLED,
        refused: [[NO_ROWS]],
      })
    )
  ),
  fitTuned: TRAININGS.slice(0, 2).map((training) =>
    trial<typeof NO_ROWS>({
      run: ({ rows, labels }, options) =>
        fitTuned(denseRows(rows, { columnCount: 2 }), labels, {
          ...training,
          candidates: [{}, { lambda: 10 }],
          ...options,
        }).model.weights.map((each) => [...each]),
      taken: LABELLED.filter(({ rows }) => rows.length > 2),
      refused: [[NO_ROWS], LABELLED.filter(({ rows }) => rows.length === 1)],
    })
  ),
  ermMechanism: [trial({
    run: released(ermMechanism({ ...TRAININGS[0]!, columnCount: 2 })),
    taken: labelledRows(LABELLED),
  })],
  openSulq: RELATIONS.map((relation) =>
    trial<Dataset<number>>({
      run: (data, options) =>
        openSulq(data, { variance: 4, queries: 1, relation, ...options }).ask((row) => row),
      taken: [...numbers, []],
    })
  ),
  openStatisticalQueries: [trial<Dataset<number>>({
    run: (data, options) =>
      openStatisticalQueries(data, { queries: 1, tolerance: 0.1, failure: 0.1, ...options })
        .ask((row) => row),
    taken: numbers,
    refused: [[[]]],
  })],
  fitKMeans: RELATIONS.map((relation) =>
    trial<readonly (readonly number[])[]>({
      run: (data, options) => {
        const points = denseRows(data, { columnCount: 2 });
        const shared = { clusters: 2, rounds: 2, rho: 1, bounds: box, relation };
        const { centres, counts } = fitKMeans(points, { ...shared, ...options });
        return [centres, counts];
      },
      taken: [...VECTORS.map((row) => [row]), VECTORS, many([1e308, 5e-324]), []],
    })
  ),
  fitDpSgd: [trial<Dataset<learners.LabelledRow>>({
    run: (data, options) =>
      learners.fitDpSgd(data, {
        columnCount: 2,
        steps: 3,
        rate: 0.5,
        clip: 1,
        noiseMultiplier: 1,
        learningRate: 0.1,
        delta: 1e-5,
        ...options,
      }).weights,
    taken: [
      [],
      ...labelledRows(LABELLED),
      ...ANY.map((
        value,
      ) => [{ features: [value, 1], label: 1 }, { features: [1, 1], label: value }]),
      many({ features: [-1e308, 1], label: -1 }),
    ],
  })],
  dpSgdMechanism: [trial({
    run: released(learners.dpSgdMechanism({
      ...{ columnCount: 2, steps: 3, rate: 0.5, clip: 1, noiseMultiplier: 1, learningRate: 0.1 },
      delta: 1e-5,
    })),
    taken: [[], ...labelledRows(LABELLED), many({ features: [-1e308, 1], label: -1 })],
  })],
  fitAdditive: RELATIONS.flatMap((relation) =>
    [0, 1e-6].map((delta) =>
      trial<(typeof LABELLED)[number]>({
        run: ({ rows, labels }, options) =>
          learners.fitAdditive(denseRows(rows, { columnCount: 2 }), labels, {
            ...{ columns: NUMBERS, epsilon: 1e-2, delta, relation, learningRate: 1e300 },
            ...options,
          }).shapes,
        taken: [...LABELLED, NO_ROWS],
      })
    )
  ),
  additiveMechanism: [trial<Dataset<learners.LabelledRow>>({
    run: (data, options) => {
      const shared = { columns: NUMBERS, epsilon: 1, relation: addRemoveOne };
      const values = release(learners.additiveMechanism(shared), data, options);
      // NaN fills what joined bins leave.
      return values.filter((value) => !Number.isNaN(value));
    },
    taken: [[], ...labelledRows(LABELLED)],
  })],
  fitPerceptron: [trial<Dataset<learners.LabelledRow>>({
    run: (data, options) =>
      fitPerceptron(data, { columnCount: 2, rounds: 3, rho: 1, ...options }).weights,
    taken: [
      [],
      ...labelledRows(LABELLED),
      ...ANY.map((value) => [{ features: [value, 1], label: 1 }, {
        features: [1, 1],
        label: value,
      }]),
      many({ features: [-1e308, 1], label: -1 }),
    ],
  })],
  fitDecisionTree: RELATIONS.map((relation) =>
    trial<Dataset<learners.CategoricalRow>>({
      run: (data, options) =>
        fitDecisionTree(data, {
          attributes: [2, 3],
          classes: 2,
          depth: 2,
          rho: 1,
          relation,
          ...options,
        }).root,
      taken: [[], [{ values: [1, 2], label: 0 }], many({ values: [1, 2], label: 1 })],
    })
  ),
  noisySecondMoments: inBothRelations(
    (relation) => noisySecondMoments({ columnCount: 2, normBound: 1e-3, rho: 1, relation }),
    [...VECTORS.map((row) => [row]), VECTORS, many([1e308, -1e308])],
  ),
  fitMwem: RELATIONS.flatMap((relation) =>
    (["average", "last"] as const).map((output) =>
      trial<Dataset<number>>({
        run: (data, options) =>
          fitMwem(data, {
            domain: cells,
            queries,
            rounds: 2,
            epsilon: 0.01,
            relation,
            output,
            ...options,
          }).histogram,
        taken: [
          [0],
          [5],
          [0, 5],
          many(5),
          [...many(0), 3],
          ...(relation === addRemoveOne ? [[]] : []),
        ],
        ...(relation === addRemoveOne ? {} : { refused: [[[]]] }),
      })
    )
  ),
  mwemMechanism: RELATIONS.map((relation) =>
    trial({
      run: released(learners.mwemMechanism({
        ...{ domain: cells, queries, rounds: 2, epsilon: 0.01, relation },
        sizes: { min: 1, max: 4 },
      })),
      taken: [[0], [0, 5], many(5), ...(relation === addRemoveOne ? [[]] : [])],
      ...(relation === addRemoveOne ? {} : { refused: [[[]]] }),
    })
  ),
  adaptiveMarginals: [{ rho: 1e-15 }, { rho: 1e4 }, { epsilon: 1e-6 }, {
    epsilon: 1,
    delta: 1e-300,
  }]
    .flatMap((cost) =>
      inBothRelations(
        (relation) => learners.adaptiveMarginals({ shape: [2, 1, 3], relation, drawn: 3, ...cost }),
        [[[1, 0, 2]], many([0, 0, 0])],
      )
    ),
  openReusableHoldout: [trial<Dataset<number>>({
    run: (data, options) => {
      const opened = openReusableHoldout({ training: [1, 0], holdout: data }, {
        threshold: 0.1,
        noiseScale: 0.1,
        count: 2,
        ...options,
      });
      return [1, 2, 3, 4].map(() => opened.answer((row) => row));
    },
    taken: numbers,
    refused: [[[]]],
  })],
  thresholdoutMechanism: [trial<Dataset<number>>({
    run: released(learners.thresholdoutMechanism<number>({
      ...{ threshold: 0.1, noiseScale: 0.1, count: 2, training: [1, 0], rowCount: 1 },
      statistics: many((row: number) => row, 4),
    })),
    taken: numbers.filter(({ length }) => length === 1),
    refused: [[[]], [[0, 1]]],
  })],
  subsampleAndAggregate: RELATIONS.map((relation) =>
    trial<Dataset<number>>({
      run: released(subsampleAndAggregate<number, number, number>({
        blocks: 3,
        estimator: (block) => {
          if (block.includes(0.5)) throw new Error("no estimate");
          return block.reduce((sum, value) => sum + value, 0);
        },
        fallback: 0,
        aggregator: boundedMean({
          bounds: { lower: -1, upper: 1 },
          granularity: 2 ** -10,
          epsilon: 1,
          relation: replaceOne,
        }),
        relation,
      })),
      taken: [
        ...numbers.filter(({ length }) => length > 2),
        ...(relation === addRemoveOne ? [[], [1e308], [NaN, 1]] : []),
      ],
      ...(relation === addRemoveOne ? {} : { refused: [[[]], [[0], [1e308], [NaN]]] }),
    })
  ),
  clampedVectorMean: [trial<Dataset<readonly number[]>>({
    run: released(clampedVectorMean({ dimension: 2, bound: 1, granularity: 2 ** -20, epsilon: 1 })),
    taken: [...VECTORS.map((row) => [row]), VECTORS, many([1e308, -1.7e308])],
    refused: [[[]]],
  })],
  pluralityVote: [trial<Dataset<number>>({
    run: released(pluralityVote({ candidates: ["a", "b"], epsilon: 1 })),
    taken: [...numbers, ...categories, []],
  })],
  privateLearner: inBothRelations(
    (relation) =>
      privateLearner<number, number>({
        hypotheses: [0, 1, 2],
        errs: (threshold, row) => row >= threshold,
        epsilon: 1,
        relation,
      }),
    numbers,
  ),
  posteriorSampling: [
    ...inBothRelations(
      (relation) =>
        posteriorSampling(
          betaBernoulli({ ones: 1e-3, zeros: 1e3, least: 1e-6, resolution: 5 }),
          { epsilon: 1e-3, relation },
        ),
      bits,
    ),
    ...inBothRelations(
      (relation) =>
        posteriorSampling(dirichletMultinomial({ prior: [1, 1e-3], resolution: 40 }), {
          epsilon: 10,
          relation,
          samples: 3,
        }),
      [...categories, [7, -1, 0.5, NaN]],
    ),
    ...inBothRelations(
      (relation) =>
        posteriorSampling(
          gaussianMean({
            bounds: { lower: 0, upper: 10 },
            deviation: 1e-3,
            prior: { mean: 5, deviation: 1e3 },
            resolution: 11,
          }),
          { epsilon: 1, relation },
        ),
      numbers,
    ),
    ...inBothRelations(
      (relation) =>
        posteriorSampling(
          exponentialFamily<number>({
            parameters: [[-1, 1], [0.5, 1e-300]],
            statistic: (row) => [row, row * row],
            bounds: { lower: [-1, 0], upper: [1, 1] },
            logPartition: ([first]) => first!,
            prior: { mean: [0, 0], strength: 1 },
          }),
          { epsilon: 1, relation },
        ),
      numbers,
    ),
  ],
  noisyStatistics: [2, 3].flatMap((count) =>
    inBothRelations(
      (relation) =>
        noisyStatistics({ prior: new Array<number>(count).fill(1e-9), epsilon: 1e-3, relation }),
      categories,
    )
  ),
  noisySufficientStatistics: inBothRelations(
    (relation) =>
      noisySufficientStatistics<number>({
        statistic: (row) => [row, -row],
        bounds: { lower: [-1, 0], upper: [1, 2 ** 20] },
        granularity: 2 ** -10,
        epsilon: 1,
        relation,
      }),
    numbers,
  ),
};
