/**
 * A bet against one (ε, δ) in one direction: P(right)(S) ≤ e^ε·P(left)(S) + δ for every set S of outputs.
 *
 * A draw y with label b multiplies the wealth by 1 + 2s(y)(1[b=1] − e^ε·1[b=0]) − s̄δ, where
 * 0 ≤ s(y) ≤ s̄ ≤ 1/(2e^ε+δ) was fixed before the draw. As s/s̄ has values in [0, 1], the expectation of the
 * factor is at most 1 under (ε, δ)-DP; the cap s̄ keeps the wealth positive. At a leaf whose predicted probability of
 * "right" is r, the stake s that grows fastest is (r(1+e^ε) − e^ε)/(2e^ε), cut to [0, s̄].
 */
interface ApproximateBet {
  /** s̄; no bet where it is 0. */
  readonly cap: number;
  /** ε in nats. */
  readonly epsilon: number;
  /** δ. */
  readonly delta: number;
}

/** How many caps are compared, and the ratio of one to the next. */
const CAPS = 7, CAP_RATIO = 0.4;

/** The stake at a leaf with probability `r` of "right", before the cap. */
function stake(r: number, growth: number): number {
  return (r * (1 + growth) - growth) / (2 * growth);
}

/**
 * Chooses the cap for the coming batch from what is predicted of it: the one of a geometric grid that grows fastest, 0 if
 * none grows. It must be called before the batch is drawn, or with predictions made before.
 *
 * @param probability predicted probability of the favoured label at each leaf
 * @param mass predicted share of draws in each leaf
 */
export function chooseCap(
  { epsilon, delta }: { epsilon: number; delta: number },
  { probability, mass }: { probability: Float64Array; mass: Float64Array },
): number {
  const growth = Math.exp(epsilon);
  let best = 0, bestRate = 0;
  let cap = 1 / (2 * growth + delta);
  for (let k = 0; k < CAPS; k++, cap *= CAP_RATIO) {
    let rate = 0, rest = 1;
    for (let i = 0; i < mass.length; i++) {
      const s = Math.min(cap, stake(probability[i]!, growth));
      if (s <= 0) continue;
      const r = probability[i]!;
      rate += mass[i]! *
        (r * Math.log(1 + 2 * s - cap * delta) +
          (1 - r) * Math.log(1 - 2 * s * growth - cap * delta + 1e-300));
      rest -= mass[i]!;
    }
    rate += rest * Math.log1p(-cap * delta);
    if (rate > bestRate) {
      bestRate = rate;
      best = cap;
    }
  }
  // The largest cap allows a wealth of exactly 0 when the other label comes: stay below it.
  return best * (1 - 1e-9);
}

/** Logarithm of what a batch multiplies the wealth by. */
export function betApproximate(
  { epsilon, delta, cap }: ApproximateBet,
  { probability, favoured, other, draws }: {
    probability: Float64Array;
    favoured: Float64Array;
    other: Float64Array;
    draws: number;
  },
): number {
  if (cap === 0) return 0;
  const growth = Math.exp(epsilon);
  let log = 0, rest = draws;
  for (let i = 0; i < probability.length; i++) {
    const s = Math.min(cap, stake(probability[i]!, growth));
    if (s <= 0) continue;
    const a = favoured[i]!, b = other[i]!;
    if (a > 0) log += a * Math.log(1 + 2 * s - cap * delta);
    if (b > 0) log += b * Math.log(1 - 2 * s * growth - cap * delta);
    rest -= a + b;
  }
  return log + rest * Math.log1p(-cap * delta);
}
