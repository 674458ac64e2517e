import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  noisySecondMoments,
  principalDirections,
} from "../../../lib/papers/sulq/principal_directions.ts";
import { secondMomentError } from "../../../lib/papers/sulq/second_moment_error.ts";
import { logBinomialTail } from "../../../lib/core/numeric/binomial_tail.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { casesOf, requireEqual, requireNear, requireThat } from "../../engine/requirement.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

const shipped = { noisySecondMoments, principalDirections, secondMomentError };
type Directions = typeof shipped;

const RUNS = 60, MOST_OFF = 44, FAILURE = 0.1, ROWS = 100;

/** Columns, relation and ρ of the runs. */
const SETTINGS = [
  [1, replaceOne, 5],
  [3, replaceOne, 0.5],
  [8, addRemoveOne, 0.5],
  [8, replaceOne, 5],
] as const;

/** The triangle of Σxxᵀ, entry by entry, of rows as they are. */
function moments(rows: readonly (readonly number[])[], columns: number): number[] {
  const sums: number[] = [];
  for (let i = 0; i < columns; i++) {
    for (let j = i; j < columns; j++) {
      sums.push(rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0));
    }
  }
  return sums;
}

/** Σ vᵀMv over directions. */
function captured(triangle: readonly number[], directions: readonly (readonly number[])[]): number {
  const columns = directions[0]!.length;
  let at = 0, sum = 0;
  for (let i = 0; i < columns; i++) {
    for (let j = i; j < columns; j++, at++) {
      for (const v of directions) sum += (i === j ? 1 : 2) * triangle[at]! * v[i]! * v[j]!;
    }
  }
  return sum;
}

