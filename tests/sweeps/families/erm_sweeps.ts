import fc from "fast-check";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import { largestLogRatio } from "../../../proofs/tools/density_ratio.ts";
import type { Calibration } from "../../../lib/dp/learners/erm/noise/calibration.ts";
import { fit } from "../../../lib/dp/learners/erm/fit.ts";
import { logJacobian, noiseLeadingTo } from "../../../lib/dp/learners/erm/noise/log_density.ts";
import { ermMechanism, type LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import { minimise } from "../../../lib/dp/learners/erm/solver/minimise.ts";
import { prepareRows } from "../../../lib/dp/learners/erm/rows/prepare_rows.ts";
import { norm, type Problem as Objective } from "../../../lib/dp/learners/erm/solver/problem.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import {
  calibrationOf,
  type TrainingOptions,
} from "../../../lib/dp/learners/erm/training_options.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { deltas, dimensions, epsilons, NOT_POSITIVE, scaled } from "../draws.ts";
import { densityShare, epsilonOf } from "../shares.ts";
import { type Case, type Sweep, sweep, type SweepDefinition } from "../sweep.ts";
import {
  labelledNeighbours,
  lossOf,
  type Problem,
  problems,
  regulariserOf,
  trainingOf,
} from "./erm_problems.ts";

type Drawn<Options extends Problem> = Case<Options, LabelledRow, number[]>;

/** What is minimised on these rows, without noise. */
function objectiveOf(
  problem: Problem,
  { data, training, quadratic }: {
    readonly data: Dataset<LabelledRow>;
    readonly training: TrainingOptions;
    readonly quadratic: number;
  },
): Objective {
  return {
    rows: prepareRows(
      denseRows(data.map(({ features }) => features), { columnCount: problem.columns }),
      training,
    ),
    signs: Float64Array.from(data, ({ label }) => label),
    loss: lossOf(problem),
    regulariser: regulariserOf(problem),
    lambda: problem.lambda,
    quadratic,
  };
}

/** Numbers of noise that show its scale within a fifth: six deviations of 1/30. */
const NUMBERS = 900;
const NOISE_SHOWN = 1.2;

/** The scale 1/rate of noise of density ∝ e^(−rate·‖b‖), by the mean length of what is drawn. */
function drawnScale(lengths: readonly number[], dimension: number): number {
  return lengths.reduce((a, b) => a + b, 0) / lengths.length / dimension;
}

/** The minimisers of both sides: how far apart they are, over the scale of the noise. */
function outputShare({ options, mechanism, left, right, source }: Drawn<Problem>): number {
  const training = trainingOf(options);
  const minimisers = [left, right].map((data) =>
    minimise(objectiveOf(options, { data, training, quadratic: 0 }), { tolerance: 1e-13 }).weights
  );
  const [one, other] = minimisers as [Float64Array, Float64Array];
  const distance = norm(one.map((f, j) => f - other[j]!));
  const draws = Math.ceil(NUMBERS / one.length);
  const block = mechanism.sampleMany!(left, draws, source);
  const lengths = Array.from(
    { length: draws },
    (_, k) => norm(one.map((f, j) => block[k * one.length + j]! - f)),
  );
  const shown = distance / drawnScale(lengths, one.length) / epsilonOf(mechanism.claim);
  return Math.max(
    shown / NOISE_SHOWN,
    densityShare(mechanism, { left, right }, minimisers.map((weights) => Array.from(weights))),
  );
}

/** The two sides of an objective, and how one can be told from the other at weights. */
function objectivesOf(
  { options, left, right }: Drawn<Problem>,
  training: TrainingOptions,
): { readonly calibration: Calibration; readonly one: Objective; readonly other: Objective } {
  const calibration = calibrationOf(training, { rowCount: left.length });
  const { quadratic } = calibration;
  const [one, other] = [left, right].map((data) =>
    objectiveOf(options, { data, training, quadratic })
  ) as [Objective, Objective];
  return { calibration, one, other };
}

/** Weights where losses are sought: drawn, minimisers' neighbourhood, far out along the rows. */
function weightsToTry({ options, mechanism, left, right, source }: Drawn<Problem>): Float64Array[] {
  const drawn = [left, right].flatMap((data) =>
    Array.from({ length: 3 }, () => Float64Array.from(mechanism.sample(data, source)))
  );
  const zero = drawn[0]!.map(() => 0);
  const along = [left, right].map((data, side) => {
    const row = data.find((each, i) => each !== (side === 0 ? right : left)[i]) ?? data[0]!;
    const size = Math.hypot(...row.features) || 1;
    return zero.map((_, j) => (row.features[j] ?? 0) / size);
  });
  // Next to where a hinge begins to bend its slope is still full, and its curvature is too.
  const kinks = [1 - options.width, 1 + options.width]
    .flatMap((margin) => [1 - 1e-9, 1 + 1e-9].map((beside) => margin * beside / options.normBound));
  return [
    zero,
    ...drawn,
    ...along.flatMap((axis) =>
      [0.3, 1, 3, 30, ...kinks].flatMap((t) => [axis.map((x) => t * x), axis.map((x) => -t * x)])
    ),
  ];
}

