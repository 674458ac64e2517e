/**
 * Methods of typed arrays that hold followed values, done as methods of lists.
 *
 * @module
 */
import { apply, isTrue, storable } from "../apply.ts";
import { own, pinned } from "../current.ts";
import { bin, isNone } from "../evaluate.ts";
import {
  type AnyFunction,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
} from "../intrinsics.ts";
import { natives } from "../known_functions.ts";
import { isPrimitive } from "../plain_values.ts";
import { isTraced } from "../traced.ts";
import { holdsTraced, lifted, share, storeAll, Typed, type TypedArray } from "../typed_arrays.ts";

const A = Array.prototype;

/** Compares numbers as typed arrays sort: −0 before 0, and what is none last. */
function numerically(at: string): AnyFunction {
  const isLess = (a: unknown, b: unknown): boolean => isTrue(bin("<", a, b, at), at);
  const by = (a: unknown, b: unknown): number => {
    if (isLess(a, b)) return -1;
    if (isLess(b, a)) return 1;
    const nones = Number(isNone(a, at)) - Number(isNone(b, at));
    if (nones !== 0) return nones;
    const [over, other] = [a, b].map((each) => bin("/", 1, each, at));
    return isLess(over, other) ? -1 : Number(isLess(other, over));
  };
  own.set(by, by);
  return by;
}

/** Returns what a method of a typed array does that holds followed values, or is given some; `undefined` for others. */
function onList(
  self: TypedArray,
  name: string,
  args: unknown[],
  at: string,
): { readonly value: unknown } | undefined {
  if (name === "subarray") {
    share(self.buffer, self);
    return undefined;
  }
  if (name === "set") {
    const from = holdsTraced(args[0]) ? lifted(args[0]) : args[0];
    if (
      !isArray(from) ||
      (from as unknown[]).every((each) => isPrimitive(each) && !isTraced(each)) &&
        !holdsTraced(self)
    ) {
      return undefined;
    }
    const start = Math.trunc(Number(pinned(args[1] ?? 0, at))) || 0;
    if (start < 0 || (from as unknown[]).length + start > self.length) {
      throw new RangeError("offset is out of bounds");
    }
    storeAll(self, (from as unknown[]).map((each) => storable(each, at)), start);
    return { value: undefined };
  }
  // Callbacks may return followed values.
  const mayMeet = holdsTraced(self) || args.some(isTraced) || name === "map" ||
    name === "fill" && !isPrimitive(args[0]);
  const method = (A as unknown as Record<string, unknown>)[name];
  if (!mayMeet || typeof method !== "function") return undefined;
  const list = lifted(self);
  const given = (name === "sort" || name === "toSorted") && args[0] === undefined
    ? [numerically(at)]
    : args;
  if (name === "sort" || name === "fill" || name === "reverse" || name === "copyWithin") {
    apply(method, list, name === "fill" ? [storable(args[0], at), ...args.slice(1)] : given, at);
    storeAll(self, list);
    return { value: self };
  }
  const out = apply(method, list, given, at);
  if (["map", "filter", "slice", "toSorted", "toReversed", "with"].includes(name)) {
    const copy = new self.constructor((out as unknown[]).length);
    storeAll(copy, (out as unknown[]).map((each) => storable(each, at)));
    return { value: copy };
  }
  return { value: out };
}

for (let of: unknown = Typed.prototype; of !== null; of = getPrototypeOf(of)) {
  for (const key of Reflect.ownKeys(of as object)) {
    const f = getOwnPropertyDescriptor(of as object, key)?.value as unknown;
    if (typeof f !== "function") continue;
    const { name } = f, native = natives.get(f);
    if (native === undefined || (Typed.prototype as Record<string, unknown>)[name] !== f) continue;
    natives.set(f, { ...native, ofView: (self, args, at) => onList(self, name, args, at) });
  }
}
