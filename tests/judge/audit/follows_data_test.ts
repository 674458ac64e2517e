import { assert } from "@std/assert";
import { noisyHist1 } from "../../../fixtures/judge/mutants/additive_noise.ts";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

// Mutants: nothing bet on outputs that follow the data, only single numbers followed.
Deno.test("audit() sees early that outputs follow the data too closely, whatever the pair", async () => {
  const { mechanism } = noisyHist1;
  /** Half the noise that is claimed. */
  const close: typeof mechanism = {
    ...mechanism,
    sampleMany: (data, count, source) =>
      mechanism.sampleMany!(data, count, source)
        .map((y, i) => (Number(data[i % data.length]) + y) / 2),
  };
  const draws: number[] = [];
  for (let seed = 1; seed <= 3; seed++) {
    const report = await audit(mechanismSubject(close, { source: new SeededSource(seed) }), {
      seed,
      maxDraws: 50_000,
      shrink: false,
    });
    draws.push(report.verdict === "refuted" ? report.draws : Infinity);
  }
  draws.sort((a, b) => a - b);
  assert(draws[1]! < 12_000, `${draws}`);
});
