/**
 * Functions that call others: their calls are operations, too.
 *
 * @module
 */
import { apply, trusting } from "../apply.ts";
import { construct, ERROR_CLASSES, instantiate, toldOther, toldThenable } from "../construct.ts";
import { current, note } from "../current.ts";
import { type AnyFunction, reflectApply, reflectConstruct } from "../intrinsics.ts";
import { bounds, isFollowed, model, natives, proxies } from "../known_functions.ts";
import { isPrimitive } from "../plain_values.ts";
import { listLike } from "../read_member.ts";

model(Function.prototype, "call", (f, [self, ...args], at) => apply(f, self, args, at));
model(
  Function.prototype,
  "apply",
  (f, [self, args], at) =>
    apply(
      f,
      self,
      args === undefined || args === null ? [] : listOf(args, at),
      at,
    ),
);
function listOf(args: unknown, at: string): unknown[] {
  if (isPrimitive(args)) throw new TypeError("CreateListFromArrayLike called on non-object");
  return Array.from(listLike(args, at));
}
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

for (const C of ERROR_CLASSES) {
  natives.set(C as AnyFunction, {
    name: C.name,
    kind: "known",
    model: (_, args, at) => instantiate(C, args, at),
  });
}
model(Reflect, "apply", (_, [f, self, args], at) => apply(f, self, listOf(args, at), at));
model(
  Reflect,
  "construct",
  (_, [C, args, target], at) =>
    target === undefined || target === C ? instantiate(C, listOf(args, at), at) : toldOther(
      isFollowed(C as AnyFunction) || isFollowed(target as AnyFunction) && proxies.has(C)
        ? reflectConstruct(C as AnyFunction, listOf(args, at), target as AnyFunction)
        : construct(C as AnyFunction, listOf(args, at), at, target as AnyFunction),
      C,
    ),
);
