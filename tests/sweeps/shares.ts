import type { Claim } from "../../lib/core/claims/claim.ts";
import type { Dataset } from "../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import type { Sides } from "../../proofs/tools/density_ratio.ts";
import { concentratedLoss } from "../../lib/judge/recording/two_laws.ts";

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

/** Outputs up to which divergences are summed. */
const MOST_OUTPUTS = 5000;

/** Below this ρ the divergences of stated chances are lost in their rounding. */
const LEAST_RHO = 1e-8;

/**
 * What is lost of the concentrated claims that a mechanism keeps beside its own: the largest Rényi
 * divergence of its exact distributions, over the order, as a share of ρ. 0 without such claims or
 * distributions, or with more outputs than are enumerated.
 */
export function alsoShare<Row, Output>(
  { alsoKeeps = [], distribution }: Mechanism<Row, Output>,
  { left, right }: Sides<Dataset<Row>>,
): number {
  const rhos = alsoKeeps.flatMap((claim) => claim.kind === "zcdp" ? [claim.rho] : []);
  const rho = Math.min(...rhos);
  if (rhos.length === 0 || rho < LEAST_RHO || distribution === undefined) return 0;
  const logs = (data: Dataset<Row>): number[] => {
    try {
      return distribution(data).map(({ probability }) => Math.log(probability));
    } catch (error) {
      if (error instanceof RangeError && error.message.startsWith("Cannot enumerate")) return [];
      throw error;
    }
  };
  const p = logs(left), q = logs(right);
  if (p.length === 0 || p.length > MOST_OUTPUTS) return 0;
  const most = [{ left: p, right: q }, { left: q, right: p }].map(concentratedLoss);
  return Math.max(...most) / rho;
}

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
