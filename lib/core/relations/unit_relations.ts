import type { Dataset } from "./dataset.ts";
import { byLength, firstMissing, inOrder, lengthsApart } from "./longer_side.ts";
import {
  addRemoveOne,
  canonicalRelation,
  type NeighbourMaker,
  type Relation,
  sameRow,
} from "./relation.ts";
import { fieldOf, isRowWith, pickPlace, withField } from "./row_fields.ts";

/**
 * One unit is added or removed with all rows that carry its key: a user (McMahan, Ramage, Talwar, Zhang 2018, "user-adjacent"), or
 * a household. Rows whose key is null belong to nobody, and stay.
 */
export function rowsOfOne(unit: "user" | "household", field: string): Relation {
  const keyOf = (row: unknown): unknown => fieldOf(row, field);
  return canonicalRelation({
    name: `${unit}:${field}`,
    description: `all rows of one ${unit} (one value of ${field}) are added or removed`,
    violation(left, right): string | undefined {
      if (![...left, ...right].every((row) => isRowWith(row, field))) {
        return `every row must have ${field}`;
      }
      const [long, short] = byLength(left, right);
      if (long.length === short.length) return `one side must have more rows: both have as many`;
      const key = keyOf(firstMissing(long, short));
      if (key === null) return `rows whose ${field} is null must be the same`;
      const others = long.filter((row) => !sameRow(keyOf(row), key));
      if (short.some((row) => sameRow(keyOf(row), key))) {
        return `one side must have no row of the ${unit} that differs`;
      }
      return inOrder(others, short) ? undefined : `the rows of all others must agree, in order`;
    },
    neighbours(data, maker): [Dataset, Dataset] | undefined {
      const keys = data.map(keyOf).filter((key) => key !== null);
      if (keys.length === 0) return undefined;
      const key = keys[pickPlace(maker, keys.length)];
      return [data, data.filter((row) => !sameRow(keyOf(row), key))];
    },
    moves: [
      // Several rows of one unit, or all of them.
      (data, maker): Dataset => {
        if (data.length === 0) return data;
        const key = keyOf(data[pickPlace(maker, data.length)]);
        const share = maker.uniform() < 0.5 ? 1 : maker.uniform();
        return data.map((row) => maker.uniform() < share ? withField(row, field, key) : row);
      },
    ],
    distance: lengthsApart,
  });
}

/** From one to `most` rows are added or removed, whosever they are: a group, or a person whose rows are bounded but not named. */
export function someRows(most: number): Relation {
  return canonicalRelation({
    name: `rows:${most}`,
    description: most === 1
      ? "one row is added or removed"
      : `up to ${most} rows are added or removed`,
    violation(left, right): string | undefined {
      const [long, short] = byLength(left, right), apart = long.length - short.length;
      if (apart < 1 || apart > most) {
        return `one side must have 1 to ${most} rows more: ${left.length} and ${right.length}`;
      }
      let found = 0;
      for (const row of long) if (found < short.length && sameRow(row, short[found])) found++;
      return found === short.length ? undefined : "the other rows must agree, in order";
    },
    neighbours(data, maker): [Dataset, Dataset] | undefined {
      if (data.length === 0) return undefined;
      const count = Math.min(
        data.length,
        maker.uniform() < 0.7 ? most : 1 + pickPlace(maker, most),
      );
      const fewer = [...data];
      const at = pickPlace(maker, data.length);
      for (let k = 0; k < count; k++) {
        fewer.splice(maker.uniform() < 0.5 ? at % fewer.length : pickPlace(maker, fewer.length), 1);
      }
      return [data, fewer];
    },
    distance: lengthsApart,
  });
}

/**
 * One row with a sensitive value is there or not; rows with other values are not protected. Both directions are tested, where one-sided
 * privacy (Doudalis, Kotsogiannis, Haney, Machanavajjhala, Mehrotra 2017) promises one: what is kept here is stronger.
 */
export function sensitiveRow(field: string, value: unknown): Relation {
  const shown = textOf(value);
  const isSensitive = (row: unknown): boolean =>
    isRowWith(row, field) && sameRow(fieldOf(row, field), value);
  return canonicalRelation({
    name: `one-sided:${field}=${shown}`,
    description: `one row whose ${field} is ${shown} is added or removed`,
    violation(left, right): string | undefined {
      const broken = addRemoveOne.violation(left, right);
      if (broken !== undefined) return broken;
      return isSensitive(firstMissing(...byLength(left, right)))
        ? undefined
        : `the row that one side lacks must have ${field} = ${shown}`;
    },
    neighbours(data, maker: NeighbourMaker): [Dataset, Dataset] | undefined {
      const sensitive = withField(maker.row(), field, value);
      const fits = data.length < maker.domain.size.max ? data : data.slice(1);
      return [fits.toSpliced(pickPlace(maker, fits.length + 1), 0, sensitive), fits];
    },
    moves: [
      (data, maker): Dataset =>
        data.map((row) => maker.uniform() < 0.5 ? withField(row, field, value) : row),
    ],
  });
}

/** The value as it stands in a name: as JSON, a text without its marks where it can be taken for nothing else. */
function textOf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  try {
    JSON.parse(value);
  } catch {
    return value;
  }
  return JSON.stringify(value);
}
