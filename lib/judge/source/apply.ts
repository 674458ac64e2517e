/**
 * Calls of functions by rewritten programs: functions of the program as they are, native ones by what is known of them.
 *
 * @module
 */
import {
  born,
  bornWithin,
  branch,
  changed,
  current,
  made,
  note,
  older,
  own,
  pinned,
  used,
} from "./current.ts";
import {
  type AnyFunction,
  functionText,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  includesText,
  isArray,
  isView,
  ObjectSet,
  reflectApply,
} from "./intrinsics.ts";
import {
  bounds,
  CODED,
  isClass,
  isFollowed,
  natives,
  OF_OBJECTS,
  proxies,
  READING,
  THROWING,
} from "./known_functions.ts";
import { CODE, IteratorPrototype, PRIMITIVE_METHODS } from "./natives.ts";
import { firstTraced, isPrimitive, mayCallBack, stripped, tell } from "./plain_values.ts";
import { isTraced, plainOf, valueOf } from "./traced.ts";
import { holdsTraced, lifted, Typed, type TypedArray } from "./typed_arrays.ts";

const A = Array.prototype;
const { defineProperty } = Object;
const iterate = A[Symbol.iterator];

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

/** Returns a value that native code asks whether it is true: the way that a condition goes, where it is followed. */
export function flag(value: unknown, at: string): unknown {
  return isTraced(value) ? branch(value, at) : value;
}

/** Returns a callback that is not of the program, made to take followed values. */
export function callback(g: unknown, at: string): unknown {
  return typeof g === "function" && !isFollowed(g as AnyFunction)
    ? function (this: unknown, ...args: unknown[]): unknown {
      return apply(g, this, args, at);
    }
    : g;
}

/** Returns a native function that native code will call, with its own object. */
export function called(g: unknown): unknown {
  if (typeof g !== "function" || isFollowed(g as AnyFunction)) return g;
  return function (this: unknown, ...args: unknown[]): unknown {
    return apply(g, this, args, current.run.at);
  };
}

export const isTrue = (value: unknown, at: string): boolean => !!flag(value, at);

let lastFollowed: unknown;

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
  return bornWithin(applyNative(g, self, args, at));
}

