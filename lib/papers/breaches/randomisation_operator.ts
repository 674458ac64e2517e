import {
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../core/numeric/require.ts";

/**
 * A randomisation operator on finitely many values: each entry of a database is replaced, on its own,
 * by a random one (input perturbation). Inputs and outputs are numbered from 0; the operator is public.
 */
export interface RandomisationOperator {
  /** Number of input values. */
  readonly inputs: number;
  /** Number of output values. */
  readonly outputs: number;
  /** P(R(input) = output), each row summing to 1. */
  probability(input: number, output: number): number;
}

/**
 * Keeps the value with probability `keep`, else puts another value in its place, each as likely as the
 * next: R1 of Evfimievski, Gehrke, Srikant 2003 with size 1001 and keep 0.2.
 *
 * The slides' wording, "x with 20%, uniform with 80%", lets the uniform value be x itself; that operator
 * is {@linkcode mixWithUniform} of the identity, and its figures differ in the third digit.
 *
 * @throws {RangeError} unless size is at least 2 and keep in (0, 1].
 */
export function replaceByAnother(
  options: { size: number; keep: number },
): RandomisationOperator {
  const { size, keep } = requireFields("replaceByAnother", options, {});
  requireInteger("make a randomisation operator", "size", size, { min: 2 });
  requireProbability("keep", keep);
  const other = (1 - keep) / (size - 1);
  return {
    inputs: size,
    outputs: size,
    probability: (input, output) => input === output ? keep : other,
  };
}

/**
 * Adds whole noise, uniform on [−reach, reach], modulo size: R2 with size 1001 and reach 100.
 *
 * @throws {RangeError} unless size is a positive integer and 2·reach + 1 ≤ size.
 */
export function addUniformModulo(
  options: { size: number; reach: number },
): RandomisationOperator {
  const { size, reach } = requireFields("addUniformModulo", options, {});
  requireInteger("make a randomisation operator", "size", size, { min: 1 });
  requireInteger("make a randomisation operator", "reach", reach, {
    min: 0,
    max: Math.floor((size - 1) / 2),
  });
  return {
    inputs: size,
    outputs: size,
    probability(input, output): number {
      const apart = Math.abs(input - output);
      return Math.min(apart, size - apart) <= reach ? 1 / (2 * reach + 1) : 0;
    },
  };
}

/**
 * Adds whole noise, uniform on [−reach, reach], without wrapping round: output j stands for the value
 * j − reach. The ages example of the slides has 91 values and reach 20.
 *
 * @throws {RangeError} unless size is a positive integer and reach a whole number.
 */
export function addUniform(
  options: { size: number; reach: number },
): RandomisationOperator {
  const { size, reach } = requireFields("addUniform", options, {});
  requireInteger("make a randomisation operator", "size", size, { min: 1 });
  requireInteger("make a randomisation operator", "reach", reach, { min: 0 });
  return {
    inputs: size,
    outputs: size + 2 * reach,
    probability: (input, output) =>
      Math.abs(output - reach - input) <= reach ? 1 / (2 * reach + 1) : 0,
  };
}

/**
 * Uses `operator` with probability `keep`, else gives any output, each as likely: R3 is R2 with keep 0.5.
 *
 * @throws {RangeError} unless keep is in (0, 1].
 */
export function mixWithUniform(
  operator: RandomisationOperator,
  options: { keep: number },
): RandomisationOperator {
  requireKind("mixWithUniform", "operator", operator, "record");
  const { keep } = requireFields("mixWithUniform", options, {});
  requireProbability("keep", keep);
  const { inputs, outputs } = operator;
  return {
    inputs,
    outputs,
    probability: (input, output) =>
      keep * operator.probability(input, output) + (1 - keep) / outputs,
  };
}

/** Returns the operator that gives every value back: the start of R1 as the slides word it. */
export function identityOperator(options: { size: number }): RandomisationOperator {
  const { size } = requireFields("identityOperator", options, {});
  requireInteger("make a randomisation operator", "size", size, { min: 1 });
  return {
    inputs: size,
    outputs: size,
    probability: (input, output) => input === output ? 1 : 0,
  };
}

function requireProbability(name: string, value: number): void {
  requirePositive("make a randomisation operator", name, value);
  if (value > 1) {
    throw new RangeError(
      `Cannot make a randomisation operator: ${name} must be at most 1: current value is ${value}`,
    );
  }
}
