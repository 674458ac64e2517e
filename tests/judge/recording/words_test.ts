import { assert } from "@std/assert";
import { type Assessment, Tier } from "../../../lib/judge/recording/assessment.ts";
import type { Difference } from "../../../lib/judge/recording/comparison/observation.ts";
import { kindOf, sentenceOf } from "../../../lib/judge/recording/words.ts";
import { pure } from "../../../lib/core/claims/claim_of_amounts.ts";
import { addRemoveOne, pairOf } from "../../../lib/core/relations/relation.ts";

// Mutant: a tier that is taken for the kind of its worst observation, which for a shift has no sentence.
Deno.test("sentenceOf() has a sentence for every kind of difference in every tier", () => {
  const claim = pure({ epsilon: 1, relation: addRemoveOne });
  const pair = pairOf(addRemoveOne, { left: [1], right: [] });
  const kinds: readonly Difference[] = [
    "shift",
    "noise-depends-on-data",
    "control-flow",
    "uncovered-output",
    "bounded-noise",
    "declaration-broken",
  ];
  for (const kind of kinds) {
    for (const tier of [Tier.costly, Tier.uncovered, Tier.broken]) {
      const loss = { pure: [2], muSquared: 0, delta: kind === "bounded-noise" ? 0.5 : 0 };
      const worst = {
        kind,
        at: "stats.py:7",
        law: "laplace",
        scale: 1,
        change: 2,
        detail: kind === "shift" ? undefined : "it is another one",
        loss,
      };
      const assessment = {
        pair,
        tier,
        share: 2,
        costs: 1,
        loss,
        worst,
        runs: [{ output: 1 }, { output: 2 }],
      } as unknown as Assessment;
      const sentence = sentenceOf(assessment, claim);
      assert(typeof sentence === "string" && sentence.includes("stats.py:7"), `${kind} ${tier}`);
      assert(!/undefined|NaN/.test(sentence), `${kind} ${tier}: ${sentence}`);
      assert(kindOf(assessment, claim) as string !== "shift");
    }
  }
});
