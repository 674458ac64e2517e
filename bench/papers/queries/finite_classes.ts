import * as Plot from "@observablehq/plot";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import { sampleModel } from "../../../lib/dp/learners/erm/sample_model.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { suggestedLambda } from "../../../lib/dp/learners/erm/suggested_lambda.ts";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import { privateLearner } from "../../../lib/papers/pac/private_learner.ts";
import { privateLearnerRows } from "../../../lib/papers/pac/private_learner_rows.ts";
import { exponentialMechanism } from "../../../lib/dp/mechanisms/exponential_mechanism.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { figure, names, writeResults } from "./figure.ts";
import { markdownTable, meanOver, shareOver } from "./markdown.ts";

const MARGIN = 0.2;
const EPSILON = 0.5;
const ERROR = 0.05;
const SIZES = [25, 50, 100, 200, 400, 800, 1600];

/** Uniform on the unit sphere. */
function direction(source: SeededSource, dimension: number): Float64Array {
  const normal = floatNormal(source, new Float64Array(dimension)), length = Math.hypot(...normal);
  return normal.map((x) => x / length);
}

/** Rows uniform in the unit ball, but none within the margin of the halfspace that labels them. */
function separated(
  source: SeededSource,
  { count, target }: { count: number; target: Float64Array },
): LabelledRow[] {
  const dimension = target.length;
  const rows: LabelledRow[] = [];
  while (rows.length < count) {
    const length = source.uniform() ** (1 / dimension);
    const features = Array.from(direction(source, dimension), (x) => x * length);
    const side = features.reduce((sum, x, j) => sum + x * target[j]!, 0);
    if (Math.abs(side) > MARGIN) rows.push({ features, label: Math.sign(side) });
  }
  return rows;
}

/**
 * Directions so dense that one is right about all rows with the margin: the surface of a cube in steps
 * of 2·margin/√(d − 1), about 2d·(√(d − 1)/margin)^(d−1) of them.
 */
function directionNet(dimension: number): number[][] {
  const steps = Math.ceil(Math.sqrt(dimension - 1) / MARGIN);
  const ticks = Array.from({ length: steps }, (_, i) => (2 * i + 1) / steps - 1);
  let face: number[][] = [[]];
  for (let j = 1; j < dimension; j++) {
    face = face.flatMap((point) => ticks.map((tick) => [...point, tick]));
  }
  return Array.from(
    { length: dimension },
    (_, j) => [-1, 1].flatMap((side) => face.map((point) => point.toSpliced(j, 0, side))),
  ).flat();
}

function wrongAbout(weights: ArrayLike<number>, { features, label }: LabelledRow): boolean {
  let sum = 0;
  for (let j = 0; j < features.length; j++) sum += weights[j]! * features[j]!;
  return sum * label <= 0;
}

/** A test error of one method at one number of rows. */
interface Point {
  readonly dimension: string;
  readonly method: string;
  readonly rows: number;
  readonly error: number;
}

const METHODS = ["exponential mechanism on a net", "objective perturbation"];

/**
 * The slides' row of Blum, Ligett, Roth 2008 and Kasiviswanathan, Lee, Nissim, Raskhodnikova, Smith
 * 2008, in few dimensions: the generic learner on a net of halfspaces needs hardly more rows than
 * objective perturbation, and a time exponential in d. A table, a CSV, a plot.
 */
