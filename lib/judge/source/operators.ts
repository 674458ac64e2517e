/** Operators of two values. Their places are part of the names of operations in rewritten code. */
export const OPERATORS: readonly string[] = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "**",
  "<",
  ">",
  "<=",
  ">=",
  "===",
  "!==",
  "==",
  "!=",
  "&",
  "|",
  "^",
  "<<",
  ">>",
  ">>>",
];

/** A function of values as JavaScript has them. */
// deno-lint-ignore no-explicit-any -- operators take values of every type, and say so when they run.
type Operation = (...values: any[]) => unknown;

/** What each operator does. */
export const BINARY: Readonly<Record<string, Operation>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "**": (a, b) => a ** b,
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
  "===": (a, b) => a === b,
  "!==": (a, b) => a !== b,
  // deno-lint-ignore eqeqeq -- the program's own operator.
  "==": (a, b) => a == b,
  // deno-lint-ignore eqeqeq -- the program's own operator.
  "!=": (a, b) => a != b,
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "<<": (a, b) => a << b,
  ">>": (a, b) => a >> b,
  ">>>": (a, b) => a >>> b,
};

/** What operators of one value do. */
export const UNARY: Readonly<Record<string, Operation>> = {
  "-": (a) => -a,
  "+": (a) => +a,
  "~": (a) => ~a,
  "!": (a) => !a,
};
