/** How far an audit has come. */
export interface Progress {
  /** Outputs drawn so far, both sides together. */
  readonly draws: number;
  /** Since the audit began. */
  readonly seconds: number;
  /** The budget of draws, or Infinity. */
  readonly maxDraws: number;
  /** The budget of seconds, or Infinity. */
  readonly maxSeconds: number;
  /** Lower bound so far on ε, or on ρ or μ where the claim is made of these. */
  readonly epsilonLowerBound: number;
  /** The e-value against the claim so far. */
  readonly eValue: number;
  /** The purpose of the draws: to find a pair, to bet on it, or to make it small. */
  readonly phase: "search" | "confirm" | "shrink";
}