/** A problem, and how ε is divided between the noise and the Jacobian. */
type Divided = Problem & { readonly slack: "tight" | "cms11"; readonly noiseShare: number };

const sharesOf = ({ slack, noiseShare }: Divided): Partial<TrainingOptions> =>
  slack === "tight" ? { slack, noiseShare } : { slack };

/** Pure objective perturbation: the exact ratio of densities, and what the noise that is drawn allows. */
function objectiveShare(drawn: Drawn<Divided>): number {
  const { mechanism, left, right, options } = drawn;
  const training = { ...trainingOf(options), ...sharesOf(options) };
  const { calibration, one, other } = objectivesOf(drawn, training);
  const tried = weightsToTry(drawn);
  const d = one.rows.columnCount;
  // In few dimensions the worst weights are climbed to from all of these.
  const climbed = d > 3 ? [] : [
    largestLogRatio<Dataset<LabelledRow>>({
      pairs: [{ left, right }],
      logDensity: (weights, data) => mechanism.logDensity!(Array.from(weights), data),
      dimension: d,
      starts: 1,
      outputs: tried.slice(0, 6),
      seed: 1,
    }).output,
  ];
  const outputs = [...climbed, ...tried].map((weights) => Array.from(weights));
  // Two computed minimisers lie within tolerance/Λ of the exact ones each; the second noise covers that.
  const { tolerance, quadratic, residualRate } = calibration;
  const epsilon = epsilonOf(mechanism.claim);
  const residual = 2 * tolerance / (options.lambda + quadratic) * residualRate! / epsilon;
  const exact = densityShare(mechanism, { left, right }, outputs) + residual;
  if (!isSeen(options, quadratic)) return exact;
  const change = Math.max(...tried.map((weights) => {
    const [b, c] = [noiseLeadingTo(weights, one), noiseLeadingTo(weights, other)];
    return norm(b.map((value, j) => value - c[j]!));
  }));
  const shown = change / drawnScale(noiseLengths(drawn, one, NUMBERS), d) / epsilon;
  return Math.max(exact, shown / NOISE_SHOWN);
}

/** Whether the second noise is so small beside the first that weights show the first. */
function isSeen(options: Problem, quadratic: number): boolean {
  const { curvatureBound } = lossOf(options);
  const squared = options.normBound ** 2 + options.intercept ** 2;
  return curvatureBound * squared / (options.lambda + quadratic) < 20;
}

/** The lengths of the noise vectors that drawn weights go back to. */
function noiseLengths(
  { mechanism, left, source }: Drawn<Problem>,
  one: Objective,
  numbers: number,
): number[] {
  const d = one.rows.columnCount, draws = Math.ceil(numbers / d);
  const block = mechanism.sampleMany!(left, draws, source);
  return Array.from(
    { length: draws },
    (_, k) => norm(noiseLeadingTo(block.slice(k * d, (k + 1) * d), one)),
  );
}

/** Gaussian objective perturbation: δ of the noise at what the Jacobian leaves of ε. */
function gaussianShare(drawn: Drawn<Problem & { readonly delta: number }>): number {
  const { mechanism, options } = drawn;
  const { claim } = mechanism;
  if (claim.kind !== "approximate") throw new Error(`The claim is ${claim.kind}`);
  const training = { ...trainingOf(options), delta: options.delta };
  const { calibration, one, other } = objectivesOf(drawn, training);
  const tried = weightsToTry(drawn);
  let change = 0, jacobian = 0;
  for (const weights of tried) {
    const [b, c] = [noiseLeadingTo(weights, one), noiseLeadingTo(weights, other)];
    change = Math.max(change, norm(b.map((value, j) => value - c[j]!)));
    jacobian = Math.max(
      jacobian,
      Math.abs(logJacobian(weights, one) - logJacobian(weights, other)),
    );
  }
  const { tolerance, quadratic, residualRate } = calibration;
  const residual = 2 * tolerance / (options.lambda + quadratic) * residualRate!;
  const d = one.rows.columnCount;
  const deviation = densityDeviation(drawn, one, tried);
  // Lengths of normal noise: their mean square is d·σ².
  if (isSeen(options, quadratic)) {
    const lengths = noiseLengths(drawn, one, NUMBERS);
    const shown = Math.sqrt(
      lengths.reduce((sum, length) => sum + length ** 2, 0) / lengths.length / d,
    );
    if (!(shown * NOISE_SHOWN > deviation)) return Infinity;
  }
  const left = claim.epsilon - jacobian - residual;
  return left < 0 ? Infinity : gaussianDelta(change / deviation, left) / claim.delta;
}

