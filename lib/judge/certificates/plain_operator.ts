/** Returns the result of an operator on values that stand for nothing; `undefined` for an operator that is not known. */
export function ofPlain(operator: string, one: unknown, other: unknown): unknown {
  // Operators take values of any type, as in the program.
  const left = one as number, right = other as number;
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "**":
      return left ** right;
    case "<":
      return left < right;
    case ">":
      return left > right;
    case "<=":
      return left <= right;
    case ">=":
      return left >= right;
    case "===":
      return left === right;
    case "!==":
      return left !== right;
    case "==":
      // deno-lint-ignore eqeqeq -- as the program has it
      return left == right;
    case "!=":
      // deno-lint-ignore eqeqeq -- as the program has it
      return left != right;
    case "&":
      return left & right;
    case "|":
      return left | right;
    case "^":
      return left ^ right;
    case "<<":
      return left << right;
    case ">>":
      return left >> right;
    case ">>>":
      return left >>> right;
  }
  return undefined;
}
