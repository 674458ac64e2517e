/**
 * What is known of native functions: what calling one does, changes and says, and what is done in its place.
 *
 * @module
 */
import { language, older } from "./current.ts";
import {
  type AnyFunction,
  functionText,
  includesText,
  ObjectMap,
  ObjectSet,
} from "./intrinsics.ts";
import {
  CHANGING,
  CHANGING_FIRST,
  INTRINSICS,
  ITERATING,
  KNOWN,
  LANGUAGE,
  LOCAL_TIME,
  MOVING,
  OF_LOCALE,
  PREDICATES,
  PURE,
} from "./natives.ts";
import type { NoteKind } from "./run.ts";
import type { TypedArray } from "./typed_arrays.ts";

/** Model that runs in place of a native function. */
export type Model = (self: unknown, args: unknown[], at: string) => unknown;

/** Knowledge of a native function. */
export interface Native {
  readonly name: string;
  readonly kind: "moving" | "pure" | "predicate" | "iterating" | "known";
  readonly changes?: "self" | "first";
  /** Note that a call leaves. */
  readonly says?: NoteKind;
  model?: Model;
  /** What is done where its object is a typed array; `undefined` where that is nothing else. */
  ofView?: (
    self: TypedArray,
    args: unknown[],
    at: string,
  ) => { readonly value: unknown } | undefined;
}

/** Functions of which it depends on their arguments whether they throw, or return nothing; and those of which it depends on their object, too. */
export const THROWING = new ObjectSet(), CODED = new ObjectSet();
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
  ...["all", "race", "allSettled", "any", "try"].map((name) =>
    (Promise as unknown as Record<string, unknown>)[name]
  ),
  (Array as { fromAsync?: unknown }).fromAsync,
  queueMicrotask,
]);

/** Functions that read properties of their arguments. */
export const OF_OBJECTS = /^(Object|Reflect)\./,
  READING = /^(Object\.|Reflect\.(getOwn|ownKeys|defineProperty|deleteProperty))/;

/** Knowledge of each native function. */
export const natives = new ObjectMap<Native>();
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

/** Objects of the language by name. */
export const intrinsics = new ObjectSet();
for (const each of INTRINSICS) intrinsics.add(each);
for (const each of [...INTRINSICS, ...LANGUAGE]) {
  older.add(each);
  language.add(each);
}

/** Functions that JavaScript made of others, by what they call. */
export const bounds = new ObjectMap<{ f: unknown; self: unknown; args: unknown[] }>();

/** Native classes, by what classes of programs are derived from in their place; and the other way round. */
export const bases = new ObjectMap<unknown>(), based = new ObjectMap<unknown>();

/** Callable proxies of functions that are followed. */
export const proxies = new ObjectSet();

const known = new ObjectMap<boolean>();

/** Returns true for a function of a rewritten program. */
export function isFollowed(f: AnyFunction): boolean {
  let yes = known.get(f);
  if (yes === undefined) {
    yes = includesText(functionText(f), '"$followed"');
    known.set(f, yes);
  }
  return yes;
}

/** Returns true for a class. */
export const isClass = (f: AnyFunction): boolean => /^class\b/.test(functionText(f));

/** Gives a native function what is done in its place. */
export function model(object: object, name: string, by: Model, says?: NoteKind): void {
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
