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

/** Operators of two values as functions. */
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

/** Operators of one value as functions. */
export const UNARY: Readonly<Record<string, Operation>> = {
  "-": (a) => -a,
  "+": (a) => +a,
  "~": (a) => ~a,
  "!": (a) => !a,
};

/** Keys that are told where a member is read: stacks, bytes, flags and what the class of regular expressions keeps. */
export const TOLD_KEYS = /^(stack|buffer|flags|\$.|last(Match|Paren)|(left|right)Context)$/;