/** Principal directions by SuLQ. */
export const sulqDirections = theorem<Directions>({
  id: "queries/sulq_directions",
  statement:
    "From Σxxᵀ of rows no longer than R with Gaussian noise for ρ (its triangle moves by √2·R² when a row is replaced, by R² when one is added), the k principal directions capture within 2kα of what the best k do " +
    "with probability 1 − β, for α = 4σ√(d·ln 9 + ln(2/β)), σ the deviation of an entry.",
  citation:
    "Blum, Dwork, McSherry, Nissim 2005, section 4.1; Vershynin 2018, Corollary 4.4.8 with Theorem 4.4.5’s net; Ky Fan 1949",
  source: "Shmatikov’s slides, what SuLQ computes: singular value decomposition",
  remember: () =>
    `In eight columns at ρ = .5, α is ${
      short(
        secondMomentError({ columnCount: 8, normBound: 1, rho: 0.5, relation: replaceOne }, {
          failure: FAILURE,
        }),
      )
    }, for any number of rows.`,
  assumptions: [
    `of ${
      SETTINGS.length * RUNS
    } runs no more than ${MOST_OFF} may be off by more than α for β = ${FAILURE}: more are with a chance of ${
      short(Math.exp(logBinomialTail(MOST_OFF + 1, SETTINGS.length * RUNS, FAILURE)))
    } when each is with probability ${FAILURE} (binomial tail)`,
  ],
  kind: "statistical",
  checked:
    `what k directions capture: 1, 3 and 8 columns of 500 rows, ${RUNS} runs of each of ${SETTINGS.length} settings of ρ and relation; the sensitivity: ${ROWS} generated rows, or pairs of them, in 1, 2 and 5 columns for each relation`,
  subject: shipped,
  check: (of, { seed }) =>
    casesOf({
      "what a row changes": () => {
        const source = new SeededSource(seed).split("rows");
        for (const columnCount of [1, 2, 5]) {
          for (
            const [relation, most] of [[replaceOne, columnCount === 1 ? 1 : Math.SQRT2], [
              addRemoveOne,
              1,
            ]] as const
          ) {
            const { grid, width, claim } = of.noisySecondMoments({
              columnCount,
              normBound: 3,
              rho: 0.5,
              relation,
            });
            requireEqual([width, (claim as { rho: number }).rho], [
              columnCount * (columnCount + 1) / 2,
              0.5,
            ]);
            // In steps of R²/2^20, but for half a step of rounding an entry.
            requireNear(grid.sensitivityInSteps, most * 2 ** 20, { relative: 1e-4 });
            requireThat(
              grid.sensitivityInSteps >=
                most * 2 ** 20 + (relation === replaceOne ? 1 : 0.5) * Math.sqrt(width!),
              "rounding is not paid for",
            );
            requireThat(
              grid.sensitivityInSteps <=
                most * 2 ** 20 + (relation === replaceOne ? 1 : 0.5) * Math.sqrt(width!) + 1.01,
              "rounding is paid for twice",
            );
            requireNear(grid.scaleInSteps, grid.sensitivityInSteps / Math.sqrt(2 * 0.5), {
              relative: 1e-9,
            });
            requireNear(grid.granularity, 9 / 2 ** 20);
            let worst = 0;
            for (let k = 0; k < ROWS; k++) {
              const [x, y] = [0, 1].map(() => {
                const v = [...floatNormal(source, new Float64Array(columnCount))],
                  size = Math.hypot(...v);
                return v.map((each) => 3 * each / size);
              }) as [number[], number[]];
              const [a, b] = [
                moments([x], columnCount),
                relation === replaceOne ? moments([y], columnCount) : Array<number>(width!).fill(0),
              ];
              worst = Math.max(worst, Math.hypot(...a.map((each, i) => each - b[i]!)));
            }
            requireThat(worst <= most * 9 * (1 + 1e-9), `a row changes ${worst}`);
          }
        }
      },
      "directions of a matrix": () => {
        // 4 along (1, 1)/√2, 2 along (1, −1)/√2, and 1 along the third axis.
        const { directions, values } = of.principalDirections([3, 1, 0, 3, 0, 1], {
          columnCount: 3,
          count: 2,
        });
        values.forEach((value, i) => requireNear(value, [4, 2][i]!, { relative: 1e-9 }));
        requireEqual(directions.length, 2);
        requireNear(Math.abs(directions[0]![0]! + directions[0]![1]!), Math.SQRT2, {
          relative: 1e-9,
        });
        requireNear(Math.abs(directions[1]![0]! - directions[1]![1]!), Math.SQRT2, {
          relative: 1e-9,
        });
      },
      "what they capture": () => {
        let off = 0;
        for (const [columnCount, relation, rho] of SETTINGS) {
          const options = { columnCount, normBound: 1, rho, relation };
          const error = of.secondMomentError(options, { failure: FAILURE });
          // 4σ√(d·ln 9 + ln(2/β)).
          const deviation = Math.sqrt((relation === replaceOne ? 2 : 1) / (2 * rho));
          requireNear(
            error,
            4 * deviation * Math.sqrt(columnCount * Math.log(9) + Math.log(2 / FAILURE)),
            { relative: 1e-12 },
          );
          requireNear(
            of.secondMomentError({ ...options, normBound: 3 }, { failure: FAILURE }),
            9 * error,
            { relative: 1e-12 },
          );
          const source = new SeededSource(seed).split(`${columnCount}${rho}`);
          const rows = Array.from({ length: 500 }, () => {
            const v = [...floatNormal(source, new Float64Array(columnCount))].map((each, j) =>
              each / (j + 1)
            );
            const size = Math.max(1, Math.hypot(...v));
            return v.map((each) => each / size);
          });
          const truth = moments(rows, columnCount), mechanism = of.noisySecondMoments(options);
          const count = Math.min(2, columnCount);
          const best = captured(
            truth,
            of.principalDirections(truth, { columnCount, count }).directions,
          );
          for (let run = 0; run < RUNS; run++) {
            const noisy = mechanism.sample(rows, source);
            const { directions } = of.principalDirections(noisy, { columnCount, count });
            const difference = noisy.map((each, i) => each - truth[i]!);
            const { values } = of.principalDirections(difference, {
              columnCount,
              count: columnCount,
            });
            const missed = best - captured(truth, directions);
            if (missed > 2 * count * error || Math.max(...values.map(Math.abs)) > error) off++;
          }
        }
        requireThat(
          off <= MOST_OFF,
          `${off} of ${SETTINGS.length * RUNS} runs are off by more than α`,
        );
      },
    }),
  mutants: {
    "an error of half α": {
      ...shipped,
      secondMomentError: (options, rest) => secondMomentError(options, rest) / 2,
    },
    "noise for a row added in place of replaced": {
      ...shipped,
      noisySecondMoments: (options) => noisySecondMoments({ ...options, relation: addRemoveOne }),
    },
    "the least directions": {
      ...shipped,
      principalDirections: (triangle, options) => {
        const { directions, values } = principalDirections(triangle, {
          ...options,
          count: options.columnCount,
        });
        return {
          directions: directions.slice(-options.count),
          values: values.slice(-options.count),
        };
      },
    },
  },
});
