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
