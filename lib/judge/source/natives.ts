import type { AnyFunction } from "./intrinsics.ts";

/** A method of an object, by name: absent ones are left out. */
function methodsOf(object: object, names: readonly string[]): AnyFunction[] {
  return names.map((name) => (object as Record<string, unknown>)[name])
    .filter((f): f is AnyFunction => typeof f === "function");
}

const A: object = Array.prototype;
const G = globalThis as unknown as Record<string, unknown>;
/** Objects made by generators, and their prototypes. */
const GENERATORS: readonly object[] = (() => {
  const made: object[] = [
    (function* (): Generator<never> {})(),
    (async function* (): AsyncGenerator<never> {})(),
  ];
  return made.map((each) => Object.getPrototypeOf(Object.getPrototypeOf(each)));
})();
const FUNCTION_CLASSES: readonly unknown[] = (() => {
  const made: object[] = [
    function* (): Generator<never> {},
    async function (): Promise<void> {},
    async function* (): AsyncGenerator<never> {},
  ];
  return made.map(({ constructor }) => constructor);
})();
/** The prototype of iterators' helpers, where there is one. */
export const IteratorPrototype: object = Object.getPrototypeOf(
  Object.getPrototypeOf([][Symbol.iterator]()),
);

/** Functions of plain values alone, by the names that their results are followed under. */
export const PURE: ReadonlyMap<AnyFunction, string> = new Map<AnyFunction, string>([
  ...Object.getOwnPropertyNames(Math)
    .filter((name) => name !== "random")
    .flatMap((name) => methodsOf(Math, [name]).map((f) => [f, `Math.${name}`] as const)),
  ...["isFinite", "isNaN", "isInteger", "isSafeInteger", "parseFloat", "parseInt"]
    .map((name) =>
      [(Number as unknown as Record<string, AnyFunction>)[name]!, `Number.${name}`] as const
    ),
  ...[isNaN, isFinite, String, Number, Boolean, BigInt, encodeURIComponent, decodeURIComponent]
    .map((f) => [f as AnyFunction, f.name] as const),
  [Object.is, "Object.is"],
  [String.fromCharCode, "String.fromCharCode"],
  [String.fromCodePoint, "String.fromCodePoint"],
]);

/** Methods of texts and numbers whose results depend on nothing but their object and arguments. */
export const PRIMITIVE_METHODS: ReadonlySet<AnyFunction> = new Set([
  Number.prototype,
  String.prototype,
  Boolean.prototype,
  BigInt.prototype,
].flatMap((prototype) =>
  Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== "constructor" && !/[Ll]ocale/.test(name))
    .map((name) => (prototype as unknown as Record<string, unknown>)[name])
    .filter((f): f is AnyFunction => typeof f === "function")
));

/** Functions that move values and look at none. */
export const MOVING: ReadonlySet<AnyFunction> = new Set([
  ...methodsOf(A, [
    "push",
    "unshift",
    "pop",
    "shift",
    "reverse",
    "toReversed",
    "map",
    "forEach",
    "reduce",
    "reduceRight",
    "flat",
    "flatMap",
    "entries",
    "keys",
    "values",
    "concat",
  ]),
  ...methodsOf(Array, ["of", "isArray"]),
  ...methodsOf(Object, [
    "values",
    "entries",
    "keys",
    "assign",
    "freeze",
    "isFrozen",
    "seal",
    "isSealed",
    "preventExtensions",
    "isExtensible",
    "getPrototypeOf",
    "setPrototypeOf",
    "getOwnPropertyNames",
    "getOwnPropertySymbols",
    "getOwnPropertyDescriptor",
    "getOwnPropertyDescriptors",
  ]),
  ...methodsOf(globalThis, ["queueMicrotask"]),
  ...methodsOf(Promise, ["resolve", "reject"]),
  ...methodsOf(Promise.prototype, ["then", "catch", "finally"]),
  ...methodsOf(Map.prototype, ["forEach", "values", "keys", "entries", "clear"]),
  ...methodsOf(Set.prototype, ["forEach", "values", "keys", "entries", "clear"]),
  ...methodsOf(Object.prototype, ["isPrototypeOf"]),
  ...methodsOf(IteratorPrototype, ["map", "forEach", "reduce", "toArray", "flatMap"]),
  ...GENERATORS.flatMap((prototype) => methodsOf(prototype, ["next", "return", "throw"])),
  ...[[], new Map(), new Set()].flatMap((each) =>
    methodsOf(Object.getPrototypeOf(each[Symbol.iterator]()), ["next"])
  ),
  ...methodsOf(Object.getPrototypeOf(""[Symbol.iterator]()), ["next"]),
]);

