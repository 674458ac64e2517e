import { current, made, note } from "./current.ts";
import { ObjectMap, ObjectSet, reflectApply, sameValue } from "./intrinsics.ts";
import { isTraced, type Traced, valueOf } from "./traced.ts";

/** Any typed array. */
export type TypedArray = Float64Array & {
  readonly constructor: new (length: number) => TypedArray;
};

/** The class of which all typed arrays are. */
export const Typed: { readonly prototype: object } = Object.getPrototypeOf(Float64Array);
const { defineProperty } = Object;

const kindOf = Object.getOwnPropertyDescriptor(Typed.prototype, Symbol.toStringTag)!
  .get as () => string;

/** Typed arrays hold numbers only: values that are followed are kept beside them, while their numbers are still there. */
const beside = new ObjectMap<Record<string, Traced>>();
/** Buffers whose bytes can be reached in another way. */
const shared = new ObjectSet();

/** Returns true if followed values are in a typed array. */
export function holdsTraced(value: unknown): value is TypedArray {
  return typeof value === "object" && value !== null && beside.get(value) !== undefined;
}

/** Stores a followed value. */
export function store(array: TypedArray, key: string | number, value: Traced): void {
  const numbers = array as unknown as Record<string, unknown>;
  numbers[key] = valueOf(value);
  if (!(key in numbers)) return;
  if (shared.has(array.buffer)) note("bytes", "a typed array whose bytes are shared");
  current.run.storesFollowed = true;
  let all = beside.get(array);
  if (all === undefined) {
    beside.set(array, all = Object.create(null) as Record<string, Traced>);
    // Native code that goes through it gets what is followed.
    defineProperty(array, Symbol.iterator, {
      value: () => lifted(array)[Symbol.iterator](),
      configurable: true,
      enumerable: false,
    });
  }
  const stored = numbers[key];
  // What is unknown is NaN, of which it is not known whether it is rounded.
  const kind = reflectApply(kindOf, array, []) as string;
  const isExact = kind === "Float64Array" || stored === stored && sameValue(stored, valueOf(value));
  all[key] = isExact ? value : made(stored, `stored in ${kind}`, [value], current.run.at);
}

/** Returns an element, followed where it is followed. */
export function elementOf(array: TypedArray, key: string | number): unknown {
  const plain = (array as unknown as Record<string, unknown>)[key],
    value = beside.get(array)?.[key];
  return value !== undefined && sameValue(valueOf(value), plain) ? value : plain;
}

/** Returns all elements as a list. */
export function lifted(array: TypedArray): unknown[] {
  const all: unknown[] = [];
  for (let k = 0; k < array.length; k++) all[k] = elementOf(array, k);
  return all;
}

/** Puts elements into a typed array. */
export function storeAll(array: TypedArray, values: readonly unknown[], from = 0): void {
  for (let k = 0; k < values.length; k++) {
    const value = values[k];
    if (isTraced(value)) store(array, from + k, value);
    else (array as unknown as Record<number, unknown>)[from + k] = value;
  }
}

/** Bytes that can be reached from now on without this array. */
export function share(buffer: unknown, array?: unknown): void {
  if (typeof buffer === "object" && buffer !== null) shared.add(buffer);
  if (array !== undefined && holdsTraced(array)) note("bytes", "the bytes of a typed array");
}
