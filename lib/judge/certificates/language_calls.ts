import type { Arithmetic } from "./checked_program.ts";
import {
  ASKING,
  CALLING,
  CHANGING,
  MOVING,
  NAMESPACES,
  OF_KEYS,
  OF_NUMBERS,
  PLAIN,
  RANDOM,
  SORTING,
} from "./known_functions.ts";

/** A function, as it is called. */
export type Callable = (this: unknown, ...given: unknown[]) => unknown;

/** The program that calls. */
interface Caller {
  /** What is computed with in the run that is under way. */
  readonly run: Arithmetic | undefined;
  /** Returns true for a function of the program. */
  isOwn(called: object): boolean;
  /** Returns whether a condition holds. */
  isTrue(value: unknown): boolean;
  /** Refuses to change what is not the run's own. */
  requirePlace(value: unknown): void;
  /** Ends the run. */
  refuse(what: string): never;
}

/** Calls functions of the language, which see plain values alone where they look at them. */
export class LanguageCalls {
  readonly #program: Caller;

  /** Calls for a program. */
  constructor(program: Caller) {
    this.#program = program;
  }

  /** Calls a function of the language with what it is given. */
  call(called: Callable, self: unknown, given: readonly unknown[]): unknown {
    const { run } = this.#program;
    if ((called === RANDOM || called === Math.random) && run !== undefined) return run.uniform();
    if (MOVING.has(called)) {
      if (CHANGING.has(called)) this.#program.requirePlace(self);
      return called.apply(self, given as []);
    }
    if (OF_KEYS.has(called)) {
      if (CHANGING.has(called)) this.#program.requirePlace(self);
      this.plain(given.slice(0, 1), "a map or a set");
      return called.apply(self, given as []);
    }
    if (CALLING.has(called) || ASKING.has(called) || SORTING.has(called)) {
      if (CHANGING.has(called)) this.#program.requirePlace(self);
      if (SORTING.has(called) && given.length === 0) this.plain([self], "sort()");
      return called.apply(self, given.map((each) => this.#callback(each, called)) as []);
    }
    if (run !== undefined && given.some((each) => this.#isValue(each))) {
      switch (called as unknown) {
        case Number:
        case parseFloat:
        case Number.parseFloat:
          return run.apply("unary +", [given[0]]);
        case Number.isFinite:
        case isFinite:
          // What is a form is finite.
          return !run.isAbove(given[0], given[0]);
        case Number.isNaN:
        case isNaN:
          return run.isAbove(given[0], given[0]);
      }
      if (OF_NUMBERS.has(called)) {
        const isLong = ([Math.max, Math.min, Math.hypot] as unknown[]).includes(called);
        return run.apply(`Math.${called.name}`, isLong ? given : given.slice(0, called.length));
      }
    }
    if (called === Number.prototype.toFixed && this.#isValue(self)) {
      this.plain(given, "toFixed()");
      return run!.apply("toFixed", [self, ...given]);
    }
    if (!PLAIN.has(called)) {
      return this.#program.refuse(`it calls ${called.name || "a function"} of the language`);
    }
    this.plain([self, ...given], `${called.name}()`);
    return called.apply(self, given as []);
  }

  /** Returns what a function of the language is given to call back, with plain answers where it looks at them. */
  #callback(given: unknown, of: Callable): unknown {
    if (typeof given !== "function") return given;
    const call = this.#program.isOwn(given)
      ? given as Callable
      : (...values: unknown[]) => this.call(given as Callable, undefined, values);
    if (ASKING.has(of)) return (...values: unknown[]) => this.#program.isTrue(call(...values));
    if (!SORTING.has(of)) return call;
    return (...values: unknown[]) => {
      const order = call(...values);
      if (!this.#isValue(order)) return order;
      return this.#program.run!.isAbove(order, 0)
        ? 1
        : this.#program.run!.isAbove(0, order)
        ? -1
        : 0;
    };
  }

  /** Returns values of which no part stands for data or noise. */
  plain(given: readonly unknown[], of: string): readonly unknown[] {
    const isPlain = (value: unknown, depth: number): boolean => {
      if (typeof value === "function") return NAMESPACES.has(value) || this.#program.isOwn(value);
      if (typeof value !== "object" || value === null || value === Math) return true;
      if (this.#isValue(value) || depth === 0) return false;
      if (value instanceof Map || value instanceof Set) {
        return [...value].every((each) => isPlain(each, depth - 1));
      }
      return Object.values(value).every((each) => isPlain(each, depth - 1));
    };
    return given.every((each) => isPlain(each, 8))
      ? given
      : this.#program.refuse(`it gives noise or data to ${of}`);
  }

  #isValue(value: unknown): boolean {
    return this.#program.run?.isValue(value) ?? false;
  }
}
