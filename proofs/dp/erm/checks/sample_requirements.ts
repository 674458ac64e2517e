/** What a requirement depends on: dimension, ‖f₀‖ = 1/margin, error, privacy, curvature bound. */
export interface Requirement {
  readonly d: number;
  readonly norm: number;
  readonly error: number;
  readonly epsilon: number;
  readonly c: number;
  readonly delta: number;
}

/** Rows without privacy: ‖f₀‖²ln(1/δ)/ε_g² (Shalev-Shwartz, Srebro 2008; JMLR 2011, equation 8). */
export function nonPrivate({ norm, error, delta }: Requirement): number {
  return norm ** 2 * Math.log(1 / delta) / error ** 2;
}

/** Theorem 15: output perturbation. */
export function outputRequirement(of: Requirement): number {
  const { d, norm, error, epsilon, c, delta } = of;
  const noise = d * Math.log(d / delta) / epsilon;
  return Math.max(
    nonPrivate(of),
    noise * norm / error,
    noise * Math.sqrt(c) * norm ** 2 / error ** 1.5,
  );
}

/** Theorem 18: objective perturbation. */
export function objectiveRequirement(of: Requirement): number {
  const { d, norm, error, epsilon, c, delta } = of;
  return Math.max(
    nonPrivate(of),
    c * norm ** 2 / (error * epsilon),
    d * Math.log(d / delta) * norm / (error * epsilon),
  );
}

/** What a requirement for kernels depends on: the bound C on coefficients in place of d and ‖f₀‖. */
export type KernelRequirement = Omit<Requirement, "d" | "norm"> & {
  /** C, with f₀(x) = E a(θ)φ(x; θ) and |a| ≤ C. */
  readonly coefficients: number;
};

/** D = C²ln(1/δ)/ε_g², the features of Lemma 23. */
export function kernelFeatures({ coefficients, error, delta }: KernelRequirement): number {
  return coefficients ** 2 * Math.log(1 / delta) / error ** 2;
}

/**
 * Lemma 23 for features √(1/D)·φ, on which ‖f_p‖ ≤ C: Theorem 18 with D features,
 * max{…, C³ln(1/δ)ln(D/δ)/(ε_g³ε)}. Printed is C²√ln(1/δ)/(ε ε_g²)·ln(…), which takes ‖f_p‖² for C²/D.
 */
export function kernelRequirement(of: KernelRequirement): number {
  return objectiveRequirement({ ...of, d: kernelFeatures(of), norm: of.coefficients });
}
