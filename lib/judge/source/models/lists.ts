/**
 * Methods of lists that compare, join or look at followed values, done again.
 *
 * @module
 */
import { apply, callback, isTrue, iterable, storable, textOf } from "../apply.ts";
import { instantiate } from "../construct.ts";
import { made, note, pinned } from "../current.ts";
import { bin, isEqual, isNone } from "../evaluate.ts";
import { type AnyFunction, getPrototypeOf, isArray, reflectApply } from "../intrinsics.ts";
import { model, natives } from "../known_functions.ts";
import { isPrimitive } from "../plain_values.ts";
import { listLike } from "../read_member.ts";
import { isTraced, plainOf, valueOf } from "../traced.ts";
import { holdsTraced, share, storeAll, Typed, type TypedArray } from "../typed_arrays.ts";

const A = Array.prototype;

/** Returns the place from which a list is gone through. */
const placeFrom = (from: unknown, length: number, at: string): number => {
  const start = Math.trunc(Number(pinned(from, at))) || 0;
  return start < 0 ? Math.max(0, length + start) : start;
};

model(A, "includes", (self, [value, from = 0], at) => {
  const list = self as unknown[];
  for (let i = placeFrom(from, list.length, at); i < list.length; i++) {
    const each = list[i];
    // A number that is followed may be none, unless whoever decides for the run says otherwise.
    if (isEqual(each, value, at) || isNone(each, at) && isNone(value, at)) return true;
  }
  return false;
});
model(A, "indexOf", (self, [value, from = 0], at) => {
  const list = self as unknown[];
  for (let i = placeFrom(from, list.length, at); i < list.length; i++) {
    if (i in list && isEqual(list[i], value, at)) return i;
  }
  return -1;
});
model(A, "lastIndexOf", (self, [value, ...from], at) => {
  const list = self as unknown[],
    start = from.length > 0 ? Math.trunc(Number(pinned(from[0], at))) || 0 : list.length - 1;
  for (let i = Math.min(list.length - 1, start < 0 ? list.length + start : start); i >= 0; i--) {
    if (i in list && isEqual(list[i], value, at)) return i;
  }
  return -1;
});
model(A, "join", (self, [by = ","], at) => {
  const list = self as unknown[], separator = textOf(by, at);
  let text: unknown = "";
  for (let i = 0; i < list.length; i++) {
    const each = list[i];
    if (i > 0) text = bin("+", text, separator, at);
    if (each !== null && each !== undefined) text = bin("+", text, textOf(each, at), at);
  }
  return text;
});
const comparison = (by: unknown, at: string) => (a: unknown, b: unknown): unknown => {
  if (by !== undefined) {
    const order = apply(by, undefined, [a, b], at);
    if (!isTraced(order)) return order;
    return isTrue(bin(">", order, 0, at), at) ? 1 : isTrue(bin("<", order, 0, at), at) ? -1 : 0;
  }
  // Two numbers that are followed are compared as texts, too.
  const asText = (value: unknown): unknown => {
    const text = textOf(value, at);
    return isTraced(text) ? made(String(valueOf(text)), "String", [text], at) : text;
  };
  const left = asText(a), right = asText(b);
  return isTrue(bin("<", left, right, at), at) ? -1 : isTrue(bin(">", left, right, at), at) ? 1 : 0;
};
{
  const { concat } = A;
  model(A, "concat", (self, args) => {
    for (const each of [self, ...args]) {
      if (isPrimitive(each)) continue;
      if (holdsTraced(each)) share(each.buffer, each);
      if (!isArray(each) || getPrototypeOf(each) !== A) {
        if (Symbol.isConcatSpreadable in (each as object)) {
          note("native", "Symbol.isConcatSpreadable");
        }
      }
    }
    return reflectApply(concat, self, args);
  });
}
for (const name of ["sort", "toSorted"]) {
  const f = (A as unknown as Record<string, AnyFunction>)[name];
  model(A, name, (self, [by], at) => {
    if (by !== undefined && typeof by !== "function") return reflectApply(f!, self, [plainOf(by)]);
    return reflectApply(f!, self, [comparison(by, at)]);
  });
}
for (
  const [name, positions] of [
    ["at", [0]],
    ["with", [0]],
    ["slice", [0, 1]],
    ["splice", [0, 1]],
    ["toSpliced", [0, 1]],
    ["fill", [1, 2]],
    ["copyWithin", [0, 1, 2]],
  ] as const
) {
  const f = (A as unknown as Record<string, AnyFunction>)[name];
  model(
    A,
    name,
    (self, args, at) =>
      reflectApply(
        f!,
        self,
        args.map((each, i) =>
          (positions as readonly number[]).includes(i) ? pinned(each, at) : each
        ),
      ),
  );
}
model(Array, "from", (self, [from, by, ...rest], at) => {
  const C = self as AnyFunction;
  const isList = (from as { [Symbol.iterator]?: unknown } | null)?.[Symbol.iterator] !== undefined;
  const list = isList || typeof from !== "object" || from === null
    ? iterable(from, at)
    : listLike(from, at);
  const each = by === undefined ? [] : [callback(by, at), ...rest];
  // Called as a function by itself it makes a list.
  if (C?.prototype instanceof (Typed as unknown as typeof Float64Array)) {
    const values = reflectApply(Array.from as AnyFunction, Array, [list, ...each]) as unknown[];
    const array = new (C as unknown as new (length: number) => TypedArray)(values.length);
    storeAll(array, values.map((value) => storable(value, at)));
    return array;
  }
  return reflectApply(Array.from as AnyFunction, C, [list, ...each]);
});
natives.set(Array as AnyFunction, {
  name: "Array",
  kind: "known",
  model: (_, args, at) => instantiate(Array, args, at),
});
{
  const TypedConstructor = Typed as unknown as AnyFunction & Record<string, AnyFunction>;
  const fromModel = natives.get(Array.from)!.model!;
  model(TypedConstructor, "from", fromModel);
  model(TypedConstructor, "of", (self, args, at) => fromModel(self, [args], at));
}
