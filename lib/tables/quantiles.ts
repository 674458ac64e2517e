import { alsoConcentrated } from "../core/bounded_range.ts";
import type { Claim } from "../core/claim.ts";
import { pure } from "../core/claim_of_amounts.ts";
import { addRemoveOne, type Relation, replaceOne } from "../core/relation.ts";
import type { Source } from "../core/source.ts";
import { share } from "../accounting/share.ts";
import { quantile } from "../mechanisms/quantile.ts";
import { roundUp } from "../numeric/round_outward.ts";
import type { Amount } from "../numeric/amount.ts";
import type { View } from "./ask.ts";
import { type Keys, numberReader, ONE_GROUP, requireNumberColumn } from "./keys.ts";
import { type Answers, answersOf } from "./result.ts";
import type { ContributionBounds } from "./sensitivity.ts";
import { visitContributions } from "./totals.ts";

/** Which quantiles, and what all of them may cost. */
export interface QuantileOptions {
  /** Each from 0 to 1. */
  readonly levels: readonly number[];
  /** ε of all together. */
  readonly epsilon: Amount;
}

/** Quantiles that were asked for, with nothing spent or drawn. */
export interface AskedQuantiles {
  readonly claim: Claim;
  readonly alsoKeeps: readonly Claim[];
  /** Keeps the numbers of every group; the source only chooses which rows of a person count. */
  readonly gather: (source: Source) => Promise<void>;
  readonly draw: (source: Source) => Answers;
  /** The numbers by group, and what one row of them that is added or removed may cost in each quantile. */
  readonly numbers: readonly number[][];
  readonly each: number;
  /** How those rows may differ. */
  readonly relation: Relation;
}

/** At least the points of a grid that values are chosen from. */
const MOST_POINTS = 2 ** 21 + 2;

/** How often a value is further from its quantile than said, at most. */
const MISS = 0.05;

/**
 * Quantiles by the exponential mechanism ({@linkcode quantile}), ε split evenly among the levels, and among the rows that one unit may add and remove: each
 * group is answered by itself, and a group loses ε′ for each row. Numbers are kept in memory. Values rise with their levels, for they are sorted.
 */
export function askedQuantiles(
  { schema, visitRows }: View,
  { keys, column, levels, epsilon, bounds }: QuantileOptions & {
    readonly keys: Keys;
    readonly column: string;
    readonly bounds: ContributionBounds;
  },
): AskedQuantiles {
  const action = "take quantiles", { relation, addRemove } = schema, groupCount = keys.keys.length;
  const claim = pure({ epsilon, relation });
  if (levels.length === 0) {
    throw new RangeError(`Cannot ${action}: levels must not be empty: current number is 0`);
  }
  const declared = requireNumberColumn(action, schema.columns, column);
  const persons = schema.person === undefined ? undefined : { column: schema.person, bounds };
  // A row that is replaced by another in one group is one step; else one unit adds and removes so many rows.
  const isReplaced = !addRemove && persons === undefined && keys === ONE_GROUP &&
    declared.missing !== undefined;
  const rows = isReplaced
    ? 1
    : Math.min(bounds.groups, groupCount) * bounds.rows * (addRemove ? 1 : 2);
  const each = share(epsilon, levels.length * Math.max(1, rows));
  const sorted = Float64Array.from(levels).sort();
  const ofRows = isReplaced ? replaceOne : addRemoveOne;
  const mechanisms = Array.from(
    sorted,
    (level) => quantile({ level, bounds: declared, epsilon: each, relation: ofRows }),
  );
  const numbers = keys.keys.map((): number[] => []);
  // Each is (ε′)²/8-zCDP where one row changes.
  const rho = roundUp(levels.length * each ** 2 / 8, { relativeError: 4 * Number.EPSILON });
  return {
    claim,
    alsoKeeps: rows === 1 ? alsoConcentrated({ rho, relation }) : [],
    numbers,
    each,
    relation: ofRows,
    gather: (source) =>
      visitContributions(
        { visitRows, keys, read: numberReader(declared, column), persons },
        {
          width: 1,
          valuesOf: (value) => [value],
          visit: (group, [value]) => numbers[group]!.push(value!),
        },
        source,
      ),
    draw: (source) =>
      answersOf({
        name: "quantile",
        columns: [...keys.columns, "level"],
        rows: keys.keys.flatMap((key, group) => {
          const values = Float64Array.from(
            mechanisms,
            (mechanism) => mechanism.sample(numbers[group]!, source),
          ).sort();
          return Array.from(sorted, (level, i) => ({
            key: [...key, String(level)],
            value: values[i]!,
            within: Math.ceil(
              2 * (isReplaced ? 1 : Math.max(level, 1 - level)) / each *
                Math.log(MOST_POINTS / MISS),
            ),
          }));
        }),
        claim,
      }),
  };
}
