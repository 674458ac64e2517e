import fc from "fast-check";
import type { Claim } from "../../../lib/core/claims/claim.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import {
  noisySecondMoments,
  type SecondMomentOptions,
} from "../../../lib/papers/sulq/principal_directions.ts";
import {
  openStatisticalQueries,
  sampleStatisticalQueries,
} from "../../../lib/papers/sulq/statistical_queries.ts";
import { openSulq } from "../../../lib/papers/sulq/sulq_database.ts";
import { sulqMechanism } from "../../papers/sulq/sulq_mechanism.ts";
import {
  below,
  dimensions,
  NOT_A_COUNT,
  NOT_OF_ROWS,
  NOT_POSITIVE,
  pick,
  relationOf,
  rhos,
  rowRelations,
  scaled,
} from "../draws.ts";
import { drawnGaussianShare, drawnStep, moves } from "../drawn_noise.ts";
import { neighbours, pointsOf } from "../neighbours.ts";
import { gaussianDeviation, ROUGHLY, ScriptedSource } from "../scripted_source.ts";
import { rhoOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** What a row contributes to each question: inside [0, 1], outside, no number, or an error. */
type Contributions = readonly (number | null | "throws")[];

const contributions = [0, 1, 0.5, 1 / 3, -7, 1e300, -Infinity, Infinity, null, "throws"] as const;

/** The answer of a row to question `index`. */
function contribution(index: number): (row: Contributions) => number {
  return (row) => {
    const value = row[index]!;
    if (value === "throws") throw new Error("a row may do what it likes");
    return value === null ? NaN : value;
  };
}

/** Rows with one contribution for each question. */
const rowsOf = (queries: number, min: number) => ({
  row: (source: Parameters<typeof pick>[0]): Contributions =>
    Array.from({ length: queries }, () => pick(source, contributions)),
  opposite: (source: Parameters<typeof pick>[0], row: Contributions): Contributions =>
    row.map((value) => value === 1 ? pick(source, [0, null, "throws"]) : 1),
  size: { min, max: 12 },
});

/** The squared moves of all answers over twice the variance that one of them is drawn with. */
function answersShare<Options extends { readonly queries: number }, Row>(
  { options: { queries }, mechanism, left, right, source }: Case<Options, Row, number[]>,
): number {
  const coordinate = below(source, queries);
  const step = drawnStep(mechanism, left, { place: 3 * coordinate, coordinate, ...ROUGHLY });
  const deviation = gaussianDeviation(step!);
  const { squares } = moves(mechanism, { left, right });
  return squares / (2 * deviation ** 2) / rhoOf(mechanism.claim);
}

/** Statistical queries of `rows` rows as a mechanism. */
interface Statistical {
  readonly queries: number;
  readonly tolerance: number;
  readonly failure: number;
  readonly rows: number;
}

function statisticalMechanism(
  { rows, ...options }: Statistical,
): Mechanism<Contributions, number[]> {
  const nobody = new Array<Contributions>(rows).fill(new Array(options.queries).fill(0));
  const { claim }: { claim: Claim } = sampleStatisticalQueries(new ScriptedSource(), {
    ...options,
    data: nobody,
  });
  return {
    name: "statistical queries",
    claim,
    sample(data, source): number[] {
      const oracle = sampleStatisticalQueries(source, { ...options, data });
      return Array.from(
        { length: options.queries },
        (_, index) => data.length * oracle.ask(contribution(index)),
      );
    },
  };
}

const momentsOf = (options: {
  readonly relation: string;
  readonly columns: number;
  readonly norm: number;
  readonly rho: number;
}): SecondMomentOptions => ({
  columnCount: options.columns,
  normBound: options.norm,
  rho: options.rho,
  relation: relationOf(options.relation),
});

const hasLength = (output: readonly number[], length: number): boolean =>
  output.length === length && output.every(Number.isFinite);

/** Noisy sums over rows. */
export const sulqSweeps: readonly Sweep[] = [
  sweep({
    name: "openSulq()",
    covers: ["openSulq", "sampleSulq", "sulqClaim"],
    options: fc.record({
      relation: rowRelations,
      queries: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 200 })),
      variance: scaled({ min: 2 ** -39, max: 2 ** 53, often: [1] }),
    }),
    make: ({ relation, ...calibration }) =>
      sulqMechanism<Contributions>({
        ...calibration,
        relation: relationOf(relation),
        next: (answers) => contribution(answers.length),
      }),
    pair: ({ relation, queries }, source) =>
      neighbours(source, { relation, rows: rowsOf(queries, 0) }),
    share: answersShare,
    tolerance: 1e-3,
    attained: 0.99,
    shape: (output, { options }) => hasLength(output, options.queries),
    badOptions: {
      queries: NOT_A_COUNT,
      variance: [...NOT_POSITIVE, 2 ** -41, 2 ** 55],
      relation: NOT_OF_ROWS,
    },
    release: ({ relation, ...calibration }, data, spending) =>
      openSulq(data, { ...calibration, relation: relationOf(relation), ...spending }),
  }),
  sweep({
    name: "openStatisticalQueries()",
    covers: [
      "openStatisticalQueries",
      "sampleStatisticalQueries",
      "statisticalQueryCalibration",
    ],
    options: fc.record<Statistical>({
      queries: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 100 })),
      tolerance: scaled({ min: 1e-3, max: 10 }),
      failure: scaled({ min: 1e-9, max: 0.9 }),
      rows: fc.integer({ min: 1, max: 30 }),
    }),
    make: statisticalMechanism,
    pair: ({ queries, rows }, source) =>
      neighbours(source, {
        relation: "replace-one",
        rows: { ...rowsOf(queries, rows), size: { min: rows, max: rows } },
      }),
    share: answersShare,
    tolerance: 1e-3,
    attained: 0.99,
    shape: (output, { options }) => hasLength(output, options.queries),
    badOptions: {
      queries: NOT_A_COUNT.slice(0, 3),
      tolerance: NOT_POSITIVE,
      failure: [...NOT_POSITIVE, 1, 2],
    },
    release: ({ rows: _, ...options }, data, spending) =>
      openStatisticalQueries(data, { ...options, ...spending }),
    cases: 30,
  }),
  sweep({
    name: "noisySecondMoments()",
    covers: ["noisySecondMoments"],
    options: fc.record({
      relation: rowRelations,
      columns: dimensions(60),
      norm: fc.constantFrom(1, 0.1, 3, 1e6),
      rho: rhos,
    }),
    make: (options) => noisySecondMoments(momentsOf(options)),
    pair: ({ relation, columns, norm }, source) =>
      neighbours(source, {
        relation,
        rows: pointsOf({
          lower: new Array(columns).fill(-norm),
          upper: new Array(columns).fill(norm),
        }, { min: relation === "replace-one" ? 1 : 0, max: 5 }),
      }),
    share: ({ mechanism, left, right }) => drawnGaussianShare(mechanism, { left, right }),
    tolerance: 1e-5,
    // Axis against axis, but for a margin for rounding.
    attained: 0.9,
    shape: (output, { options: { columns } }) => hasLength(output, columns * (columns + 1) / 2),
    badOptions: {
      columns: [0, -1, 1.5, NaN],
      norm: NOT_POSITIVE.slice(0, 5),
      rho: NOT_POSITIVE,
      relation: NOT_OF_ROWS,
    },
    badData: ({ columns }) => [[new Array(columns).fill(NaN)], [new Array(columns + 1).fill(0)]],
    cases: 30,
  }),
];
