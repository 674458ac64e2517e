/**
 * What rewritten programs call: an operation for each operator, condition, member, call and so on.
 *
 * @module
 */
import { born, branch, changed, current, made, note, older, own, pinned, used } from "./current.ts";
import {
  type AnyFunction,
  functionText,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  includesText,
  isArray,
  isView,
  ObjectMap,
  ObjectSet,
  reflectApply,
  reflectConstruct,
} from "./intrinsics.ts";
import {
  CHANGING,
  CHANGING_FIRST,
  CODE,
  INTRINSICS,
  ITERATING,
  IteratorPrototype,
  KNOWN,
  LOCAL_TIME,
  MOVING,
  OF_LOCALE,
  PREDICATES,
  PRIMITIVE_METHODS,
  PURE,
} from "./natives.ts";
import { jsonOf } from "./json_of.ts";
import { BINARY, OPERATORS, UNARY } from "./operators.ts";
import type { NoteKind } from "./run.ts";
import { isTraced, makingJson, operationOf, plainOf, type Traced, valueOf } from "./traced.ts";
import {
  elementOf,
  holdsTraced,
  lifted,
  share,
  store,
  storeAll,
  Typed,
  type TypedArray,
} from "./typed_arrays.ts";

/** What is done in place of a native function. */
type Model = (self: unknown, args: unknown[], at: string) => unknown;

/** What is known of a native function. */
interface Native {
  readonly name: string;
  readonly kind: "moving" | "pure" | "predicate" | "iterating" | "known";
  readonly changes?: "self" | "first";
  /** What calling it says. */
  readonly says?: NoteKind;
  model?: Model;
}

/** Functions of which it depends on their arguments whether they throw, or return nothing; and those of which it depends on their object, too. */
const THROWING = new ObjectSet(), CODED = new ObjectSet();
for (
  const f of [
    BigInt,
    String.fromCodePoint,
    encodeURIComponent,
    decodeURIComponent,
    Number.prototype.toFixed,
    Number.prototype.toPrecision,
    Number.prototype.toExponential,
    Number.prototype.toString,
    BigInt.prototype.toString,
    String.prototype.repeat,
    String.prototype.padStart,
    String.prototype.padEnd,
    String.prototype.normalize,
  ]
) THROWING.add(f);
// There may be nothing at a place of a text.
for (const f of [String.prototype.at, String.prototype.codePointAt]) {
  THROWING.add(f);
  CODED.add(f);
}

/** Functions that put work off. */
const LATER: ReadonlySet<unknown> = new Set<unknown>([
  Promise.prototype.then,
  Promise.prototype.catch,
  Promise.prototype.finally,
  queueMicrotask,
]);

/** Functions that read properties of their arguments. */
const OF_OBJECTS = /^(Object|Reflect)\./,
  READING = /^(Object\.|Reflect\.(getOwn|ownKeys|defineProperty|deleteProperty))/;

const natives = new ObjectMap<Native>();
for (const [f, name] of KNOWN) {
  natives.set(f, {
    name: PURE.get(f) ?? name,
    kind: PURE.has(f)
      ? "pure"
      : PREDICATES.has(f)
      ? "predicate"
      : MOVING.has(f)
      ? "moving"
      : ITERATING.has(f)
      ? "iterating"
      : "known",
    ...(CHANGING.has(f) ? { changes: "self" } : CHANGING_FIRST.has(f) ? { changes: "first" } : {}),
    ...(LOCAL_TIME.has(f) || OF_LOCALE.has(f)
      ? { says: "environment" }
      : LATER.has(f)
      ? { says: "later" }
      : {}),
  });
}
const intrinsics = new ObjectSet();
for (const each of INTRINSICS) {
  older.add(each);
  intrinsics.add(each);
}
/** Functions that JavaScript made of others, by what they call. */
const bounds = new ObjectMap<{ f: unknown; self: unknown; args: unknown[] }>();
/** Native classes, by what classes of programs are derived from in their place; and the other way round. */
const bases = new ObjectMap<unknown>(), based = new ObjectMap<unknown>();
/** Callable proxies of functions that are followed. */
const proxies = new ObjectSet();

/** Whether a function is one of a rewritten program. */
const known = new ObjectMap<boolean>();
let lastFollowed: unknown;
export function isFollowed(f: AnyFunction): boolean {
  let yes = known.get(f);
  if (yes === undefined) {
    yes = includesText(functionText(f), '"$followed"');
    known.set(f, yes);
  }
  return yes;
}
const isClass = (f: AnyFunction): boolean => /^class\b/.test(functionText(f));

/** A value that no native code sees as an object of the program. */
const isPrimitive = (a: unknown): boolean =>
  typeof a !== "object" && typeof a !== "function" || a === null || isTraced(a);

const A = Array.prototype;
const { defineProperty } = Object;
const iterate = A[Symbol.iterator];

/** How deep plain copies of arguments go. */
const DEEPEST = 6;

