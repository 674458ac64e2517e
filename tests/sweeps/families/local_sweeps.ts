import fc from "fast-check";
import {
  additiveNoise,
  keepOrReplace,
  mixedNoise,
  perturbedDatabase,
  wrappedNoise,
} from "../../../lib/dp/mechanisms/input_perturbation.ts";
import {
  kAryRandomisedResponse,
  randomisedResponse,
  twoCoinSurvey,
} from "../../../lib/dp/mechanisms/randomised_response.ts";
import { bloomFilter, rappor } from "../../../lib/dp/mechanisms/rappor.ts";
import { unaryEncoding } from "../../../lib/dp/mechanisms/unary_encoding.ts";
import { epsilons, NOT_A_COUNT, NOT_POSITIVE, scaled } from "../draws.ts";
import { neighbours, valuesOf } from "../neighbours.ts";
import {
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from "../../../lib/core/numeric/rational.ts";
import { drawnChance, logOdds, SEEN } from "../drawn_chance.ts";
import { densityShare, epsilonOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** The answers are the rows of either side, and what may be said instead of the row that differs. */
function rowShare<Options, Row>(
  { mechanism, left, right, source }: Case<Options, Row, Row[]>,
  others: readonly Row[],
): number {
  const at = left.findIndex((row, i) => row !== right[i]);
  const said = [left, right].map((data) => [...data]);
  return densityShare(mechanism, { left, right }, [
    ...said,
    ...others.map((other) => at < 0 ? [...left] : left.with(at, other)),
    mechanism.sample(left, source),
  ]);
}

const categoriesOf = (length: number): number[] => Array.from({ length }, (_, i) => i);
const manyCategories = fc.oneof(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 200 }));
const chances = fc.oneof(
  fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }),
  scaled({ min: 1e-15, max: 1e-3 }),
  scaled({ min: 1e-15, max: 1e-3 }).map((rest) => 1 - rest),
);

/** The logarithm of a fraction above 1, to a few units in the last place. */
function logOf({ numerator, denominator }: Rational): number {
  return Math.log1p(toNumber({ numerator: numerator - denominator, denominator }));
}

/** ε of a RAPPOR report, exactly: Theorems 1 and 2 for the doubles that the chances are. */
function rapporShare({ options, mechanism }: Case<Rappor, number, number[]>): number {
  const { hashes, forget, instantaneous } = options;
  const one = rational(1), half = divide(rational(forget), rational(2));
  const told = (chance: Rational): Rational =>
    instantaneous === null ? chance : subtract(
      multiply(chance, rational(instantaneous.one)),
      multiply(subtract(chance, one), rational(instantaneous.zero)),
    );
  const p = told(half), q = told(subtract(one, half));
  const ratio = divide(multiply(q, subtract(one, p)), multiply(p, subtract(one, q)));
  return hashes * logOf(ratio) / epsilonOf(mechanism.claim);
}

/** What RAPPOR is told. */
interface Rappor {
  readonly bits: number;
  readonly hashes: number;
  readonly forget: number;
  readonly instantaneous: { readonly one: number; readonly zero: number } | null;
}

/** ε of a perturbed database, exactly: the chances of the likeliest and the least likely output. */
function perturbedShare(
  { options: { kind, size, reach, keep }, mechanism }: Case<Perturbed, number, number[]>,
): number {
  const one = rational(1), kept = rational(keep), rest = subtract(one, kept);
  const [other, same] = kind === "keep" ? [divide(rest, rational(size - 1)), kept] : [
    divide(rest, rational(size)),
    subtract(
      divide(kept, rational(2 * reach + 1)),
      divide(subtract(kept, one), rational(size)),
    ),
  ];
  const ratio = divide(same, other);
  const turned = ratio.numerator < ratio.denominator;
  return logOf(turned ? divide(one, ratio) : ratio) / epsilonOf(mechanism.claim);
}

/** What a perturbation is told. */
interface Perturbed {
  readonly kind: string;
  readonly size: number;
  readonly reach: number;
  readonly keep: number;
}

const NO_CHANCE = [0, 1, -0.5, NaN, Infinity, undefined];

/** Every bit says what one side's bits are, or the other's. */
function bitShare<Options>(
  { mechanism, left, right, source }: Case<Options, number, number[]>,
  bits: (row: number) => number[],
): number {
  return densityShare(mechanism, { left, right }, [
    bits(left[0]!),
    bits(right[0]!),
    mechanism.sample(left, source),
  ]);
}