/** Functions that ask whether what a callback returns is true. */
export const PREDICATES: ReadonlySet<AnyFunction> = new Set([
  ...methodsOf(A, ["filter", "some", "every", "find", "findIndex", "findLast", "findLastIndex"]),
  ...methodsOf(IteratorPrototype, ["filter", "some", "every", "find"]),
]);

/** Functions that go through an iterable. */
export const ITERATING: ReadonlySet<AnyFunction> = new Set([
  ...methodsOf(Promise, ["all", "race", "allSettled", "any"]),
  ...methodsOf(Object, ["fromEntries"]),
]);

/** Methods that change their object. */
export const CHANGING: ReadonlySet<AnyFunction> = new Set([
  ...methodsOf(A, [
    "push",
    "unshift",
    "pop",
    "shift",
    "splice",
    "sort",
    "reverse",
    "fill",
    "copyWithin",
  ]),
  ...methodsOf(Map.prototype, ["set", "delete", "clear", "getOrInsert", "getOrInsertComputed"]),
  ...methodsOf(Set.prototype, ["add", "delete", "clear"]),
  ...methodsOf(WeakMap.prototype, ["set", "delete", "getOrInsert", "getOrInsertComputed"]),
  ...methodsOf(WeakSet.prototype, ["add", "delete"]),
  ...Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith("set"))
    .flatMap((name) => methodsOf(Date.prototype, [name])),
  ...Object.getOwnPropertyNames(DataView.prototype).filter((name) => name.startsWith("set"))
    .flatMap((name) => methodsOf(DataView.prototype, [name])),
  ...methodsOf(Object.getPrototypeOf(Float64Array.prototype), [
    "set",
    "fill",
    "sort",
    "reverse",
    "copyWithin",
  ]),
  ...methodsOf(ArrayBuffer.prototype, ["resize", "transfer", "transferToFixedLength"]),
  ...methodsOf(IteratorPrototype, [
    "map",
    "filter",
    "take",
    "drop",
    "toArray",
    "forEach",
    "reduce",
  ]),
  ...[
    ...GENERATORS,
    ...[[], new Map(), new Set()].map((each) => Object.getPrototypeOf(each[Symbol.iterator]())),
    Object.getPrototypeOf(""[Symbol.iterator]()),
  ].flatMap((prototype) => methodsOf(prototype, ["next", "return", "throw"])),
  ...methodsOf(RegExp.prototype, ["compile"]),
]);

/** Functions that change their first argument. */
export const CHANGING_FIRST: ReadonlySet<AnyFunction> = new Set([
  ...methodsOf(Object, [
    "assign",
    "defineProperty",
    "defineProperties",
    "setPrototypeOf",
    "freeze",
    "seal",
    "preventExtensions",
  ]),
  ...methodsOf(Reflect, [
    "set",
    "defineProperty",
    "deleteProperty",
    "setPrototypeOf",
    "preventExtensions",
  ]),
]);

/** Functions that make code of a text. */
export const CODE: ReadonlySet<unknown> = new Set<unknown>([
  Function,
  eval,
  ...FUNCTION_CLASSES,
]);

/** Names of globals that are the same in every run. */
export const GLOBALS: ReadonlySet<string> = new Set([
  "Object",
  "Function",
  "Array",
  "Number",
  "Boolean",
  "String",
  "Symbol",
  "BigInt",
  "Math",
  "JSON",
  "Map",
  "Set",
  "WeakMap",
  "WeakSet",
  "Promise",
  "Proxy",
  "Reflect",
  "RegExp",
  "Date",
  "Error",
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
  "AggregateError",
  "DOMException",
  "Iterator",
  "ArrayBuffer",
  "DataView",
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "BigInt64Array",
  "BigUint64Array",
  "Float16Array",
  "Float32Array",
  "Float64Array",
  "NaN",
  "Infinity",
  "undefined",
  "isNaN",
  "isFinite",
  "parseInt",
  "parseFloat",
  "encodeURI",
  "encodeURIComponent",
  "decodeURI",
  "decodeURIComponent",
  "escape",
  "unescape",
  "structuredClone",
  "queueMicrotask",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
  "console",
  "crypto",
  "eval",
  "arguments",
  "TextEncoder",
  "TextDecoder",
  "atob",
  "btoa",
]);

