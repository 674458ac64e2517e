import { alsoConcentrated } from "../../core/claims/bounded_range.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import { addRemoveOne, replaceOne } from "../../core/relations/relation.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { share } from "../accounting/budget/share.ts";
import { quantile } from "../mechanisms/quantile.ts";
import { roundUp } from "../../core/numeric/round_outward.ts";
import { requireKind } from "../../core/numeric/require.ts";
import { type Prepared, readingInMemory, rowsAsked, type View } from "./ask.ts";
import type { CellCounts } from "./cell_counts.ts";
import { type Numbers, requireNumbers } from "./column_values.ts";
import type { Found, Plan } from "./engine/plan.ts";
import { type Keys, ONE_GROUP } from "./keys.ts";
import { type Cost, noisyTotals, type Price, priceOf } from "./noise.ts";
import {
  type IsUnlikely,
  noiseAtEnds,
  NoisyTree,
  type TreeShape,
  treeShape,
} from "./noisy_tree.ts";
import { missOfEach } from "./grouped_questions.ts";
import { type Answer, type Answers, answersOf } from "./result.ts";
import { type ContributionBounds, sensitivityOf } from "./sensitivity.ts";

/** Levels of quantiles, and the price of all of them together. */
export type QuantileOptions = Cost & {
  /** Each from 0 to 1. */
  readonly levels: readonly number[];
  /** Of one level that is paid for by ε: whether it has a 95% interval, for which half of the cost is spent. Default: no; then it says how many rows it may be off. */
  readonly interval?: boolean;
  /** Number of intervals that hold at once. Default: each by itself. */
  readonly together?: number | undefined;
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
  /** Where there is an interval: what draws its ends, of which the claims add up with the first. */
  readonly ends: readonly Mechanism<number, number>[];
}

interface Tree {
  readonly kind: "tree";
  readonly shape: TreeShape;
  /** The most that weighted counts of all nodes change in all. */
  readonly sensitivity: { readonly l1: number; readonly l2: number };
}

/** Where the column does not say its step a grid has 2¹⁹ to 2²⁰ cells. */
const CELLS_BITS = 20;

/** The public grid of a column's numbers: whole multiples of a unit from the first. */
interface Grid {
  readonly cells: number;
  readonly unit: number;
  readonly first: number;
  readonly valueOf: (cell: number) => number;
}

/**
 * Quantiles of each group. One level at a price of ε is drawn by the exponential mechanism ({@linkcode quantile}), which is nearest where little changes from
 * one cell to the next. Several are read off one {@linkcode NoisyTree}, whatever their number; they rise with their levels.
 */
