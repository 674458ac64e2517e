// Functions of the language that a program may use, by what they do with what they are given.

type Functions = ReadonlySet<unknown>;

/** The methods with these names. */
function methodsOf(of: object, names: string): unknown[] {
  return names.split(" ").map((name) => of[name as keyof object]);
}

const inLists = (names: string): unknown[] => methodsOf(Array.prototype, names);

/** Functions that move values, and compare and compute nothing. */
export const MOVING: Functions = new Set([
  ...inLists("push pop shift unshift slice splice concat fill at reverse flat entries keys values"),
  ...inLists("toReversed with"),
  ...[Array.isArray, Array.of],
  ...methodsOf(Object, "keys values entries fromEntries freeze hasOwn"),
  ...methodsOf(Map.prototype, "keys values entries"),
  ...methodsOf(Set.prototype, "values"),
]);
/** Functions that look up a key of a map or a set. */
export const OF_KEYS: Functions = new Set([
  ...methodsOf(Map.prototype, "get has set delete"),
  ...methodsOf(Set.prototype, "has add delete"),
]);
/** Functions that change the list, the map or the set that they are called on. */
export const CHANGING: Functions = new Set([
  ...inLists("push pop shift unshift splice fill reverse sort"),
  ...methodsOf(Map.prototype, "set delete"),
  ...methodsOf(Set.prototype, "add delete"),
]);
/** Functions that move values, and call back with them; what is returned to them is moved, too. */
export const CALLING: Functions = new Set([
  ...inLists("map forEach reduce reduceRight flatMap"),
  ...[Map.prototype.forEach, Set.prototype.forEach],
  Array.from,
]);
/** Functions that take what is returned to them for true or false. */
export const ASKING: Functions = new Set(
  inLists("filter some every find findIndex findLast findLastIndex"),
);
/** Functions that take the sign of what is returned to them. */
export const SORTING: Functions = new Set(inLists("sort toSorted"));
/** Functions of numbers alone. */
export const OF_NUMBERS: Functions = new Set(
  Object.getOwnPropertyNames(Math).filter((name) => name !== "random")
    .map((name) => Math[name as "abs"]).filter((each) => typeof each === "function"),
);
/** Functions of numbers and texts that are known. */
export const PLAIN: Functions = new Set([
  ...inLists("includes indexOf lastIndexOf join"),
  ...methodsOf(Number, "isFinite isInteger isNaN isSafeInteger parseFloat"),
  ...methodsOf(
    String.prototype,
    "at charAt charCodeAt endsWith includes indexOf padStart repeat replaceAll slice split startsWith toLowerCase toUpperCase trim",
  ),
  ...[Number, String, Boolean, isFinite, isNaN, parseFloat],
  ...OF_NUMBERS,
]);
/** The function that draws, before a run replaces it. */
export const RANDOM: unknown = Math.random;
/** Functions of which members are taken. */
export const NAMESPACES: Functions = new Set([Number, String, Array, Object, Boolean, Map, Set]);
/** Errors that may be made. */
export const ERRORS: Functions = new Set([Error, RangeError, TypeError]);
/** Names that a program need not declare. */
export const GLOBALS: Readonly<Record<string, unknown>> = {
  ...{ Array, Object, Map, Set, Math, Number, String, Boolean, Error, RangeError, TypeError },
  ...{ Infinity, NaN, undefined, isFinite, isNaN, parseFloat },
};
