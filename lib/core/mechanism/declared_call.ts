import type { ProgramSource } from "./continuous_draws.ts";
import {
  CLOSING,
  hasDefault,
  KEYWORD,
  NAME,
  OPENING,
  parametersOf,
  tokens,
  withoutComments,
} from "../text/function_text.ts";

/** A function of a dataset, and of a source where it declares one. */
export type RandomisedCall = (data: unknown, source: ProgramSource) => unknown;

/** How a function is called: with the dataset alone, or with a source as its second argument. */
export type CalledWith = "data" | "data and source";

/** A function as it is called. */
export interface DeclaredCall {
  /** Calls the function with what it declares. */
  readonly run: RandomisedCall;
  /** The arguments. */
  readonly calledWith: CalledWith;
}

/** A program computes with its source as if it were a number or a text. */
export class UsedAsValue extends TypeError {
  /** The name of this class. */
  override readonly name = "UsedAsValue";
  /** Its message says what to do. */
  constructor() {
    super(
      "the second argument is a source of randomness, and the function computes with it as with a number or a text: " +
        "wrap the function, as in (data) => f(data, threshold)",
    );
  }
}

/** The methods that a source has for programs. */
const METHODS: Readonly<Record<keyof ProgramSource, true>> = {
  kind: true,
  uint32: true,
  uniform: true,
  fillUint32: true,
  split: true,
  branch: true,
  fillNoise: true,
  merge: true,
  bernoulli: true,
  integer: true,
  choice: true,
  geometric: true,
  discreteLaplace: true,
  discreteGaussian: true,
  laplace: true,
  exponential: true,
  gumbel: true,
  gaussian: true,
  sum: true,
  difference: true,
  multiple: true,
  less: true,
  indexOfLargest: true,
};

/** Names of a parameter that say what a source is. */
const SOURCE_NAME = /source|^src$|^_|rng|rand|generator|^gen$|entropy/i;
/** The most characters of a name that tells nothing, as a minifier gives. */
const SHORT = 2;

/** The declarations of functions that were made by {@linkcode declaredCall}: they are called as they are. */
const MADE = new WeakMap<object, CalledWith>();

/**
 * How a function is called, by what it declares. It is handed a source if its second parameter has no default: a source in the place of
 * a threshold or an ε that has a default would change what the program does, and its noise could be gone.
 *
 * @throws {TypeError} where that is not clear: parameters that are not named, `arguments`, a function without a text, or a second
 * parameter that is not used as a source. The message says how to wrap the function.
 */
export function declaredCall(run: (...given: never[]) => unknown): DeclaredCall {
  const given = run as RandomisedCall, made = MADE.get(run);
  if (made !== undefined) return { run: given, calledWith: made };
  const calledWith = calledWithOf(run);
  const called: RandomisedCall = calledWith === "data"
    ? (data) => (given as (data: unknown) => unknown)(data)
    : (data, source) => given(data, source);
  MADE.set(called, calledWith);
  return { run: called, calledWith };
}

/**
 * Checks that the method of a mechanism, which is always handed a source, has no default in its place.
 *
 * @throws {TypeError} where it has one.
 */
export function requireNoDefault(sample: (...given: never[]) => unknown, name: string): void {
  const declared = parametersOf(withoutComments(Function.prototype.toString.call(sample)));
  const second = declared?.parameters[1];
  if (second === undefined || !hasDefault(second)) return;
  throw new TypeError(
    `Cannot audit ${name}: the second parameter of sample must have no default: it is handed a source: current value is ${second}`,
  );
}

