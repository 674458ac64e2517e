import { suite } from "../fixtures/mutants/suite.ts";
import { SeededSource } from "../lib/random/seeded_source.ts";

/** Nanoseconds per output of `sampleMany`, the best of five blocks, on the right of the witness. */
for (const { mechanism, witness } of suite) {
  const source = new SeededSource(1);
  const count = Math.floor(2e6 / mechanism.width!);
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    mechanism.sampleMany!(witness!.right, count, source);
    best = Math.min(best, performance.now() - start);
  }
  console.log(mechanism.name.padEnd(20), (best * 1e6 / count).toFixed(1).padStart(8), "ns");
}
