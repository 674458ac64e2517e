/**
 * Functions that call others: their calls are operations, too.
 *
 * @module
 */
import { apply, iterable, trusting } from "../apply.ts";
import { construct, instantiate, toldOther, toldThenable } from "../construct.ts";
import { current, note } from "../current.ts";
import {
  type AnyFunction,
  isArray,
  isView,
  reflectApply,
  reflectConstruct,
} from "../intrinsics.ts";
import { bounds, isFollowed, model, proxies } from "../known_functions.ts";

model(Function.prototype, "call", (f, [self, ...args], at) => apply(f, self, args, at));
model(
  Function.prototype,
  "apply",
  (f, [self, args], at) =>
    apply(
      f,
      self,
      args === undefined || args === null ? [] : [...iterable(listOf(args), at) as unknown[]],
      at,
    ),
);
const listOf = (args: unknown): unknown =>
  isArray(args) || isView(args) ? args : Array.from(args as ArrayLike<unknown>);
{
  const { bind } = Function.prototype;
  model(Function.prototype, "bind", (f, [self, ...args]) => {
    // It reads the name of the function and what else it is.
    const native = trusting(
      true,
      () => reflectApply(bind as AnyFunction, f, [self, ...args]) as AnyFunction,
    );
    // Native code that calls it calls what is done in place of the function.
    const bound = new Proxy(native, {
      apply: (_, __, more) => apply(f, self, [...args, ...more], current.run.at),
    });
    bounds.set(bound, { f, self, args });
    return bound;
  });
  const { toString } = Function.prototype;
  model(Function.prototype, "toString", (f) => {
    note("native", "the text of a function");
    return reflectApply(toString, f, []);
  });
}

{
  const { resolve } = Promise;
  model(Promise, "resolve", (C, [value]) => {
    toldThenable(value);
    return reflectApply(resolve as AnyFunction, C, [value]);
  });
}

model(Reflect, "apply", (_, [f, self, args], at) => apply(f, self, [...args as unknown[]], at));
model(
  Reflect,
  "construct",
  (_, [C, args, target], at) =>
    target === undefined || target === C ? instantiate(C, [...args as unknown[]], at) : toldOther(
      isFollowed(C as AnyFunction) || isFollowed(target as AnyFunction) && proxies.has(C)
        ? reflectConstruct(C as AnyFunction, args as unknown[], target as AnyFunction)
        : construct(C as AnyFunction, [...args as unknown[]], at, target as AnyFunction),
      C,
    ),
);
