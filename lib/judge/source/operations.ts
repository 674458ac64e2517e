/**
 * What rewritten programs call: an operation for each operator, condition, member, call and so on.
 *
 * @module
 */
import { apply, flag, isTrue, iterable, propertyKey, textOf } from "./apply.ts";
import { baseOf, instantiate, isOfEngine } from "./construct.ts";
import { born, branch, changed, changedForAll, current, newborn, note, used } from "./current.ts";
import { bin, byOperator, isEqual, numberOf, step, un } from "./evaluate.ts";
import type { AnyFunction } from "./intrinsics.ts";
import { OPERATORS, TOLD_KEYS } from "./operators.ts";
import { asked, callMethod, isAsked, member } from "./read_member.ts";
import { isTraced, plainOf, valueOf } from "./traced.ts";
import { holdsTraced, lifted } from "./typed_arrays.ts";
import { putMember, updateMember } from "./write_member.ts";
import "./models/lists.ts";
import "./models/keys.ts";
import "./models/functions.ts";
import "./models/texts.ts";
import "./models/outside.ts";
import "./models/typed_array_methods.ts";

const { defineProperty } = Object;

const chained: [unknown, unknown][] = [];

/** The operations, by the names that rewritten code calls them. */
export const operations = {
  /** The last operand of a logical operator or an optional link. */
  last: undefined as unknown,
  /** What loads a module that is imported while the program runs. */
  loader: (where: unknown, _from: string): Promise<unknown> => import(String(where)),
  /** What is called when the files of an import were read, and before any of them runs. */
  read: [] as (() => void)[],

  /** The number of the run. */
  epoch: (): number => current.epoch,
  born,
  newborn,
  flag,
  key: propertyKey,

  bin,
  un,
  numeric: numberOf,
  step,
  update: updateMember,
  instance(value: unknown, C: unknown, at: string): unknown {
    const f = (C as { [Symbol.hasInstance]?: unknown } | null | undefined)?.[Symbol.hasInstance];
    return typeof f === "function" && f !== Function.prototype[Symbol.hasInstance]
      ? isTrue(apply(f, C, [value], at), at)
      : (value as object) instanceof (C as AnyFunction);
  },
  test(value: unknown, at: string): unknown {
    const { run } = current;
    if (++run.steps > run.maxSteps) run.end(`${run.maxSteps} conditions`, at);
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
    return propertyKey(key, at) in (plainOf(o) as object);
  },
  get: member,
  set: putMember,
  kept(value: unknown, name: string, at: string, epoch: number): unknown {
    if (epoch !== current.epoch) {
      current.run.at = at;
      if (epoch === -1) changedForAll(`the global ${name}`);
      else note("state", `the variable ${name}`);
    }
    return value;
  },
  touched(o: unknown, at: string): unknown {
    current.run.at = at;
    changed(o, "a member");
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
      text = bin(
        "+",
        bin("+", text, textOf(values[i], at), at),
        quasis[i + 1],
        at,
      );
    }
    return text;
  },
  iter: iterable,
  keys: (value: unknown, at: string): unknown => {
    current.run.at = at;
    return used(value, "for … in");
  },
  base: baseOf,
  /** The texts of a template, as its tag gets them. */
  strings: (texts: unknown): unknown => texts,
  /** A member that a pattern assigns to. */
  slot(o: unknown, k: unknown, at: string): { value: unknown } {
    return {
      get value(): unknown {
        return member(o, k, at);
      },
      set value(value: unknown) {
        putMember(o, k, born(value), at);
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
    return propertyKey(key, at);
  },
  /** A key of a pattern, which reads natively: a typed array, or what is told where a member is read. */
  place(key: unknown, at: string): unknown {
    current.run.at = at;
    const own = propertyKey(key, at);
    if (current.run.storesFollowed) note("bytes", "a pattern that may read a typed array");
    if (TOLD_KEYS.test(String(own))) note("native", `${String(own)} in a pattern`);
    return own;
  },
  /** Says that a program may lose what was thrown. */
  left(at: string): void {
    current.run.at = at;
    note("native", "a block finally that is left");
  },
  /** Says that a program catches an error that is not its own. */
  caught(error: unknown, at: string): void {
    current.run.at = at;
    if (isOfEngine(error)) note("native", "an error of JavaScript that it catches");
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
  method: callMethod,
  someMethod(o: unknown, k: unknown, at: string): boolean {
    const f = member(o, k, at);
    if (f === null || f === undefined) return false;
    chained[chained.length] = [f, o];
    return true;
  },
  callLast(args: unknown[], at: string): unknown {
    const [f, o] = chained[chained.length - 1]!;
    chained.length--;
    return apply(f, o, args, at);
  },
  make: instantiate,
  load: (where: unknown, from: string): Promise<unknown> => {
    if (current.epoch > 0) note("later", "import()");
    return operations.loader(used(where, "import()"), from);
  },
};
OPERATORS.forEach((_, i) => {
  (operations as unknown as Record<string, unknown>)[`b${i}`] = byOperator[i];
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
