import { assertAlmostEquals } from "@std/assert";
import { replaceOne } from "../../../lib/core/relations/relation.ts";
import {
  noisySecondMoments,
  type SecondMomentOptions,
} from "../../../lib/papers/sulq/principal_directions.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const options: SecondMomentOptions = {
  columnCount: 2,
  normBound: 1,
  rho: 0.5,
  relation: replaceOne,
};

Deno.test("noisySecondMoments() has the moments of clipped rows and the deviation of its claim", () => {
  const exact = noisySecondMoments({ ...options, normBound: 10, rho: 1e9 });
  const [xx, xy, yy] = exact.sample([[6, 8], [30, 40], [-1, 2]], new SeededSource(660));
  assertAlmostEquals(xx!, 36 + 36 + 1, 0.05);
  assertAlmostEquals(xy!, 48 + 48 - 2, 0.05);
  assertAlmostEquals(yy!, 64 + 64 + 4, 0.05);
  const draws = noisySecondMoments(options).sampleMany!([], 50_000, new SeededSource(661));
  const variance = draws.reduce((sum, x) => sum + x * x, 0) / draws.length;
  // sensitivity²/(2ρ) = 2; the mean of 150,000 squares has deviation 0.0073: five of them.
  assertAlmostEquals(variance, 2, 0.037);
});
