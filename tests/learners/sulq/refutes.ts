import { assert } from "@std/assert";
import { audit } from "../../../lib/audit/audit.ts";
import { mechanismSubject } from "../../../lib/audit/subjects/mechanism_subject.ts";
import { gaussian } from "../../../lib/core/claim.ts";
import type { Mechanism } from "../../../lib/core/mechanism.ts";
import type { Pair } from "../../../lib/core/relation.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";

/**
 * Whether an audit refutes the mechanism's own claim on this pair. False alarm: at most 1e-3, and the
 * seeds were fixed before the first run.
 */
export async function refutes<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  { pair, seed, maxDraws = 10_000 }: {
    readonly pair: Pair<Row>;
    readonly seed: number;
    readonly maxDraws?: number;
  },
): Promise<boolean> {
  const subject = mechanismSubject(mechanism, { source: new SeededSource(seed) });
  const report = await audit(subject, {
    pair,
    seed,
    maxDraws,
    maxSeconds: 60,
    alpha: 1e-3,
    shrink: false,
  });
  assert(report.verdict !== "failed");
  return report.verdict === "refuted";
}

/**
 * The mechanism under a claim a little stronger than its ρ-zCDP: √(2ρ)-GDP, which Gaussian noise keeps
 * under adaptive composition (Dong, Roth, Su 2022), grids this fine making no difference
 * that so few draws could see. What is not refuted under it is not refuted under zCDP, and such audits
 * are sharper and faster.
 */
export function underGaussianClaim<Row, Output>(
  mechanism: Mechanism<Row, Output>,
): Mechanism<Row, Output> {
  const { claim } = mechanism;
  assert(claim.kind === "zcdp");
  return {
    ...mechanism,
    claim: gaussian({ mu: Math.sqrt(2 * claim.rho), relation: claim.relation }),
  };
}
