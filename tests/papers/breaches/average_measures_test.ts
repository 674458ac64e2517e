import { assertAlmostEquals } from "@std/assert";
import { leakage } from "../../../lib/papers/breaches/average_measures.ts";
import { identityOperator } from "../../../lib/papers/breaches/randomisation_operator.ts";

Deno.test("leakage() is the whole entropy when values are given away", () => {
  const { mutualInformation } = leakage(identityOperator({ size: 4 }), [0.4, 0.3, 0.2, 0.1]);
  assertAlmostEquals(mutualInformation, 1.2798542258336674, 1e-12);
});