/** What a function is called with. @throws {TypeError} where that is not clear. */
function calledWithOf(run: (...given: never[]) => unknown): CalledWith {
  const name = run.name || "the function";
  const refuse = (reason: string): never => {
    throw new TypeError(
      `Cannot call ${name}: whether it takes a source must be clear: ${reason}; wrap it, as in ` +
        `(data, source) => ${shownName(run)}(data, source) or (data) => ${shownName(run)}(data)`,
    );
  };
  const text = Function.prototype.toString.call(run);
  if (/^class\b/.test(text)) return refuse("it is a class");
  // Of a bound function, a proxy or a native one nothing but the number of parameters is known.
  if (/\{\s*\[native code\]\s*\}\s*$/.test(text)) {
    return refuse("it is bound, wrapped or native, and its parameters cannot be seen");
  }
  const code = withoutComments(text), declared = parametersOf(code);
  if (declared === undefined) return refuse("its parameters cannot be read");
  const { parameters, body } = declared;
  const plain = parameters.findIndex((each) => each.startsWith("...") || hasDefault(each));
  if ((plain < 0 ? parameters.length : plain) !== run.length) {
    return refuse("its parameters cannot be read");
  }
  const [first, second] = parameters;
  if (first?.startsWith("...")) return refuse("its first parameter stands for all that follow");
  if (second === undefined) {
    return usesArguments(code, body) ? refuse("it reads `arguments`") : "data";
  }
  if (second.startsWith("...")) return refuse("its second parameter stands for all that follow");
  if (hasDefault(second)) return "data";
  if (/^[{[]/.test(second)) {
    return areMethods(second)
      ? "data and source"
      : refuse("its second parameter is taken apart, as options are");
  }
  if (SOURCE_NAME.test(second) || isUsedAsSource(second, body)) return "data and source";
  if (!isNamed(second, body)) return "data and source";
  if (second.length <= SHORT && isPassedOn(second, body)) return "data and source";
  return refuse(
    `its second parameter is named ${second}, has no default, and is not used as a source`,
  );
}

function shownName({ name }: { readonly name: string }): string {
  return NAME.test(name) && name !== "default" ? name : "f";
}

/** Returns true if every part that a pattern takes out is a method of a source, without a default. */
function areMethods(pattern: string): boolean {
  if (!pattern.startsWith("{")) return false;
  const keys = pattern.slice(1, -1).split(",").map((part) => part.trim()).filter((part) => part);
  return keys.length > 0 && keys.every((part) => {
    const key = /^([\w$]+)(\s*:\s*[\w$]+)?$/.exec(part)?.[1];
    return key !== undefined && Object.hasOwn(METHODS, key);
  });
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}

/** Returns true if the name of a parameter is anywhere in a body. */
function isNamed(name: string, body: string): boolean {
  return new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)${escaped(name)}(?![\\w$])`, "u").test(body);
}

/** Returns true if a method of a source is called on a parameter. */
function isUsedAsSource(name: string, body: string): boolean {
  const methods = Object.keys(METHODS).filter((method) => method !== "kind").join("|");
  const text = `(?<![\\w$])(?<!(?<!\\.\\.)\\.)${
    escaped(name)
  }\\s*(?:\\?\\.|\\.)\\s*(?:${methods})\\s*(?:\\?\\.)?\\(`;
  return new RegExp(text, "u").test(body);
}

/** Returns true if a parameter is only handed on, to functions of the program. */
function isPassedOn(name: string, body: string): boolean {
  const all = [...tokens(body)].map(([token]) => token);
  /** For each bracket that is open: whether it holds what a function of the program is called with. */
  const calls: boolean[] = [];
  return all.every((token, at) => {
    if (OPENING.includes(token)) calls.push(token === "(" && isOwnCall(all, at - 1));
    else if (CLOSING.includes(token)) calls.pop();
    if (token.startsWith("`") && isNamed(name, token)) return false;
    if (token !== name || all[at - 1] === ".") return true;
    const isArgument = ["(", ","].includes(all[at - 1]!) && [")", ","].includes(all[at + 1]!);
    return isArgument && calls.at(-1) === true;
  });
}

/** Returns true if the name that ends at a place, with what it is a part of, is none of JavaScript's own. */
function isOwnCall(all: readonly string[], end: number): boolean {
  let at = end;
  while (all[at - 1] === "." || all[at - 1] === "?.") at -= 2;
  const root = all[at] ?? "";
  return NAME.test(root) && !KEYWORD.test(root) && !(root in globalThis);
}

function usesArguments(code: string, body: string): boolean {
  const isArrow = /^(async\b)?\s*(\(|[\p{ID_Start}$_][\p{ID_Continue}$]*\s*=>)/u.test(code) &&
    /^\s*=>/.test(body);
  return !isArrow && isNamed("arguments", code);
}
