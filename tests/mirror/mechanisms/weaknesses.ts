/** Where 15% less noise shows to an auditor. */
export interface Weakness {
  /** Of the claim, in nats. */
  readonly epsilon: number;
  /** Neighbours that tell the mutant apart. */
  readonly left: readonly unknown[];
  readonly right: readonly unknown[];
  /** Draws that are enough: 300,000 unless stated. */
  readonly draws?: number;
  /** The only number of the output that is looked at, where the others are the same on both sides. */
  readonly column?: number;
}

const unit = { epsilon: 1, left: [0], right: [1] };
const whole = { epsilon: 1, left: [0], right: [5] };
const letter = { epsilon: 1, left: ["a"], right: ["b"] };
const disc = { epsilon: 1, left: [[1, 0]], right: [[-1, 0]] };
const alone = { epsilon: 2, left: [-2, -5, -5, -4], right: [-1, -4, -6, -5] };
const apart = { epsilon: 2, left: [3, -5, 5, -5], right: [4, -6, 4, -6] };
/** Below, several times, and then above: the transcript that sparse vector loses nearly all of ε on. */
const stream = { epsilon: 4, left: [0, 0, 0, 0, 1], right: [1, 1, 1, 1, 0] };
const half = Array<number>(100).fill(0.5);

/**
 * One for each shipped mechanism but those of {@linkcode STILL_PRIVATE}. What a mutant of ρ-zCDP shows
 * is less than what the claim's (ε, δ) curve leaves over, but where its δ is small: hence more draws.
 */
export const weaknesses: Readonly<Record<string, Weakness>> = {
  "two-coin-survey": { epsilon: 1, left: [true], right: [false] },
  "randomised-response": { epsilon: 1, left: [true, true], right: [true, false] },
  "k-ary-randomised-response": letter,
  "symmetric-unary-encoding": letter,
  "optimised-unary-encoding": letter,
  "rappor": { epsilon: 1, left: [5], right: [1] },
  "keep-or-replace": whole,
  "mixed-noise": { epsilon: 1, left: [0], right: [3] },
  "laplace": unit,
  "vector-laplace": unit,
  "gaussian": { ...unit, epsilon: 0.5 },
  "vector-gaussian": { ...disc, epsilon: 3, column: 0, draws: 20_000_000 },
  "discrete-gaussian": { ...whole, epsilon: 3, draws: 20_000_000 },
  "geometric": whole,
  "truncated-geometric": whole,
  "discrete-laplace": whole,
  "staircase": unit,
  "snapping": unit,
  "exponential": alone,
  "base-2-exponential": alone,
  "noisy-max-gumbel": alone,
  "permute-and-flip": apart,
  "noisy-max-exponential": apart,
  "noisy-max": { epsilon: 2, left: [-5, 5, 5, 5], right: [-5, 6, 6, 4] },
  "sparse-vector": { ...stream, draws: 1_000_000 },
  "numeric-sparse-vector": { ...stream, draws: 1_000_000 },
  "histogram": { epsilon: 1, left: ["c"], right: [] },
  "contingency-table": { epsilon: 1, left: [{ smokes: true, sex: "f" }], right: [] },
  "tree-counts": { epsilon: 1, left: [1], right: [] },
  "count": { epsilon: 1, left: [true], right: [false] },
  "sum": { epsilon: 1, left: [0, 1], right: [1, 1] },
  "mean": { epsilon: 1, left: [0, 1], right: [1, 1] },
  // With many rows no mean reaches the bounds, and which fraction it is tells the sum and the number.
  "mean-of-unknown-size": { epsilon: 1, left: half, right: [...half, 1], draws: 1_000_000 },
  "quantile": { epsilon: 2, left: [1, 0.05], right: [0, 0.05] },
  "float-laplace": unit,
  "float-gaussian": { ...unit, epsilon: 0.5 },
  "float-spherical-laplace": disc,
};

/**
 * Mechanisms whose mutant keeps the claim, so that no audit may refute it: the classical Gaussian
 * theorem asks for more noise than its claim needs.
 */
export const STILL_PRIVATE: readonly string[] = ["classical-gaussian"];
