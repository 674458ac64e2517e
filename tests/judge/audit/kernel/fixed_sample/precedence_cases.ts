import {
  precedenceTest,
  type Scores,
} from "../../../../../lib/judge/audit/kernel/fixed_sample/precedence.ts";
import type { Claim } from "../../../../../lib/core/claims/claim.ts";
import { floatLaplace } from "../../../../../lib/core/random/float_laplace.ts";
import { floatNormal } from "../../../../../lib/core/random/float_normal.ts";
import type { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

export const ALPHA = 0.05;
export type Draw = (source: SeededSource, n: number) => Scores;
export type Test = (scores: Scores, source: SeededSource) => boolean;

/** Log likelihood ratios of the Laplace mechanism of scale 1 and sensitivity ε. */
export function laplace(epsilon: number): Draw {
  return (source, n) => {
    // As |x| − |x − ε|, the rounding of the difference would tell the sides apart, and be found.
    const score = (x: number): number => Math.max(-epsilon, Math.min(epsilon, 2 * x - epsilon));
    const left = floatLaplace(source, new Float64Array(n), { scale: 1 });
    const right = floatLaplace(source, new Float64Array(n), { scale: 1 });
    return { left: left.map((x) => score(x + epsilon)), right: right.map(score) };
  };
}

export function normal(mu: number): Draw {
  return (source, n) => ({
    left: floatNormal(source, new Float64Array(n)).map((x) => x + mu),
    right: floatNormal(source, new Float64Array(n)),
  });
}

export function refutes(claim: Claim, { replicates = 99 } = {}): Test {
  return (scores, source) => precedenceTest(scores, { claim, source, replicates }).pValue <= ALPHA;
}
