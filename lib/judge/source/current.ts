import { type AnyFunction, getOwnPropertyDescriptor, ObjectMap, ObjectSet } from "./intrinsics.ts";
import { type NoteKind, noteText, placeOf, Run } from "./run.ts";
import { isTraced, onNativeReads, Traced, valueOf } from "./traced.ts";

/** The run that goes on, and how many there were. Run 0 is the loading of modules. */
export const current: {
  run: Run;
  epoch: number;
  /** Whether the code that runs is our own, or native code that is trusted: it may ask what a source is. */
  trusts: boolean;
} = { run: new Run(), epoch: 0, trusts: false };

/** Objects that were there before any run: what changes them keeps state. */
export const older = new ObjectSet();

/** Objects and functions of the language, which all programs share. */
export const language = new ObjectSet();

/** Thrown in a run that keeps the language as it is, in place of a change of it. */
export class ChangesLanguage extends TypeError {}

/** Functions of ours, which are handed followed values as they are. */
export const own = new ObjectMap<AnyFunction>();

/** Says that something is not followed. */
export function note(kind: NoteKind, what: string): void {
  current.run.note(kind, what);
}

/** Returns the result of an operation. */
export function made(value: unknown, op: string, operands: readonly unknown[], at: string): Traced {
  const { run } = current;
  if (++run.made > MADE_FOR_EACH_STEP * run.maxSteps) {
    run.end(`${run.made - 1} operations on what is followed`, at);
  }
  return new Traced({ value, op, operands, at, run });
}

const MADE_FOR_EACH_STEP = 0.3;

/** Returns the way that a condition goes, and keeps it where nothing else decides. */
export function branch(condition: Traced, at: string): boolean {
  const { run } = current;
  if (run.follower.decide !== undefined) return run.follower.decide(condition, at);
  const taken = !!valueOf(condition);
  run.conditions[run.conditions.length] = { condition, at, taken };
  return taken;
}

/** Returns a plain value for native code, and says that it got one. */
export function used(value: unknown, what: string, kind: NoteKind = "native"): unknown {
  if (!isTraced(value)) return value;
  const { run } = current, at = placeOf(value, run);
  if (run.follower.plain !== undefined) return run.follower.plain(value, what, at);
  run.note(kind, what, at);
  return valueOf(value);
}

onNativeReads({ plain: (value, what) => used(value, what) });

/** Returns an index, a key or a length as it is: a value that is followed decides as a condition does. */
export function pinned(value: unknown, at: string): unknown {
  if (!isTraced(value)) return value;
  const { run } = current;
  if (run.follower.pin !== undefined) return run.follower.pin(value, at);
  const is = valueOf(value);
  const condition = made(true, "===", [value, is], at);
  run.conditions[run.conditions.length] = { condition, at, taken: true };
  return is;
}

/** Classes, and functions that are assigned to, by the run that made them. */
const functions = new ObjectMap<number>();

/** Keeps in mind that the run that goes on, or the loading of modules, made a function. */
export function newborn(f: unknown): void {
  if (typeof f !== "function") return;
  if (current.epoch > 0) functions.set(f, current.epoch);
  else if (typeof f.prototype === "object" && f.prototype !== null) older.add(f.prototype);
}

/** Returns true during a run for what was there before it. */
export function isOlder(object: unknown): boolean {
  if (current.epoch === 0) return false;
  if (typeof object === "function") return functions.get(object) !== current.epoch;
  if (typeof object !== "object" || object === null) return false;
  if (older.has(object)) return true;
  // JavaScript makes a prototype with each function.
  const of = getOwnPropertyDescriptor(object, "constructor")?.value as unknown;
  return typeof of === "function" && functions.get(of) !== current.epoch &&
    getOwnPropertyDescriptor(of, "prototype")?.value === object;
}

/**
 * Says where something older than the run is changed.
 *
 * @throws {ChangesLanguage} for what all programs share, in a run that keeps that.
 */
export function changed(object: unknown, what: string): void {
  if (language.has(object)) changedForAll(`${what} of what all programs share`);
  else if (isOlder(object)) note("state", `${what} of what is older than it`);
}

/** Says that what all programs share is changed. @throws {ChangesLanguage} in a run that keeps it. */
export function changedForAll(what: string): void {
  const { run } = current;
  run.note("state", what);
  if (run.keepsLanguage) throw new ChangesLanguage(noteText({ kind: "state", what, at: run.at }));
}

/** Keeps in mind what is made while modules load. */
export function born<Value>(value: Value): Value {
  if (current.epoch === 0 && typeof value === "object" && value !== null) older.add(value);
  return value;
}

/** Keeps in mind what native code makes while modules load, and what is inside of it. */
export function bornWithin<Value>(value: Value): Value {
  if (current.epoch > 0) return value;
  const parts: unknown[] = [value];
  for (let i = 0; i < parts.length; i++) {
    const each = parts[i];
    if (typeof each !== "object" || each === null || older.has(each) || isTraced(each)) continue;
    older.add(each);
    const keys = Reflect.ownKeys(each);
    for (let k = 0; k < keys.length; k++) {
      parts[parts.length] = getOwnPropertyDescriptor(each, keys[k]!)?.value;
    }
    if (!(each instanceof Map || each instanceof Set)) continue;
    const inside = [...each];
    for (let k = 0; k < inside.length; k++) parts[parts.length] = inside[k];
  }
  return value;
}
