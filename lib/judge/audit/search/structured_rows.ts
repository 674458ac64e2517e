import { bareJson } from "../../../core/text/bare_json.ts";
import type { Dataset, Domain } from "../../../core/relations/dataset.ts";
import { byTurns } from "../../../core/numeric/ranking.ts";
import { atQuantiles, inTheMiddle, repeated } from "./among_others.ts";
import { type RowMove, rowMoves } from "./row_moves.ts";
import { cornerRows } from "./row_values.ts";

/** Moves that are tried at all sizes before the next ones are tried at any. */
const MOVES_AT_ONCE = 8;
/** The place of the second move of a vector among rows at the end of the first one. */
const SECOND_AMONG_HIGH = 4;
/** Moves that are tried among other rows, half at one end and half at the other. */
const MOVES_AMONG_OTHERS = 2;
/** Rows of moves that are also added and removed. */
const ADDED_ROWS = 8;

/** Rows beside a replaced one that are all the same, and the shares of them that come before it. */
interface Others {
  readonly common: unknown;
  readonly shares: readonly number[];
}

/**
 * Returns pairs of datasets whose rows are vectors or records: one row is replaced by each of its moves, or added, alone and among
 * equal rows. The other rows are in the middle of the move, or all at one of its ends. The first moves are made among unequal rows
 * too, some low and some high: each column is set against the others as the move is, or all columns alike.
 */
export function structuredPatterns(
  { rows }: Domain,
  sizes: readonly number[],
): [Dataset, Dataset][] {
  const moves = rowMoves(rows), first = moves[0];
  if (first === undefined) return [];
  const middle = moves.find(({ from }) => isAllZero(from))?.from ?? first.from;
  const commons = [...new Set([middle, first.to, first.from])];
  const isVector = rows.type === "vector";
  /** The rows that others are, and shares of these that come before the replaced one. Functions of columns, as products, may move only where others are high. */
  const others: readonly Others[] = isVector
    ? [
      { common: middle, shares: [0] },
      { common: first.to, shares: [0] },
      { common: middle, shares: [1] },
      { common: first.to, shares: [1 / 2] },
      { common: first.from, shares: [0] },
      { common: first.to, shares: [1] },
      { common: first.from, shares: [1] },
    ]
    : commons.map((common) => ({ common, shares: [0, 1] }));
  const amongEqual = ({ from, to }: RowMove, { common, shares }: Others): [Dataset, Dataset][] =>
    sizes.filter((n) => n > 0).flatMap((n) => {
      const all = repeated(common, n);
      const places = new Set(shares.map((share) => Math.floor(share * (n - 1))));
      return [...places].map((at): [Dataset, Dataset] => [all.with(at, from), all.with(at, to)]);
    });
  const replaced = (move: RowMove): [Dataset, Dataset][] =>
    others.flatMap((own) => amongEqual(move, own));
  const added = (row: unknown): [Dataset, Dataset][] =>
    commons.flatMap((common) =>
      sizes.filter((n) => n > 0).map((n): [Dataset, Dataset] => {
        const rest = repeated(common, n - 1);
        return [[row, ...rest], rest];
      })
    );
  const ends = new Map(
    moves.flatMap(({ from, to }) => [to, from]).map((row) => [bareJson(row), row]),
  );
  const groups: [Dataset, Dataset][][] = [];
  for (let at = 0; at < moves.length; at += MOVES_AT_ONCE) {
    groups.push(byTurns(...moves.slice(at, at + MOVES_AT_ONCE).map(replaced)));
  }
  const centre = cornerRows(rows).at(-1);
  const amongOthers = moves.slice(0, MOVES_AMONG_OTHERS).map((move) =>
    sizes.filter((n) => n > 2).flatMap((n) => {
      const levels = [move, first].map(({ from, to }) => ({ low: from, high: to, centre }));
      return byTurns(
        ...levels.map((level) => [...inTheMiddle(move, level, n), ...atQuantiles(move, level, n)]),
      );
    })
  );
  const patterns = byTurns(
    groups.flat(),
    byTurns(...[...ends.values()].slice(0, ADDED_ROWS).map(added)),
  );
  const [, second] = moves;
  return [
    ...patterns.slice(0, SECOND_AMONG_HIGH),
    ...(isVector && second !== undefined ? amongEqual(second, others[1]!) : []),
    ...patterns.slice(SECOND_AMONG_HIGH, MOVES_AT_ONCE),
    ...byTurns(byTurns(...amongOthers), patterns.slice(MOVES_AT_ONCE)),
  ];
}

function isAllZero(row: unknown): boolean {
  return Array.isArray(row) && row.every((value) => value === 0);
}