export function askedQuantiles(
  view: View,
  { keys, column, levels, bounds, interval = false, together = 1, ...cost }: QuantileOptions & {
    readonly keys: Keys;
    readonly column: string;
    readonly bounds: ContributionBounds;
  },
): AskedQuantiles {
  const action = "take quantiles", { schema } = view, groupCount = keys.keys.length;
  const { relation, addRemove } = schema;
  const price = priceOf(action, cost as Cost, {
    relation,
    parts: 1,
    beside: ["levels", "interval", "together"],
  });
  const missing = missOfEach(together);
  requireKind("quantiles", "levels", levels, "list");
  const sorted = Float64Array.from(levels).sort();
  if (sorted.length === 0 || !sorted.every((level) => level >= 0 && level <= 1)) {
    throw new RangeError(
      `Cannot ${action}: levels must not be empty and each in [0, 1]: current number is ${sorted.length}`,
    );
  }
  const numbers = requireNumbers(action, schema, column), grid = gridOf(numbers);
  const counts: CellCounts[] = [];
  const asked = { price, sorted, grid, counts, miss: missing };
  // A row that is replaced by another in one group is one step; else one unit adds and removes so many rows.
  const isReplaced = !addRemove && schema.person === undefined && keys === ONE_GROUP &&
    (view.where ?? []).length === 0 && numbers.missing !== undefined;
  const groups = Math.min(bounds.groups, groupCount);
  const { by, alsoKeeps, answer } = sorted.length === 1 && price.part.kind === "epsilon"
    ? oneLevel(asked, {
      rows: isReplaced ? "replaced" : groups * bounds.rows * (addRemove ? 1 : 2),
      interval,
    })
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
  const { unit, first } = grid;
  const plans = (source: Pick<Source, "uint32">): readonly Plan[] => [{
    ...rowsAsked(view, bounds, source),
    parts: keys.parts,
    clipped: numbers.clipped,
    wanted: { kind: "cells", unit, first },
  }];
  const receive = ([found]: readonly Found[]): void => {
    if (found!.kind !== "cells") {
      throw new TypeError(
        `Cannot answer: an engine must give cells: current kind is ${found!.kind}`,
      );
    }
    found!.cells.forEach((each, group) => counts[group] = each);
  };
  return {
    claim: price.claim,
    alsoKeeps,
    counts,
    by,
    plans,
    receive,
    open: readingInMemory({ plans, receive }),
    draw: (source) =>
      answersOf({
        name: "quantile",
        columns: [...keys.columns, "level"],
        days: numbers.days,
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
  /** The largest probability that an interval misses. */
  readonly miss: number;
}

interface Way<By> {
  readonly by: By;
  readonly alsoKeeps: readonly Claim[];
  readonly answer: (group: number, source: Source) => readonly Omit<Answer, "key">[];
}

function oneLevel(
  { price: { part, relation }, sorted: [level], grid, counts, miss }: Asked,
  { rows, interval }: { readonly rows: number | "replaced"; readonly interval: boolean },
): Way<OneLevel> {
  const isOne = rows === "replaced" || rows === 1;
  const perRow = (amount: number): number => isOne ? amount : share(amount, Math.max(1, rows));
  const drawn = (epsilon: number): Mechanism<number, number> =>
    quantile({
      level: level!,
      bounds: { lower: 0, upper: grid.cells - 1 },
      granularity: 1,
      epsilon,
      relation: rows === "replaced" ? replaceOne : addRemoveOne,
    });
  const most = rows === "replaced" ? 1 : Math.max(level!, 1 - level!);
  // Rows that a draw is off with a probability of at most `miss`.
  const reach = (epsilon: number, miss: number): number =>
    Math.ceil(2 * most / epsilon * Math.log(grid.cells / miss));
  const amounts = interval
    ? [share(part.amount, 2), share(part.amount, 4), share(part.amount, 4)]
    : [part.amount];
  const [first, ...others] = amounts.map(perRow) as [number, ...number[]];
  const mechanism = drawn(first), ends = others.map(drawn);
  // It is (ε′)²/8-zCDP where one row changes.
  const rho = roundUp(amounts.reduce((sum, each) => sum + perRow(each) ** 2 / 8, 0), {
    relativeError: 8 * Number.EPSILON,
  });
  const within = reach(first, miss), away = interval ? reach(others[0]!, miss / 2) : 0;
  // Rows at an end of the grid, which are public, move the rank that is drawn by as many as the draw may be off, so that the end is beyond the quantile.
  const below = Math.ceil(away / Math.max(2 ** -20, 1 - level!));
  const above = Math.ceil(away / Math.max(2 ** -20, level!));
  return {
    by: { kind: "one level", mechanism, ends },
    alsoKeeps: isOne ? alsoConcentrated({ rho, relation }) : [],
    answer: (group, source) => {
      const cells = counts[group]!.rows() as unknown as number[];
      const value = mechanism.sample(cells, source);
      if (!interval) return [{ value: grid.valueOf(value), within }];
      const low = ends[0]!.sample(padded(cells, { count: below, cell: 0 }), source);
      const high = ends[1]!.sample(padded(cells, { count: above, cell: grid.cells - 1 }), source);
      const lower = level === 0 ? 0 : Math.min(low, high);
      const upper = level === 1 ? grid.cells - 1 : Math.max(low, high);
      return [{
        value: grid.valueOf(Math.min(upper, Math.max(lower, value))),
        lower: grid.valueOf(lower),
        upper: grid.valueOf(upper),
        ...(lower === 0 && upper === grid.cells - 1 && { tooFew: true }),
      }];
    },
  };
}

/** Numbers with public ones besides. */
function padded(
  cells: ArrayLike<number>,
  { count, cell }: { readonly count: number; readonly cell: number },
): number[] {
  const more = new Float64Array(cells.length + count).fill(cell);
  more.set(cells);
  return more as unknown as number[];
}

function byTree(
  { price, sorted, grid, counts, miss }: Asked,
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
    (quantile) => noiseAtEnds(shape, { law, kind, quantile, miss: miss / 2 }),
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
function gridOf({ lower, upper, step }: Numbers): Grid {
  // Doubles near the bounds are told apart, and no sum overflows.
  const half = Math.max(upper / 2 - lower / 2, Math.max(-lower, upper) * 2 ** -32, 2 ** -1000);
  const unit = step ?? 2 ** (Math.floor(Math.log2(half)) + 2 - CELLS_BITS);
  const at = (value: number): number => Math.floor(value / unit + 0.5), first = at(lower);
  return {
    cells: Math.max(2, at(upper) - first + 1),
    unit,
    first,
    valueOf: (cell) => Math.min(upper, Math.max(lower, (first + cell) * unit)) + 0,
  };
}
