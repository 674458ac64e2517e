import type { Batch } from "./batch.ts";
import { MISSING } from "./batch.ts";
import { KeyIndex, NONE } from "./key_index.ts";
import type { Cell, Condition, KeyPart, NumberOfRow } from "./plan.ts";
import { dayOf, numberOf } from "../../schema/cells.ts";

/** Computes something of each row of a batch. */
export type Column<Out> = (batch: Batch, out: Out) => void;

/** Places of cells in an index; of cells that are looked up, places of what is found. */
export function placesOf(
  cell: Cell,
  index: KeyIndex,
  adds: boolean,
): Column<Int32Array> {
  const { column, lookup } = cell;
  if (lookup === undefined) return (batch, out) => batch.column(column).places(index, out, adds);
  const keys = new KeyIndex(lookup.keys);
  const places = lookup.cells.map((value) => value === undefined ? MISSING : undefined);
  return (batch, out) => {
    batch.column(column).places(keys, out, false);
    for (let i = 0; i < batch.size; i++) {
      const key = out[i]!;
      if (key < 0) {
        out[i] = MISSING;
        continue;
      }
      // What is looked up is public: it may be added to an index of bytes as of texts.
      const text = String(lookup.cells[key]);
      out[i] = places[key] ?? (adds ? index.add(text) : index.of(text));
    }
  };
}

/** Numbers of rows. */
export function numbersOf(value: NumberOfRow): Column<Float64Array> {
  switch (value.kind) {
    case "constant":
      return (batch, out) => void out.fill(value.value, 0, batch.size);
    case "cell": {
      const { cell: { column, lookup }, days } = value;
      if (lookup === undefined) {
        return days
          ? (batch, out) => batch.column(column).days(out)
          : (batch, out) => batch.column(column).numbers(out);
      }
      const keys = new KeyIndex(lookup.keys), found = lookup.cells.map(days ? dayOf : numberOf);
      let places = new Int32Array(0);
      return (batch, out) => {
        if (places.length < batch.size) places = new Int32Array(batch.size);
        batch.column(column).places(keys, places, false);
        for (let i = 0; i < batch.size; i++) out[i] = places[i]! < 0 ? NaN : found[places[i]!]!;
      };
    }
    case "or else": {
      const { missing } = value, read = numbersOf(value.value);
      return (batch, out) => {
        read(batch, out);
        for (let i = 0; i < batch.size; i++) if (Number.isNaN(out[i]!)) out[i] = missing;
      };
    }
    case "apply": {
      const { operator } = value, left = numbersOf(value.left), right = numbersOf(value.right);
      let other = new Float64Array(0);
      return (batch, out) => {
        if (other.length < batch.size) other = new Float64Array(batch.size);
        left(batch, out);
        right(batch, other);
        const { size } = batch;
        if (operator === "+") { for (let i = 0; i < size; i++) out[i] = out[i]! + other[i]!; }
        else if (operator === "-") { for (let i = 0; i < size; i++) out[i] = out[i]! - other[i]!; }
        else if (operator === "*") { for (let i = 0; i < size; i++) out[i] = out[i]! * other[i]!; }
        // A number divided by 0 is missing.
        else for (let i = 0; i < size; i++) out[i] = other[i] === 0 ? NaN : out[i]! / other[i]!;
      };
    }
  }
}

const COMPARE: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
  "=": (left, right) => left === right,
  // Of a number that is missing every comparison is false.
  "!=": (left, right) => left < right || left > right,
};

/** Marks the rows that satisfy a condition with 1, and others with 0. */
export function holdsOf(condition: Condition): Column<Uint8Array> {
  switch (condition.kind) {
    case "compare": {
      const left = numbersOf(condition.left), right = numbersOf(condition.right);
      const compare = COMPARE[condition.operator]!;
      return (batch, out) => {
        const a = new Float64Array(batch.size), b = new Float64Array(batch.size);
        left(batch, a);
        right(batch, b);
        for (let i = 0; i < batch.size; i++) out[i] = compare(a[i]!, b[i]!) ? 1 : 0;
      };
    }
    case "one of": {
      const read = placesOf(condition.cell, new KeyIndex([...new Set(condition.texts)]), false);
      return (batch, out) => {
        const places = new Int32Array(batch.size);
        read(batch, places);
        for (let i = 0; i < batch.size; i++) out[i] = places[i]! >= 0 ? 1 : 0;
      };
    }
    case "missing": {
      if ("cell" in condition) {
        const read = placesOf(condition.cell, new KeyIndex(), false);
        return (batch, out) => {
          const places = new Int32Array(batch.size);
          read(batch, places);
          for (let i = 0; i < batch.size; i++) out[i] = places[i] === MISSING ? 1 : 0;
        };
      }
      const read = numbersOf(condition.value);
      return (batch, out) => {
        const values = new Float64Array(batch.size);
        read(batch, values);
        for (let i = 0; i < batch.size; i++) out[i] = Number.isNaN(values[i]!) ? 1 : 0;
      };
    }
    case "not": {
      const part = holdsOf(condition.part);
      return (batch, out) => {
        part(batch, out);
        for (let i = 0; i < batch.size; i++) out[i] = 1 - out[i]!;
      };
    }
    default: {
      const parts = condition.parts.map(holdsOf), isAnd = condition.kind === "and";
      return (batch, out) => {
        out.fill(isAnd ? 1 : 0, 0, batch.size);
        const each = new Uint8Array(batch.size);
        for (const part of parts) {
          part(batch, each);
          for (let i = 0; i < batch.size; i++) {
            out[i] = isAnd ? out[i]! & each[i]! : out[i]! | each[i]!;
          }
        }
      };
    }
  }
}

/** Places of rows in one part of a key; NONE where they are in none. */
export function partOf(part: KeyPart): Column<Int32Array> {
  if (part.kind === "values") {
    const { missing, unseen } = part;
    const read = placesOf(part.cell, new KeyIndex(part.texts), false);
    return (batch, out) => {
      read(batch, out);
      if (missing < 0 && unseen < 0) return;
      for (let i = 0; i < batch.size; i++) {
        if (out[i]! < 0) out[i] = out[i] === MISSING ? missing : unseen;
      }
    };
  }
  const { clipped: { value, lower, upper }, edges } = part, read = numbersOf(value);
  const ends = Float64Array.from(edges), last = ends.length - 1;
  return (batch, out) => {
    const values = new Float64Array(batch.size);
    read(batch, values);
    for (let i = 0; i < batch.size; i++) {
      const value = Math.min(upper, Math.max(lower, values[i]!));
      if (!(value >= ends[0]! && value <= ends[last]!)) {
        out[i] = NONE;
        continue;
      }
      let from = 0, to = last;
      while (to - from > 1) {
        const middle = (from + to) >>> 1;
        if (value >= ends[middle]!) from = middle;
        else to = middle;
      }
      out[i] = from;
    }
  };
}
