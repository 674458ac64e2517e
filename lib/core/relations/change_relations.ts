import type { Dataset, RowSpec } from "./dataset.ts";
import { canonicalRelation, type Relation, ROUNDING, sameRow } from "./relation.ts";
import { fieldOf, isRowWith, pickPlace, withField } from "./row_fields.ts";

/** The places in which two datasets of one length differ; a sentence where they are not of one length. */
function placesThatDiffer(left: Dataset, right: Dataset): number[] | string {
  if (left.length !== right.length) {
    return `both sides must have the same number of rows: ${left.length} and ${right.length}`;
  }
  return left.flatMap((row, i) => sameRow(row, right[i]) ? [] : [i]);
}

/** The only place in which two datasets differ, or the rule that they break. */
function onlyPlace(left: Dataset, right: Dataset): number | string {
  const places = placesThatDiffer(left, right);
  if (typeof places === "string") return places;
  return places.length === 1 ? places[0]! : `exactly one row must differ: ${places.length} do`;
}

/** One field of one row changes and the rest is public: label privacy (Chaudhuri, Hsu 2011; Ghazi, Golowich, Kumar, Manurangsi, Zhang 2021). */
export function labelOfOne(field: string): Relation {
  return canonicalRelation({
    name: `label:${field}`,
    description: `${field} of one row changes, and the rest of the row stays`,
    violation(left, right): string | undefined {
      const at = onlyPlace(left, right);
      if (typeof at === "string") return at;
      const [a, b] = [left[at], right[at]];
      if (!isRowWith(a, field) || !isRowWith(b, field)) return `every row must have ${field}`;
      return sameRow(withField(a, field, null), withField(b, field, null))
        ? undefined
        : `only ${field} may differ in the row`;
    },
    neighbours(data, maker): [Dataset, Dataset] | undefined {
      if (data.length === 0) return undefined;
      const at = pickPlace(maker, data.length);
      return [data, data.with(at, withField(data[at], field, fieldOf(maker.row(), field)))];
    },
  });
}

/** Whatever happened at up to `window` steps in a row is different, in a stream with a row for each step: w-event privacy (Kellaris, Papadopoulos, Xiao, Papadias 2014). */
export function eventsOfStream(window: number): Relation {
  return canonicalRelation({
    name: `event:${window}`,
    description: window === 1
      ? "the event of one step of the stream is another"
      : `the events within ${window} steps of the stream are others`,
    violation(left, right): string | undefined {
      const places = placesThatDiffer(left, right);
      if (typeof places === "string") return places;
      if (places.length === 0) return "a step must differ";
      const apart = places.at(-1)! - places[0]! + 1;
      return apart <= window
        ? undefined
        : `steps that differ must lie within ${window}: they lie within ${apart}`;
    },
    neighbours(data, maker): [Dataset, Dataset] | undefined {
      if (data.length === 0) return undefined;
      const from = pickPlace(maker, Math.max(1, data.length - window + 1)), row = maker.row();
      const same = maker.uniform() < 0.5;
      return [
        data,
        data.map((old, i) => i < from || i >= from + window ? old : same ? row : maker.row()),
      ];
    },
    distance(left, right): number {
      const places = placesThatDiffer(left, right);
      return typeof places === "string" ? 0 : places.length;
    },
  });
}

/**
 * Two rows exchange their values of a field, or their places: all totals stay, which are published as they are (neighbours under the
 * invariants of swapping: Bailie, Gong, Meng 2025).
 */
export function swapOfTwo(field: string | undefined): Relation {
  const exchanged = (data: Dataset, i: number, j: number): Dataset => {
    const [a, b] = [data[i], data[j]];
    return field === undefined
      ? data.with(i, b).with(j, a)
      : data.with(i, withField(a, field, fieldOf(b, field))).with(
        j,
        withField(b, field, fieldOf(a, field)),
      );
  };
  return canonicalRelation({
    name: field === undefined ? "swap" : `swap:${field}`,
    description: field === undefined
      ? "two rows exchange their places"
      : `two rows exchange their values of ${field}`,
    violation(left, right): string | undefined {
      const places = placesThatDiffer(left, right);
      if (typeof places === "string") return places;
      const [i, j] = places;
      if (places.length !== 2) return `exactly two rows must differ: ${places.length} do`;
      if (field !== undefined && ![left[i!], left[j!]].every((row) => isRowWith(row, field))) {
        return `every row must have ${field}`;
      }
      const other = exchanged(left, i!, j!);
      return sameRow(other[i!], right[i!]) && sameRow(other[j!], right[j!])
        ? undefined
        : `the two rows must exchange ${field ?? "their places"}`;
    },
    neighbours(data, maker): [Dataset, Dataset] | undefined {
      if (data.length < 2) return undefined;
      const i = pickPlace(maker, data.length);
      // One of them a row of its own, for rows that are equal have nothing to exchange.
      const own = maker.uniform() < 0.7 ? data.with(i, maker.row()) : data;
      const j = (i + 1 + pickPlace(maker, data.length - 1)) % data.length;
      return [own, exchanged(own, i, j)];
    },
  });
}