/** σ of the density: it falls by half the squared length of the noise over σ². */
function densityDeviation(
  { mechanism, left }: Drawn<Problem>,
  one: Objective,
  tried: readonly Float64Array[],
): number {
  const [near, far] = [tried[0]!, tried[1]!].map((weights) => ({
    squared: norm(noiseLeadingTo(weights, one)) ** 2,
    log: mechanism.logDensity!(Array.from(weights), left) - logJacobian(weights, one),
  })) as [{ squared: number; log: number }, { squared: number; log: number }];
  return Math.sqrt((far.squared - near.squared) / 2 / (near.log - far.log));
}

/** What all sweeps of training have in common. */
function training<Options extends Problem>(
  extra: (options: Options) => Partial<TrainingOptions>,
): Pick<
  SweepDefinition<Options, LabelledRow, number[]>,
  "make" | "pair" | "shape" | "badOptions" | "badData" | "release"
> {
  const of = (options: Options): TrainingOptions => ({ ...trainingOf(options), ...extra(options) });
  return {
    make: (options) => ermMechanism({ ...of(options), columnCount: options.columns }),
    pair: labelledNeighbours,
    shape: (output, { options: { columns, features, intercept } }) =>
      output.length === (features || columns) + (intercept === 0 ? 0 : 1) &&
      output.every(Number.isFinite),
    badOptions: {
      epsilon: NOT_POSITIVE,
      lambda: NOT_POSITIVE,
      normBound: NOT_POSITIVE.slice(0, 5),
      intercept: [-1, NaN, Infinity],
    } as SweepDefinition<Options, LabelledRow, number[]>["badOptions"],
    badData: ({ columns }) => [
      [],
      [{ features: new Array(columns).fill(NaN), label: 1 }],
      [{ features: new Array(columns).fill(0), label: 2 }],
      [{ features: new Array(columns + 1).fill(0), label: 1 }, { features: [], label: -1 }],
    ],
    release: (options, data, spending) =>
      fit(
        denseRows(data.map(({ features }) => features)),
        data.map(({ label }) => label),
        { ...of(options), ...spending },
      ),
  };
}

/** Private empirical risk minimisation. */
export const ermSweeps: readonly Sweep[] = [
  sweep({
    ...training<Problem>(() => ({ perturbation: "output" })),
    name: "fit() by output perturbation",
    covers: [
      "fit",
      "drawRandomFeatures",
      "ermMechanism",
      "sampleMinimiser",
      "vectorNoise",
      "calibrateOutput",
    ],
    options: problems({ epsilon: epsilons, columns: dimensions(), rows: 12 }),
    share: outputShare,
    tolerance: 1e-6,
    attained: 0.8,
    cases: 40,
  }),
  sweep({
    ...training<Divided>(sharesOf),
    name: "fit() by objective perturbation",
    covers: ["fit", "calibrateObjective"],
    options: fc.tuple(
      problems({ epsilon: epsilons, columns: dimensions(40), rows: 6 }),
      fc.constantFrom("tight" as const, "cms11" as const),
      scaled({ min: 0.01, max: 0.99, often: [0.5] }),
    ).map(([problem, slack, noiseShare]) => ({ ...problem, slack, noiseShare })),
    share: objectiveShare,
    tolerance: 1e-5,
    attained: 0.8,
    cases: 40,
  }),
  sweep({
    ...training<Divided>(sharesOf),
    name: "fit() by objective perturbation where a hinge bends",
    covers: ["fit"],
    // One row that is turned round, with a margin where it is bent and none where the other is.
    options: fc.tuple(
      problems({ epsilon: scaled({ min: 0.3, max: 3 }), columns: dimensions(5), rows: 1 }),
      scaled({ min: 0.3, max: 30 }),
    ).map(([problem, lambda]): Divided => ({
      ...problem,
      lambda: lambda * problem.normBound ** 2,
      loss: "huber-hinge",
      width: Math.min(problem.width, 0.5),
      softening: 0,
      intercept: 0,
      features: 0,
      slack: "tight",
      noiseShare: 0.5,
    })),
    pair: ({ columns, normBound }) => {
      const features = Array.from({ length: columns }, () => normBound / Math.sqrt(columns));
      return {
        left: [{ features, label: 1 }],
        right: [{ features: features.map((value) => -value), label: 1 }],
      };
    },
    share: objectiveShare,
    tolerance: 1e-5,
    attained: 0.95,
    cases: 30,
  }),
  sweep({
    ...training<Problem & { readonly delta: number }>(({ delta }) => ({ delta })),
    name: "fit() by Gaussian objective perturbation",
    covers: ["fit"],
    options: fc.tuple(
      problems({ epsilon: epsilons, columns: dimensions(40), rows: 6 }),
      deltas,
    ).map(([problem, delta]) => ({ ...problem, delta })),
    share: gaussianShare,
    tolerance: 1e-3,
    attained: 0.01,
    cases: 40,
  }),
];
