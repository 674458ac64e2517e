import type { RandomisationOperator } from "../../../lib/papers/breaches/randomisation_operator.ts";

/** Three values, of which only the first two outputs can be seen. */
export const half: RandomisationOperator = {
  inputs: 3,
  outputs: 3,
  probability: (input, output) => output === 2 ? 0 : input === output ? 0.75 : 0.25,
};
