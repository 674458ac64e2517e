import type { AnyFunction } from "./intrinsics.ts";
import { note, own } from "./current.ts";
import type { NoteKind } from "./run.ts";

const { defineProperty } = Object;

/** What takes the place of what a program finds outside of itself. */
export interface Seal {
  /** A number in [0, 1), as `random` of `Math` gives. */
  readonly random: () => unknown;
  /** Fills an array of whole numbers, as `crypto.getRandomValues` does. */
  readonly fill: (array: ArrayBufferView) => unknown;
}

/**
 * Replaces `random` of `Math`, the random bytes and identifiers of `crypto`, `Date.now` and `performance.now` of this thread, for rewritten programs
 * and for those that run as written: call it before a program is loaded, for a program may keep what it finds. Clocks stand still at 0; each use
 * of what is not followed is a note of the run. `new Date()`, the environment, files and the network stay: operations of rewritten programs note them.
 *
 * @returns what undoes it.
 */
export function seal({ random, fill }: Seal): () => void {
  const undo: (() => void)[] = [];
  const put = (object: object, name: string, value: unknown): void => {
    const before = Object.getOwnPropertyDescriptor(object, name);
    try {
      defineProperty(object, name, {
        value,
        configurable: true,
        writable: true,
        enumerable: before?.enumerable ?? false,
      });
    } catch {
      // What cannot be replaced is told by the operations where it is used.
      return;
    }
    undo.unshift(() => {
      if (before === undefined) delete (object as Record<string, unknown>)[name];
      else defineProperty(object, name, before);
    });
    if (typeof value === "function") own.set(value, value as AnyFunction);
  };
  const told = (kind: NoteKind, what: string, answer: AnyFunction): AnyFunction =>
    function (this: unknown, ...args: unknown[]): unknown {
      note(kind, what);
      return answer(...args);
    };
  put(Math, "random", random);
  put(globalThis.crypto, "getRandomValues", (array: ArrayBufferView) => {
    fill(array);
    return array;
  });
  put(
    globalThis.crypto,
    "randomUUID",
    told("randomness", "crypto.randomUUID", () => "00000000-0000-4000-8000-000000000000"),
  );
  put(Date, "now", told("clock", "Date.now", () => 0));
  put(globalThis.performance, "now", told("clock", "performance.now", () => 0));
  return () => undo.forEach((each) => each());
}
