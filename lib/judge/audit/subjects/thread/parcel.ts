import type { OutputBlock, Outputs } from "../../kernel/outputs.ts";
import { Seen } from "../seen.ts";
import { Thrown } from "../../kernel/subject.ts";

/**
 * Outputs packed for another thread. To copy them value by value takes longer than many mechanisms take to draw them; so the
 * common parts of outputs are sent once, and the rest as arrays of numbers.
 */
export type Parcel =
  | OutputBlock
  | { readonly kind: "numbers"; readonly values: Float64Array }
  /** The different values, and the place of each value among them. */
  | { readonly kind: "codes"; readonly different: readonly unknown[]; readonly codes: Uint8Array }
  /** Records of the same keys: the values under the first key, those under the second, and so on. */
  | {
    readonly kind: "records";
    readonly keys: readonly string[];
    readonly fields: readonly Parcel[];
    readonly count: number;
  }
  /** Lists: the length of each, and the items of all lists in their order. */
  | { readonly kind: "lists"; readonly lengths: Uint32Array; readonly items: Parcel }
  /** Other values, with null in place of errors and of objects whose class cannot be copied. */
  | {
    readonly kind: "others";
    readonly values: readonly unknown[];
    readonly errors: readonly SentObject[];
  };

/** An error, or another object, at a place among values. */
interface SentObject {
  readonly at: number;
  /** The message of an error that was thrown. */
  readonly message?: string;
  /** What was seen of it, with its parts by name. */
  readonly seen?: {
    readonly form: string;
    readonly names: readonly string[];
    readonly parts: Parcel;
  };
}

/** Packs outputs. The arrays of numbers are its own, for the arrays of a subject may be written again, or kept. */
export function pack(outputs: Outputs): Parcel {
  if (outputs.kind === "values") return packValues(outputs.values);
  return { ...outputs, values: outputs.values.slice() };
}

/** Returns the memory of a parcel's arrays of numbers. A message that hands it over takes half of the time of one that copies it. */
export function buffersOf(parcel: Parcel): ArrayBuffer[] {
  switch (parcel.kind) {
    case "block":
    case "numbers":
      return [parcel.values.buffer as ArrayBuffer];
    case "codes":
      return [parcel.codes.buffer as ArrayBuffer];
    case "records":
      return parcel.fields.flatMap(buffersOf);
    case "lists":
      return [parcel.lengths.buffer as ArrayBuffer, ...buffersOf(parcel.items)];
    case "others":
      return [];
  }
}

/** Deeper inside, values are not packed: they may contain themselves. */
const DEEPEST = 8;

function packValues(values: readonly unknown[], depth = 0): Parcel {
  if (depth > DEEPEST) return packOthers(values);
  const first = values[0];
  switch (typeof first) {
    case "number":
      return packNumbers(values) ?? packOthers(values);
    case "boolean":
    case "string":
      return packCodes(values) ?? packOthers(values);
    case "object":
      return (Array.isArray(first) ? packLists(values, depth) : packRecords(values, depth)) ??
        packOthers(values);
    default:
      return packOthers(values);
  }
}

function packNumbers(values: readonly unknown[]): Parcel | undefined {
  const numbers = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== "number") return undefined;
    numbers[i] = value;
  }
  return { kind: "numbers", values: numbers };
}

/** The most different values that are sent as codes. */
const MOST_DIFFERENT = 16;

function packCodes(values: readonly unknown[]): Parcel | undefined {
  const codes = new Uint8Array(values.length);
  const different: unknown[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== "boolean" && typeof value !== "string") return undefined;
    let code = different.indexOf(value);
    if (code < 0) {
      if (different.length === MOST_DIFFERENT) return undefined;
      code = different.push(value) - 1;
    }
    codes[i] = code;
  }
  return { kind: "codes", different, codes };
}

function packRecords(values: readonly unknown[], depth: number): Parcel | undefined {
  if (!isRecord(values[0])) return undefined;
  const keys = Object.keys(values[0]);
  const columns = keys.map(() => new Array<unknown>(values.length));
  for (let i = 0; i < values.length; i++) {
    const record = values[i];
    if (!isRecord(record)) return undefined;
    const own = Object.keys(record);
    if (own.length !== keys.length) return undefined;
    for (let k = 0; k < keys.length; k++) {
      if (own[k] !== keys[k]) return undefined;
      columns[k]![i] = record[own[k]!];
    }
  }
  const fields = columns.map((column) => packValues(column, depth + 1));
  return { kind: "records", keys, fields, count: values.length };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
}

function packLists(values: readonly unknown[], depth: number): Parcel | undefined {
  const lengths = new Uint32Array(values.length);
  const items: unknown[] = [];
  for (let i = 0; i < values.length; i++) {
    const list = values[i];
    if (!Array.isArray(list)) return undefined;
    lengths[i] = list.length;
    for (let k = 0; k < list.length; k++) items.push(list[k]);
  }
  return { kind: "lists", lengths, items: packValues(items, depth + 1) };
}

function packOthers(values: readonly unknown[]): Parcel {
  const errors: SentObject[] = [];
  const sent = values.map((value, at) => {
    if (value instanceof Thrown) {
      const { message, seen } = value;
      errors.push({ at, message, ...(seen === undefined ? {} : { seen: sentSeen(seen) }) });
    } else if (value instanceof Seen) errors.push({ at, seen: sentSeen(value) });
    else return value;
    return null;
  });
  return { kind: "others", values: sent, errors };
}

function sentSeen({ form, parts }: NonNullable<Thrown["seen"]>): NonNullable<SentObject["seen"]> {
  return { form, names: Object.keys(parts), parts: packValues(Object.values(parts)) };
}

function receivedSeen({ form, names, parts }: NonNullable<SentObject["seen"]>): Seen {
  const values = unpackValues(parts);
  return new Seen(form, Object.fromEntries(names.map((name, i) => [name, values[i]])));
}

/** Returns the outputs that were packed. */
export function unpack(parcel: Parcel): Outputs {
  return parcel.kind === "block" ? parcel : { kind: "values", values: unpackValues(parcel) };
}

function unpackValues(parcel: Parcel): unknown[] {
  switch (parcel.kind) {
    case "block":
    case "numbers":
      return Array.from(parcel.values);
    case "codes": {
      const { different, codes } = parcel;
      const values = new Array<unknown>(codes.length);
      for (let i = 0; i < codes.length; i++) values[i] = different[codes[i]!];
      return values;
    }
    case "records": {
      const { keys, count } = parcel;
      const columns = parcel.fields.map(unpackValues);
      const values = new Array<unknown>(count);
      for (let i = 0; i < count; i++) {
        const record: Record<string, unknown> = {};
        for (let k = 0; k < keys.length; k++) record[keys[k]!] = columns[k]![i];
        values[i] = record;
      }
      return values;
    }
    case "lists": {
      const items = unpackValues(parcel.items);
      let from = 0;
      return Array.from(parcel.lengths, (length) => items.slice(from, from += length));
    }
    case "others": {
      const values = parcel.values.slice();
      for (const { at, message, seen } of parcel.errors) {
        const own = seen && receivedSeen(seen);
        values[at] = message === undefined ? own : new Thrown(message, own);
      }
      return values;
    }
  }
}
