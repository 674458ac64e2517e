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
  let soon = 0;
  // Two of three must: the last one is asked only where the others differ.
  for (let seed = 1; seed <= 3 && soon < 2; seed++) {
    const report = await audit(mechanismSubject(close, { source: new SeededSource(seed) }), {
      seed,
      maxDraws: 50_000,
      shrink: false,
    });
    if (report.verdict === "refuted" && report.draws < 12_000) soon++;
  }
  assert(soon === 2, `${soon} of 3`);
});
