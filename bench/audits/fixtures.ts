import { suite } from "../../fixtures/judge/mutants/suite.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";

/** Nanoseconds per output of `sampleMany` in blocks of 10,000, the best of eight rounds of 20. */
for (const { mechanism, witness } of suite) {
  const source = new SeededSource(1);
  let best = Infinity;
  for (let round = 0; round < 8; round++) {
    const start = performance.now();
    for (let k = 0; k < 20; k++) mechanism.sampleMany!(witness!.right, 10_000, source);
    best = Math.min(best, performance.now() - start);
  }
  console.log(mechanism.name.padEnd(20), (best * 1e6 / 200_000).toFixed(1).padStart(8), "ns");
}
