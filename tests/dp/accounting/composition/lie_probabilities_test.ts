import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { LONG } from "../../../long.ts";
import {
  errorOfLieProbabilities,
  logLieProbabilities,
} from "../../../../lib/dp/accounting/composition/lie_probabilities.ts";

/** Compensated, largest terms last. */
function sumOf(logs: Float64Array): number {
  let sum = 0, carry = 0;
  for (const term of logs.map((log) => Math.exp(log)).toSorted()) {
    const value = term - carry, next = sum + value;
    carry = (next - sum) - value;
    sum = next;
  }
  return sum;
}

// Mutants: plain sums (2e-8 off at two million answers of ε = 0.7); the error that was stated for ten thousand answers.
Deno.test("logLieProbabilities() sum to 1 within the error that is stated, from one answer to two million", () => {
  let used = 0;
  for (const count of [1, 2, 17, 1000, 20_000, 100_000, 1_999_999]) {
    const some = count < 1e6 || LONG ? [1e-6, 1e-3, 0.1, 0.7, 5] : [1e-6, 0.7];
    for (const epsilon of some) {
      const error = errorOfLieProbabilities({ epsilon, count });
      const off = Math.abs(sumOf(logLieProbabilities({ epsilon, count })) - 1);
      assert(off <= error + 1e-13, `${off} of ${error} for ${count} answers of ε = ${epsilon}`);
      used = Math.max(used, off / (error + 1e-13));
    }
  }
  assert(used > 0.01, `at most ${used} of the error is used`);
});

Deno.test("logLieProbabilities() is the binomial law of the number of lies", () => {
  const epsilon = Math.log(3);
  const probabilities = Array.from(logLieProbabilities({ epsilon, count: 3 }), Math.exp);
  [27, 27, 9, 1].forEach((value, lies) =>
    assertAlmostEquals(probabilities[lies]!, value / 64, 1e-15)
  );
  assertEquals(logLieProbabilities({ epsilon, count: 0 }), Float64Array.of(0));
});

// Mutant: carrying on what −Infinity loses, which is no number.
Deno.test("logLieProbabilities() is −Infinity where a probability is 0", () => {
  assertEquals(
    logLieProbabilities({ epsilon: 1e308, count: 4 }),
    Float64Array.of(
      0,
      -1e308 + Math.log(4),
      -Infinity,
      -Infinity,
      -Infinity,
    ),
  );
});
