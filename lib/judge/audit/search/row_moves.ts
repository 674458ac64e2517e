import type { RowSpec } from "../../../core/relations/dataset.ts";
import { byTurns } from "../../../core/numeric/ranking.ts";
import { cornerRows, isSpecial, withinNorm } from "./row_values.ts";

/** A row, and the one that replaces it. */
export interface RowMove {
  readonly from: unknown;
  readonly to: unknown;
}

/** Corner values of a scalar that moves are made of. */
const CORNERS = 6;
/** Moves of one field that are tried with each base of the other fields. */
const MOVES_OF_FIELD = 4;

/**
 * Replacements of one row that break mechanisms, the most likely first. Scalars move between corner values. Vectors move in
 * dense directions (all places equal, one against all others, signs that alternate, one at the centre against all others, halves against each other), which are as
 * long as the norm or the box allows in all places at once, and along single axes. Of records one field changes at a time,
 * labels first, and then all fields at once.
 */
export function rowMoves(spec: RowSpec): RowMove[] {
  const moves = movesOf(spec), [first] = moves;
  const isScalar = spec.type !== "vector" && spec.type !== "record";
  // The moves of scalars are between all corners, of which null is one.
  if (spec.missing !== true || isScalar || first === undefined) return moves;
  return [first, { from: null, to: first.to }, { from: first.from, to: null }, ...moves.slice(1)];
}

function movesOf(spec: RowSpec): RowMove[] {
  switch (spec.type) {
    case "vector":
      return vectorMoves(spec);
    case "record":
      return recordMoves(spec);
    default:
      return pairsOf(cornerRows(spec).slice(0, CORNERS));
  }
}

function pairsOf(values: readonly unknown[]): RowMove[] {
  return values.flatMap((from, a) => values.slice(a + 1).map((to) => ({ from, to })));
}

function vectorMoves({ length, of, norm }: Extract<RowSpec, { type: "vector" }>): RowMove[] {
  const vector = (at: (place: number) => unknown): unknown[] =>
    withinNorm(Array.from({ length }, (_, place) => at(place)), norm);
  const corners = cornerRows(of).slice(0, CORNERS), [low, high = low] = corners;
  const zero = corners.find((value) => value === 0) ?? low;
  const onAxis = (axis: number, value: unknown): unknown[] =>
    vector((place) => place === axis ? value : zero);
  const halves = (one: unknown, other: unknown): unknown[] =>
    vector((place) => place < length / 2 ? one : other);
  const alternating = (one: unknown, other: unknown): unknown[] =>
    vector((place) => place % 2 === 0 ? one : other);
  const allHigh = vector(() => high), allLow = vector(() => low), allZero = vector(() => zero);
  const oneAgainst = (one: unknown, others: unknown): RowMove => ({
    from: vector((place) => place === 0 ? one : others),
    to: vector((place) => place === 0 ? others : one),
  });
  const axes = [0, length - 1, ...Array.from({ length: Math.max(0, length - 2) }, (_, i) => i + 1)];
  return [
    { from: allLow, to: allHigh },
    oneAgainst(low, high),
    { from: onAxis(0, low), to: onAxis(0, high) },
    { from: alternating(low, high), to: alternating(high, low) },
    oneAgainst(low, cornerRows(of).at(-1)),
    { from: allZero, to: allHigh },
    { from: onAxis(0, zero), to: onAxis(0, high) },
    { from: allHigh, to: vector((place) => place === 0 ? low : high) },
    { from: halves(low, high), to: halves(high, low) },
    { from: onAxis(0, high), to: onAxis(length - 1, high) },
    { from: allZero, to: allLow },
    ...corners.filter(isSpecial).map((value) => ({ from: onAxis(0, value), to: onAxis(0, high) })),
    ...corners.slice(2).flatMap((value) => [
      oneAgainst(low, value),
      { from: vector(() => value), to: allHigh },
    ]),
    ...axes.slice(1, CORNERS).map((axis) => ({ from: onAxis(axis, low), to: onAxis(axis, high) })),
  ];
}

function recordMoves({ fields }: Extract<RowSpec, { type: "record" }>): RowMove[] {
  const specs = Object.entries(fields);
  const moves = new Map(specs.map(([key, field]) => [key, rowMoves(field)]));
  const all = (side: "from" | "to"): Record<string, unknown> =>
    Object.fromEntries(specs.map(([key]) => [key, moves.get(key)![0]?.[side]]));
  const bases = [all("to"), all("from")];
  const labelsFirst = specs.toSorted(([, a], [, b]) => Number(isLabel(b)) - Number(isLabel(a)));
  const ofFields = labelsFirst.map(([key]) =>
    byTurns(...bases.map((base) =>
      moves.get(key)!.slice(0, MOVES_OF_FIELD).map(({ from, to }) => ({
        from: { ...base, [key]: from },
        to: { ...base, [key]: to },
      }))
    ))
  );
  return [...byTurns(...ofFields), { from: all("from"), to: all("to") }];
}

/** Returns true if a field has few values, as the label of a row has, or is a text, which may be one. */
function isLabel({ type }: RowSpec): boolean {
  return type === "category" || type === "boolean" || type === "text";
}
