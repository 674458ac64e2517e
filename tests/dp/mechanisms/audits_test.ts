import { assertEquals } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import type { AuditOptions } from "../../../lib/judge/audit/options.ts";
import type { AuditReport } from "../../../lib/judge/audit/report.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import {
  analyticGaussianDeviation,
  classicalGaussian,
} from "../../../lib/dp/mechanisms/gaussian.ts";
import { shippedNamed } from "../../../lib/dp/tables/registry.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { KEPT, weakened } from "./weakened.ts";
import { MANIFEST } from "./manifest.ts";
import { longTest } from "../../long.ts";

/** The chance that one audit refutes a true claim: 7.1e-3 at most for the 71 of this file. */
const ALPHA = 1e-4;
const DELTA = 0.1;

function run(mechanism: Mechanism, options: AuditOptions): Promise<AuditReport> {
  const subject = mechanismSubject(mechanism, { source: new SeededSource(91) });
  return audit(subject, {
    alpha: ALPHA,
    maxSeconds: Infinity,
    seed: 92,
    shrink: false,
    // Few draws: what is tested is the chance of a refutation.
    requirePower: Infinity,
    ...options,
  });
}

/** One number of each output: what is computed from a private output is private too. */
function columnOf(mechanism: Mechanism, column: number): Mechanism<unknown, number> {
  const { name, claim } = mechanism;
  const width = mechanism.width!;
  const sampleMany = (data: Dataset, count: number, source: Source): Float64Array => {
    const block = mechanism.sampleMany!(data, count, source);
    return Float64Array.from({ length: count }, (_, i) => block[i * width + column]!);
  };
  const sample = (data: Dataset, source: Source): number => sampleMany(data, 1, source)[0]!;
  return { name, claim, width: 1, sample, sampleMany };
}

for (const [name, { weakness }] of Object.entries(MANIFEST)) {
  if (weakness === undefined) continue;
  longTest(`${name} is refuted with 15% less noise, and not with all of it`, async () => {
    const { epsilon, left, right, draws = 300_000, column } = weakness;
    const seen = (whole: Mechanism): Mechanism =>
      column === undefined ? whole : columnOf(whole, column);
    const mechanism = seen(shippedNamed(name, { epsilon, delta: DELTA }));
    const mutant = seen(weakened(name, { epsilon, delta: DELTA }));
    const { claim } = mechanism;
    const pair = pairOf(claim.relation, { left, right });
    const caught = await run(mutant, { claim, pair, maxDraws: draws });
    assertEquals(caught.verdict, "refuted");
    // The same bets on as many draws.
    const { verdict } = await run(mechanism, { claim, pair, maxDraws: caught.draws });
    assertEquals(verdict, "not-refuted");
  });
}

// Its formula has more noise than needed (laws_test.ts), so that its query must move by what is to spare too.
longTest("classical-gaussian is refuted with 15% less noise than its claim needs", async () => {
  const epsilon = 0.5, delta = DELTA;
  const spare = Math.sqrt(2 * Math.log(1.25 / delta)) / epsilon /
    analyticGaussianDeviation({ epsilon, delta });
  const pair = pairOf(replaceOne, { left: [0], right: [1] });
  const verdicts: string[] = [];
  for (const moves of [spare / KEPT, spare]) {
    const mechanism = classicalGaussian<number>({
      query: (rows) => moves * rows[0]!,
      epsilon,
      delta,
      sensitivity: 1,
      granularity: 2 ** -6,
      relation: replaceOne,
    });
    verdicts.push((await run(mechanism as Mechanism, { pair, maxDraws: 300_000 })).verdict);
  }
  assertEquals(verdicts, ["refuted", "not-refuted"]);
});
