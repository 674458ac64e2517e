import { assert, assertAlmostEquals } from "@std/assert";
import { logIncompleteBeta } from "../../../lib/core/numeric/incomplete_beta.ts";
import golden from "../../../fixtures/core/golden/numeric.json" with { type: "json" };

Deno.test("logIncompleteBeta() has ten digits in both tails when shapes are below and above one", () => {
  assert(golden.logIncompleteBeta.length > 100);
  for (const row of golden.logIncompleteBeta as [number, number, number, string, string][]) {
    const [a, b, x] = row;
    const { lower, upper } = logIncompleteBeta(x, { a, b });
    for (const [value, text] of [[lower, row[3]], [upper, row[4]]] as [number, string][]) {
      const tolerance = Math.max(1e-10, 1e-13 * Math.abs(Number(text)));
      assert(Math.abs(value - Number(text)) <= tolerance, `${a} ${b} ${x}: ${value}, ${text}`);
    }
  }
});

Deno.test("logIncompleteBeta() keeps the upper tail when x is within rounding of one", () => {
  // P(Beta(2, 3) ≥ 1 − y) = 4y³ − 3y⁴.
  const { upper } = logIncompleteBeta(1, { a: 2, b: 3, y: 1e-30 });
  assertAlmostEquals(upper, Math.log(4) + 3 * Math.log(1e-30), 1e-11);
});

Deno.test("logIncompleteBeta() has closed forms when a shape is one", () => {
  for (const b of [0.3, 1, 7, 1e6]) {
    for (const x of [1e-9, 0.1, 0.9]) {
      const exact = b * Math.log1p(-x);
      const { upper } = logIncompleteBeta(x, { a: 1, b });
      assert(Math.abs(upper - exact) <= 1e-11 * Math.max(1e-3, Math.abs(exact)), `${b} ${x}`);
    }
  }
});
