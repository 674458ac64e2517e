/**
 * Members of values as rewritten programs set and define them.
 *
 * @module
 */
import { apply, flag, propertyKey, storable } from "./apply.ts";
import { baseOf, hidesBehind } from "./construct.ts";
import { changed, current, isOlder, language, note, pinned } from "./current.ts";
import { numberOf, step } from "./evaluate.ts";
import { isArray, isView } from "./intrinsics.ts";
import { asked, compared, descriptor, isAsked, member } from "./read_member.ts";
import { isTraced, valueOf } from "./traced.ts";
import { share, store, type TypedArray } from "./typed_arrays.ts";

/** The value of a property that is set: a length is decided. */
export const putFor = (o: unknown, key: unknown, value: unknown, at: string): unknown =>
  key === "length" && isArray(o)
    ? pinned(value, at)
    : key === "__proto__"
    ? prototypeFor(o, value)
    : asked(key, value, at);

/** A descriptor of a property, and what JavaScript asks of that property. */
export const defined = (o: unknown, key: unknown, of: unknown, at: string): unknown => {
  const all = descriptor(of, at) as Record<string, unknown>;
  if (typeof all !== "object" || all === null) return all;
  if ("value" in all) {
    all.value = asked(key, all.value, at);
    if (key === "length" && isArray(o)) all.value = pinned(all.value, at);
    compared(o, key, all.value);
    if (isView(o) && isTraced(all.value)) note("bytes", "a property of a typed array");
  }
  const { get } = all;
  if (typeof get === "function" && isAsked(key)) {
    all.get = function (this: unknown): unknown {
      return flag(apply(get, this, [], at), at);
    };
  }
  return all;
};

/** Returns the prototype that an object gets: a class of the program is derived from no native class itself. */
export function prototypeFor(o: unknown, of: unknown): unknown {
  if (isView(of)) share(of.buffer, of);
  if (typeof o === "function") return baseOf(of);
  if (typeof o === "object" && o !== null && hidesBehind(o, of)) {
    note("native", "what a new prototype of an object hides");
  }
  return of;
}

/** Returns descriptors of properties, each as JavaScript asks of it. */
export const descriptors = (o: unknown, all: unknown, at: string): unknown =>
  typeof all === "object" && all !== null
    ? Object.fromEntries(
      Reflect.ownKeys(all).map((
        key,
      ) => [key, defined(o, key, (all as Record<PropertyKey, unknown>)[key], at)]),
    )
    : all;

/** Sets a member of a value, and says where that outlives the run. */
export function putMember(o: unknown, k: unknown, value: unknown, at: string): unknown {
  const key = propertyKey(k, at);
  current.run.at = at;
  if (isOlder(o) || current.epoch === 0 && language.has(o)) changed(o, `property ${String(key)}`);
  if (isTraced(o)) {
    throw new TypeError(
      `Cannot create property '${String(key)}' on ${typeof valueOf(o)} '${String(valueOf(o))}'`,
    );
  }
  if (typeof value === "object" && value !== null && isView(o) && (key as PropertyKey) in o) {
    const stored = storable(value, at);
    if (isTraced(stored)) store(o as TypedArray, key as string, stored);
    else (o as unknown as Record<string, unknown>)[key as string] = stored;
  } else (o as Record<PropertyKey, unknown>)[key as PropertyKey] = putFor(o, key, value, at);
  return value;
}

/** Counts a member of a value up or down, and returns it as it is before or after. */
export function updateMember(
  o: unknown,
  k: unknown,
  by: number,
  isPrefix: boolean,
  at: string,
): unknown {
  const key = propertyKey(k, at), old = numberOf(member(o, key, at), at);
  const now = step(old, by, at);
  putMember(o, key, now, at);
  return isPrefix ? now : old;
}
