import fc from "fast-check";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import { type BoxQuery, rangeQuery } from "../../../lib/papers/queries/box_query.ts";
import { type FiniteDomain, finiteDomain } from "../../../lib/papers/queries/finite_domain.ts";
import {
  type HistogramQuery,
  isLinear,
  type LinearQuery,
  linearQuery,
  WEIGHT_STEPS,
} from "../../../lib/papers/queries/linear_query.ts";
import { fitMwem, mwemMechanism, type MwemOptions } from "../../../lib/papers/queries/mwem.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import {
  below,
  epsilons,
  NOT_A_COUNT,
  NOT_OF_ROWS,
  NOT_POSITIVE,
  relationOf,
  rowRelations,
} from "../draws.ts";
import { neighbours, valuesOf } from "../neighbours.ts";
import { firstStep, laplaceScale, leastWord, ScriptedSource } from "../scripted_source.ts";
import { epsilonOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** What MWEM is told, in plain values. */
interface Mwem {
  readonly relation: "replace-one" | "add-remove-one";
  readonly epsilon: number;
  readonly rounds: number;
  readonly shape: readonly number[];
  readonly boxes: number;
  readonly linear: number;
  readonly output: "average" | "last";
  readonly replays: number;
}

function boxOf(domain: FiniteDomain, source: SeededSource): BoxQuery {
  return rangeQuery(
    domain,
    Object.fromEntries(domain.shape.map((values, i) => {
      const [one, other] = [below(source, values), below(source, values)];
      return [i, [Math.min(one, other), Math.max(one, other)] as const];
    })),
  );
}

function weightsOf(domain: FiniteDomain, source: SeededSource): LinearQuery {
  const whole = below(source, 2) === 0;
  return linearQuery(domain, () => whole ? below(source, 2) : source.uniform());
}

function queriesOf(
  { boxes, linear }: Pick<Mwem, "boxes" | "linear">,
  domain: FiniteDomain,
): HistogramQuery[] {
  const source = new SeededSource(boxes + 1000 * linear);
  return [
    ...Array.from({ length: boxes }, () => boxOf(domain, source)),
    ...Array.from({ length: linear }, () => weightsOf(domain, source)),
  ];
}

function optionsOf(mwem: Mwem): MwemOptions {
  const { relation, epsilon, rounds, shape, output, replays } = mwem;
  const domain = finiteDomain({ shape });
  return {
    domain,
    queries: queriesOf(mwem, domain),
    rounds,
    epsilon,
    relation: relationOf(relation),
    output,
    replays,
  };
}

/** What a row adds to the answer of a query. */
function contribution(query: HistogramQuery, domain: FiniteDomain, cell: number): number {
  if (isLinear(query)) return query.weights[cell]!;
  let rest = cell, inside = 1;
  for (let i = domain.shape.length - 1; i >= 0; i--) {
    const code = rest % domain.shape[i]!;
    rest = Math.floor(rest / domain.shape[i]!);
    if (code < query.lower[i]! || code > query.upper[i]!) inside = 0;
  }
  return inside;
}

const sizes = { min: 0, max: 1000 };

/** The first measurement of one query, drawn from these words. */
function measured(
  options: MwemOptions,
  rows: Dataset<number>,
  words: Record<number, number>,
): number {
  return mwemMechanism({ ...options, sizes }).sample(rows, new ScriptedSource(words))[1]!;
}

/** Places of words up to which the noise of the first measurement is sought. */
const FIRST_PLACES = 10;

/** The scale of the noise on a measurement; `undefined` where it is too small to be seen. */
function measurementScale(options: MwemOptions, query: HistogramQuery): number | undefined {
  const alone = mwemMechanism({ ...options, queries: [query], sizes });
  const value = (words: Record<number, number>): number =>
    alone.sample([0], new ScriptedSource(words))[1]!;
  const at = value({});
  const moves = (word: number) => (place: number): boolean => value({ [place]: word }) !== at;
  const places = Array.from({ length: FIRST_PLACES }, (_, i) => i);
  // Noise below 1 may need the highest word; more noise takes further words, for which that is too high.
  const place = places.find(moves(2 ** 31)) ?? places.find(moves(2 ** 32 - 2));
  if (place === undefined) return undefined;
  const step = firstStep((word) => value({ [place]: word }) - at);
  return step === undefined ? undefined : laplaceScale(step);
}

/** The scale of the noise on the number of rows; `undefined` where it is public or too small to be seen. */
function sizeScale(options: MwemOptions): number | undefined {
  const mechanism = mwemMechanism({ ...options, queries: options.queries.slice(0, 1), sizes });
  const size = (word: number): number =>
    mechanism.sample([0], new ScriptedSource({ 0: word }))[2 * options.rounds]!;
  const step = firstStep((word) => size(word) - 1);
  return step === undefined ? undefined : laplaceScale(step);
}

/**
 * The rate of the choice of a query: how much the log of its chance falls a unit of score. Of two
 * queries the second is answered better, by a gap; when it is drawn it is kept where a word is at least
 * gap·rate, in parts of 2³², and else the next word decides against it.
 */
function selectionRate(mwem: Mwem): number {
  const domain = finiteDomain({ shape: [2] });
  const expected = mwem.epsilon / (4 * mwem.rounds + 2);
  // As many rows as it takes for a gap that words tell, or weights in fractions where one row is too many.
  const rows = Math.min(1000, Math.max(1, Math.ceil(1e-3 / expected)));
  const tilt = 2 ** -Math.max(0, Math.ceil(Math.log2(rows * expected)) + 2);
  const queries = tilt === 1 ? [rangeQuery(domain, { 0: [0, 0] }), rangeQuery(domain, {})] : [
    linearQuery(domain, (cell) => cell === 0 ? 0.5 + tilt / 2 : 0.5 - tilt / 2),
    linearQuery(domain, () => 0.5),
  ];
  const mechanism = mwemMechanism({ ...optionsOf(mwem), domain, queries, sizes });
  const data = new Array<number>(rows).fill(0);
  const chosen = (words: Record<number, number>): number =>
    mechanism.sample(data, new ScriptedSource(words))[0]!;
  // Estimated as if half of the rows were in either cell.
  const gap = rows * tilt / 2;
  // Where the number of rows is private its noise, 0, takes the first two words, or three of a wide law.
  const wide = (tilt === 1 ? 1 : WEIGHT_STEPS) * (2 * mwem.rounds + 1) / mwem.epsilon >= 256;
  const first = mwem.relation === "replace-one" ? 0 : wide ? 3 : 2;
  const word = leastWord((each) =>
    chosen({ [first]: 1, [first + 1]: each, [first + 2]: 2 ** 32 - 1, [first + 3]: 0 }) === 1
  )!;
  return word / 2 ** 32 / gap;
}

/** The losses of all choices and measurements, from what is drawn. */
function share({ options: mwem, mechanism, left, right }: Case<Mwem, number, number[]>): number {
  const options = optionsOf(mwem), { domain, queries, rounds } = options;
  const answers = (data: Dataset<number>): number[] =>
    queries.map((query) => data.reduce((sum, cell) => sum + contribution(query, domain, cell), 0));
  const [one, other] = [answers(left), answers(right)];
  if (
    left.length > 0 && measured({ ...options, queries: queries.slice(0, 1) }, left, {}) !== one[0]
  ) {
    return Infinity;
  }
  const moves = one.map((answer, i) => Math.abs(answer - other[i]!)).sort((a, b) => b - a);
  // An estimate may lie above one answer and below another: their scores then move apart.
  const apart = queries.length === 1 ? 0 : moves[0]! + moves[1]!;
  const choice = apart * selectionRate(mwem);
  const scale = measurementScale(options, queries.at(-1)!);
  const measurement = scale === undefined ? 0 : moves[0]! / scale;
  const private_ = mwem.relation === "replace-one" ? undefined : sizeScale(options);
  const size = private_ === undefined ? 0 : 1 / private_;
  return (rounds * (choice + measurement) + size) / epsilonOf(mechanism.claim);
}

/** MWEM. */
export const mwemSweeps: readonly Sweep[] = [
  sweep({
    name: "fitMwem()",
    covers: ["fitMwem", "sampleMwem", "mwemMechanism"],
    options: fc.record<Mwem>({
      relation: rowRelations,
      epsilon: epsilons,
      rounds: fc.integer({ min: 1, max: 6 }),
      shape: fc.oneof(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
        fc.array(fc.constant<number>(200), { minLength: 1, maxLength: 1 }),
      ),
      boxes: fc.integer({ min: 1, max: 8 }),
      linear: fc.integer({ min: 0, max: 3 }),
      output: fc.constantFrom("average", "last"),
      replays: fc.nat(2),
    }).map((mwem) => ({
      ...mwem,
      // The noise on fractions of rows must not be too wide for its table.
      epsilon: mwem.linear === 0 ? mwem.epsilon : Math.max(4e-6, mwem.epsilon),
    })),
    make: (mwem) => mwemMechanism({ ...optionsOf(mwem), sizes }),
    pair: ({ relation, shape }, source) =>
      neighbours(source, {
        relation,
        rows: valuesOf([...Array(shape.reduce((a, b) => a * b, 1)).keys()], {
          min: relation === "replace-one" ? 1 : 0,
          max: 20,
        }),
      }),
    share,
    // The rate of choices is seen to a part in 1000 or better.
    tolerance: 2e-3,
    attained: 0.95,
    shape: (output, { options: { rounds, shape } }) => {
      const cells = shape.reduce((a, b) => a * b, 1);
      const size = output[2 * rounds]!, histogram = output.slice(2 * rounds + 1);
      const sum = histogram.reduce((a, b) => a + b, 0);
      return output.length === 2 * rounds + 1 + cells && histogram.every((mass) => mass >= 0) &&
        Math.abs(sum / size - 1) < 1e-6;
    },
    badOptions: {
      epsilon: NOT_POSITIVE,
      rounds: NOT_A_COUNT,
      shape: [[], [0], [1.5], [2 ** 21]],
      replays: [-1, 0.5, NaN],
      relation: NOT_OF_ROWS,
    },
    badData: ({ relation, shape }) => [
      [-1],
      [0.5],
      [NaN],
      [shape.reduce((a, b) => a * b, 1)],
      ...(relation === "replace-one" ? [[]] : []),
    ],
    release: (mwem, data, spending) => fitMwem(data, { ...optionsOf(mwem), ...spending }),
  }),
];
