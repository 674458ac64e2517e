import { assertEquals } from "@std/assert";
import { pure } from "../../../../lib/core/claim.ts";
import { replaceOne as relation } from "../../../../lib/core/relation.ts";
import { certificateOf } from "../../../../lib/exact/enumeration/certificate.ts";
import { checkExactly } from "../../../../lib/exact/enumeration/check_exactly.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { generatedTrees, runTree } from "../../../../proofs/checks/generated_programs.ts";
import { rejection } from "../../../../scripts/check_certificate.ts";

// What the certificates state is compared by the theorem exact/generated_programs.
Deno.test("certificates of 200 generated programs are accepted", () => {
  const random = new SeededSource(2608);
  for (let k = 0; k < 200; k++) {
    const trees = generatedTrees(random, 1 + k % 3, 2 + k % 4);
    const options = {
      claim: pure({ epsilon: [0.25, 1, 0.7][k % 3]!, relation }),
      datasets: [[0], [1]],
      neighbours: [[0, 1]] as const,
    };
    const checked = checkExactly(
      { name: "it", run: ([row], source) => runTree(trees[row as 0 | 1]!, source) },
      options,
    );
    assertEquals(rejection(certificateOf(checked, options)), undefined);
  }
});
