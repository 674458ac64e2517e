import type { Claim } from "../../../core/claims/claim.ts";
import type { Dataset } from "../../../core/relations/dataset.ts";
import type { Mechanism } from "../../../core/mechanism/mechanism.ts";
import { type Relation, replaceOne } from "../../../core/relations/relation.ts";
import { exponentialMechanism } from "../../mechanisms/exponential_mechanism.ts";
import { integerGaussian } from "../../mechanisms/gaussian.ts";
import { integerLaplace } from "../../mechanisms/geometric.ts";
import type { GridMechanism } from "../../mechanisms/grid_mechanism.ts";
import { expectedMarginals } from "./expected_marginals.ts";
import { treeCells } from "./junction_tree.ts";
import { MarginalModel, type NoisyMarginal } from "./marginal_model.ts";
import { cellsOf, placeIn } from "./marginal_tables.ts";

/** A row: the code of each attribute's value, from 0. */
export type CodedRow = readonly number[];

/** Options of the rounds. */
export interface RoundsOptions {
  /** Number of values of each attribute. */
  readonly shape: readonly number[];
  readonly relation: Relation;
  /** Budget of all rounds together: ρ, or ε, which takes Laplace noise. */
  readonly whole: Extract<Claim, { readonly kind: "zcdp" | "pure" }>;
  /** Returns the remaining budget. */
  readonly left: () => Claim | undefined;
  /** The number of rows, where it is public. */
  readonly rowCount?: number | undefined;
  /** The most cells of the model's cliques. */
  readonly mostCells: number;
}

/** Pays for a mechanism and runs it on the data. */
export type RunStep = <Output>(mechanism: Mechanism<CodedRow, Output>) => Output;

/** Errors are compared in steps of 2⁻⁸ of a row, so that scores are integers. */
const STEPS = 2 ** 8;
/** Estimates are cut off here: scores are at most four times as many steps, which doubles count exactly. */
export const MOST_ROWS: number = 2 ** 31;
/** Share of a round's budget for the measurement (McKenna et al. 2022). The rest pays for choosing the marginal. */
const MEASUREMENT_SHARE = 0.9;
/** Keeps sums of amounts below the remaining budget. */
const BELOW = 1 - 2 ** -40;
/** Steps of mirror descent after each measurement, and at the end. */
const FEW_STEPS = 60;
const MANY_STEPS = 500;

/**
 * The rounds of AIM (McKenna, Mullins, Sheldon, Miklau 2022, Algorithm 2) for the workload of all pairs. Each attribute is measured. Then, as long
 * as there is something left: the marginal of one attribute or a pair is chosen that the model gets most wrong, measured, and the model is
 * fitted to all measurements. Where a measurement told nothing new, noise is halved from then on.
 *
 * The data are seen by `run` alone, which pays for each mechanism before it runs it; what is run next depends on outputs. So whatever
 * else is done here, the whole keeps what `run` is ready to pay: ρ, or ε, of mechanisms that are chosen as outputs come in adds up
 * (Rogers, Roth, Ullman, Vadhan 2016; Whitehouse, Ramdas, Rogers, Wu 2023).
 */