/** The losses of yes and no, of k categories and of unary encodings, from the chances that are drawn. */
function drawnShare(
  { options: { epsilon, categories }, mechanism }: Case<
    { readonly epsilon: number; readonly categories: number[] },
    boolean,
    boolean[]
  >,
): number {
  const yes = logOdds(drawnChance({ mechanism, data: [true], above: ([said]) => said === false }));
  const others = categories.length - 1;
  const truth = logOdds(drawnChance({
    mechanism: kAryRandomisedResponse({ epsilon, categories }),
    data: [0],
    above: ([said]) => said !== 0,
  }));
  const bits = (["symmetric", "optimised"] as const).map((variant) => {
    const unary = unaryEncoding({ epsilon, categories, variant });
    // A category is a 1 at its place and a 0 elsewhere. Words below the chance tell the truth.
    const one = drawnChance({ mechanism: unary, data: [0], above: ([bit]) => bit === 0 });
    const zero = drawnChance({ mechanism: unary, data: [1], above: ([bit]) => bit === 1 });
    return zero === undefined ? 0 : variant === "symmetric"
      ? logOdds(one) + logOdds(zero)
      // The 1 is told by a fair coin.
      : logOdds(zero);
  });
  return Math.max(yes, truth === 0 ? 0 : truth + Math.log(others), ...bits) / epsilon * SEEN;
}

const respondents = { min: 0, max: 8 };
const one = { min: 1, max: 1 };
const isBits = (output: readonly number[], width: number): boolean =>
  output.length === width && output.every((bit) => bit === 0 || bit === 1);

