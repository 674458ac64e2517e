/**
 * What native code is handed in place of values that hold followed ones.
 *
 * @module
 */
import { current, note, used } from "./current.ts";
import {
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
  isView,
  reflectApply,
} from "./intrinsics.ts";
import { intrinsics } from "./known_functions.ts";
import { isTraced, type Traced, valueOf } from "./traced.ts";
import { holdsTraced, lifted } from "./typed_arrays.ts";

/** A value that no native code sees as an object of the program. */
export const isPrimitive = (a: unknown): boolean =>
  typeof a !== "object" && typeof a !== "function" || a === null || isTraced(a);

const { defineProperty } = Object;

/** How deep plain copies of arguments go. */
const DEEPEST = 6;

/** Returns the value without followed parts, and whether there were any: lists, records, objects, maps and sets are looked into. */
export function stripped(
  value: unknown,
  name: string,
  depth = DEEPEST,
): { readonly value: unknown; readonly found: boolean } {
  const isDecided = current.run.follower.plain !== undefined;
  // What decides for the run says what native code gets, which may be another value than the program would have.
  if (isTraced(value)) {
    return { value: isDecided ? used(value, name) : valueOf(value), found: true };
  }
  if (holdsTraced(value)) {
    if (!isDecided) return { value, found: true };
    const copy = new value.constructor(value.length);
    const all = lifted(value);
    for (let k = 0; k < all.length; k++) copy[k] = used(all[k], name) as number;
    return { value: copy, found: true };
  }
  if (depth === 0 || typeof value !== "object" || value === null || isView(value)) {
    return { value, found: false };
  }
  let found = false;
  const inner = (each: unknown): unknown => {
    const is = stripped(each, name, depth - 1);
    found ||= is.found;
    return is.value;
  };
  if (value instanceof Map || value instanceof Set) {
    const parts: unknown[] = [];
    reflectApply(value instanceof Map ? eachOfMap : eachOfSet, value, [
      (each: unknown, key: unknown) => parts[parts.length] = [key, inner(each)],
    ]);
    if (!found) return { value, found };
    return {
      value: value instanceof Map
        ? new Map(parts as never)
        : new Set(parts.map((each) => (each as unknown[])[1])),
      found,
    };
  }
  const isList = isArray(value);
  const copy = (isList ? [] : Object.create(getPrototypeOf(value) as object)) as Record<
    string,
    unknown
  >;
  const keys = Object.keys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!, property = getOwnPropertyDescriptor(value, key);
    // A getter is not called: what is within stays as it is, and says so when it is read.
    if (property === undefined || !("value" in property)) return { value, found: false };
    defineProperty(copy, key, { ...property, value: inner(property.value) });
  }
  return found ? { value: copy, found } : { value, found: false };
}
const { forEach: eachOfMap } = Map.prototype, { forEach: eachOfSet } = Set.prototype;

/** Returns true if native code finds functions of the program, or accessors, in a value. */
export function mayCallBack(value: unknown, depth = 2): boolean {
  if (typeof value !== "object" || value === null || isTraced(value) || isView(value)) return false;
  for (let of: unknown = value; of !== null && !intrinsics.has(of); of = getPrototypeOf(of)) {
    for (const key of Reflect.ownKeys(of as object)) {
      const property = getOwnPropertyDescriptor(of as object, key);
      if (property === undefined || key === "constructor") continue;
      if (!("value" in property) || typeof property.value === "function") return true;
      if (depth > 0 && mayCallBack(property.value, depth - 1)) return true;
    }
  }
  return false;
}

/** Says that the first followed value inside of something goes to native code. */
export function tell(value: unknown, name: string): void {
  if (current.run.follower.plain !== undefined) return;
  const first = firstTraced(value, DEEPEST);
  if (first !== undefined) used(first, name);
  else note("native", name);
}

export function firstTraced(value: unknown, depth: number): Traced | undefined {
  if (isTraced(value)) return value;
  if (holdsTraced(value)) return firstTraced(lifted(value), 1);
  if (depth === 0 || typeof value !== "object" || value === null) return undefined;
  if (value instanceof Map || value instanceof Set) {
    for (const each of value.values()) {
      const found = firstTraced(each, depth - 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    const property = getOwnPropertyDescriptor(value, key);
    const found = property && "value" in property
      ? firstTraced(property.value, depth - 1)
      : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
