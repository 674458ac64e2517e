import fc from "fast-check";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import {
  additiveMechanism,
  type AdditiveOptions,
  fitAdditive,
} from "../../../lib/dp/learners/additive/fit_additive.ts";
import { featureCount } from "../../../lib/dp/learners/erm/files/column_description.ts";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import {
  NOT_A_COUNT,
  NOT_OF_ROWS,
  NOT_POSITIVE,
  pick,
  relationOf,
  rowRelations,
  scaled,
} from "../draws.ts";
import { drawnStep, noiseless } from "../drawn_noise.ts";
import { neighbours } from "../neighbours.ts";
import { type FirstStep, gaussianDeviation, laplaceScale } from "../scripted_source.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** An additive model in plain values. */
interface Boosting {
  readonly relation: "replace-one" | "add-remove-one";
  /** Values of each column of categories. */
  readonly values: readonly number[];
  /** Bins of a column of numbers, at most two: which of them are joined is seen from the length of the output. */
  readonly cells: number;
  readonly rounds: number;
  readonly learningRate: number;
  readonly epsilon: number;
  readonly delta?: number;
}

const optionsOf = ({ relation, values, ...options }: Boosting): AdditiveOptions => ({
  ...options,
  relation: relationOf(relation),
  columns: [
    { name: "number", type: "number", min: -3, max: 5, scale: "linear" },
    ...values.map((count, j) => ({
      name: `${j}`,
      type: "category" as const,
      values: Array.from({ length: count }, (_, k) => `${k}`),
    })),
  ],
});

type Made = Mechanism<LabelledRow, number[]>;

/**
 * The moves of all counts, and of the sums of the first round, whose residuals are as large as they may be. Scores hardly move: what a column adds
 * to the score is released, and the same on both sides.
 */
function movesOf(
  { options, left, right }: Case<Boosting, LabelledRow, number[]>,
): {
  readonly counts: number[];
  readonly sums: number[];
} {
  const bins = options.cells + options.values.reduce((sum, each) => sum + each, 0);
  const still = additiveMechanism({ ...optionsOf(options), learningRate: 1e-12 });
  const [one, other] = [left, right].map((data) =>
    noiseless(still, data).filter((value) => !Number.isNaN(value))
  ) as [number[], number[]];
  const first = one.length === other.length ? (one.length - bins) / options.rounds : 0;
  const moved = (from: number, to: number): number[] =>
    one.slice(from, to).map((value, i) => Math.abs(value - other[from + i]!));
  return { counts: moved(0, bins), sums: moved(bins, bins + first) };
}

/** How noise looks on the first count, and on the last sum of the last round. */
function stepsOf(mechanism: Made, data: readonly LabelledRow[]): FirstStep[] {
  const last = noiseless(mechanism, data).findLastIndex((value) => !Number.isNaN(value));
  return [0, last].map((at) => drawnStep(mechanism, data, { place: 3 * at, coordinate: at })!);
}

/** What a pair loses by what is seen to move and to be drawn, each round as much as the first. */
function share(drawn: Case<Boosting, LabelledRow, number[]>): number {
  const { options: { rounds, epsilon }, mechanism, left } = drawn;
  const { counts, sums } = movesOf(drawn), steps = stepsOf(mechanism, left);
  const total = (numbers: readonly number[]): number =>
    numbers.reduce((sum, each) => sum + each, 0);
  if (mechanism.claim.kind === "pure") {
    const [b, c] = steps.map(laplaceScale) as [number, number];
    return (total(counts) / b + rounds * total(sums) / c) / epsilon;
  }
  if (mechanism.claim.kind !== "approximate") return Infinity;
  const [s, t] = steps.map(gaussianDeviation) as [number, number];
  const squares = (values: readonly number[]): number => total(values.map((each) => each ** 2));
  const mu = Math.sqrt(squares(counts) / s ** 2 + rounds * squares(sums) / t ** 2) * (1 - 1e-6);
  const [also] = mechanism.alsoKeeps!;
  if (also?.kind !== "zcdp" || mu ** 2 / 2 > also.rho) return Infinity;
  return mu === 0 ? 0 : gaussianDelta(mu, epsilon) / mechanism.claim.delta;
}

const shared = {
  relation: rowRelations,
  values: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
  cells: fc.constantFrom(1, 2),
  rounds: fc.integer({ min: 1, max: 5 }),
  learningRate: scaled({ min: 1e-3, max: 10 }),
};

const definition = {
  covers: ["fitAdditive", "additiveMechanism", "additiveNoise"],
  make: (options: Boosting) => additiveMechanism(optionsOf(options)),
  pair: (options: Boosting, source: Parameters<typeof neighbours>[0]) => {
    const columnCount = featureCount(optionsOf(options));
    const row = (from: typeof source): LabelledRow => ({
      features: Array.from({ length: columnCount }, () => pick(from, [0, 1, 0.5, -1e300, 7])),
      label: pick(from, [1, -1]),
    });
    const { relation } = options;
    return neighbours<LabelledRow>(source, {
      relation,
      rows: {
        row,
        // The same bins, other bins, or any: residuals of two labels are as far apart as they can be.
        opposite: (from, { features, label }) => ({
          features: pick(from, [features, features.map((x) => 1 - x), row(from).features]),
          label: -label,
        }),
        size: { min: relation === "replace-one" ? 1 : 0, max: 10 },
      },
    });
  },
  share,
  // Scales and deviations are seen to a part in 10⁶, which moves δ more where it is small.
  tolerance: 1e-3,
  attained: 0.99,
  shape: (output: number[], { mechanism }: Case<Boosting, LabelledRow, number[]>) =>
    output.length === mechanism.width &&
    output.every((value, i) => Number.isFinite(value) || i > 0 && Number.isNaN(value)),
  badOptions: {
    relation: NOT_OF_ROWS,
    cells: [0, 1.5, 4097, NaN],
    rounds: NOT_A_COUNT.slice(0, -1),
    learningRate: NOT_POSITIVE.slice(0, -2),
    epsilon: NOT_POSITIVE,
  },
  badData: (options: Boosting) => {
    const columnCount = featureCount(optionsOf(options));
    const features = new Array(columnCount).fill(0);
    return [
      [{ features: features.with(0, NaN), label: 1 }],
      [{ features: [...features, 0], label: 1 }],
      [{ features, label: 2 }],
    ];
  },
  release: (
    options: Boosting,
    data: readonly LabelledRow[],
    spending: Parameters<NonNullable<Parameters<typeof sweep>[0]["release"]>>[2],
  ) => {
    const given = optionsOf(options);
    const rows = denseRows(data.map(({ features }) => features), {
      columnCount: featureCount(given),
    });
    return fitAdditive(rows, data.map(({ label }) => label), { ...given, ...spending });
  },
  cases: 30,
};

/** Additive models with both kinds of noise. */
export const additiveSweeps: readonly Sweep[] = [
  sweep<Boosting, LabelledRow, number[]>({
    ...definition,
    name: "fitAdditive() without δ",
    options: fc.record<Boosting>({ ...shared, epsilon: scaled({ min: 1e-4, max: 50 }) }),
  }),
  sweep<Boosting, LabelledRow, number[]>({
    ...definition,
    name: "fitAdditive() with δ",
    options: fc.record({
      ...shared,
      epsilon: scaled({ min: 1e-4, max: 50 }),
      delta: scaled({ min: 1e-12, max: 0.1 }),
    }),
    badOptions: { ...definition.badOptions, delta: [-1, 1, NaN] },
  }),
];
