import type { Dataset, Domain, RowSpec } from "../../../core/relations/dataset.ts";
import { byTurns } from "../../../core/numeric/ranking.ts";
import { repeated } from "./among_others.ts";
import { cornerRows, isRow, isSpecial, withinNorm } from "./row_values.ts";

/** Rows with a value of their own that get patterns, at most. */
const MOST_ROWS = 16;
/** Numbers of the program's text that get patterns. */
const MOST_NUMBERS = 8;
/** Rows in a dataset of such a pattern, if the domain allows it. */
const SIZE = 2;

/**
 * Returns pairs in which a row has a value that the first patterns lack: the centre, zero, an empty text, the last of many categories.
 * It is replaced, it stands beside a row that is replaced, and it is added; two rows in all where the domain allows it.
 */
export function valuePatterns({ rows, size }: Domain): [Dataset, Dataset][] {
  const [low, high = low] = cornerRows(rows);
  const n = Math.max(1, size.min, Math.min(size.max, SIZE));
  return valueRows(rows).slice(0, MOST_ROWS).flatMap((row): [Dataset, Dataset][] => [
    [[row, ...repeated(low, n - 1)], [high, ...repeated(low, n - 1)]],
    [[low, ...repeated(row, n - 1)], [high, ...repeated(row, n - 1)]],
    [[row, ...repeated(low, n - 1)], repeated(low, n - 1)],
  ]);
}

/** Returns pairs in which a row, then all rows but one, have one of some numbers, which the program may treat apart. */
export function numberPatterns(
  { rows, size }: Domain,
  numbers: readonly number[],
): [Dataset, Dataset][] {
  const [low, high = low] = cornerRows(rows);
  const n = Math.max(1, size.min, Math.min(size.max, SIZE));
  const more = (row: unknown): unknown[] => repeated(row, n - 1);
  const own = numbers.flatMap((number) => rowsWith(rows, number)).slice(0, MOST_NUMBERS);
  return [
    ...own.map((row): [Dataset, Dataset] => [[row, ...more(low)], [high, ...more(low)]]),
    ...own.map((row): [Dataset, Dataset] => [[row, ...more(row)], [low, ...more(row)]]),
    ...own.map((row): [Dataset, Dataset] => [[row, ...more(low)], more(low)]),
    ...own.map((row): [Dataset, Dataset] => [[row, ...more(row)], more(row)]),
  ];
}

/** Returns rows with a number in one field, or in all places, that is not a corner. */
function rowsWith(spec: RowSpec, number: number): unknown[] {
  switch (spec.type) {
    case "number":
    case "integer":
      return isRow(spec, number) && !cornerRows(spec).includes(number) ? [number] : [];
    case "vector":
      return rowsWith(spec.of, number).map((value) =>
        withinNorm(repeated(value, spec.length), spec.norm)
      );
    case "record": {
      const [base] = cornerRows(spec) as [object];
      return Object.entries(spec.fields).flatMap(([key, field]) =>
        rowsWith(field, number).map((value) => ({ ...base, [key]: value }))
      );
    }
    default:
      return [];
  }
}

/** Returns rows with one value beyond the first two corners; the likeliest to be treated apart come first. */
function valueRows(spec: RowSpec): unknown[] {
  switch (spec.type) {
    case "number":
    case "integer": {
      const later = cornerRows(spec).slice(2);
      // The centre is the last corner.
      return [
        ...later.filter(isSpecial),
        ...later.filter((value) => !isSpecial(value)).reverse(),
      ];
    }
    case "boolean":
    case "text":
      return cornerRows(spec).slice(2);
    case "category": {
      const later = cornerRows(spec).slice(2);
      const isEmpty = (value: unknown): boolean => value === "" || value === null;
      return [...later.filter(isEmpty), ...later.filter((value) => !isEmpty(value)).reverse()];
    }
    case "vector":
      return [
        ...missingOf(spec),
        ...valueRows(spec.of).map((value) => withinNorm(repeated(value, spec.length), spec.norm)),
      ];
    case "record": {
      const [base] = cornerRows(spec) as [object];
      const fields = Object.entries(spec.fields);
      return byTurns(
        missingOf(spec),
        ...fields.map(([key, field]) =>
          valueRows(field).map((value) => ({ ...base, [key]: value }))
        ),
      );
    }
  }
}

function missingOf({ missing }: RowSpec): null[] {
  return missing === true ? [null] : [];
}
