import { alsoConcentrated } from "../../core/claims/bounded_range.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { addRemoveOne, replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { share } from "../accounting/budget/share.ts";
import { quantile } from "../mechanisms/quantile.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { requireKind } from "../../core/numeric/require.ts";
import type { Prepared, View } from "./ask.ts";
import { CellCounts } from "./cell_counts.ts";
import { type Keys, numberReader, ONE_GROUP, requireNumberColumn } from "./keys.ts";
import { type Cost, noisyTotals, type Price, priceOf } from "./noise.ts";
import {
  type IsUnlikely,
  noiseAtEnds,
  NoisyTree,
  type TreeShape,
  treeShape,
} from "./noisy_tree.ts";
import { type Answer, type Answers, answersOf } from "./result.ts";
import type { NumberColumn } from "../schema/column.ts";
import { type ContributionBounds, sensitivityOf } from "./sensitivity.ts";
import { contributionReader } from "./totals.ts";

/** Which quantiles, and what all of them together may cost. */
export type QuantileOptions = Cost & {
  /** Each from 0 to 1. */
  readonly levels: readonly number[];
};

/** Quantiles that were asked for, with nothing spent or drawn. */
export interface AskedQuantiles extends Prepared<Answers> {
  /** The numbers by group, as cells of the grid. */
  readonly counts: readonly CellCounts[];
  /** What may change: so many numbers of all groups, each of them at what the mechanism may lose, or weighted counts of nodes. */
  readonly by: OneLevel | Tree;
}

interface OneLevel {
  readonly kind: "one level";
  /** Its claim is of one number that is added or removed, or replaced. */
  readonly mechanism: Mechanism<number, number>;
}

interface Tree {
  readonly kind: "tree";
  readonly shape: TreeShape;
  /** The most that weighted counts of all nodes change in all. */
  readonly sensitivity: { readonly l1: number; readonly l2: number };
}

/** Where the column does not say its step a grid has 2¹⁹ to 2²⁰ cells. */
const CELLS_BITS = 20;

/** How often an interval misses, at most. */
const MISS = 0.05;

/** The public grid of a column's numbers. */
interface Grid {
  readonly cells: number;
  readonly cellOf: (value: number) => number;
  readonly valueOf: (cell: number) => number;
}

/**
 * Quantiles of each group. One level at a price of ε is drawn by the exponential mechanism ({@linkcode quantile}), which is nearest where little changes from
 * one cell to the next. Several are read off one {@linkcode NoisyTree}, whatever their number; they rise with their levels.
 */
export function askedQuantiles(
  { schema }: View,
  { keys, column, levels, bounds, ...cost }: QuantileOptions & {
    readonly keys: Keys;
    readonly column: string;
    readonly bounds: ContributionBounds;
  },
): AskedQuantiles {
  const action = "take quantiles", { relation, addRemove } = schema, groupCount = keys.keys.length;
  const price = priceOf(action, cost as Cost, { relation, parts: 1, beside: ["levels"] });
  requireKind("quantiles", "levels", levels, "list");
  const sorted = Float64Array.from(levels).sort();
  if (sorted.length === 0 || !sorted.every((level) => level >= 0 && level <= 1)) {
    throw new RangeError(
      `Cannot ${action}: levels must not be empty and each in [0, 1]: current number is ${sorted.length}`,
    );
  }
  const declared = requireNumberColumn(action, schema.columns, column), grid = gridOf(declared);
  const persons = schema.person === undefined ? undefined : { column: schema.person, bounds };
  const counts: CellCounts[] = [];
  const asked = { price, sorted, grid, counts };
  // A row that is replaced by another in one group is one step; else one unit adds and removes so many rows.
  const isReplaced = !addRemove && persons === undefined && keys === ONE_GROUP &&
    declared.missing !== undefined;
  const groups = Math.min(bounds.groups, groupCount);
  const { by, alsoKeeps, answer } = sorted.length === 1 && price.part.kind === "epsilon"
    ? oneLevel(asked, isReplaced ? "replaced" : groups * bounds.rows * (addRemove ? 1 : 2))
    : byTree(
      asked,
      // Of nodes in any group: a row that is replaced leaves one and enters another.
      sensitivityOf({
        groupCount: Infinity,
        bounds: { groups, rows: bounds.rows },
        addRemove,
        least: 0,
        most: 1,
      }),
    );
  return {
    claim: price.claim,
    alsoKeeps,
    counts,
    by,
    open: (source) => {
      keys.keys.forEach((_, group) => counts[group] = new CellCounts());
      const { end, ...reader } = contributionReader(
        { keys, read: numberReader(declared, column), persons },
        {
          width: 1,
          valuesOf: (value) => [grid.cellOf(value)],
          visit: (group, [cell]) => counts[group]!.add(cell!),
        },
        source,
      );
      return {
        ...reader,
        end: () => {
          end();
          for (const each of counts) each.settle();
        },
      };
    },
    draw: (source) =>
      answersOf({
        name: "quantile",
        columns: [...keys.columns, "level"],
        rows: keys.keys.flatMap((key, group) =>
          answer(group, source).map((each, i) => ({ key: [...key, String(sorted[i])], ...each }))
        ),
        claim: price.claim,
      }),
  };
}

