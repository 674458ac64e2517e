import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { evidenceFor } from "../../../../lib/audit/betting/evidence_for.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import {
  type CandidatePair,
  candidatePairOf,
} from "../../../../lib/audit/prediction/candidate_pair.ts";
import { furthestBelowShare, sharesOf } from "../../../../lib/audit/search/share_draws.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** Candidates of the pairs of 0 and these rows, the larger the easier to tell apart, with as many draws each. */
async function learned(
  rows: readonly number[],
): Promise<{ candidates: CandidatePair[]; sampler: Sampler }> {
  const source = new SeededSource("share draws");
  const sampler = new Sampler({
    name: "biased coins",
    draw(data, count): Outputs {
      const row = (data as number[])[0]!;
      const say = (): number => Number(source.uniform() < 0.5 + 0.04 * row);
      return { kind: "block", width: 1, values: Float64Array.from({ length: count }, say) };
    },
    independent: true,
    close: () => Promise.resolve(),
  }, { labels: new SeededSource(1), maxDraws: 1e6, maxSeconds: Infinity });
  const candidates = rows.map((row) =>
    candidatePairOf(pairOf(replaceOne, { left: [0], right: [row] }), { bits: false })
  );
  for (const { pair, predictor } of candidates) {
    while (predictor.draws < 8000) {
      const { left, right } = await sampler.draw(pair, 1000);
      predictor.observe(left, right);
    }
  }
  return { candidates, sampler };
}

// Mutants: shares in the order of the list, the worst first, or the power of the other allocation.
Deno.test("sharesOf() gives shares by a power of the rank, which add up to 1", async () => {
  const { candidates, sampler } = await learned([4, 10, 7]);
  for (
    const [allocation, exponent] of [["quick", 2.6], ["focused", 4], ["thorough", 2.6]] as const
  ) {
    const shares = sharesOf(candidates, {
      sampler,
      evidence: evidenceFor(pure({ epsilon: 0.5, relation: replaceOne }), 0.05),
      target: 0.5,
      leader: candidates[1]!,
      allocation,
      begunWith: new Set(candidates),
    });
    assertAlmostEquals(shares.reduce((a, b) => a + b, 0), 1, 1e-12);
    assertAlmostEquals(shares[1]! / shares[2]!, 2 ** exponent, 1e-9);
    assertAlmostEquals(shares[1]! / shares[0]!, 3 ** exponent, 1e-9);
  }
});

// Mutants: the fewest draws, or the largest share, whatever the other is.
Deno.test("furthestBelowShare() compares draws with shares, in the time that draws on a slow pair take", () => {
  const drawn = [900, 300, 200].map((draws, pair) =>
    ({ pair, predictor: { draws } }) as unknown as CandidatePair
  );
  const speeds = [1, 1, 1];
  const sampler = { relativeSpeed: (pair: unknown) => speeds[pair as number]! } as Sampler;
  const at = (...shares: number[]): number =>
    drawn.indexOf(furthestBelowShare(drawn, { shares: Float64Array.from(shares), sampler }));
  assertEquals(at(0.8, 0.1, 0.1), 0);
  assertEquals(at(0.5, 0.4, 0.1), 1);
  assertEquals(at(0.6, 0.2, 0.2), 2);
  assert(at(0.9, 0.3, 0.2) === 0);
  speeds[0] = 0.5;
  assertEquals(at(0.8, 0.1, 0.1), 2);
});
