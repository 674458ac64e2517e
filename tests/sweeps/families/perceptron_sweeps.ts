import fc from "fast-check";
import { zcdp } from "../../../lib/core/mod.ts";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import type { LabelledRow } from "../../../lib/dp/learners/erm/mechanism.ts";
import { fitPerceptron, samplePerceptron } from "../../../lib/papers/sulq/perceptron.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { below, dimensions, NOT_A_COUNT, NOT_POSITIVE, pick, rhos, scaled } from "../draws.ts";
import { neighbours, pointsOf } from "../neighbours.ts";
import { gaussianDeviation, leastWord, ROUGHLY, ScriptedSource } from "../scripted_source.ts";
import { rhoOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** What a perceptron is told. */
interface Perceptron {
  readonly columnCount: number;
  readonly rounds: number;
  readonly rho: number;
  readonly tolerance: number;
}

const perceptronMechanism = (options: Perceptron): Mechanism<LabelledRow, number[]> => ({
  name: "perceptron",
  claim: zcdp({ rho: options.rho, relation: replaceOne }),
  sample: (data, source) => [...samplePerceptron(source, { ...options, data }).weights],
});

/** The answers of the first round, in which every row with a label is wrong: a count and half sums. */
function firstAnswers(data: Dataset<LabelledRow>, columns: number): number[] {
  const labelled = data.filter(({ label }) => label === 1 || label === -1);
  return [
    labelled.length,
    ...Array.from(
      { length: columns },
      (_, j) =>
        labelled.reduce(
          (sum, { label, features }) => sum + 0.5 * label * Math.min(1, Math.max(-1, features[j]!)),
          0,
        ),
    ),
  ];
}

/**
 * The deviation of the noise on the count or on a half sum. One row is learned in one round: its weights
 * are 1, or (1 + 2·noise)/(1 + noise of the count).
 */
function perceptronDeviation(options: Perceptron, source: SeededSource): number {
  const mechanism = perceptronMechanism({ ...options, tolerance: 0 });
  const row = { features: new Array<number>(options.columnCount).fill(1), label: 1 };
  const weight = (place: number, word: number, j: number): number =>
    mechanism.sample([row], new ScriptedSource({ [place]: word }))[j]!;
  const measured = (place: number, j: number, noise: (weight: number) => number): number => {
    const word = leastWord((each) => weight(place, each, j) !== 1, ROUGHLY)!;
    return gaussianDeviation({
      step: noise(weight(place, word, j)),
      before: Math.max(0, word - ROUGHLY.within) / 2 ** 32,
    });
  };
  const j = below(source, options.columnCount);
  return below(source, 2) === 0
    ? measured(0, 0, (value) => 1 / value - 1)
    : measured(3 * (j + 1), j, (value) => (value - 1) / 2);
}

/** Contributions of rows are rounded to 2⁻¹⁰ at the coarsest. */
const ROUNDED = 2e-3;

function perceptronShare(
  { options, mechanism, left, right, source }: Case<Perceptron, LabelledRow, number[]>,
): number {
  const { columnCount, rounds } = options;
  const [one, other] = [firstAnswers(left, columnCount), firstAnswers(right, columnCount)];
  // What the answers are is seen where there is no noise.
  const weights = perceptronMechanism({ ...options, rounds: 1, tolerance: 0 })
    .sample(left, new ScriptedSource());
  const expected = one.slice(1).map((sum) => one[0] === 0 ? 0 : 2 * sum / one[0]!);
  if (!weights.every((weight, j) => Math.abs(weight - expected[j]!) < ROUNDED)) return Infinity;
  const squares = one.reduce((sum, value, i) => sum + (value - other[i]!) ** 2, 0);
  const deviation = perceptronDeviation(options, source);
  return rounds * squares / (2 * deviation ** 2) / rhoOf(mechanism.claim);
}

/** Rows with labels; some labels are none. */
function labelledPair(
  { columnCount }: Perceptron,
  source: SeededSource,
): ReturnType<typeof neighbours<LabelledRow>> {
  const points = pointsOf({
    lower: new Array(columnCount).fill(-1),
    upper: new Array(columnCount).fill(1),
  }, { min: 1, max: 10 });
  const labels = [1, -1, 1, -1, 0];
  return neighbours(source, {
    relation: "replace-one",
    rows: {
      row: (from) => ({
        features: below(from, 2) === 0
          ? Array.from({ length: columnCount }, () => pick(from, [1, -1]))
          : points.row(from),
        label: pick(from, labels),
      }),
      // Everything is turned round where the label is.
      opposite: (from, { features, label }) =>
        below(from, 2) === 0 ? { features, label: -label } : {
          features: points.opposite!(from, features),
          label: below(from, 2) === 0 ? label : pick(from, labels),
        },
      size: points.size,
    },
  });
}

/** The perceptron. */
export const perceptronSweeps: readonly Sweep[] = [
  sweep({
    name: "fitPerceptron()",
    covers: ["fitPerceptron", "samplePerceptron", "perceptronCalibration"],
    options: fc.record<Perceptron>({
      columnCount: dimensions(),
      rounds: fc.integer({ min: 1, max: 10 }),
      rho: rhos,
      tolerance: fc.oneof(fc.constant(0), scaled({ min: 1e-3, max: 1e3 })),
    }),
    make: perceptronMechanism,
    pair: labelledPair,
    share: perceptronShare,
    tolerance: 1e-3,
    attained: 0.9,
    shape: (output, { options }) =>
      output.length === options.columnCount && output.every(Number.isFinite),
    badOptions: {
      columnCount: NOT_A_COUNT,
      rounds: NOT_A_COUNT,
      rho: NOT_POSITIVE,
      tolerance: [-1, NaN, Infinity],
    },
    release: (options, data, spending) => fitPerceptron(data, { ...options, ...spending }),
    cases: 40,
  }),
];