export async function halfspaceExperiment(
  source: SeededSource,
  { runs, directory }: { readonly runs: number; readonly directory: string },
): Promise<void> {
  const points: Point[] = [];
  const table = [2, 3, 4, 5].map((dimension) => {
    // The largest net takes seconds a run.
    const repeats = dimension < 5 ? runs : Math.ceil(runs / 4);
    const random = source.split(`halfspaces ${dimension}`);
    const target = direction(random, dimension);
    const fresh = separated(random, { count: 4000, target });
    const hypotheses = directionNet(dimension);
    const learner = privateLearner<LabelledRow, number[]>({
      hypotheses,
      errs: wrongAbout,
      epsilon: EPSILON,
      relation: replaceOne,
    });
    const objective = (rows: readonly LabelledRow[]): number[] => {
      const lambda = suggestedLambda({
        epsilon: EPSILON,
        rowCount: rows.length,
        columnCount: dimension,
        normBound: 1,
      });
      const model = sampleModel(random, {
        rows: denseRows(rows.map(({ features }) => features)),
        labels: rows.map(({ label }) => label),
        epsilon: EPSILON,
        lambda,
        normBound: 1,
      });
      return [...model.weights[0]!];
    };
    const seconds = [0, 0];
    for (const rows of SIZES) {
      const samples = Array.from(
        { length: repeats },
        () => separated(random, { count: rows, target }),
      );
      [(data: readonly LabelledRow[]) => learner.sample(data, random), objective]
        .forEach((learn, method) => {
          const error = meanOver(repeats, (run) => {
            const start = performance.now();
            const weights = learn(samples[run]!);
            seconds[method] = (performance.now() - start) / 1000;
            return fresh.filter((row) => wrongAbout(weights, row)).length / fresh.length;
          });
          points.push({ dimension: `d = ${dimension}`, method: METHODS[method]!, rows, error });
        });
    }
    const enough = METHODS.map((method) =>
      points.find((point) =>
        point.dimension === `d = ${dimension}` && point.method === method && point.error <= ERROR
      )?.rows ?? `over ${SIZES.at(-1)}`
    );
    return [
      dimension,
      repeats,
      hypotheses.length,
      privateLearnerRows({
        hypotheses: hypotheses.length,
        epsilon: EPSILON,
        excess: ERROR,
        failure: 0.1,
      }),
      enough[0]!,
      enough[1]!,
      seconds[0]!.toFixed(3),
      seconds[1]!.toFixed(3),
    ];
  });
  console.log(
    `## Halfspaces of margin ${MARGIN}, ε = ${EPSILON}: rows until the mean error is ${ERROR}\n`,
  );
  console.log(markdownTable(
    [
      "d",
      "runs",
      "net",
      "rows that are proved enough",
      "rows, net",
      "rows, objective",
      `seconds, net (n = ${SIZES.at(-1)})`,
      "seconds, objective",
    ],
    table,
  ));
  await writeResults(directory, {
    name: "halfspaces",
    points,
    svg: figure({
      width: 860,
      height: 320,
      x: { type: "log", label: "rows", ticks: [25, 100, 400, 1600], tickFormat: String },
      y: { label: "test error", zero: true },
      fx: { label: null },
      color: { domain: METHODS, range: ["#d1495b", "#00798c"] },
      marks: [
        Plot.ruleY([ERROR], { strokeDasharray: "4 3" }),
        Plot.line(points, { x: "rows", y: "error", stroke: "method", fx: "dimension" }),
        Plot.dot(points, { x: "rows", y: "error", fill: "method", fx: "dimension" }),
        names(METHODS.map((name, i) => ({ name, at: [28, 0.5 - 0.03 * i] })), { fx: "d = 5" }),
      ],
    }),
  });
}

/** All ways to put `rows` rows into `cells` cells, as the rows in the cells up to each. */
function databases(cells: number, rows: number): number[][] {
  if (cells === 1) return [[rows]];
  return Array.from({ length: rows + 1 }, (_, first) =>
    databases(cells - 1, rows - first)
      .map((rest) => [first, ...rest.map((sum) => first + sum)])).flat();
}

/** The largest difference of two databases, given by shares up to each cell, on any interval. */
function worstInterval(a: readonly number[], b: readonly number[]): number {
  // Σ over an interval is a difference of two prefixes: the worst is the spread of a − b, and 0.
  let least = 0, most = 0;
  a.forEach((share, i) => {
    least = Math.min(least, share - b[i]!);
    most = Math.max(most, share - b[i]!);
  });
  return most - least;
}

/**
 * The mechanism of Blum, Ligett, Roth 2008 on a line of few cells: of all databases of m rows one that
 * answers all intervals well, by the exponential mechanism. The error with its bound, and how many
 * databases there are.
 */
export function smallDatabaseExperiment(
  source: SeededSource,
  { runs }: { readonly runs: number },
): void {
  const rows = 12, failure = 0.1;
  const table = [4, 6, 8].flatMap((cells) => {
    const candidates = databases(cells, rows).map((sums) => sums.map((sum) => sum / rows));
    return [100, 1000, 10_000].map((size) => {
      const random = source.split(`small ${cells} ${size}`);
      const data = Array.from({ length: size }, () => Math.floor(cells * random.uniform() ** 2));
      const counts = new Array<number>(cells).fill(0);
      for (const row of data) counts[row]!++;
      let sum = 0;
      const truth = counts.map((count) => (sum += count) / size);
      const errors = candidates.map((candidate) => worstInterval(truth, candidate));
      const mechanism = exponentialMechanism<number, number>({
        candidates: errors,
        // A row replaced moves the number of rows in an interval by 1, and so the worst difference.
        utilities: () => errors.map((error) => -error * size),
        epsilon: EPSILON,
        sensitivity: 1,
        monotone: false,
        relation: replaceOne,
      });
      const best = errors.reduce((least, error) => Math.min(least, error), Infinity);
      const bound = best + 2 * Math.log(candidates.length / failure) / (EPSILON * size);
      const start = performance.now();
      const reached = Array.from({ length: runs }, () => mechanism.sample(data, random));
      const seconds = (performance.now() - start) / 1000 / runs;
      return [
        cells,
        candidates.length,
        size,
        best,
        meanOver(runs, (run) => reached[run]!),
        bound,
        shareOver(runs, (run) => reached[run]! <= bound),
        seconds.toFixed(3),
      ];
    });
  });
  console.log(
    `## Small databases of ${rows} rows answering all intervals, ε = ${EPSILON}, ${runs} runs\n`,
  );
  console.log(markdownTable(
    [
      "cells",
      "databases",
      "n",
      "least error",
      "mean error",
      "bound, 90%",
      "within",
      "seconds a draw",
    ],
    table,
  ));
}