export function adaptiveRounds(
  run: RunStep,
  { shape, relation, whole, left, rowCount, mostCells }: RoundsOptions,
): { readonly model: MarginalModel; readonly measured: readonly NoisyMarginal[] } {
  const currency = currencyOf(whole, relation), count = marginalCounter(shape);
  const singles = shape.map((_, i) => [i]);
  const pairs = singles.flatMap(([i]) => singles.slice(i! + 1).map(([j]) => [i!, j!]));
  const candidates = [...singles, ...pairs.filter((pair) => cellsOf(shape, pair) <= mostCells)];
  const measured: NoisyMarginal[] = [];
  const measure = (attributes: readonly number[], amount: number): void => {
    const mechanism = currency.measurement(amount, {
      query: (data) => count(data, attributes),
      dimension: cellsOf(shape, attributes),
    });
    const variance = currency.varianceOf(mechanism.grid.scaleInSteps);
    measured.push({ attributes, values: run(mechanism), variance });
  };
  const fitted = (steps: number, start?: MarginalModel): MarginalModel => {
    const size = rowCount ?? estimatedSize(measured);
    const model = new MarginalModel({ shape, size, marginals: measured, start });
    model.fit(steps);
    return model;
  };

  let amount = currency.whole / (currency.rounds * shape.length);
  for (const attributes of singles) measure(attributes, MEASUREMENT_SHARE * amount);
  let model = fitted(FEW_STEPS), expected = expectedMarginals(model);
  for (let isLast = false; !isLast;) {
    const rest = currency.amountOf(left());
    isLast = rest < 2 * amount;
    if (isLast) amount = BELOW * rest;
    const part = MEASUREMENT_SHARE * amount;
    // The model may grow as the rest gets less.
    const most = mostCells * (1 - (rest - amount) / currency.whole);
    const sets = measured.map(({ attributes }) => attributes);
    const small = candidates.filter((attributes) =>
      model.cliqueWith(attributes) !== undefined || treeCells(shape, [...sets, attributes]) <= most
    );
    const noise = currency.meanNoise(
      currency.measurement(part, { query: () => [0], dimension: 1 }).grid.scaleInSteps,
    );
    const chosen = run(worstMarginal({
      candidates: small,
      estimates: small.map((attributes) => expected.get(attributes.join())!),
      count,
      noise,
      relation,
      epsilon: BELOW * currency.selectionEpsilon(amount - part),
    }));
    measure(chosen, part);
    model = fitted(FEW_STEPS, model);
    const before = expected.get(chosen.join())!;
    expected = expectedMarginals(model);
    const moved = expected.get(chosen.join())!
      .reduce((sum, each, i) => sum + Math.abs(each - before[i]!), 0);
    if (moved <= noise * before.length) amount *= currency.ofHalfNoise;
  }
  return { model: fitted(MANY_STEPS, model), measured };
}

/** The most of ε or ρ: with more, squares of the noise vanish in doubles. */
const MOST_AMOUNT = 1e10;

/** Refuses amounts whose noise cannot be drawn, before anything is paid. The first measurements have the widest. @throws {RangeError} */
export function requireNoise(
  { shape, relation, whole }: Pick<RoundsOptions, "shape" | "relation" | "whole">,
): void {
  const { whole: amount, measurement, rounds } = currencyOf(whole, relation);
  if (amount > MOST_AMOUNT) {
    throw new RangeError(
      `Cannot make synthetic rows: epsilon and rho must be at most ${MOST_AMOUNT}: current value is ${amount}`,
    );
  }
  measurement(MEASUREMENT_SHARE * amount / (rounds * shape.length), {
    query: () => [0],
    dimension: 1,
  });
}

/**
 * Chooses the marginal that estimates get most wrong, beyond what noise would add: the exponential mechanism on
 * w·(‖counts − estimates‖₁ − cells·noise), with w = 2 for a pair and 1 for an attribute, as of all pairs a pair shares twice as many attributes
 * as one of its attributes does.
 *
 * Estimates and noise are fixed before. A row that is added or removed moves one count by 1, and one that is replaced moves two: the norm moves
 * by 1 or 2 at most, and a score by w times that. In steps of 2⁻⁸ all of it is in integers, so nothing is rounded.
 */
function worstMarginal(
  { candidates, estimates, count, noise, relation, epsilon }: {
    readonly candidates: readonly (readonly number[])[];
    readonly estimates: readonly Float64Array[];
    readonly count: MarginalCounter;
    /** The mean of its absolute value. */
    readonly noise: number;
    readonly relation: Relation;
    readonly epsilon: number;
  },
): Mechanism<CodedRow, readonly number[]> {
  const weights = candidates.map(({ length }) => length);
  const inSteps = estimates.map((estimate) => estimate.map((each) => Math.round(each * STEPS)));
  const ofNoise = estimates.map(({ length }) =>
    Math.min(MOST_ROWS * STEPS, Math.round(noise * length * STEPS))
  );
  return exponentialMechanism<CodedRow, readonly number[]>({
    candidates,
    utilities: (data) =>
      candidates.map((attributes, c) => {
        const estimate = inSteps[c]!;
        const norm = count(data, attributes)
          .reduce((sum, each, i) => sum + Math.abs(each * STEPS - estimate[i]!), 0);
        return weights[c]! * (norm - ofNoise[c]!);
      }),
    epsilon,
    sensitivity: Math.max(...weights) * STEPS * countsMoved(relation),
    monotone: false,
    relation,
  });
}

