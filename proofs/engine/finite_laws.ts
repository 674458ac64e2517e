/** The least δ for which no set is more than ratio·q + δ likely under p: Σ (p − ratio·q)⁺. */
export function finiteDelta(p: readonly number[], q: readonly number[], ratio: number): number {
  return p.reduce((sum, value, i) => sum + Math.max(0, value - ratio * q[i]!), 0);
}

/** The law of two independent outputs. */
export function productLaw(p: readonly number[], q: readonly number[]): number[] {
  return p.flatMap((a) => q.map((b) => a * b));
}

/** Randomised response that gives everything away with probability δ: the worst (ε, δ)-DP pair. */
export function worstPair(
  { epsilon, delta }: { readonly epsilon: number; readonly delta: number },
): { p: number[]; q: number[] } {
  const more = (1 - delta) / (1 + Math.exp(-epsilon)), less = (1 - delta) / (1 + Math.exp(epsilon));
  return { p: [delta, more, less, 0], q: [0, less, more, delta] };
}
