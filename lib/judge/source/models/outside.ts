/**
 * Functions that reach what is outside of a run: clocks, timers and copies.
 *
 * @module
 */
import { applyPlainly, callback, textOf } from "../apply.ts";
import { note, used } from "../current.ts";
import { type AnyFunction, getPrototypeOf, isArray } from "../intrinsics.ts";
import { natives } from "../known_functions.ts";
import { isPrimitive } from "../plain_values.ts";
import { member } from "../read_member.ts";
import { plainOf } from "../traced.ts";
import { holdsTraced, lifted, storeAll } from "../typed_arrays.ts";

natives.set(Date.now, { name: "Date.now", kind: "known", says: "clock" });
natives.set(Date as unknown as AnyFunction, {
  name: "Date",
  kind: "known",
  says: "clock",
  model: () => (Date as unknown as AnyFunction)(),
});
natives.set(Symbol as unknown as AnyFunction, {
  name: "Symbol",
  kind: "known",
  model: (_, [text], at) =>
    Symbol(text === undefined ? undefined : textOf(used(text, "Symbol"), at) as string),
});
const cloned = (value: unknown, copies: Map<unknown, unknown>, at: string): unknown => {
  if (isPrimitive(value) || copies.has(value)) return copies.get(value) ?? value;
  const keep = <T>(copy: T): T => (copies.set(value, copy), copy);
  if (isArray(value)) {
    const copy = keep(new Array((value as unknown[]).length));
    for (const key of Object.keys(value as object)) {
      copy[key as unknown as number] = cloned(
        (value as unknown[])[key as unknown as number],
        copies,
        at,
      );
    }
    return copy;
  }
  const prototype = getPrototypeOf(value) as unknown;
  if (prototype === Object.prototype || prototype === null) {
    const copy = keep({} as Record<string, unknown>);
    for (const key of Object.keys(value as object)) {
      copy[key] = cloned(member(value, key, at), copies, at);
    }
    return copy;
  }
  if (value instanceof Map) {
    const copy = keep(new Map());
    for (const [key, each] of value) copy.set(cloned(key, copies, at), cloned(each, copies, at));
    return copy;
  }
  if (value instanceof Set) {
    const copy = keep(new Set());
    for (const each of value) copy.add(cloned(each, copies, at));
    return copy;
  }
  if (holdsTraced(value)) {
    const copy = keep(new value.constructor(value.length));
    storeAll(copy, lifted(value));
    return copy;
  }
  return keep(applyPlainly(structuredClone, undefined, [value], at, "structuredClone"));
};
{
  natives.set(structuredClone, {
    name: "structuredClone",
    kind: "known",
    model: (_, [value, ...rest], at) =>
      rest.length > 0
        ? applyPlainly(structuredClone, undefined, [value, ...rest], at, "structuredClone")
        : cloned(value, new Map(), at),
  });
  for (const name of ["setTimeout", "setInterval", "setImmediate"]) {
    const f = (globalThis as unknown as Record<string, AnyFunction>)[name];
    if (f) {
      natives.set(f, {
        name,
        kind: "known",
        says: "later",
        model: (_, [g, ...args], at) => {
          if (typeof g !== "function") note("code", name);
          return f(callback(g, at), ...args.map(plainOf));
        },
      });
    }
  }
  for (const name of ["clearTimeout", "clearInterval", "clearImmediate"]) {
    const f = (globalThis as unknown as Record<string, AnyFunction>)[name];
    if (f) natives.set(f, { name, kind: "moving" });
  }
}