/** The coordinates of a row: of a number, a list of numbers or a record of numbers, in the order of another row's. */
function coordinatesOf(row: unknown, other: unknown = row): number[] | undefined {
  const values = valuesOf(row, other);
  return values.length > 0 && values.every((x) => typeof x === "number" && Number.isFinite(x))
    ? values as number[]
    : undefined;
}

function valuesOf(row: unknown, other: unknown): unknown[] {
  if (typeof row === "number" && typeof other === "number") return [row];
  if (typeof row !== "object" || typeof other !== "object" || row === null || other === null) {
    return [];
  }
  const fields = Object.keys(other);
  return fields.length === Object.keys(row).length
    ? fields.map((field) => fieldOf(row, field))
    : [];
}

/** The row with other coordinates. */
function rowAt(row: unknown, coordinates: readonly number[]): unknown {
  if (typeof row === "number") return coordinates[0];
  if (Array.isArray(row)) return coordinates;
  return Object.fromEntries(Object.keys(row as object).map((key, k) => [key, coordinates[k]]));
}

/** The Euclidean distance of two rows; `undefined` where they have no coordinates, or not as many. */
function distanceOf(a: unknown, b: unknown): number | undefined {
  const [x, y] = [coordinatesOf(a), coordinatesOf(b, a)];
  return x === undefined || y === undefined
    ? undefined
    : Math.hypot(...x.map((value, k) => value - y[k]!));
}

/**
 * One row moves by at most a distance: metric privacy (Chatzikokolakis, Andrés, Bordenabe, Palamidessi 2013), with the amounts of claims stated
 * for a unit of distance; `geo` is its name in the plane (Andrés, Bordenabe, Chatzikokolakis, Palamidessi 2013).
 */
export function movedRow(name: "within" | "geo", reach: number): Relation {
  return canonicalRelation({
    name: `${name}:${reach}`,
    description: `one ${name === "geo" ? "place" : "row"} moves by at most ${reach}`,
    violation(left, right): string | undefined {
      const at = onlyPlace(left, right);
      if (typeof at === "string") return at;
      const distance = distanceOf(left[at], right[at]);
      if (distance === undefined) {
        return "rows must be numbers, or lists or records of as many finite numbers";
      }
      if (name === "geo" && coordinatesOf(left[at])!.length !== 2) {
        return "rows must have two coordinates";
      }
      return distance <= reach * (1 + ROUNDING)
        ? undefined
        : `the row may move by at most ${reach}: it moves by ${distance}`;
    },
    neighbours(data, maker): [Dataset, Dataset] | undefined {
      if (data.length === 0) return undefined;
      const at = pickPlace(maker, data.length), from = coordinatesOf(data[at]);
      const towards = coordinatesOf(maker.row(), data[at]);
      if (from === undefined || towards === undefined) return undefined;
      const step = maker.uniform() < 0.8 ? reach : reach * maker.uniform();
      const to = (maker.uniform() < 0.5 ? alongAxis : alongLine)(from, towards, {
        step: isWhole(maker.domain.rows) ? Math.floor(step) : step,
        axis: pickPlace(maker, from.length),
      });
      return [data, data.with(at, rowAt(data[at], to))];
    },
    distance(left, right): number {
      const at = onlyPlace(left, right);
      return typeof at === "string" ? 0 : distanceOf(left[at], right[at]) ?? 0;
    },
    reach,
  });
}

interface Step {
  readonly step: number;
  readonly axis: number;
}

/** A point a step from another one on the line to a third, or that one where it is nearer: so it stays where both may be. */
function alongLine(from: number[], towards: readonly number[], { step }: Step): number[] {
  const length = Math.hypot(...from.map((x, k) => towards[k]! - x));
  const share = length === 0 ? 0 : Math.min(1, step / length);
  return from.map((x, k) => x + share * (towards[k]! - x));
}

/** The same along one coordinate. */
function alongAxis(from: number[], towards: readonly number[], { step, axis }: Step): number[] {
  const off = towards[axis]! - from[axis]!;
  return from.with(axis, from[axis]! + Math.sign(off) * Math.min(Math.abs(off), step));
}

/** Returns true if rows have whole coordinates. */
function isWhole(rows: RowSpec): boolean {
  switch (rows.type) {
    case "integer":
      return true;
    case "vector":
      return isWhole(rows.of);
    case "record":
      return Object.values(rows.fields).some(isWhole);
    default:
      return false;
  }
}