interface Asked extends Pick<AskedQuantiles, "counts"> {
  readonly price: Price;
  readonly sorted: Float64Array;
  readonly grid: Grid;
}

interface Way<By> {
  readonly by: By;
  readonly alsoKeeps: readonly Claim[];
  readonly answer: (group: number, source: Source) => readonly Omit<Answer, "key">[];
}

function oneLevel(
  { price: { part, relation }, sorted: [level], grid, counts }: Asked,
  rows: number | "replaced",
): Way<OneLevel> {
  const isOne = rows === "replaced" || rows === 1;
  const each = isOne ? part.amount : share(part.amount, Math.max(1, rows));
  const mechanism = quantile({
    level: level!,
    bounds: { lower: 0, upper: grid.cells - 1 },
    granularity: 1,
    epsilon: each,
    relation: rows === "replaced" ? replaceOne : addRemoveOne,
  });
  const most = rows === "replaced" ? 1 : Math.max(level!, 1 - level!);
  const within = Math.ceil(2 * most / each * Math.log(grid.cells / MISS));
  // It is (ε′)²/8-zCDP where one row changes.
  const rho = roundUp(each ** 2 / 8, { relativeError: 4 * Number.EPSILON });
  return {
    by: { kind: "one level", mechanism },
    alsoKeeps: isOne ? alsoConcentrated({ rho, relation }) : [],
    answer: (group, source) => {
      const cell = mechanism.sample(counts[group]!.rows() as unknown as number[], source);
      return [{ value: grid.valueOf(cell), within }];
    },
  };
}

function byTree(
  { price, sorted, grid, counts }: Asked,
  { l1, l2 }: { readonly l1: number; readonly l2: number },
): Way<Tree> {
  const shape = treeShape(grid.cells), { weights } = shape, { kind, amount } = price.part;
  const total = weights.reduce((sum, weight) => sum + weight, 0), norm = Math.hypot(...weights);
  const sensitivity = { l1: Math.max(1, l1 * total), l2: Math.max(1, l2 * norm) };
  const { law } = noisyTotals(new Float64Array(1), { price, sensitivity });
  // The counts of a level are (ε·weight/total)-DP.
  const rho = roundUp(amount ** 2 / 2 * (norm / total) ** 2, { relativeError: 1e-14 });
  const isUnlikely = Array.from(
    sorted,
    (quantile) => noiseAtEnds(shape, { law, kind, quantile, miss: MISS / 2 }),
  );
  return {
    by: { kind: "tree", shape, sensitivity },
    alsoKeeps: kind === "rho" ? [] : alsoConcentrated({ rho, relation: price.relation }),
    answer: (group, source) => {
      const tree = new NoisyTree({ shape, law, counts: counts[group]!, source });
      const size = tree.size, atLeast = Math.max(0, size);
      return Array.from(sorted, (level, i) => {
        const unlikely = isUnlikely[i]!, wanted = level * atLeast;
        const tooFew: IsUnlikely = (rows, end) =>
          rows < level * size && unlikely(level * size - rows, end);
        const tooMany: IsUnlikely = (rows, ...at) =>
          rows > wanted && unlikely(rows - wanted, ...at);
        return {
          value: grid.valueOf(tree.find("first", (rows) => rows < wanted)),
          lower: grid.valueOf(tree.find("first", tooFew)),
          upper: grid.valueOf(tree.find("last", tooMany)),
        };
      });
    },
  };
}

/** The grid of a column: its declared step, or a power of two, so that whole numbers are on it where that is at most 1. */
function gridOf({ lower, upper, step }: NumberColumn): Grid {
  // Doubles near the bounds are told apart, and no sum overflows.
  const half = Math.max(upper / 2 - lower / 2, Math.max(-lower, upper) * 2 ** -32, 2 ** -1000);
  const unit = step ?? 2 ** (Math.floor(Math.log2(half)) + 2 - CELLS_BITS);
  const first = Math.round(lower / unit), last = Math.round(upper / unit);
  return {
    cells: Math.max(2, last - first + 1),
    cellOf: (value) => Math.round(value / unit) - first,
    valueOf: (cell) => Math.min(upper, Math.max(lower, (first + cell) * unit)) + 0,
  };
}