/** Rows randomised one by one. */
export const localSweeps: readonly Sweep[] = [
  sweep({
    name: "twoCoinSurvey()",
    covers: ["twoCoinSurvey"],
    options: fc.record({}),
    make: () => twoCoinSurvey(),
    pair: (_, source) =>
      neighbours(source, { relation: "replace-one", rows: valuesOf([false, true], respondents) }),
    share: (drawn) => rowShare(drawn, [false, true]),
    attained: 1 - 1e-9,
    shape: (output, { left }) =>
      output.length === left.length && output.every((said) => typeof said === "boolean"),
    badOptions: {},
    badData: () => [[0], ["secret"], [true, undefined]],
  }),
  sweep({
    name: "randomisedResponse()",
    covers: ["randomisedResponse"],
    options: fc.record({ epsilon: epsilons }),
    make: ({ epsilon }) => randomisedResponse({ epsilon }),
    pair: (_, source) =>
      neighbours(source, { relation: "replace-one", rows: valuesOf([false, true], respondents) }),
    share: (drawn) => rowShare(drawn, [false, true]),
    attained: 1 - 1e-5,
    shape: (output, { left }) =>
      output.length === left.length && output.every((said) => typeof said === "boolean"),
    badOptions: { epsilon: NOT_POSITIVE },
    badData: () => [[0], ["secret"], [true, undefined]],
  }),
  sweep({
    name: "randomisedResponse() as drawn",
    covers: ["randomisedResponse", "kAryRandomisedResponse", "unaryEncoding"],
    options: fc.record({
      epsilon: scaled({ min: 0.01, max: 12 }),
      categories: manyCategories.map(categoriesOf),
    }),
    make: ({ epsilon }) => randomisedResponse({ epsilon }),
    pair: () => ({ left: [true], right: [false] }),
    share: drawnShare,
    tolerance: 1e-4,
    attained: 0.99,
    shape: (output) => output.length === 1,
    badOptions: {},
  }),
  sweep({
    name: "kAryRandomisedResponse()",
    covers: ["kAryRandomisedResponse"],
    options: fc.record({ epsilon: epsilons, categories: manyCategories.map(categoriesOf) }),
    make: ({ epsilon, categories }) => kAryRandomisedResponse({ epsilon, categories }),
    pair: ({ categories }, source) =>
      neighbours(source, { relation: "replace-one", rows: valuesOf(categories, respondents) }),
    share: (drawn) => rowShare(drawn, drawn.options.categories.slice(0, 3)),
    attained: 1 - 1e-5,
    shape: (output, { left, options }) =>
      output.length === left.length && output.every((said) => options.categories.includes(said)),
    badOptions: { epsilon: NOT_POSITIVE, categories: [[], [1], [1, 1]] },
    badData: () => [[-1], ["secret"], [0, undefined]],
  }),
  sweep({
    name: "unaryEncoding()",
    covers: ["unaryEncoding"],
    options: fc.record({
      epsilon: epsilons,
      categories: manyCategories.map(categoriesOf),
      variant: fc.constantFrom("symmetric" as const, "optimised" as const),
    }),
    make: (options) => unaryEncoding(options),
    pair: ({ categories }, source) =>
      neighbours(source, { relation: "replace-one", rows: valuesOf(categories, one) }),
    share: (drawn) =>
      bitShare(drawn, (row) => drawn.options.categories.map((each) => Number(each === row))),
    attained: 1 - 1e-5,
    shape: (output, { options }) => isBits(output, options.categories.length),
    badOptions: { epsilon: NOT_POSITIVE, categories: [[], [1], [1, 1]], variant: ["", undefined] },
    badData: () => [[], [0, 1], [-1], ["secret"]],
  }),
  sweep({
    name: "rappor()",
    covers: ["rappor"],
    options: fc.record({
      bits: fc.integer({ min: 1, max: 64 }),
      hashes: fc.integer({ min: 1, max: 6 }),
      forget: chances,
      instantaneous: fc.option(
        fc.tuple(chances, chances).map(([a, b]) => ({
          zero: Math.min(a, b) * 0.999,
          one: Math.max(a, b),
        })),
      ),
    }).map((options) => ({ ...options, hashes: Math.min(options.hashes, options.bits) })),
    make: ({ instantaneous, ...options }) =>
      rappor({ ...options, ...(instantaneous === null ? {} : { instantaneous }) }) as ReturnType<
        typeof perturbedDatabase
      >,
    pair: (_, source) =>
      neighbours<number>(source, {
        relation: "replace-one",
        rows: { row: (from) => from.uint32(), size: one },
      }),
    share: (drawn) =>
      Math.max(
        rapporShare(drawn),
        bitShare(drawn, (row) => [...bloomFilter(String(row), drawn.options)]),
      ),
    attained: 1 - 1e-5,
    shape: (output, { options }) => isBits(output, options.bits),
    badOptions: {
      bits: NOT_A_COUNT,
      hashes: [...NOT_A_COUNT, 65],
      forget: NO_CHANCE,
      instantaneous: [{ one: 0.5, zero: 0.5 }, { one: 1, zero: 0.5 }, { one: 0.5, zero: 0 }],
    },
    badData: () => [[], [1, 2]],
  }),
  sweep({
    name: "perturbedDatabase()",
    covers: ["perturbedDatabase", "keepOrReplace", "mixedNoise", "wrappedNoise", "additiveNoise"],
    options: fc.record({
      kind: fc.constantFrom("keep", "mixed"),
      size: fc.oneof(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 3, max: 200 })),
      reach: fc.nat(),
      keep: chances,
    }).map((options) => ({
      ...options,
      // With size/2 beyond reach no output is out of reach, and all have the same chance.
      reach: options.reach % Math.ceil(options.size / 2),
      // As likely as any other is no answer at all.
      keep: Math.abs(options.keep * options.size - 1) < 1e-9 ? 0.7 : options.keep,
    })).map((options) => ({
      ...options,
      reach: 2 * options.reach + 1 === options.size ? 0 : options.reach,
    })),
    make: ({ kind, size, reach, keep }) =>
      perturbedDatabase(
        kind === "keep"
          ? keepOrReplace({ size, keep })
          : kind === "mixed"
          ? mixedNoise({ size, reach, keep })
          : kind === "wrapped"
          ? wrappedNoise({ size, reach })
          : additiveNoise({ size, reach }),
      ),
    pair: ({ size }, source) =>
      neighbours(source, {
        relation: "replace-one",
        rows: valuesOf(categoriesOf(size), respondents),
      }),
    share: (drawn) =>
      Math.max(perturbedShare(drawn), rowShare(drawn, categoriesOf(drawn.options.size))),
    attained: 1 - 1e-5,
    shape: (output, { left, options }) =>
      output.length === left.length &&
      output.every((said) => Number.isInteger(said) && said >= 0 && said < options.size),
    badOptions: {
      // No ε holds for noise that cannot come from every entry.
      kind: ["wrapped", "additive"],
      size: [0, 1, 1.5, NaN],
      keep: NO_CHANCE,
    },
    badData: () => [[-1], [0.5], ["secret"], [NaN]],
  }),
];
