import { assertAlmostEquals, assertEquals } from "@std/assert";
import {
  addUniform,
  addUniformModulo,
  identityOperator,
  mixWithUniform,
  type RandomisationOperator,
  replaceByAnother,
} from "../../../lib/papers/breaches/randomisation_operator.ts";

const operators: [string, RandomisationOperator][] = [
  ["replaceByAnother", replaceByAnother({ size: 11, keep: 0.2 })],
  ["addUniformModulo", addUniformModulo({ size: 11, reach: 5 })],
  ["addUniformModulo", addUniformModulo({ size: 12, reach: 2 })],
  ["addUniform", addUniform({ size: 11, reach: 3 })],
  ["mixWithUniform", mixWithUniform(addUniform({ size: 11, reach: 3 }), { keep: 0.5 })],
  ["identityOperator", identityOperator({ size: 11 })],
];

// Mutants: (1 − keep)/size for the others; a reach counted once at the wrap; outputs not shifted.
for (const [name, operator] of operators) {
  Deno.test(`${name}() has rows that sum to 1 when ${operator.inputs} values become ${operator.outputs}`, () => {
    for (let input = 0; input < operator.inputs; input++) {
      let sum = 0;
      for (let output = 0; output < operator.outputs; output++) {
        sum += operator.probability(input, output);
      }
      assertAlmostEquals(sum, 1, 1e-14);
    }
  });
}

Deno.test("addUniformModulo() wraps round when noise passes the end", () => {
  const operator = addUniformModulo({ size: 1001, reach: 100 });
  assertEquals([901, 902, 100, 101].map((input) => operator.probability(input, 0) > 0), [
    true,
    true,
    true,
    false,
  ]);
  assertEquals(operator.probability(900, 0), 0);
});
