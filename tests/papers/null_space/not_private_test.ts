import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import type { Dataset } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { featureMatrix } from "../../../lib/papers/null_space/feature_matrix.ts";
import { linearFirstStage } from "../../../lib/papers/null_space/linear_first_stage.ts";
import { nullSpaceCleaner } from "../../../lib/papers/null_space/null_space.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const cleaner = nullSpaceCleaner(linearFirstStage(featureMatrix([[1, -1]])));

/** Cleaning passed off as a mechanism that is 5-DP. */
const pretended: Mechanism<readonly number[], number[]> = {
  name: "cleaned features",
  claim: pure({ epsilon: 5, relation: replaceOne }),
  // Rounded: the last bits of a sum depend on all of its terms, and would tell rows apart by themselves.
  sample: (data: Dataset<readonly number[]>) =>
    Array.from(
      cleaner.clean(featureMatrix(data, { columns: 2 }), { epsilon: 0.01 }).values,
      (value) => Math.round(value * 1e9) / 1e9,
    ),
};

Deno.test("audit() refutes the claim when cleaned features are passed off as differentially private", async () => {
  const report = await audit(mechanismSubject(pretended, { source: new SeededSource(1) }), {
    pair: pairOf(replaceOne, { left: [[3, 1]], right: [[5, 1]] }),
    maxDraws: 20_000,
    seed: 1,
    shrink: false,
  });
  assertEquals(report.verdict, "refuted");
  assert(report.epsilonLowerBound >= 5);
});

Deno.test("audit() does not refute it when the two rows differ in the null space only", async () => {
  const report = await audit(mechanismSubject(pretended, { source: new SeededSource(1) }), {
    // The first two rows of the paper's table, cleaned to the same.
    pair: pairOf(replaceOne, { left: [[3, 1]], right: [[4, 2]] }),
    maxDraws: 20_000,
    seed: 1,
  });
  // Both rows are cleaned to the same, so every output is: nothing is refuted, and nothing is shown.
  assertEquals(report.verdict, "inconclusive");
});
