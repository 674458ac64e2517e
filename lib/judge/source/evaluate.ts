/**
 * Operators on followed and plain values.
 *
 * @module
 */
import { flag, isTrue, toPrimitive } from "./apply.ts";
import { current, made } from "./current.ts";
import { BINARY, UNARY } from "./operators.ts";
import { isPrimitive } from "./plain_values.ts";
import { isTraced, plainOf, valueOf } from "./traced.ts";

/** Returns what a binary operator makes of two values. */
export function bin(o: string, a: unknown, b: unknown, at: string): unknown {
  current.run.at = at;
  const isStrict = o === "===" || o === "!==";
  if (!isTraced(a) && !isTraced(b)) {
    const isObject = (v: unknown): boolean =>
      typeof v === "object" && v !== null || typeof v === "function";
    if (isStrict || !isObject(a) && !isObject(b)) return BINARY[o]!(a, b);
    const isLoose = o === "==" || o === "!=";
    if (
      isLoose &&
      (isObject(a) === isObject(b) || a === null || b === null || a === undefined ||
        b === undefined)
    ) {
      return BINARY[o]!(a, b);
    }
    const hint = o === "+" || isLoose ? "default" : "number";
    const p = isObject(a) ? toPrimitive(a as object, hint, at) : a;
    const q = isObject(b) ? toPrimitive(b as object, hint, at) : b;
    return isTraced(p) || isTraced(q) ? bin(o, p, q, at) : BINARY[o]!(p, q);
  }
  if (!isPrimitive(a) || !isPrimitive(b)) {
    if (isStrict) return o === "!==";
    const hint = o === "+" || o === "==" || o === "!=" ? "default" : "number";
    return bin(
      o,
      isPrimitive(a) ? a : toPrimitive(a as object, hint, at),
      isPrimitive(b) ? b : toPrimitive(b as object, hint, at),
      at,
    );
  }
  return made(BINARY[o]!(plainOf(a), plainOf(b)), o, [a, b], at);
}

/** Returns what a unary operator makes of a value. */
export function un(o: string, a: unknown, at: string): unknown {
  if (isTraced(a)) return made(UNARY[o]!(valueOf(a)), `unary ${o}`, [a], at);
  if (o !== "!" && !isPrimitive(a)) {
    return un(o, toPrimitive(a as object, "number", at), at);
  }
  return UNARY[o]!(a);
}

/** Returns the operand of ++ and --, as a number. */
export function numberOf(a: unknown, at: string): unknown {
  if (typeof a === "number" || typeof a === "bigint") return a;
  if (isTraced(a)) return typeof valueOf(a) === "string" ? un("+", a, at) : a;
  return un("+", a, at);
}

/** Returns a number one step up or down. */
export function step(a: unknown, by: number, at: string): unknown {
  if (typeof a === "number") return a + by;
  const number = numberOf(a, at);
  if (typeof number === "bigint") return number + BigInt(by);
  return typeof number === "number" ? number + by : bin("+", number, by, at);
}

/** Returns true if two values are strictly equal: values that are followed decide as a condition does. */
export const isEqual = (a: unknown, b: unknown, at: string): boolean =>
  isTraced(a) || isTraced(b) ? flag(bin("===", a, b, at), at) as boolean : a === b;

/** Returns true for a value that is no number (NaN). */
export const isNone = (value: unknown, at: string): boolean =>
  isTraced(value)
    ? typeof valueOf(value) === "number" &&
      isTrue(made(Number.isNaN(valueOf(value)), "Number.isNaN", [value], at), at)
    : value !== value;

/** A function for each operator: numbers are by far the most frequent. */
export const byOperator: readonly ((a: unknown, b: unknown, at: string) => unknown)[] = (() => {
  return [
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a + b : bin("+", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a - b : bin("-", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a * b : bin("*", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a / b : bin("/", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a % b : bin("%", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a ** b : bin("**", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a < b : bin("<", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a > b : bin(">", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a <= b : bin("<=", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a >= b : bin(">=", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a === b : bin("===", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a !== b : bin("!==", a, b, at),
    // deno-lint-ignore eqeqeq -- the program's own operator.
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a == b : bin("==", a, b, at),
    // deno-lint-ignore eqeqeq -- the program's own operator.
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a != b : bin("!=", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a & b : bin("&", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a | b : bin("|", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a ^ b : bin("^", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a << b : bin("<<", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a >> b : bin(">>", a, b, at),
    (a, b, at) => typeof a === "number" && typeof b === "number" ? a >>> b : bin(">>>", a, b, at),
  ];
})();
