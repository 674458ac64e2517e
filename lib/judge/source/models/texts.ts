/**
 * Functions that make or search texts: of objects, by regular expressions, as JSON.
 *
 * @module
 */
import { apply, applyPlainly, callback, textOf } from "../apply.ts";
import { current, made, note, older, pinned, used } from "../current.ts";
import { bin } from "../evaluate.ts";
import { type AnyFunction, isArray, reflectApply } from "../intrinsics.ts";
import { jsonOf } from "../json_of.ts";
import { model, natives } from "../known_functions.ts";
import { isPrimitive } from "../plain_values.ts";
import { member } from "../read_member.ts";
import { isTraced, makingJson, operationOf, plainOf, type Traced, valueOf } from "../traced.ts";
import { holdsTraced, lifted } from "../typed_arrays.ts";

const { defineProperty } = Object;

{
  const { toString } = Object.prototype;
  model(Object.prototype, "toString", (self, _, at) => {
    const tag = isPrimitive(self)
      ? undefined
      : (self as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
    return isTraced(tag)
      ? bin("+", bin("+", "[object ", tag, at), "]", at)
      : reflectApply(toString, plainOf(self), []);
  });
}
{
  const { test } = RegExp.prototype;
  for (
    const name of [
      "exec",
      "test",
      Symbol.replace,
      Symbol.match,
      Symbol.matchAll,
      Symbol.search,
      Symbol.split,
    ]
  ) {
    const f = (RegExp.prototype as unknown as Record<PropertyKey, AnyFunction>)[name]!;
    const known = natives.get(f);
    natives.set(f, {
      name: known?.name ?? "RegExp",
      kind: "known",
      model: (self, args, at) => {
        const re = self as RegExp;
        const isLong = re.global || re.sticky;
        if (isLong && current.epoch > 0 && older.has(re)) {
          note("state", "the place of a regular expression");
        }
        const [text] = args;
        if (f === test && isTraced(text) && !isLong) {
          return made(
            reflectApply(test, re, [String(valueOf(text))]),
            "RegExp.test",
            [re, text],
            at,
          );
        }
        return applyPlainly(f, self, args, at, known?.name ?? "RegExp");
      },
    });
  }
}
/** The listed properties of an object, its own or not, read when they are asked for. */
function listed(of: object, keys: readonly string[], at: string): object {
  const copy = Object.create(null) as object;
  for (const key of keys) {
    defineProperty(copy, key, { enumerable: true, get: () => member(of, key, at) });
  }
  return copy;
}
/** Returns true for what JSON takes as a name in a list of keys. */
const isNameOfKey = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || value instanceof String ||
  value instanceof Number;
model(JSON, "stringify", (_, [value, by, space], at) => {
  const marks = new Map<string, Traced>();
  const list = isArray(by)
    ? [
      ...new Set(
        Array.from(by as unknown[], (each) => pinned(each, at)).filter(isNameOfKey).map(String),
      ),
    ]
    : undefined;
  // JavaScript has places before other keys, and takes the keys of a list in their order.
  if (list?.some((key) => /^\d/.test(key))) note("native", "JSON.stringify of listed places");
  // Once only: getters and toJSON of the program may do something.
  const template = makingJson(() =>
    JSON.stringify(
      value,
      function (this: unknown, key: string, each: unknown): unknown {
        let is = typeof by === "function" ? apply(by, this, [key, each], at) : each;
        if (holdsTraced(is)) is = { ...lifted(is) };
        if (!isTraced(is)) {
          return list === undefined || typeof is !== "object" || is === null || isArray(is) ||
              is instanceof Number || is instanceof String || is instanceof Boolean
            ? is
            : listed(is, list, at);
        }
        const mark = `\u0001${marks.size}`;
        marks.set(mark, is);
        return mark;
      },
      pinned(space, at) as string,
    )
  );
  if (marks.size === 0 || template === undefined) return template;
  const plain = jsonOf(template, (mark) => plainOf(marks.get(mark)));
  return made(plain, "JSON", [...new Set(marks.values()), template, marks], at);
});
/** What comes of a value by way of JSON: of −0 it is 0, and of what is no finite number null. */
function parsed(value: Traced, at: string): unknown {
  const plain = valueOf(value);
  if (typeof plain !== "number") return value;
  if (!Number.isFinite(plain)) {
    used(value, "a number in JSON that is not finite");
    return null;
  }
  return Object.is(plain, -0) ? bin("+", value, 0, at) : value;
}
model(JSON, "parse", (_, [text, by], at) => {
  const reviver = callback(by, at) as AnyFunction | undefined;
  if (!isTraced(text)) return JSON.parse(textOf(text, at) as string, reviver);
  const { op, operands } = operationOf(text);
  if (op !== "JSON" || reviver) return JSON.parse(used(text, "JSON.parse") as string, reviver);
  const [template, marks] = operands.slice(-2) as [string, Map<string, Traced>];
  return JSON.parse(
    template,
    (_, each) => typeof each === "string" && marks.has(each) ? parsed(marks.get(each)!, at) : each,
  );
});