/** Returns the number of counts of a marginal that one row moves by 1, at most. */
function countsMoved(relation: Relation): number {
  return relation === replaceOne ? 2 : 1;
}

/** Conversion of additive budget amounts (ρ or ε) into choices and noise. */
interface Currency {
  readonly whole: number;
  readonly amountOf: (left: Claim | undefined) => number;
  readonly measurement: (amount: number, counts: {
    readonly query: (data: Dataset<CodedRow>) => readonly number[];
    readonly dimension: number;
  }) => GridMechanism<CodedRow, number[]>;
  readonly selectionEpsilon: (amount: number) => number;
  readonly varianceOf: (scale: number) => number;
  readonly meanNoise: (scale: number) => number;
  /** Factor of the amount that halves the width of the noise. */
  readonly ofHalfNoise: number;
  /** The number of rounds an attribute that the first amount is meant for. */
  readonly rounds: number;
}

/**
 * ρ buys discrete Gaussian noise for what moves by √1 or √2 in Euclidean norm, and choices that are ε-DP for ε²/8 (Cesar, Rogers 2021); ε buys discrete
 * Laplace noise for what moves by 1 or 2 in sum.
 */
function currencyOf(whole: RoundsOptions["whole"], relation: Relation): Currency {
  const moved = countsMoved(relation);
  return whole.kind === "pure"
    ? {
      whole: whole.epsilon,
      amountOf: (left) => left?.kind === "pure" ? left.epsilon : 0,
      measurement: (epsilon, counts) =>
        integerLaplace({ ...counts, epsilon, sensitivity: moved, relation }),
      selectionEpsilon: (epsilon) => epsilon,
      varianceOf: (scale) => 2 * scale ** 2,
      meanNoise: (scale) => scale,
      ofHalfNoise: 2,
      rounds: 4,
    }
    : {
      whole: whole.rho,
      amountOf: (left) => left?.kind === "zcdp" ? left.rho : 0,
      measurement: (rho, counts) =>
        integerGaussian({ ...counts, rho, sensitivity: Math.sqrt(moved), relation }),
      selectionEpsilon: (rho) => Math.sqrt(8 * rho),
      varianceOf: (scale) => scale ** 2,
      meanNoise: (scale) => Math.sqrt(2 / Math.PI) * scale,
      ofHalfNoise: 4,
      rounds: 16,
    };
}

type MarginalCounter = (
  data: Dataset<CodedRow>,
  attributes: readonly number[],
) => readonly number[];

/** Counts rows by attributes, once for each dataset and marginal. */
function marginalCounter(shape: readonly number[]): MarginalCounter {
  const known = new WeakMap<Dataset<CodedRow>, Map<string, number[]>>();
  return (data, attributes) => {
    if (!known.has(data)) known.set(data, new Map());
    const marginals = known.get(data)!, key = attributes.join();
    let counts = marginals.get(key);
    if (counts === undefined) {
      marginals.set(key, counts = new Array<number>(cellsOf(shape, attributes)).fill(0));
      const place = placeIn(shape, attributes);
      for (const row of data) counts[place(row)]!++;
    }
    return counts;
  };
}

/** The number of rows by all noisy counts: their sums, weighted by precision. */
function estimatedSize(measured: readonly NoisyMarginal[]): number {
  let sum = 0, precision = 0;
  for (const { values, variance } of measured) {
    const own = 1 / (values.length * variance);
    sum += own * values.reduce((a, b) => a + b, 0);
    precision += own;
  }
  return Math.min(MOST_ROWS, Math.max(1, sum / precision));
}
