import fc, { type Arbitrary } from "fast-check";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { changeEach } from "../../../lib/core/relations/relation.ts";
import type { Sides } from "../../../proofs/tools/density_ratio.ts";
import { baseTwoExponential } from "../../../lib/dp/mechanisms/base_two_exponential.ts";
import {
  exponentialMechanism,
  type SelectionOptions,
} from "../../../lib/dp/mechanisms/exponential_mechanism.ts";
import { permuteAndFlip } from "../../../lib/dp/mechanisms/permute_and_flip.ts";
import { reportNoisyMax } from "../../../lib/dp/mechanisms/report_noisy_max.ts";
import type { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { below, chance, epsilons, NOT_A_STEP, NOT_POSITIVE } from "../draws.ts";
import { laplaceScale, leastWord, ScriptedSource } from "../scripted_source.ts";
import { drawnChance, logOdds, SEEN } from "../drawn_chance.ts";
import { distributionShare, epsilonOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** A choice among candidates, whose utilities are the rows. */
interface Choice {
  readonly candidates: number;
  readonly epsilon: number;
  /** Sensitivity: 2^power·(1 + part/8), so that sums are exact. */
  readonly power: number;
  readonly part: number;
  readonly monotone: boolean;
  /** How far utilities lie apart, in sensitivities. */
  readonly spread: number;
}

const choices = (most: number, epsilon: Arbitrary<number> = epsilons): Arbitrary<Choice> =>
  fc.record({
    candidates: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: most })),
    epsilon,
    power: fc.integer({ min: -20, max: 20 }),
    part: fc.nat(7),
    monotone: fc.boolean(),
    spread: fc.constantFrom(0, 0, 1, 5, 40),
  });

const sensitivityOf = ({ power, part }: Choice): number => 2 ** power * (1 + part / 8);

const optionsOf = (choice: Choice): SelectionOptions<number, number> => ({
  candidates: Array.from({ length: choice.candidates }, (_, i) => i),
  utilities: (rows) => rows,
  epsilon: choice.epsilon,
  sensitivity: sensitivityOf(choice),
  monotone: choice.monotone,
  relation: changeEach({ by: sensitivityOf(choice) }),
});

/** One candidate against all others, all of them, or each by itself; in one direction if monotone. */
function pairOf(choice: Choice, source: SeededSource): Sides<readonly number[]> {
  const { candidates, monotone, spread } = choice;
  const unit = sensitivityOf(choice), alone = below(source, candidates);
  const kind = below(source, 5);
  const left = Array.from(
    { length: candidates },
    (_, i) =>
      unit * spread * (kind === 4 ? below(source, 9) / 8 : kind === 3 ? Number(i === alone) : 1),
  );
  const share = (i: number): number => {
    switch (kind) {
      case 0:
        return i === alone ? 1 : monotone ? 0 : -1;
      case 1:
        return i === alone ? (monotone ? 0 : -1) : 1;
      case 2:
        return 1;
      case 3:
        return i === alone ? 1 : monotone ? 0 : -1;
      default:
        return (below(source, monotone ? 9 : 17) - (monotone ? 0 : 8)) / 8;
    }
  };
  const right = left.map((utility, i) => utility + unit * share(i));
  return chance(source, 0.5) ? { left, right } : { left: right, right: left };
}

const NO_UTILITIES = ({ candidates }: Choice): unknown[][] => [
  new Array(candidates).fill(NaN),
  new Array(candidates).fill(0).with(0, -Infinity),
  new Array(candidates + 1).fill(0),
  [],
];

const common = {
  pair: pairOf,
  share: (drawn: Case<Choice, number, number>): number => distributionShare(drawn.mechanism, drawn),
  shape: (output: number, { options }: { options: Choice }): boolean =>
    Number.isInteger(output) && output >= 0 && output < options.candidates,
  badOptions: { epsilon: NOT_POSITIVE, power: [NaN, Infinity, 2000], candidates: [0] },
  badData: NO_UTILITIES,
};

/**
 * The rate that choices are drawn with, by the chance of the worse of two candidates; as a share of what ε
 * allows for a utility that moves by the sensitivity, against another that moves the other way unless all
 * move one way.
 */
function drawnRateShare(
  { options, mechanism }: Case<Choice, number, number>,
  make: (two: SelectionOptions<number, number>) => Mechanism<number, number>,
): number {
  const unit = sensitivityOf(options), epsilon = epsilonOf(mechanism.claim);
  const gap = unit * 0.5 / options.epsilon;
  const odds = logOdds(drawnChance({
    mechanism: make({ ...optionsOf(options), candidates: [0, 1] }),
    data: [0, gap],
    above: (chosen) => chosen === 1,
  }));
  // The odds of the worse candidate are e^(−rate·gap).
  const rate = -odds / gap;
  return rate * unit * (options.monotone ? 1 : 2) / epsilon * SEEN;
}

/** Choices on a grid of 2^(power − fineness). */
type GridChoice = Choice & { readonly fineness: number };

