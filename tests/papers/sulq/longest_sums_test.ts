import { assertEquals } from "@std/assert";
import { addRemoveOne } from "../../../lib/core/relations/relation.ts";
import { denseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";
import { sampleKMeans } from "../../../lib/papers/sulq/k_means.ts";
import { sampleSulq } from "../../../lib/papers/sulq/sulq_database.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { silentNoise } from "./silent_noise.ts";

/** A rate so high that counts of 1 are above the noise. */
const PLAIN = 1e9;

Deno.test("sampleSulq() and sampleKMeans() stop sums at 2^52 steps, where a refusal of one row more would tell", () => {
  const source = new SeededSource(7103);
  const rows = 2 ** 22 + 3, stepsPerUnit = 2 ** 30;
  const { prepared } = silentNoise({ stepsPerUnit });
  const data = new Uint8Array(rows) as unknown as readonly number[];
  const database = sampleSulq(source, {
    data,
    variance: 2 ** -10,
    queries: 1,
    relation: addRemoveOne,
    prepared,
  });
  assertEquals(database.ask(() => 1), 2 ** 22);
  const { counts } = sampleKMeans(source, {
    points: denseRows(new Float64Array(rows), { columnCount: 1 }),
    clusters: 1,
    rounds: 1,
    rho: PLAIN,
    bounds: { lower: [0], upper: [1] },
    relation: addRemoveOne,
    prepared,
  });
  assertEquals(counts, [2 ** 22]);
});
