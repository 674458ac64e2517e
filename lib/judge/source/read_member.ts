/**
 * Members of values as rewritten programs read them.
 *
 * @module
 */
import { apply, called, flag, propertyKey } from "./apply.ts";
import { branch, current, made, note, pinned, used } from "./current.ts";
import { getOwnPropertyDescriptor, getPrototypeOf, isArray, isView } from "./intrinsics.ts";
import { isTraced, valueOf } from "./traced.ts";
import { elementOf, holdsTraced, share, type TypedArray } from "./typed_arrays.ts";

/** Returns true if JavaScript asks of a property of this name whether it is true. */
export const isAsked = (key: unknown): boolean =>
  key === "done" || key === Symbol.isConcatSpreadable;

/** A value of a property, decided where JavaScript asks whether it is true. */
export const asked = (key: unknown, value: unknown, at: string): unknown =>
  isTraced(value) && isAsked(key) ? branch(value, at) : value;

/** Returns a descriptor of a property with plain flags, and accessors that native code may call. */
export const descriptor = (of: unknown, at: string): unknown => {
  if (typeof of !== "object" || of === null) return of;
  const all = of as Record<string, unknown>, copy = { ...all };
  for (const key of ["enumerable", "configurable", "writable"]) {
    if (key in all) copy[key] = flag(all[key], at);
  }
  if ("value" in all) copy.value = all.value;
  for (const key of ["get", "set"]) if (key in all) copy[key] = called(all[key]);
  return copy;
};

/** Says so where native code asks whether a value is the one of a property that cannot be written. */
export const compared = (o: unknown, key: unknown, value: unknown): void => {
  if (typeof o !== "object" && typeof o !== "function" || o === null) return;
  const own = getOwnPropertyDescriptor(o, key as PropertyKey);
  if (own === undefined || own.configurable || own.writable !== false) return;
  if (isTraced(value) || isTraced(own.value)) note("native", "a property that cannot be written");
};

/** Returns a member of a value. */
export function member(o: unknown, k: unknown, at: string): unknown {
  if (isArray(o) && typeof k === "number") return (o as unknown[])[k];
  const key = typeof k === "string" ? k : propertyKey(k, at);
  current.run.at = at;
  if (isTraced(o)) {
    const isPlace = typeof valueOf(o) === "string" && typeof key !== "symbol" &&
      /^\d/.test(String(key));
    // What is not known may have no such place.
    if (isPlace && current.run.follower.plain !== undefined) used(o, "a letter of a text");
    const value = (Object(valueOf(o)) as Record<PropertyKey, unknown>)[key as PropertyKey];
    return typeof value === "function" || value === undefined
      ? value
      : made(value, `property ${String(key)}`, [o], at);
  }
  if (isView(o)) {
    if (key === "buffer") share((o as TypedArray).buffer, o);
    else if (holdsTraced(o)) return elementOf(o, key as string);
  } else if (key === "stack" && o instanceof Error) note("environment", "Error.stack");
  else if (
    key === "flags" && o instanceof RegExp &&
    (getPrototypeOf(o) !== RegExp.prototype || Reflect.ownKeys(o).length > 1)
  ) note("native", "flags of a class of regular expressions");
  else if (o === RegExp && key !== "prototype" && key !== "escape") {
    note("state", `RegExp.${String(key)}`);
  }
  return (o as Record<PropertyKey, unknown>)[key as PropertyKey];
}

/** Calls a method of a value. */
export function callMethod(
  o: unknown,
  k: unknown,
  args: unknown[],
  at: string,
  text: string,
): unknown {
  const f = member(o, k, at);
  return apply(f, o, args, at, text);
}

/** Returns the members that JavaScript reads of an object where it takes it for a list, whatever goes through that. */
export function listLike(of: unknown, at: string): ArrayLike<unknown> {
  const length = Math.trunc(Number(pinned(member(of, "length", at), at))) || 0;
  const list: Record<string, unknown> = { length: Math.max(0, length) };
  for (let i = 0; i < length; i++) list[i] = member(of, i, at);
  return list as unknown as ArrayLike<unknown>;
}