/** Objects and functions of the language that {@linkcode KNOWN} went through. */
const seen = new Set<unknown>();

/** All functions of the language whose results depend on nothing outside of the run, with their names. */
export const KNOWN: ReadonlyMap<AnyFunction, string> = (() => {
  const known = new Map<AnyFunction, string>();
  const visit = (value: unknown, name: string, depth: number): void => {
    if (value === null || typeof value !== "object" && typeof value !== "function") return;
    if (seen.has(value)) return;
    seen.add(value);
    if (typeof value === "function") {
      known.set(value as AnyFunction, name.replace(".prototype", ""));
    }
    if (depth === 0) return;
    for (const key of Reflect.ownKeys(value)) {
      const own = String(key);
      if (/[Ll]ocale|^random|^now$|^stack|captureStackTrace/.test(own)) continue;
      const { value: inner, get, set } = Object.getOwnPropertyDescriptor(value, key)!;
      for (const each of [inner, get, set]) visit(each, `${name}.${own}`, depth - 1);
    }
    visit(Object.getPrototypeOf(value), name, depth - 1);
  };
  const apart = ["console", "crypto", "eval", "Function", "arguments"];
  for (const name of GLOBALS) {
    if (!apart.includes(name) && !/^(set|clear)[TI]/.test(name)) visit(G[name], name, 3);
  }
  const iterators = [
    ...GENERATORS,
    ...[[], new Map(), new Set()].map((each) => each[Symbol.iterator]()),
    ""[Symbol.iterator](),
    "".matchAll(/(?:)/g),
  ];
  for (const each of iterators) visit(each, "Iterator", 3);
  const { Iterator: helped } = G as { Iterator?: { from(of: object): object } };
  const mapped = (IteratorPrototype as { map?: (of: () => void) => object }).map?.call(
    [].values(),
    () => {},
  );
  // Node 20 has neither.
  const helpers = [mapped, helped?.from({ next: () => ({ done: true }) })].filter((each) =>
    each !== undefined
  );
  // Nothing leads to these by name. What an iterator itself holds is nothing of the language.
  for (const each of [...iterators, ...helpers]) {
    seen.delete(each);
    visit(Object.getPrototypeOf(each), "Iterator", 3);
  }
  for (const { prototype } of FUNCTION_CLASSES as { prototype: object }[]) seen.add(prototype);
  for (const code of CODE) known.delete(code as AnyFunction);
  return known;
})();

/** All objects and functions of the language, those included that no name leads to: what changes one keeps state. */
export const LANGUAGE: readonly object[] = [globalThis, ...seen as Set<object>];

/** Objects of the language by name, with their prototypes. */
export const INTRINSICS: readonly object[] = (() => {
  const all = new Set<object>([globalThis]);
  for (const name of GLOBALS) {
    const value = G[name];
    if (typeof value !== "function" && (typeof value !== "object" || value === null)) continue;
    all.add(value);
    const { prototype } = value as { prototype?: object };
    if (typeof prototype === "object" && prototype !== null) all.add(prototype);
  }
  all.add(Object.getPrototypeOf(Float64Array)).add(Object.getPrototypeOf(Float64Array.prototype));
  all.add(IteratorPrototype);
  return [...all];
})();

/** Methods of dates that ask for the time zone or the locale of the machine. */
export const LOCAL_TIME: ReadonlySet<AnyFunction> = new Set(
  Object.getOwnPropertyNames(Date.prototype)
    .filter((name) =>
      /^(get|set)(?!UTC|Time$)|toString|toDateString|toTimeString|[Ll]ocale/.test(name)
    )
    .flatMap((name) => methodsOf(Date.prototype, [name])),
);

/** Functions of the language that ask for the locale of the machine. */
export const OF_LOCALE: ReadonlySet<AnyFunction> = new Set(
  [Array, Number, String, BigInt, Date, Object].flatMap(({ prototype }) =>
    methodsOf(
      prototype,
      Object.getOwnPropertyNames(prototype).filter((name) => /[Ll]ocale/.test(name)),
    )
  ),
);
