import { assert } from "@std/assert";
import { integerSquareRoot } from "../../../lib/core/numeric/integer_square_root.ts";

Deno.test("integerSquareRoot() is the largest integer whose square is at most the value", () => {
  const values = Array.from({ length: 1000 }, (_, i) => BigInt(i));
  for (const root of [2n ** 20n, 2n ** 53n + 1n, 10n ** 40n + 7n]) {
    values.push(root * root - 1n, root * root, root * root + 1n, root * root + 2n * root);
  }
  for (const value of values) {
    const root = integerSquareRoot(value);
    assert(root * root <= value && value < (root + 1n) * (root + 1n), `${value}`);
  }
});
