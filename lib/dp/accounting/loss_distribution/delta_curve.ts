/** Both bounds on δ as functions of ε. */
export interface DeltaCurve {
  /** At most δ(ε). */
  lowerAt(epsilon: number): number;
  /** At least δ(ε). */
  upperAt(epsilon: number): number;
}
