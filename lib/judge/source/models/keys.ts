/**
 * Functions that look for a key or define properties: a key that is followed decides as a condition does.
 *
 * @module
 */
import { apply, iterable } from "../apply.ts";
import { entryOf } from "../construct.ts";
import { note, pinned } from "../current.ts";
import { type AnyFunction, isView, reflectApply } from "../intrinsics.ts";
import { bases, model, natives } from "../known_functions.ts";
import { asked, member } from "../read_member.ts";
import { isTraced, plainOf } from "../traced.ts";
import { store, type TypedArray } from "../typed_arrays.ts";
import { defined, descriptors, prototypeFor, putFor } from "../write_member.ts";

const { defineProperty } = Object;

for (const name of ["has", "get", "delete"] as const) {
  const { [name]: ofMap } = Map.prototype;
  model(Map.prototype, name, (self, [key], at) => reflectApply(ofMap, self, [pinned(key, at)]));
  if (name === "get") continue;
  const { [name]: ofSet } = Set.prototype;
  model(Set.prototype, name, (self, [key], at) => reflectApply(ofSet, self, [pinned(key, at)]));
}
{
  const { set } = Map.prototype, { add } = Set.prototype;
  model(
    Map.prototype,
    "set",
    (self, [key, value], at) => reflectApply(set, self, [pinned(key, at), value]),
  );
  model(Set.prototype, "add", (self, [key], at) => reflectApply(add, self, [pinned(key, at)]));
  // Values are kept; a number as a key of a weak map is an error.
  for (const P of [WeakMap.prototype, WeakSet.prototype]) {
    for (const name of ["set", "get", "has", "delete", "add"]) {
      const f = (P as unknown as Record<string, AnyFunction>)[name];
      if (f) {
        model(P, name, (self, [key, ...rest]) => reflectApply(f, self, [plainOf(key), ...rest]));
      }
    }
  }
}
const groups = (items: unknown, by: unknown, at: string): [unknown, unknown[]][] => {
  const all: [unknown, unknown[]][] = [];
  if (typeof by !== "function") throw new TypeError(`${String(by)} is not a function`);
  let i = 0;
  for (const each of iterable(items, at) as Iterable<unknown>) {
    const key = pinned(apply(by, undefined, [each, i++], at), at);
    const found = all.find(([other]) => Object.is(other, key) || other === key);
    if (found) found[1].push(each);
    else all.push([key, [each]]);
  }
  return all;
};
model(Map, "groupBy", (_, [items, by], at) => new Map(groups(items, by, at)));
model(Object, "groupBy", (_, [items, by], at) => {
  const all = Object.create(null) as Record<PropertyKey, unknown[]>;
  for (const [key, items_] of groups(items, by, at)) {
    (all[key as PropertyKey] ??= []).push(...items_);
  }
  return all;
});
model(Object, "fromEntries", (_, [entries], at) => {
  const all: Record<PropertyKey, unknown> = {};
  for (const entry of iterable(entries, at) as Iterable<unknown>) {
    const key = pinned(member(entryOf(entry), 0, at), at) as PropertyKey;
    defineProperty(all, key, {
      value: asked(key, member(entry, 1, at), at),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return all;
});
for (
  const [object, name, place] of [
    [Object, "hasOwn", 1],
    [Object.prototype, "hasOwnProperty", 0],
    [Object.prototype, "propertyIsEnumerable", 0],
    [Object, "getOwnPropertyDescriptor", 1],
    [Reflect, "has", 1],
    [Reflect, "deleteProperty", 1],
    [Reflect, "getOwnPropertyDescriptor", 1],
  ] as const
) {
  const f = (object as unknown as Record<string, AnyFunction>)[name]!;
  model(
    object,
    name,
    (self, args, at) =>
      reflectApply(
        f,
        plainOf(self),
        args.map((each, i) => i === place ? pinned(each, at) : plainOf(each)),
      ),
  );
}
for (const object of [Object, Reflect]) {
  const f = object.defineProperty as AnyFunction;
  model(object, "defineProperty", (_, [o, k, of], at) => {
    const key = pinned(k, at);
    return f(o, key, defined(o, key, of, at));
  });
  const { setPrototypeOf } = object as { setPrototypeOf: AnyFunction };
  model(
    object,
    "setPrototypeOf",
    (_, [o, of]) => setPrototypeOf(plainOf(o), prototypeFor(o, of)),
  );
  const { getPrototypeOf } = object as { getPrototypeOf: AnyFunction };
  model(object, "getPrototypeOf", (_, [o]) => {
    const of = getPrototypeOf(plainOf(o)) as unknown;
    return bases.get(of) ?? of;
  });
}
{
  // Deno has no such property.
  const { set } = Object.getOwnPropertyDescriptor(Object.prototype, "__proto__") ?? {};
  if (set !== undefined) {
    natives.set(set, {
      name: "Object.__proto__",
      kind: "known",
      changes: "self",
      model: (self, [of]) => reflectApply(set, self, [prototypeFor(self, of)]),
    });
  }
}
{
  const { defineProperties, create } = Object;
  model(
    Object,
    "defineProperties",
    (_, [o, all], at) => (defineProperties as AnyFunction)(o, descriptors(o, all, at)),
  );
  model(
    Object,
    "create",
    (_, [o, all], at) => {
      const of = prototypeFor(undefined, o);
      return all === undefined
        ? (create as AnyFunction)(of)
        : (create as AnyFunction)(of, descriptors(undefined, all, at));
    },
  );
}
model(
  Reflect,
  "get",
  (_, [o, key, ...rest], at) =>
    rest.length > 0 && rest[0] !== o
      ? (note("native", "Reflect.get of another object"),
        Reflect.get(o as object, pinned(key, at) as PropertyKey, ...rest))
      : member(o, key, at),
);
model(
  Reflect,
  "set",
  (_, [o, key, value, ...rest], at) =>
    rest.length > 0 && rest[0] !== o
      ? (note("native", "Reflect.set of another object"),
        Reflect.set(o as object, pinned(key, at) as PropertyKey, value, ...rest))
      : isView(o) && isTraced(value)
      ? (store(o as TypedArray, pinned(key, at) as string, value), true)
      : Reflect.set(o as object, pinned(key, at) as PropertyKey, putFor(o, key, value, at)),
);