function applyNative(f: AnyFunction, self: unknown, args: unknown[], at: string): unknown {
  const native = natives.get(f);
  if (native === undefined) return applyUnknown(f, self, args, at);
  const { name, kind, changes, says, model, ofView } = native;
  if (says !== undefined) note(says, name);
  if (changes !== undefined) {
    changed(changes === "self" ? self : args[0], name);
  }
  if (ofView !== undefined && self instanceof (Typed as unknown as typeof Float64Array)) {
    const answer = ofView(self as TypedArray, args, at);
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
      for (let i = 0; i < args.length; i++) {
        // What is moved stays itself; only what is called is made to take followed values.
        const isCalled = (i === 0 || f === then) && CALLING.test(name);
        moved[i] = isCalled ? callback(args[i], at) : args[i];
      }
      if (name === "Object.assign") assigned(args, at);
      if (isTraced(moved[0]) && OF_OBJECTS.test(name)) moved[0] = used(moved[0], name);
      if (isTraced(self)) return reflectApply(f, used(self, name), moved);
      return reflectApply(f, iterated(self, f, at), moved);
    }
    case "iterating":
      return reflectApply(f, self, [iterable(args[0], at), ...args.slice(1)]);
  }
  const onPrimitive = isPrimitive(self) && self !== undefined && PRIMITIVE_METHODS.has(f);
  if (kind === "pure" || onPrimitive) {
    const given: unknown[] = [];
    let isFound = isTraced(self), arePrimitive = true;
    // list.map(Math.round) gives it places, which it does not read.
    const count = kind === "pure" && !ANY_NUMBER.has(name) && f.length < args.length
      ? f.length
      : args.length;
    for (let i = 0; i < count; i++) {
      const each = args[i];
      // What an object is as a number may be a value that is followed.
      given[i] = kind === "pure" && !isPrimitive(each) && name !== "Object.is" && name !== "Boolean"
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

/** Pure functions that read as many arguments as they get. */
const ANY_NUMBER: ReadonlySet<string> = new Set(
  ["Math.max", "Math.min", "Math.hypot", "String.fromCharCode", "String.fromCodePoint"],
);

const { then } = Promise.prototype;
/** Moving functions that call their first argument. */
const CALLING = /^queueMicrotask$|\.(map|flatMap|forEach|reduce|reduceRight|then|catch|finally)$/;

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
    if (isTraced(each) && typeof valueOf(each) === "string") {
      used(each, "a text spread into letters");
    }
    if (isPrimitive(each)) continue;
    if (Object.hasOwn(each as object, "__proto__")) {
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
/** Takes functions that are neither of a rewritten program nor native, from now on, for those of modules that somebody answers for. */
export function trustModules(): void {
  hasTrusted = true;
}

/** Returns true for a function of a module that somebody answers for. */
export function isTrusted(f: AnyFunction): boolean {
  return hasTrusted && !includesText(functionText(f), "[native code]");
}

/** Does work of our own code (`trusts`), or of a program that it calls back; `current.trusts` says which goes on. */
export function trusting<Result>(trusts: boolean, work: () => Result): Result {
  const before = current.trusts;
  current.trusts = trusts;
  try {
    return work();
  } finally {
    current.trusts = before;
  }
}

/** A native function of which nothing is known: its result may depend on what is outside of the run. */
function applyUnknown(f: AnyFunction, self: unknown, args: unknown[], at: string): unknown {
  if (CODE.has(f)) note("code", f.name || "a constructor of functions");
  else if (self === console) {
    note("output", `console.${f.name}`);
    return undefined;
  } else if (isTrusted(f)) {
    return trusting(true, () => applyPlainly(f, self, args, at, nameOf(f, self)));
  } else if (f === randomOfMath || self === crypto) note("randomness", nameOf(f, self));
  else if (f === Date.now || self === globalThis.performance) note("clock", nameOf(f, self));
  else note("native", nameOf(f, self));
  return applyPlainly(f, self, args, at, nameOf(f, self));
}

/** Calls a native function with plain values in place of followed ones, and says so: native code may test what a callback returns, and tells them apart. */
export function applyPlainly(
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
        const value = trusting(false, () => reflectApply(g, this, a));
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
  if (typeof value === "function" && !name.startsWith("String.replace")) {
    note("native", "the text of a function");
  }
  if (typeof value !== "object" || value === null) return;
  if (getPrototypeOf(value) === RegExp.prototype && Reflect.ownKeys(value).length === 1) return;
  for (const key of ["match", "matchAll", "replace", "search", "split"] as const) {
    if (Symbol[key] in value) return note("native", `${name} of an object with Symbol.${key}`);
  }
}

/** Functions that call no method of their arguments, and ask nothing of them. */
const LOOKING_AT_NOTHING =
  /^(Object|Object\.(toString|valueOf|is|create)|Reflect\.(ownKeys|isExtensible|preventExtensions)|structuredClone|Error\.isError|Promise\..*|.*toLocale.*)$/;

/** Returns the primitive that an object is turned into, by methods of the program that may return followed values. */
export function toPrimitive(o: object | AnyFunction, hint: string, at: string): unknown {
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
export const ofDate = Date.prototype[Symbol.toPrimitive];

function ordinary(o: object | AnyFunction, hint: string, at: string): unknown {
  for (const key of hint === "string" ? ["toString", "valueOf"] : ["valueOf", "toString"]) {
    const f = (o as Record<string, unknown>)[key];
    if (typeof f !== "function") continue;
    const value = f === A.toString ? apply(A.join, o, [], at) : apply(f, o, [], at);
    if (isPrimitive(value)) return value;
  }
  throw new TypeError("Cannot convert object to primitive value");
}

export const textOf = (value: unknown, at: string): unknown => {
  const primitive = typeof value === "object" && value !== null || typeof value === "function"
    ? toPrimitive(value as object, "string", at)
    : value;
  return isTraced(primitive) ? primitive : `${primitive as string}`;
};

/** Returns true if a program wrote what goes through an object, and not JavaScript. */
export function isIteratorOfProgram(value: unknown): boolean {
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

/** Returns what a typed array stores of values: of an object the number that methods of the program make of it. */
export const storable = (value: unknown, at: string): unknown =>
  isPrimitive(value) ? value : toPrimitive(value as object, "number", at);

/** Returns what goes through a value: letters of a text are said, and iterators of the program say plainly whether they are done. */
export function iterable(value: unknown, at: string): unknown {
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
}

/** Returns a key of a property: a followed value is decided, and the text of a function is not followed. */
export const propertyKey = (key: unknown, at: string): PropertyKey =>
  (typeof key === "function" ? textOf(key, at) : pinned(key, at)) as PropertyKey;
