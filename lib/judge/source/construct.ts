/**
 * Objects made of classes: of the program as they are, of native ones so that they may hold followed values.
 *
 * @module
 */
import { apply, flag, isTrusted, iterable, storable, textOf } from "./apply.ts";
import { born, current, language, note, own, pinned, used } from "./current.ts";
import { bin } from "./evaluate.ts";
import {
  type AnyFunction,
  functionText,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
  isView,
  ObjectMap,
  ObjectSet,
  reflectConstruct,
} from "./intrinsics.ts";
import { based, bases, bounds, isClass, isFollowed, natives, proxies } from "./known_functions.ts";
import { CODE } from "./natives.ts";
import { isPrimitive, mayCallBack, stripped, tell } from "./plain_values.ts";
import { asked, callMethod, compared, descriptor, member } from "./read_member.ts";
import { isTraced, plainOf, valueOf } from "./traced.ts";
import { holdsTraced, lifted, share, storeAll, Typed, type TypedArray } from "./typed_arrays.ts";

const { defineProperty } = Object;

/** Says so where a promise is settled with what has a method `then`, which JavaScript calls later. */
export function toldThenable(value: unknown): void {
  if (!isPrimitive(value) && "then" in (value as object)) note("later", "then of an object");
}

/** A promise's two functions are called with followed values, and later. */
function promised(executor: unknown, at: string, target: AnyFunction): unknown {
  const { epoch } = current;
  const ours = (f: AnyFunction): AnyFunction => {
    const settle = (value?: unknown): unknown => {
      if (current.epoch !== epoch) note("state", "a promise that is older than it is settled");
      toldThenable(value);
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

const isTypedClass = (C: AnyFunction): boolean =>
  C.prototype instanceof (Typed as unknown as typeof Float64Array);

/** The classes of the errors that the language throws. */
export const ERROR_CLASSES = [
  ...[Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError],
  URIError,
] as const;
const ERRORS: ReadonlySet<unknown> = new Set(
  [...ERROR_CLASSES, DOMException].map(({ prototype }) => prototype),
);
/** Errors that programs made. */
const errors = new ObjectSet();

/**
 * Returns true for an error that JavaScript threw, and no program. Rewritten code may meet another one, or none: errors say what was called, come
 * where the stack ends, and where native code cannot use a followed value.
 */
export function isOfEngine(error: unknown): boolean {
  return typeof error === "object" && error !== null && !errors.has(error) &&
    ERRORS.has(getPrototypeOf(error));
}

/** Returns an entry of a map or a record, which must be an object. */
export function entryOf(entry: unknown): unknown {
  if (isPrimitive(entry)) throw new TypeError("Iterator value is not an entry object");
  return entry;
}

/** Classes that make a text or a number of what they are given. */
const OF_TEXTS: ReadonlySet<unknown> = new Set([Date, String, Number, RegExp, Error]);

/** Makes an object of a class that is not of the program, for a class that is derived from it where there is one. */
export function construct(
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
      for (const entry of iterable(args[0], at) as Iterable<unknown>) {
        const [key, value] = [0, 1].map((k) => member(entryOf(entry), k, at));
        callMethod(map, "set", [key, value], at, "set");
      }
    }
    return map;
  }
  if (C as unknown === Set) {
    const set = reflectConstruct(C, [], target);
    if (args[0] !== undefined && args[0] !== null) {
      for (const each of iterable(args[0], at) as Iterable<unknown>) {
        callMethod(set, "add", [each], at, "add");
      }
    }
    return set;
  }
  if (isTypedClass(C)) {
    const [from] = args;
    if (from instanceof ArrayBuffer) share(from);
    if (isTraced(from)) return reflectConstruct(C, [pinned(from, at)], target);
    if (typeof from === "object" && from !== null && !(from instanceof ArrayBuffer)) {
      const through = holdsTraced(from) ? lifted(from) : iterable(from, at);
      const by = (through as Partial<Iterable<unknown>>)[Symbol.iterator];
      if (isView(through) || typeof by !== "function") {
        return reflectConstruct(C, [through, ...args.slice(1)], target);
      }
      const list = [...through as Iterable<unknown>].map((each) => storable(each, at));
      const array = reflectConstruct(C, [list.length], target) as TypedArray;
      storeAll(array, list);
      return array;
    }
    return reflectConstruct(C, args, target);
  }
  if (C as unknown === DataView) share(args[0]);
  if (C as unknown === Date) {
    if (args.length === 0) note("clock", "new Date()");
    else if (args.length > 1) note("environment", "a date in the time zone of the machine");
  }
  if (OF_TEXTS.has(C) && args.some((each) => typeof each === "function")) {
    note("native", "the text of a function");
  }
  if (C as unknown === Error || C.prototype instanceof Error) {
    const place = C as unknown === AggregateError ? 1 : 0;
    const text = args[place] === undefined ? undefined : textOf(args[place], at);
    const given = args.map((each, i) =>
      i === place
        ? isTraced(text) ? String(valueOf(text)) : text
        : place === 1 && i === 0
        ? iterable(each, at)
        : used(each, `new ${C.name}`)
    );
    const error = reflectConstruct(C, given, target) as Error;
    errors.add(error);
    if (isTraced(text)) {
      const message = bin("+", "", text, at);
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
  else if (isTrusted(C)) {
    // Of a module that somebody answers for.
  } else if (natives.get(C) === undefined) note("native", `new ${C.name || "a function"}`);
  const plain: unknown[] = [];
  for (let i = 0; i < args.length; i++) {
    const { value, found } = stripped(args[i], `new ${C.name}`);
    if (found) tell(args[i], `new ${C.name}`);
    else if (OF_TEXTS.has(C) && mayCallBack(args[i])) {
      note("native", `new ${C.name} of an object with functions of the program`);
    }
    plain[i] = value;
  }
  return reflectConstruct(C, plain, target);
}

/** Whether a class of a program, or one that it is derived from, has private members. */
const privates = new ObjectMap<boolean>();
const PRIVATE = /(^|[^\w$"'`#])#[\w$]/;

/** Returns true if objects of a class hold what only their class sees: private members, or what is in objects of a native one. */
function holdsHidden(C: unknown): boolean {
  if (typeof C !== "function") return false;
  let is = privates.get(C);
  if (is === undefined) {
    is = isFollowed(C as AnyFunction)
      ? isClass(C as AnyFunction) && PRIVATE.test(functionText(C))
      : language.has(C) && C !== Object && C !== Function.prototype;
    privates.set(C, is);
  }
  return is;
}

/** Returns true if an object would no longer show what it is made of with another prototype. */
export function hidesBehind(object: object, prototype: unknown): boolean {
  for (let of = getPrototypeOf(object); of !== null; of = getPrototypeOf(of)) {
    if (of === Object.prototype || of === Array.prototype && isArray(object)) continue;
    const isSeen = isSameOrOver(of, prototype);
    if (isSeen) continue;
    if (language.has(of)) return true;
    const own = getOwnPropertyDescriptor(of, "constructor");
    if (own !== undefined && holdsHidden(own.value)) return true;
  }
  return false;
}

/** Returns true if an object is another one, or among its prototypes. */
function isSameOrOver(prototype: unknown, object: unknown): boolean {
  for (let of = object; of !== null && of !== undefined; of = getPrototypeOf(of)) {
    if (of === prototype) return true;
  }
  return false;
}

/** Returns an object, and says so where it does not show the class of which it is. */
export function toldOther(object: unknown, C: unknown): unknown {
  for (let of: unknown = C; typeof of === "function"; of = getPrototypeOf(of)) {
    const by = bases.get(of) ?? of;
    if (!holdsHidden(by)) continue;
    if (!isSameOrOver((by as { prototype?: unknown }).prototype, object)) {
      note("native", "an object of a class that does not show it");
    }
  }
  return object;
}

/** Makes an object of a class, as `new` does. */
export function instantiate(C: unknown, args: unknown[], at: string, text = ""): unknown {
  current.run.at = at;
  if (typeof C !== "function") {
    throw new TypeError(`${text || String(plainOf(C))} is not a constructor`);
  }
  const F = C as AnyFunction;
  if (isFollowed(F)) {
    const object = reflectConstruct(F, args);
    toldOther(object, F);
    if (isTraced(object)) note("native", "a constructor that returns a value");
    return born(object);
  }
  const bound = bounds.get(F);
  if (bound !== undefined) return instantiate(bound.f, [...bound.args, ...args], at);
  return born(construct(F, args, at));
}

/** Returns what a class of a program is derived from. */
export function baseOf(C: unknown): unknown {
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
}
