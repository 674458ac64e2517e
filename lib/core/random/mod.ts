/**
 * Sources of randomness, exact integer samplers and fast ones in floating point.
 *
 * @module
 */

// Sources of randomness, and what is drawn from them.
export { SecureSource } from "./secure_source.ts";
export { SeededSource } from "./seeded_source.ts";
export { discreteSource } from "./discrete_source.ts";
export { programSource } from "./program_source.ts";
export type {
  ContinuousDraws,
  NoiseWidth,
  ProgramSource,
  Real,
  TracedReal,
} from "../mechanism/continuous_draws.ts";
export type { DiscreteSource, ExactNumber } from "../mechanism/discrete_source.ts";
export { discreteGaussian } from "./discrete_gaussian.ts";
export { discreteLaplace } from "./discrete_laplace.ts";
export type { IntegerNoise } from "./integer_noise.ts";
export { bernoulli } from "./bernoulli.ts";
export { floatExponential } from "./float_exponential.ts";
export { floatGamma } from "./float_gamma.ts";
export { floatLaplace } from "./float_laplace.ts";
export { floatNormal } from "./float_normal.ts";
export { floatUniform } from "./float_uniform.ts";
export { randomInteger } from "./random_integer.ts";
export { shuffle, type Shuffleable } from "./shuffle.ts";
export { type Rational, rational } from "../numeric/rational.ts";