const gridChoices = (most: number): Arbitrary<GridChoice> =>
  fc.tuple(choices(most), fc.integer({ min: 0, max: 2 }))
    .map(([choice, fineness]) => ({
      ...choice,
      fineness,
      // The exact weights are powers of integers of 48 digits.
      spread: Math.min(choice.spread, 5),
    }));

const gridOf = ({ power, fineness }: GridChoice): number => 2 ** (power - fineness);

/**
 * Noise of a larger scale than this takes three words a draw, and its exact law is too long to sum.
 */
const MOST_SUMMED = 256;

/** Exact where the noise is short; else from the scale that is drawn. */
function laplaceMaxShare(drawn: Case<GridChoice, number, number>): number {
  const { options, mechanism, left, right } = drawn;
  const unit = gridOf(options), { epsilon, monotone, candidates } = options;
  if (candidates === 1) return 0;
  const steps = Math.ceil(sensitivityOf(options) / unit);
  if (steps * (monotone ? 1 : 2) / epsilon < MOST_SUMMED) {
    return distributionShare(mechanism, drawn);
  }
  const scale = drawnScale(mechanism, { unit, candidates });
  const moves = left.map((utility, i) => Math.round(right[i]! / unit) - Math.round(utility / unit));
  const highest = Math.max(...moves), lowest = Math.min(...moves);
  // The threshold that a candidate's noise must reach moves so far, whatever the other noise is.
  const reach = lowest >= 0 || highest <= 0 ? Math.max(highest, -lowest) : highest - lowest;
  return reach / scale / epsilonOf(mechanism.claim) * (1 - 1e-6);
}

/** The scale of the noise of the second candidate, in steps, by what makes it win. */
function drawnScale(
  mechanism: Mechanism<number, number>,
  { unit, candidates }: { readonly unit: number; readonly candidates: number },
): number {
  const wins = (word: number, gap: number): boolean => {
    const rows = new Array<number>(candidates).fill(-1e6 * gap * unit - 1e6 * unit);
    rows[0] = gap * unit;
    rows[1] = 0;
    return mechanism.sample(rows, new ScriptedSource({ 3: word })) === 1;
  };
  // It loses a tie, and wins from the first step of its noise on, unless the first is ahead as far.
  const word = leastWord((each) => wins(each, 0))!;
  const step = leastWord((gap) => !wins(word, gap))!;
  return laplaceScale({ step, before: (word - 1) / 2 ** 32 });
}

/** Mechanisms that choose. */
export const selectionSweeps: readonly Sweep[] = [
  sweep({
    ...common,
    name: "exponentialMechanism()",
    covers: ["exponentialMechanism"],
    options: choices(200),
    make: (choice) => exponentialMechanism(optionsOf(choice)),
    share: (drawn) =>
      Math.max(common.share(drawn), drawnRateShare(drawn, (two) => exponentialMechanism(two))),
    attained: 0.95,
  }),
  sweep({
    ...common,
    name: "permuteAndFlip()",
    covers: ["permuteAndFlip"],
    options: choices(8),
    make: (choice) => permuteAndFlip(optionsOf(choice)),
    attained: 0.95,
  }),
  sweep({
    ...common,
    name: "baseTwoExponential()",
    covers: ["baseTwoExponential"],
    options: fc.tuple(gridChoices(20), fc.integer({ min: 2, max: 24 })).map(([choice, more]) => ({
      ...choice,
      // Enough to tell the base from 1.
      bits: Math.min(48, Math.max(1, Math.ceil(Math.log2(16 / choice.epsilon)) + more)),
    })),
    make: (choice) =>
      baseTwoExponential({ ...optionsOf(choice), granularity: gridOf(choice), bits: choice.bits }),
    attained: 0.95,
    badOptions: { ...common.badOptions, bits: [0, 49, 1.5, NaN], fineness: NOT_A_STEP.slice(3) },
  }),
  sweep({
    ...common,
    name: "reportNoisyMax() with exponential noise",
    covers: ["reportNoisyMax"],
    options: choices(8),
    make: (choice) => reportNoisyMax({ ...optionsOf(choice), noise: "exponential" }),
    attained: 0.95,
  }),
  sweep({
    ...common,
    name: "reportNoisyMax() with Gumbel noise",
    covers: ["reportNoisyMax"],
    options: choices(200),
    make: (choice) => reportNoisyMax({ ...optionsOf(choice), noise: "gumbel" }),
    share: (drawn) =>
      Math.max(
        common.share(drawn),
        drawnRateShare(drawn, (two) => reportNoisyMax({ ...two, noise: "gumbel" })),
      ),
    attained: 0.95,
  }),
  sweep({
    ...common,
    name: "reportNoisyMax() with Laplace noise",
    covers: ["reportNoisyMax"],
    options: gridChoices(4),
    make: (choice) =>
      reportNoisyMax({ ...optionsOf(choice), noise: "laplace", granularity: gridOf(choice) }),
    share: laplaceMaxShare,
    attained: 0.95,
    badOptions: { ...common.badOptions, fineness: [0.5, NaN, 2000] },
  }),
];