/** The value without followed parts, and whether there were any: lists, records, objects, maps and sets are looked into. */
function stripped(
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

/** A native function that is not known, as reports name it. */
function nameOf(f: AnyFunction, self: unknown): string {
  const name = typeof f.name === "string" && f.name !== "" ? f.name : "a function";
  if (isTraced(self) || self === null || typeof self !== "object") return name;
  const { constructor } = self as { constructor?: { name?: unknown } };
  return typeof constructor?.name === "string" && constructor.name !== "" &&
      constructor.name !== "Object"
    ? `${constructor.name}.${name}`
    : name;
}

/** Whether JavaScript asks of a property of this name whether it is true. */
const isAsked = (key: unknown): boolean => key === "done" || key === Symbol.isConcatSpreadable;
/** A value of a property, decided where JavaScript asks whether it is true. */
const asked = (key: unknown, value: unknown, at: string): unknown =>
  isTraced(value) && isAsked(key) ? branch(value, at) : value;

/** A value that native code asks whether it is true. */
function flag(value: unknown, at: string): unknown {
  return isTraced(value) ? branch(value, at) : value;
}

/** A callback that is not of the program, made to take followed values. */
function callback(g: unknown, at: string): unknown {
  return typeof g === "function" && !isFollowed(g as AnyFunction)
    ? function (this: unknown, ...args: unknown[]): unknown {
      return apply(g, this, args, at);
    }
    : g;
}

/** A native function that native code will call, with its own object. */
function called(g: unknown): unknown {
  if (typeof g !== "function" || isFollowed(g as AnyFunction)) return g;
  return function (this: unknown, ...args: unknown[]): unknown {
    return apply(g, this, args, current.run.at);
  };
}

/** Calls a function. */
export function apply(f: unknown, self: unknown, args: unknown[], at: string, text = ""): unknown {
  current.run.at = at;
  if (typeof f !== "function") {
    throw new TypeError(`${text || String(plainOf(f))} is not a function`);
  }
  const g = f as AnyFunction;
  if (g === lastFollowed || isFollowed(g)) {
    lastFollowed = g;
    return born(reflectApply(g, self, args));
  }
  const ours = own.get(g);
  if (ours !== undefined) return reflectApply(ours, self, args);
  const bound = bounds.get(g);
  if (bound !== undefined) return apply(bound.f, bound.self, [...bound.args, ...args], at, text);
  if (proxies.has(g)) return reflectApply(g, self, args);
  return born(applyNative(g, self, args, at));
}

function applyNative(f: AnyFunction, self: unknown, args: unknown[], at: string): unknown {
  const native = natives.get(f);
  if (native === undefined) return applyUnknown(f, self, args, at);
  const { name, kind, changes, says, model } = native;
  if (says !== undefined) note(says, name);
  if (changes !== undefined) {
    const object = changes === "self" ? self : args[0];
    if (current.epoch > 0) changed(object, `${name} of what is older than it`);
    else if (intrinsics.has(object)) note("state", `${name} of what all programs share`);
  }
  if (self instanceof (Typed as unknown as typeof Float64Array)) {
    const answer = ofTypedArray(self as TypedArray, f, args, at);
    if (answer !== undefined) return answer.value;
  }
  if (holdsTraced(self) || READING.test(name) && args.some(holdsTraced)) {
    note("native", `${name} of a typed array`);
  }
  if (model !== undefined) return model(self, args, at);
  switch (kind) {
    case "predicate": {
      const [test, ...rest] = args;
      if (typeof test !== "function") return reflectApply(f, self, args);
      const asked = function (this: unknown, ...a: unknown[]): unknown {
        return flag(apply(test, this, a, at), at);
      };
      return reflectApply(f, iterated(self, f, at), [asked, ...rest]);
    }
    case "moving": {
      const moved: unknown[] = [];
      for (let i = 0; i < args.length; i++) moved[i] = callback(args[i], at);
      if (name === "Object.assign") assigned(args, at);
      if (isTraced(moved[0]) && OF_OBJECTS.test(name)) moved[0] = used(moved[0], name);
      if (isTraced(self)) return reflectApply(f, used(self, name), moved);
      return reflectApply(f, iterated(self, f, at), moved);
    }
    case "iterating":
      return reflectApply(f, self, [operations.iter(args[0], at), ...args.slice(1)]);
  }
  const onPrimitive = isPrimitive(self) && self !== undefined && PRIMITIVE_METHODS.has(f);
  if (kind === "pure" || onPrimitive) {
    const given: unknown[] = [];
    let isFound = isTraced(self), arePrimitive = true;
    for (let i = 0; i < args.length; i++) {
      const each = args[i];
      // What an object is as a number may be a value that is followed.
      given[i] =
        kind === "pure" && !isPrimitive(each) && name !== "Object.is" && typeof each === "object"
          ? toPrimitive(each as object, name === "String" ? "string" : "number", at)
          : each;
      isFound ||= isTraced(given[i]);
      arePrimitive &&= isPrimitive(given[i]);
    }
    if (!isFound) {
      for (let i = 0; i < given.length; i++) {
        if (!isPrimitive(given[i]) && onPrimitive) toldToText(given[i], name);
      }
      return reflectApply(f, self, given);
    }
    if (THROWING.has(f)) {
      // What it throws, and whether, depends on the value.
      if (f === BigInt as AnyFunction) {
        const number = given[0];
        if (isTraced(number)) {
          if (current.run.follower.plain !== undefined) used(number, name);
          else {branch(
              made(Number.isInteger(valueOf(number)), "Number.isInteger", [number], at),
              at,
            );}
        }
      } else for (let i = 0; i < given.length; i++) given[i] = pinned(given[i], at);
      if (CODED.has(f) && isTraced(self)) used(self, name);
    }
    if (arePrimitive) {
      const value = reflectApply(f, plainOf(self), given.map(plainOf));
      if (isPrimitive(value) && value !== undefined && value !== null) {
        return onPrimitive && kind !== "pure"
          ? made(value, `${typeof plainOf(self)}.${f.name}`, [self, ...given], at)
          : made(value, name, given, at);
      }
    }
  }
  return applyPlainly(f, self, args, at, name);
}

/** Methods of iterators, which go through any object that has `next`. */
const ofIterators = new ObjectSet();
for (const key of Reflect.ownKeys(IteratorPrototype)) {
  const { value } = getOwnPropertyDescriptor(IteratorPrototype, key)!;
  if (typeof value === "function" && key !== Symbol.iterator && key !== "constructor") {
    ofIterators.add(value);
  }
}
const iterated = (self: unknown, f: AnyFunction, at: string): unknown =>
  ofIterators.has(f) ? iteratorOf(self, at) : self;

/** Says so where Object.assign puts what JavaScript would look at. */
function assigned([to, ...from]: unknown[], at: string): void {
  for (const each of from) {
    if (isPrimitive(each)) continue;
    if (typeof to === "function" && Object.hasOwn(each as object, "__proto__")) {
      note("native", "Object.assign of a prototype");
    }
    if (isView(to) && firstTraced(each, 1) !== undefined) {
      current.run.at = at;
      note("bytes", "Object.assign to a typed array");
    }
    if (isArray(to) && isTraced((each as { length?: unknown }).length)) {
      note("native", "Object.assign of a length");
    }
  }
}

const { random: randomOfMath } = Math;
let hasTrusted = false;
/** From now on functions that are neither of a rewritten program nor native are of modules that somebody answers for. */
export function trustModules(): void {
  hasTrusted = true;
}

/** A native function of which nothing is known: its result may depend on what is outside of the run. */
function applyUnknown(f: AnyFunction, self: unknown, args: unknown[], at: string): unknown {
  if (CODE.has(f)) note("code", f.name || "a constructor of functions");
  else if (self === console) {
    note("output", `console.${f.name}`);
    return undefined;
  } else if (hasTrusted && !includesText(functionText(f), "[native code]")) {
    return applyPlainly(f, self, args, at, nameOf(f, self));
  } else if (f === randomOfMath || self === crypto) note("randomness", nameOf(f, self));
  else if (f === Date.now || self === globalThis.performance) note("clock", nameOf(f, self));
  else note("native", nameOf(f, self));
  return applyPlainly(f, self, args, at, nameOf(f, self));
}

/** Native code may test what a callback returns, and tells followed values from plain ones: it is handed plain ones, and that is said. */
function applyPlainly(
  f: AnyFunction,
  self: unknown,
  args: unknown[],
  at: string,
  name: string,
): unknown {
  const plain: unknown[] = [];
  for (let i = 0; i < args.length; i++) {
    const each = args[i];
    if (
      typeof each === "function" && isFollowed(each as AnyFunction) && !isClass(each as AnyFunction)
    ) {
      const g = each as AnyFunction;
      const told = function (this: unknown, ...a: unknown[]): unknown {
        const value = reflectApply(g, this, a);
        current.run.at = at;
        return used(value, `what a callback of ${name} returns`);
      };
      plain[i] = Object.assign(told, g);
    } else {
      const { value, found } = stripped(each, name);
      if (found) tell(each, name);
      else if (!LOOKING_AT_NOTHING.test(name) && mayCallBack(each)) {
        note("native", `${name} of an object with functions of the program`);
      }
      plain[i] = value;
    }
  }
  if (holdsTraced(self)) note("native", name);
  else if (!isPrimitive(self) && !LOOKING_AT_NOTHING.test(name) && typeof self === "object") {
    const inside = firstTraced(self, 2);
    if (inside !== undefined) used(inside, name);
  }
  return reflectApply(f, used(self, name), plain);
}

/** Says so where a method of a text is given an object that JavaScript asks what it is. */
function toldToText(value: unknown, name: string): void {
  if (typeof value !== "object" || value === null) return;
  if (getPrototypeOf(value) === RegExp.prototype && Reflect.ownKeys(value).length === 1) return;
  for (const key of ["match", "matchAll", "replace", "search", "split"] as const) {
    if (Symbol[key] in value) return note("native", `${name} of an object with Symbol.${key}`);
  }
}

/** Functions that call no method of their arguments, and ask nothing of them. */
const LOOKING_AT_NOTHING =
  /^(Object|Object\.(toString|valueOf|is|create)|Reflect\.(ownKeys|isExtensible|preventExtensions)|structuredClone|Error\.isError|Promise\..*|.*toLocale.*)$/;

/** Whether native code finds functions of the program, or accessors, in a value. */
function mayCallBack(value: unknown, depth = 2): boolean {
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
function tell(value: unknown, name: string): void {
  if (current.run.follower.plain !== undefined) return;
  const first = firstTraced(value, DEEPEST);
  if (first !== undefined) used(first, name);
  else note("native", name);
}

function firstTraced(value: unknown, depth: number): Traced | undefined {
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

/** Compares numbers as typed arrays sort: −0 before 0, and what is none last. */
function numerically(at: string): AnyFunction {
  const isLess = (a: unknown, b: unknown): boolean => isTrue(operations.bin("<", a, b, at), at);
  const by = (a: unknown, b: unknown): number => {
    if (isLess(a, b)) return -1;
    if (isLess(b, a)) return 1;
    const nones = Number(isNone(a, at)) - Number(isNone(b, at));
    if (nones !== 0) return nones;
    const [over, other] = [a, b].map((each) => operations.bin("/", 1, each, at));
    return isLess(over, other) ? -1 : Number(isLess(other, over));
  };
  own.set(by, by);
  return by;
}

/** Methods of a typed array that holds followed values, or is given some; `undefined` for others. */
function ofTypedArray(
  self: TypedArray,
  f: AnyFunction,
  args: unknown[],
  at: string,
): { readonly value: unknown } | undefined {
  const { name } = f;
  if ((Typed.prototype as Record<string, unknown>)[name] !== f) return undefined;
  if (name === "subarray") {
    share(self.buffer, self);
    return undefined;
  }
  if (name === "set") {
    const from = holdsTraced(args[0]) ? lifted(args[0]) : args[0];
    if (!isArray(from) || !(from as unknown[]).some(isTraced) && !holdsTraced(self)) {
      return undefined;
    }
    const start = Math.trunc(Number(pinned(args[1] ?? 0, at))) || 0;
    if (start < 0 || (from as unknown[]).length + start > self.length) {
      throw new RangeError("offset is out of bounds");
    }
    storeAll(self, from as unknown[], start);
    return { value: undefined };
  }
  // Callbacks may return followed values.
  const mayMeet = holdsTraced(self) || args.some(isTraced) || name === "map";
  const method = (A as unknown as Record<string, unknown>)[name];
  if (!mayMeet || typeof method !== "function") return undefined;
  const list = lifted(self);
  const given = (name === "sort" || name === "toSorted") && args[0] === undefined
    ? [numerically(at)]
    : args;
  if (name === "sort" || name === "fill" || name === "reverse" || name === "copyWithin") {
    apply(method, list, given, at);
    storeAll(self, list);
    return { value: self };
  }
  const out = apply(method, list, given, at);
  if (["map", "filter", "slice", "toSorted", "toReversed", "with"].includes(name)) {
    const copy = new self.constructor((out as unknown[]).length);
    storeAll(copy, out as unknown[]);
    return { value: copy };
  }
  return { value: out };
}

/** The primitive that an object is turned into, by methods of the program that may return followed values. */
function toPrimitive(o: object | AnyFunction, hint: string, at: string): unknown {
  if (isPrimitive(o)) return o;
  if (typeof o === "function") note("native", "the text of a function");
  const by = (o as { [Symbol.toPrimitive]?: unknown })[Symbol.toPrimitive];
  // A date is a text where others are numbers.
  if (by === ofDate) return ordinary(o, hint === "default" ? "string" : hint, at);
  if (by !== undefined && by !== null) {
    const value = apply(by, o, [hint], at);
    if (isPrimitive(value)) return value;
    throw new TypeError("Cannot convert object to primitive value");
  }
  return ordinary(o, hint, at);
}
const ofDate = Date.prototype[Symbol.toPrimitive];

function ordinary(o: object | AnyFunction, hint: string, at: string): unknown {
  for (const key of hint === "string" ? ["toString", "valueOf"] : ["valueOf", "toString"]) {
    const f = (o as Record<string, unknown>)[key];
    if (typeof f !== "function") continue;
    const value = f === A.toString ? apply(A.join, o, [], at) : apply(f, o, [], at);
    if (isPrimitive(value)) return value;
  }
  throw new TypeError("Cannot convert object to primitive value");
}

const textOf = (value: unknown, at: string): unknown => {
  const primitive = typeof value === "object" && value !== null || typeof value === "function"
    ? toPrimitive(value as object, "string", at)
    : value;
  return isTraced(primitive) ? primitive : `${primitive as string}`;
};
const isEqual = (a: unknown, b: unknown, at: string): boolean =>
  isTraced(a) || isTraced(b) ? flag(operations.bin("===", a, b, at), at) as boolean : a === b;
const isTrue = (value: unknown, at: string): boolean => !!flag(value, at);

/** Gives a native function what is done in its place. */
function model(object: object, name: string, by: Model, says?: NoteKind): void {
  const f = (object as Record<string, unknown>)[name];
  if (typeof f !== "function") return;
  const known = natives.get(f);
  natives.set(f, {
    ...known,
    name: known?.name ?? name,
    kind: known?.kind ?? "known",
    model: by,
    ...(says && { says }),
  });
}

const isNone = (value: unknown, at: string): boolean =>
  isTraced(value)
    ? typeof valueOf(value) === "number" &&
      isTrue(made(Number.isNaN(valueOf(value)), "Number.isNaN", [value], at), at)
    : value !== value;

// ---- lists
model(A, "includes", (self, [value, from = 0], at) => {
  const list = self as unknown[];
  for (let i = Number(pinned(from, at)); i < list.length; i++) {
    const each = list[i < 0 ? i += list.length : i];
    // A number that is followed may be none, unless whoever decides for the run says otherwise.
    if (isEqual(each, value, at) || isNone(each, at) && isNone(value, at)) return true;
  }
  return false;
});
model(A, "indexOf", (self, [value, from = 0], at) => {
  const list = self as unknown[], start = Number(pinned(from, at));
  for (let i = start < 0 ? Math.max(0, list.length + start) : start; i < list.length; i++) {
    if (i in list && isEqual(list[i], value, at)) return i;
  }
  return -1;
});
model(A, "lastIndexOf", (self, [value, ...from], at) => {
  const list = self as unknown[],
    start = from.length > 0 ? Number(pinned(from[0], at)) : list.length - 1;
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
    if (i > 0) text = operations.bin("+", text, separator, at);
    if (each !== null && each !== undefined) text = operations.bin("+", text, textOf(each, at), at);
  }
  return text;
});
const comparison = (by: unknown, at: string) => (a: unknown, b: unknown): unknown => {
  const { bin } = operations;
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
    ? operations.iter(from, at)
    : { ...from as object, length: pinned((from as { length?: unknown }).length, at) };
  const each = by === undefined ? [] : [callback(by, at), ...rest];
  if (C.prototype instanceof (Typed as unknown as typeof Float64Array)) {
    const values = reflectApply(Array.from as AnyFunction, Array, [list, ...each]) as unknown[];
    const array = new (C as unknown as new (length: number) => TypedArray)(values.length);
    storeAll(array, values);
    return array;
  }
  return reflectApply(Array.from as AnyFunction, C, [list, ...each]);
});
natives.set(Array as AnyFunction, {
  name: "Array",
  kind: "known",
  model: (_, args, at) => operations.make(Array, args, at),
});
{
  const TypedConstructor = Typed as unknown as AnyFunction & Record<string, AnyFunction>;
  const fromModel = natives.get(Array.from)!.model!;
  model(TypedConstructor, "from", fromModel);
  model(TypedConstructor, "of", (self, args, at) => fromModel(self, [args], at));
}

// ---- keys
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
  let i = 0;
  for (const each of operations.iter(items, at) as Iterable<unknown>) {
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
  for (const entry of operations.iter(entries, at) as Iterable<[unknown, unknown]>) {
    const key = pinned(operations.get(entry, 0, at), at) as PropertyKey;
    defineProperty(all, key, {
      value: asked(key, operations.get(entry, 1, at), at),
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
const descriptor = (of: unknown, at: string): unknown => {
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
const compared = (o: unknown, key: unknown, value: unknown): void => {
  if (typeof o !== "object" && typeof o !== "function" || o === null) return;
  const own = getOwnPropertyDescriptor(o, key as PropertyKey);
  if (own === undefined || own.configurable || own.writable !== false) return;
  if (isTraced(value) || isTraced(own.value)) note("native", "a property that cannot be written");
};
/** The value of a property that is set: a length is decided. */
const putFor = (o: unknown, key: unknown, value: unknown, at: string): unknown =>
  key === "length" && isArray(o)
    ? pinned(value, at)
    : key === "__proto__"
    ? prototypeFor(o, value)
    : asked(key, value, at);
/** A descriptor of a property, and what JavaScript asks of that property. */
const defined = (o: unknown, key: unknown, of: unknown, at: string): unknown => {
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
/** Returns the prototype that an object gets: a class of the program is derived from no native class itself. */
function prototypeFor(o: unknown, of: unknown): unknown {
  if (isView(of)) share(of.buffer, of);
  return typeof o === "function" ? operations.base(of) : of;
}
const descriptors = (o: unknown, all: unknown, at: string): unknown =>
  typeof all === "object" && all !== null
    ? Object.fromEntries(
      Reflect.ownKeys(all).map((
        key,
      ) => [key, defined(o, key, (all as Record<PropertyKey, unknown>)[key], at)]),
    )
    : all;
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
      : operations.get(o, key, at),
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
model(Reflect, "apply", (_, [f, self, args], at) => apply(f, self, [...args as unknown[]], at));
model(
  Reflect,
  "construct",
  (_, [C, args, target], at) =>
    target === undefined || target === C
      ? operations.make(C, [...args as unknown[]], at)
      : isFollowed(C as AnyFunction) || isFollowed(target as AnyFunction) && proxies.has(C)
      ? reflectConstruct(C as AnyFunction, args as unknown[], target as AnyFunction)
      : construct(C as AnyFunction, [...args as unknown[]], at, target as AnyFunction),
);

// ---- functions
model(Function.prototype, "call", (f, [self, ...args], at) => apply(f, self, args, at));
model(
  Function.prototype,
  "apply",
  (f, [self, args], at) =>
    apply(
      f,
      self,
      args === undefined || args === null
        ? []
        : [...operations.iter(listOf(args), at) as unknown[]],
      at,
    ),
);
const listOf = (args: unknown): unknown =>
  isArray(args) || isView(args) ? args : Array.from(args as ArrayLike<unknown>);
{
  const { bind } = Function.prototype;
  model(Function.prototype, "bind", (f, [self, ...args]) => {
    const native = reflectApply(bind as AnyFunction, f, [self, ...args]) as AnyFunction;
    // Native code that calls it calls what is done in place of the function.
    const bound = new Proxy(native, {
      apply: (_, __, more) => apply(f, self, [...args, ...more], current.run.at),
    });
    bounds.set(bound, { f, self, args });
    return bound;
  });
  const { toString } = Function.prototype;
  model(Function.prototype, "toString", (f) => {
    note("native", "the text of a function");
    return reflectApply(toString, f, []);
  });
}

{
  const { toString } = Object.prototype;
  model(Object.prototype, "toString", (self, _, at) => {
    const tag = isPrimitive(self)
      ? undefined
      : (self as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
    return isTraced(tag)
      ? operations.bin("+", operations.bin("+", "[object ", tag, at), "]", at)
      : reflectApply(toString, plainOf(self), []);
  });
}

// ---- texts
{
  const { test } = RegExp.prototype;
  for (
    const name of [
      "exec",
      "test",
      Symbol.replace,
      Symbol.match,
      Symbol.matchAll,
      Symbol.search,
      Symbol.split,
    ]
  ) {
    const f = (RegExp.prototype as unknown as Record<PropertyKey, AnyFunction>)[name]!;
    const known = natives.get(f);
    natives.set(f, {
      name: known?.name ?? "RegExp",
      kind: "known",
      model: (self, args, at) => {
        const re = self as RegExp;
        const isLong = re.global || re.sticky;
        if (isLong && current.epoch > 0 && older.has(re)) {
          note("state", "the place of a regular expression");
        }
        const [text] = args;
        if (f === test && isTraced(text) && !isLong) {
          return made(
            reflectApply(test, re, [String(valueOf(text))]),
            "RegExp.test",
            [re, text],
            at,
          );
        }
        return applyPlainly(f, self, args, at, known?.name ?? "RegExp");
      },
    });
  }
}
/** The listed properties of an object, its own or not, read when they are asked for. */
function listed(of: object, keys: readonly string[], at: string): object {
  const copy = Object.create(null) as object;
  for (const key of keys) {
    defineProperty(copy, key, { enumerable: true, get: () => operations.get(of, key, at) });
  }
  return copy;
}
model(JSON, "stringify", (_, [value, by, space], at) => {
  const marks = new Map<string, Traced>();
  const list = isArray(by)
    ? [...new Set((by as unknown[]).map((each) => String(plainOf(each))))]
    : undefined;
  // JavaScript has places before other keys, and takes the keys of a list in their order.
  if (list?.some((key) => /^\d/.test(key))) note("native", "JSON.stringify of listed places");
  // Once only: getters and toJSON of the program may do something.
  const template = makingJson(() =>
    JSON.stringify(
      value,
      function (this: unknown, key: string, each: unknown): unknown {
        let is = typeof by === "function" ? apply(by, this, [key, each], at) : each;
        if (holdsTraced(is)) is = { ...lifted(is) };
        if (!isTraced(is)) {
          return list === undefined || typeof is !== "object" || is === null || isArray(is) ||
              is instanceof Number || is instanceof String || is instanceof Boolean
            ? is
            : listed(is, list, at);
        }
        const mark = `\u0001${marks.size}`;
        marks.set(mark, is);
        return mark;
      },
      plainOf(space) as string,
    )
  );
  if (marks.size === 0 || template === undefined) return template;
  const plain = jsonOf(template, (mark) => plainOf(marks.get(mark)));
  return made(plain, "JSON", [...new Set(marks.values()), template, marks], at);
});
model(JSON, "parse", (_, [text, by], at) => {
  const reviver = callback(by, at) as AnyFunction | undefined;
  if (!isTraced(text)) return JSON.parse(textOf(text, at) as string, reviver);
  const { op, operands } = operationOf(text);
  if (op !== "JSON" || reviver) return JSON.parse(used(text, "JSON.parse") as string, reviver);
  const [template, marks] = operands.slice(-2) as [string, Map<string, Traced>];
  return JSON.parse(
    template,
    (_, each) => typeof each === "string" ? marks.get(each) ?? each : each,
  );
});

// ---- what is outside
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
      copy[key] = cloned(operations.get(value, key, at), copies, at);
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

/** A promise's two functions are called with followed values, and later. */
function promised(executor: unknown, at: string, target: AnyFunction): unknown {
  const { epoch } = current;
  const ours = (f: AnyFunction): AnyFunction => {
    const settle = (value?: unknown): unknown => {
      if (current.epoch !== epoch) note("state", "a promise that is older than it is settled");
      return f(value);
    };
    own.set(settle, settle);
    return settle;
  };
  return reflectConstruct(Promise as unknown as AnyFunction, [
    (resolve: AnyFunction, reject: AnyFunction) =>
      apply(executor, undefined, [ours(resolve), ours(reject)], at),
  ], target);
}

const TRAPS = [
  "has",
  "set",
  "deleteProperty",
  "defineProperty",
  "isExtensible",
  "preventExtensions",
  "setPrototypeOf",
];
/** A proxy whose traps may return followed values. */
function proxied(target: unknown, traps: unknown): unknown {
  if (typeof traps !== "object" || traps === null) {
    return reflectConstruct(Proxy as unknown as AnyFunction, [target, traps]);
  }
  if (isView(target)) share(target.buffer, target);
  const handler = new Proxy(traps, {
    get(of, name): unknown {
      const f = (of as Record<PropertyKey, unknown>)[name];
      if (name === "apply") {
        return (g: unknown, self: unknown, args: unknown[]) =>
          f === undefined
            ? apply(g, self, args, current.run.at)
            : apply(f, traps, [g, self, args], current.run.at);
      }
      if (name === "construct") {
        return (C: AnyFunction, args: unknown[], by: AnyFunction) =>
          f !== undefined
            ? apply(f, traps, [C, args, by], current.run.at)
            : isFollowed(C)
            ? reflectConstruct(C, args, by)
            : construct(C, args, current.run.at, by);
      }
      if (typeof f !== "function" || typeof name !== "string") return f;
      return (...args: unknown[]) => {
        const { at } = current.run;
        if (name === "set" || name === "defineProperty") {
          const [o, key, value] = args;
          compared(o, key, name === "set" ? value : (value as { value?: unknown }).value);
        }
        const answer = apply(f, traps, args, at);
        if (TRAPS.includes(name)) return flag(answer, at);
        if (name === "get") {
          compared(args[0], args[1], answer);
          return asked(args[1], answer, at);
        }
        if (name === "getOwnPropertyDescriptor") {
          compared(args[0], args[1], (answer as { value?: unknown } | undefined)?.value);
          return descriptor(answer, at);
        }
        return answer;
      };
    },
  });
  const proxy = reflectConstruct(Proxy as unknown as AnyFunction, [target, handler]);
  if (typeof proxy === "function") proxies.add(proxy);
  return proxy;
}

/** Returns true if a program wrote what goes through an object, and not JavaScript. */
function isIteratorOfProgram(value: unknown): boolean {
  const next = (value as { next?: unknown } | null)?.next;
  return typeof next === "function" && natives.get(next) === undefined;
}

/** An iterator whose results say plainly whether it is done. */
function iteratorOf(iterator: unknown, at: string): unknown {
  if (isPrimitive(iterator) || !isIteratorOfProgram(iterator)) return iterator;
  const by = iterator as Record<string, unknown>;
  const answer = (step: unknown): unknown =>
    isPrimitive(step) ? step : {
      done: flag((step as { done?: unknown }).done, at),
      get value(): unknown {
        return (step as { value?: unknown }).value;
      },
    };
  const { next } = by;
  const made: Record<string, unknown> = {
    next: (...args: unknown[]) => answer(apply(next, iterator, args, at)),
  };
  for (const name of ["return", "throw"]) {
    // It is asked for only where it is called, and may be missing.
    defineProperty(made, name, {
      configurable: true,
      get(): unknown {
        const f = by[name];
        return f === undefined || f === null
          ? undefined
          : (...args: unknown[]) => answer(apply(f, iterator, args, at));
      },
    });
  }
  return Object.setPrototypeOf(made, IteratorPrototype) as unknown;
}

const chained: [unknown, unknown][] = [];
const isTypedClass = (C: AnyFunction): boolean =>
  C.prototype instanceof (Typed as unknown as typeof Float64Array);

/** The operations, by the names that rewritten code calls them. */
export const operations = {
  /** The last operand of a logical operator or an optional link. */
  last: undefined as unknown,
  /** What loads a module that is imported while the program runs. */
  loader: (where: unknown, _from: string): Promise<unknown> => import(String(where)),

  /** The number of the run. */
  epoch: (): number => current.epoch,
  born,
  flag,
  key: pinned,

  bin(o: string, a: unknown, b: unknown, at: string): unknown {
    current.run.at = at;
    const isStrict = o === "===" || o === "!==";
    if (!isTraced(a) && !isTraced(b)) {
      const isObject = (v: unknown): boolean =>
        typeof v === "object" && v !== null || typeof v === "function";
      if (isStrict || !isObject(a) && !isObject(b)) return BINARY[o]!(a, b);
      const isLoose = o === "==" || o === "!=";
      if (
        isLoose &&
        (isObject(a) === isObject(b) || a === null || b === null || a === undefined ||
          b === undefined)
      ) {
        return BINARY[o]!(a, b);
      }
      const hint = o === "+" || isLoose ? "default" : "number";
      const p = isObject(a) ? toPrimitive(a as object, hint, at) : a;
      const q = isObject(b) ? toPrimitive(b as object, hint, at) : b;
      return isTraced(p) || isTraced(q) ? operations.bin(o, p, q, at) : BINARY[o]!(p, q);
    }
    if (!isPrimitive(a) || !isPrimitive(b)) {
      if (isStrict) return o === "!==";
      const hint = o === "+" || o === "==" || o === "!=" ? "default" : "number";
      return operations.bin(
        o,
        isPrimitive(a) ? a : toPrimitive(a as object, hint, at),
        isPrimitive(b) ? b : toPrimitive(b as object, hint, at),
        at,
      );
    }
    return made(BINARY[o]!(plainOf(a), plainOf(b)), o, [a, b], at);
  },
  un(o: string, a: unknown, at: string): unknown {
    if (isTraced(a)) return made(UNARY[o]!(valueOf(a)), `unary ${o}`, [a], at);
    if (o !== "!" && !isPrimitive(a)) {
      return operations.un(o, toPrimitive(a as object, "number", at), at);
    }
    return UNARY[o]!(a);
  },
  /** The operand of ++ and --, as a number. */
  numeric(a: unknown, at: string): unknown {
    if (typeof a === "number" || typeof a === "bigint") return a;
    if (isTraced(a)) return typeof valueOf(a) === "string" ? operations.un("+", a, at) : a;
    return operations.un("+", a, at);
  },
  step(a: unknown, by: number, at: string): unknown {
    if (typeof a === "number") return a + by;
    const number = operations.numeric(a, at);
    if (typeof number === "bigint") return number + BigInt(by);
    return typeof number === "number" ? number + by : operations.bin("+", number, by, at);
  },
  update(o: unknown, k: unknown, by: number, isPrefix: boolean, at: string): unknown {
    const key = pinned(k, at), old = operations.numeric(operations.get(o, key, at), at);
    const now = operations.step(old, by, at);
    operations.set(o, key, now, at);
    return isPrefix ? now : old;
  },
  instance(value: unknown, C: unknown, at: string): unknown {
    const f = (C as { [Symbol.hasInstance]?: unknown } | null | undefined)?.[Symbol.hasInstance];
    return typeof f === "function" && f !== Function.prototype[Symbol.hasInstance]
      ? isTrue(apply(f, C, [value], at), at)
      : (value as object) instanceof (C as AnyFunction);
  },
  test(value: unknown, at: string): unknown {
    const { run } = current;
    if (++run.steps > run.maxSteps) {
      throw new RangeError(
        `Cannot follow a run: it must end after ${run.maxSteps} conditions: it is at ${at}`,
      );
    }
    return typeof value === "boolean" ? value : flag(value, at);
  },
  cond(value: unknown, at: string): unknown {
    operations.last = value;
    if (!isTraced(value)) return value;
    const taken = branch(value, at);
    operations.last = value;
    return taken;
  },
  some(value: unknown): boolean {
    operations.last = value;
    return value !== null && value !== undefined;
  },
  same: isEqual,
  typ: (value: unknown): string => typeof plainOf(value),
  has(key: unknown, o: unknown, at: string): boolean {
    return (pinned(key, at) as PropertyKey) in (plainOf(o) as object);
  },
  get(o: unknown, k: unknown, at: string): unknown {
    if (isArray(o) && typeof k === "number") return (o as unknown[])[k];
    const key = isTraced(k) ? pinned(k, at) : k as PropertyKey;
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
  },
  set(o: unknown, k: unknown, value: unknown, at: string): unknown {
    const key = isTraced(k) ? pinned(k, at) : k;
    current.run.at = at;
    if (typeof o === "function" || current.epoch > 0 && older.has(o)) {
      changed(o, `property ${String(key)} of what is older than it`);
    }
    if (current.epoch === 0 && intrinsics.has(o)) {
      note("state", `property ${String(key)} of what all programs share`);
    }
    if (isTraced(o)) {
      throw new TypeError(
        `Cannot create property '${String(key)}' on ${typeof valueOf(o)} '${String(valueOf(o))}'`,
      );
    }
    if (isTraced(value) && isView(o)) store(o as TypedArray, key as string, value);
    else (o as Record<PropertyKey, unknown>)[key as PropertyKey] = putFor(o, key, value, at);
    return value;
  },
  kept(value: unknown, name: string, at: string, epoch: number): unknown {
    if (epoch !== current.epoch) {
      current.run.at = at;
      note("state", epoch === -1 ? `the global ${name}` : `the variable ${name}`);
    }
    return value;
  },
  touched(o: unknown, at: string): unknown {
    current.run.at = at;
    changed(o, "a member of what is older than it");
    return o;
  },
  global(value: unknown, name: string, at: string): unknown {
    current.run.at = at;
    note(name === "performance" ? "clock" : "environment", name);
    return value;
  },
  later(at: string): void {
    current.run.at = at;
    note("later", "an asynchronous function");
  },
  constructed: (value: unknown): unknown => isTraced(value) ? undefined : value,
  text(quasis: string[], values: unknown[], at: string): unknown {
    let text: unknown = quasis[0];
    for (let i = 0; i < values.length; i++) {
      text = operations.bin(
        "+",
        operations.bin("+", text, textOf(values[i], at), at),
        quasis[i + 1],
        at,
      );
    }
    return text;
  },
  iter(value: unknown, at: string): unknown {
    if (isTraced(value)) {
      current.run.at = at;
      return typeof valueOf(value) === "string"
        ? used(value, "a text spread into letters")
        : valueOf(value);
    }
    if (typeof value !== "object" || value === null) return value;
    if (holdsTraced(value)) return lifted(value);
    const f = (value as { [Symbol.iterator]?: unknown })[Symbol.iterator];
    if (current.epoch > 0 && older.has(value) && "next" in value) {
      current.run.at = at;
      note("state", "an iterator that is older than it");
    }
    if (typeof f !== "function" || f === iterate) return value;
    if (natives.get(f) !== undefined && !isIteratorOfProgram(value)) return value;
    return { [Symbol.iterator]: () => iteratorOf(apply(f, value, [], at), at) };
  },
  keys: (value: unknown, at: string): unknown => {
    current.run.at = at;
    return used(value, "for … in");
  },
  /** Returns what a class of a program is derived from. */
  base(C: unknown): unknown {
    if (typeof C !== "function" || isFollowed(C as AnyFunction) || proxies.has(C)) return C;
    if (bases.get(C) !== undefined || bounds.get(C) !== undefined) return C;
    let base = based.get(C);
    if (base === undefined) {
      base = new Proxy(C as AnyFunction, {
        construct: (_, args, by) =>
          construct(C as AnyFunction, args, current.run.at, by as AnyFunction) as object,
      });
      based.set(C, base);
      bases.set(base as object, C);
    }
    return base;
  },
  /** The texts of a template, as its tag gets them. */
  strings: (texts: unknown): unknown => texts,
  /** A member that a pattern assigns to. */
  slot(o: unknown, k: unknown, at: string): { value: unknown } {
    return {
      get value(): unknown {
        return operations.get(o, k, at);
      },
      set value(value: unknown) {
        operations.set(o, k, value, at);
      },
    };
  },
  /** The value of a property whose name is computed. */
  field(key: unknown, value: unknown, at: string): unknown {
    if (isTraced(value) && (typeof key === "object" || typeof key === "function")) {
      note("native", "a key that is an object");
    }
    return asked(key, value, at);
  },
  /** A computed key of a getter or a field. */
  getter(key: unknown, at: string): unknown {
    if (isAsked(key)) note("native", `a getter or a field with the computed key ${String(key)}`);
    return pinned(key, at);
  },
  /** A key of a pattern that may read a typed array natively. */
  place(key: unknown, at: string): unknown {
    current.run.at = at;
    if (current.run.storesFollowed) note("bytes", "a pattern that may read a typed array");
    return pinned(key, at);
  },
  record: (value: unknown, at: string): unknown => {
    current.run.at = at;
    if (holdsTraced(value)) return { ...lifted(value) };
    return isTraced(value) && typeof valueOf(value) !== "string"
      ? valueOf(value)
      : used(value, "a text spread into letters");
  },
  apply,
  call: apply,
  method(o: unknown, k: unknown, args: unknown[], at: string, text: string): unknown {
    const f = operations.get(o, k, at);
    return apply(f, o, args, at, text);
  },
  someMethod(o: unknown, k: unknown, at: string): boolean {
    const f = operations.get(o, k, at);
    if (f === null || f === undefined) return false;
    chained[chained.length] = [f, o];
    return true;
  },
  callLast(args: unknown[], at: string): unknown {
    const [f, o] = chained[chained.length - 1]!;
    chained.length--;
    return apply(f, o, args, at);
  },
  make(C: unknown, args: unknown[], at: string, text = ""): unknown {
    current.run.at = at;
    if (typeof C !== "function") {
      throw new TypeError(`${text || String(plainOf(C))} is not a constructor`);
    }
    const F = C as AnyFunction;
    if (isFollowed(F)) {
      const object = reflectConstruct(F, args);
      if (isTraced(object)) note("native", "a constructor that returns a value");
      return born(object);
    }
    const bound = bounds.get(F);
    if (bound !== undefined) return operations.make(bound.f, [...bound.args, ...args], at);
    return born(construct(F, args, at));
  },
  load: (where: unknown, from: string): Promise<unknown> =>
    operations.loader(used(where, "import()"), from),
};

/** Makes an object of a class that is not of the program, for a class that is derived from it where there is one. */
function construct(
  C: AnyFunction,
  args: unknown[],
  at: string,
  target: AnyFunction = C,
): unknown {
  if (proxies.has(C)) return reflectConstruct(C, args, target);
  if (C as unknown === Array) {
    return args.length === 1
      ? reflectConstruct(C, [pinned(args[0], at)], target)
      : reflectConstruct(C, args, target);
  }
  if (C as unknown === Promise) return promised(args[0], at, target);
  if (C as unknown === Proxy) return proxied(args[0], args[1]);
  if (C as unknown === Map) {
    const map = reflectConstruct(C, [], target);
    if (args[0] !== undefined && args[0] !== null) {
      for (const entry of operations.iter(args[0], at) as Iterable<[unknown, unknown]>) {
        const [key, value] = [0, 1].map((k) => operations.get(entry, k, at));
        operations.method(map, "set", [key, value], at, "set");
      }
    }
    return map;
  }
  if (C as unknown === Set) {
    const set = reflectConstruct(C, [], target);
    if (args[0] !== undefined && args[0] !== null) {
      for (const each of operations.iter(args[0], at) as Iterable<unknown>) {
        operations.method(set, "add", [each], at, "add");
      }
    }
    return set;
  }
  if (isTypedClass(C)) {
    const [from] = args;
    if (from instanceof ArrayBuffer) share(from);
    if (isTraced(from)) return reflectConstruct(C, [pinned(from, at)], target);
    if (typeof from === "object" && from !== null && !(from instanceof ArrayBuffer)) {
      const list = holdsTraced(from) ? lifted(from) : isArray(from) ? from as unknown[] : undefined;
      if (list?.some(isTraced)) {
        const array = reflectConstruct(C, [list.length], target) as TypedArray;
        storeAll(array, list);
        return array;
      }
      return reflectConstruct(C, [operations.iter(from, at), ...args.slice(1)], target);
    }
    return reflectConstruct(C, args, target);
  }
  if (C as unknown === DataView) share(args[0]);
  if (C as unknown === Date) {
    if (args.length === 0) note("clock", "new Date()");
    else if (args.length > 1) note("environment", "a date in the time zone of the machine");
  }
  if (C as unknown === Error || C.prototype instanceof Error) {
    const error = reflectConstruct(
      C,
      args.map((each) => isTraced(each) ? String(valueOf(each)) : each),
      target,
    ) as Error;
    const place = C as unknown === AggregateError ? 1 : 0;
    if (isTraced(args[place])) {
      const message = operations.bin("+", "", args[place], at);
      defineProperty(error, "message", {
        value: message,
        configurable: true,
        writable: true,
        enumerable: false,
      });
    }
    return error;
  }
  if (CODE.has(C)) note("code", C.name);
  else if (hasTrusted && !includesText(functionText(C), "[native code]")) {
    // Of a module that somebody answers for.
  } else if (natives.get(C) === undefined) note("native", `new ${C.name || "a function"}`);
  const plain: unknown[] = [];
  for (let i = 0; i < args.length; i++) {
    const { value, found } = stripped(args[i], `new ${C.name}`);
    if (found) tell(args[i], `new ${C.name}`);
    plain[i] = value;
  }
  return reflectConstruct(C, plain, target);
}

/** A function for each operator: numbers are by far the most frequent. */
const numeric: readonly ((a: unknown, b: unknown, at: string) => unknown)[] = (() => {
  const { bin } = operations;
  return [
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a + b : bin("+", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a - b : bin("-", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a * b : bin("*", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a / b : bin("/", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a % b : bin("%", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a ** b : bin("**", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a < b : bin("<", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a > b : bin(">", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a <= b : bin("<=", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a >= b : bin(">=", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a === b : bin("===", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a !== b : bin("!==", a, b, at),
    // deno-lint-ignore eqeqeq -- the program's own operator.
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a == b : bin("==", a, b, at),
    // deno-lint-ignore eqeqeq -- the program's own operator.
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a != b : bin("!=", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a & b : bin("&", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a | b : bin("|", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a ^ b : bin("^", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a << b : bin("<<", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a >> b : bin(">>", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a >>> b : bin(">>>", a, b, at),
  ];
})();
OPERATORS.forEach((_, i) => {
  (operations as unknown as Record<string, unknown>)[`b${i}`] = numeric[i];
});

/** The name under which the symbol registry has the operations of this copy of the room. */
export const OPERATIONS_KEY: string = (() => {
  for (let i = 0;; i++) {
    const key = `dpcheck.source.${i}`, symbol = Symbol.for(key);
    if (symbol in globalThis) continue;
    defineProperty(globalThis, symbol, { value: operations, enumerable: false });
    return key;
  }
})();
