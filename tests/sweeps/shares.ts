import type { Claim } from "../../lib/core/claim.ts";
import type { Dataset } from "../../lib/core/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import type { Sides } from "../../lib/exact/density_ratio.ts";

/** ε of a pure claim. @throws when the claim is of another kind. */
export function epsilonOf(claim: Claim): number {
  if (claim.kind !== "pure") throw new Error(`The claim should be pure, not ${claim.kind}`);
  return claim.epsilon;
}

/** ρ of a zero-concentrated claim. @throws when the claim is of another kind. */
export function rhoOf(claim: Claim): number {
  if (claim.kind !== "zcdp") throw new Error(`The claim should be zCDP, not ${claim.kind}`);
  return claim.rho;
}

/** What sums of doubles of this size may be wrong by: a density of 200 numbers has 200 terms. */
const ROUNDING = 64 * Number.EPSILON;

/** The largest loss of a pure claim at the outputs given, by the exact density, as a share of ε. */
export function densityShare<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  { left, right }: Sides<Dataset<Row>>,
  outputs: Iterable<Output>,
): number {
  let most = 0;
  for (const output of outputs) {
    const p = mechanism.logDensity!(output, left), q = mechanism.logDensity!(output, right);
    const rounding = ROUNDING * Math.min(Math.abs(p), Math.abs(q));
    if (p !== q) most = Math.max(most, Math.abs(p - q) - rounding);
  }
  return most / epsilonOf(mechanism.claim);
}

/** Probabilities below this are rounded: what they tell apart is rarer than any claim cares for. */
const LEAST = 1e-280;

/** What sums of 4096 doubles, as chances are computed from, may be wrong by. */
const CHANCE_ROUNDING = 1e-12;

/** The largest loss of a pure claim over all outputs, as a share of ε. */
export function distributionShare<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  { left, right }: Sides<Dataset<Row>>,
): number {
  const others = mechanism.distribution!(right);
  let most = 0;
  mechanism.distribution!(left).forEach(({ probability }, i) => {
    const other = others[i]!.probability;
    if (Math.max(probability, other) < LEAST || probability === other) return;
    most = Math.max(most, Math.abs(Math.log(probability / other)) - CHANCE_ROUNDING);
  });
  return most / epsilonOf(mechanism.claim);
}
