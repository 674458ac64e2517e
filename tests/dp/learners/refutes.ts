import { assert } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import type { Pair } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/**
 * Whether an audit refutes the mechanism's own claim on this pair. False alarm: at most 1e-3, and the
 * seeds were fixed before the first run.
 */
export async function refutes<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  { pair, seed, maxDraws = 50_000 }: {
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
    alpha: 1e-3,
    shrink: false,
  });
  assert(report.verdict !== "failed");
  return report.verdict === "refuted";
}
