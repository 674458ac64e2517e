/**
 * A bet against one (ε, δ), in one direction or in both: P(right)(S) ≤ e^ε·P(left)(S) + δ for every set S of outputs, and the same with
 * the datasets exchanged.
 *
 * A draw y with label b multiplies the wealth by 1 + 2s(y)(1[b=1] − e^ε·1[b=0]) − s̄δ + 2s′(y)(1[b=0] − e^ε·1[b=1]) − s̄′δ, where
 * 0 ≤ s(y) ≤ s̄ and 0 ≤ s′(y) ≤ s̄′ were fixed before the draw. As s/s̄ and s′/s̄′ have values in [0, 1], the expectation of the
 * factor is at most 1 under (ε, δ)-DP. No output has both stakes, so caps of at most 1/(2e^ε+2δ) keep the wealth positive. At a leaf whose
 * predicted probability of the favoured label is r, the stake s that grows fastest is (r(1+e^ε) − e^ε)/(2e^ε), cut to [0, s̄]: above
 * ε = 709, where e^ε has no double, none is made.
 */
interface ApproximateBet {
  /** ε in nats. */
  readonly epsilon: number;
  /** δ. */
  readonly delta: number;
}

/** The leaves that are bet on in one direction, with the draws of a batch in them. */
export interface ApproximateSide {
  /** s̄; no bet where it is 0. */
  readonly cap: number;
  /** Predicted probability of the favoured label at each leaf. */
  readonly probability: Float64Array;
  /** Draws of the favoured label. */
  readonly favoured: Float64Array;
  /** Draws of the other label. */
  readonly other: Float64Array;
}

/** How many caps are compared, and the ratio of one to the next. */
const CAPS = 7, CAP_RATIO = 0.4;

/** Returns the stake at a leaf with probability `r` of "right", before the cap. */
function stake(r: number, growth: number): number {
  return growth === Infinity ? 0 : (r * (1 + growth) - growth) / (2 * growth);
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
  // Most leaves carry no stake: they are left out once.
  const stakes: number[] = [], odds: number[] = [], shares: number[] = [];
  let rest = 1;
  for (let i = 0; i < mass.length; i++) {
    const r = probability[i]!, s = stake(r, growth);
    if (s <= 0) continue;
    stakes.push(s);
    odds.push(r);
    shares.push(mass[i]!);
    rest -= mass[i]!;
  }
  if (stakes.length === 0) return 0;
  let best = 0, bestRate = 0;
  let cap = 1 / (2 * growth + 2 * delta);
  for (let k = 0; k < CAPS; k++, cap *= CAP_RATIO) {
    // The same at all leaves whose stake is cut.
    const won = Math.log(1 + 2 * cap - cap * delta);
    const lost = Math.log(1 - 2 * cap * growth - cap * delta + 1e-300);
    let rate = 0;
    for (let i = 0; i < stakes.length; i++) {
      const s = stakes[i]!, r = odds[i]!;
      rate += shares[i]! * (s < cap
        ? r * Math.log(1 + 2 * s - cap * delta) +
          (1 - r) * Math.log(1 - 2 * s * growth - cap * delta + 1e-300)
        : r * won + (1 - r) * lost);
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

/** Returns the logarithm of what a batch of `draws` multiplies the wealth by; the sides have no leaf in common. */
export function betApproximate(
  { epsilon, delta }: ApproximateBet,
  { sides, draws }: { readonly sides: readonly ApproximateSide[]; readonly draws: number },
): number {
  const growth = Math.exp(epsilon);
  const price = delta * sides.reduce((sum, { cap }) => sum + cap, 0);
  let log = 0, rest = draws;
  for (const { cap, probability, favoured, other } of sides) {
    if (cap === 0) continue;
    for (let i = 0; i < probability.length; i++) {
      const s = Math.min(cap, stake(probability[i]!, growth));
      if (s <= 0) continue;
      const a = favoured[i]!, b = other[i]!;
      if (a > 0) log += a * Math.log(1 + 2 * s - price);
      if (b > 0) log += b * Math.log(1 - 2 * s * growth - price);
      rest -= a + b;
    }
  }
  return price === 0 ? log : log + rest * Math.log1p(-price);
}
