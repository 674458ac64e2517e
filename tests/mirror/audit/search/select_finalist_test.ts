import { Play } from "../../../../lib/audit/play/play.ts";
import { assert, assertEquals } from "@std/assert";
import { evidenceFor } from "../../../../lib/audit/betting/evidence_for.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import {
  type CandidatePair,
  candidatePairOf,
} from "../../../../lib/audit/prediction/candidate_pair.ts";
import { selectFinalist } from "../../../../lib/audit/search/select_finalist.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** A number for a row. */
type Leak = (row: number, source: SeededSource) => number;

/** The larger the row the larger the number. */
const shifted: Leak = (row, source) => source.uniform() + 0.02 * row;

/** Selects one of the pairs of 0 and these rows, which the first number of an output depends on, with so many draws. */
async function run(
  rows: readonly number[],
  { draws, width, overAt = 1, leak = shifted }: {
    draws: number;
    width: number;
    overAt?: number;
    leak?: Leak;
  },
): Promise<{ winner: CandidatePair; candidates: readonly CandidatePair[]; sampler: Sampler }> {
  const source = new SeededSource("refine");
  const sampler = new Sampler({
    name: "a leak",
    draw(data, count): Outputs {
      const row = (data as number[])[0]!;
      const values = Float64Array.from(
        { length: width * count },
        (_, i) => i % width === 0 ? leak(row, source) : source.uniform(),
      );
      return { kind: "block", width, values };
    },
    independent: true,
    close: () => Promise.resolve(),
  }, { labels: new SeededSource(1), maxDraws: draws, maxSeconds: Infinity });
  const candidates = rows.map((row) =>
    candidatePairOf(pairOf(replaceOne, { left: [0], right: [row] }), {
      bits: false,
      effort: "thorough",
    })
  );
  const evidence = evidenceFor(pure({ epsilon: 1, relation: replaceOne }), 0.05);
  const isOver = (): boolean => sampler.spent >= overAt;
  return {
    winner: await selectFinalist(candidates, { play: new Play(sampler, evidence), isOver }),
    candidates,
    sampler,
  };
}

const sharesOf = (candidates: readonly CandidatePair[], draws: number): number[] =>
  candidates.map(({ predictor }) => Math.round(100 * predictor.draws / draws));

// Mutants: all go on, or the worse half; the first one wins; draws for the best of a round only; the first rounds left
// out where candidates are few, so that one learns less than its share of the time.
Deno.test("selectFinalist() draws equally for those that are left, and goes on with the better half after each round", async () => {
  const ends: number[] = [];
  for (const rows of [[9, 1, 2, 3], [1, 2, 9, 3], [1, 2, 3, 9], [1, 9]]) {
    const { winner, candidates, sampler } = await run(rows, { draws: 200_000, width: 3 });
    assertEquals(winner.pair.right[0], 9);
    assertEquals(winner.predictor.draws, Math.max(...candidates.map((own) => own.predictor.draws)));
    const shares = sharesOf(candidates, 200_000).sort((a, b) => a - b);
    const [most, second, ...less] = shares.toReversed();
    assert(second! >= 10 && most! >= second! + 4, `${shares}`);
    // The two that go first were drawn on equally, and less than the second.
    assert(less.every((share) => share > 0 && share < second! - 3), `${shares}`);
    assert(less.length === 0 || Math.abs(less[0]! - less[1]!) <= 2, `${shares}`);
    ends.push(sampler.spent);
  }
  assertAboutEqual(ends);
});

// Mutants: the whole budget, which leaves nothing for the test; simple outputs learned for as long as rich ones.
Deno.test("selectFinalist() ends at one share of the budget, however many pairs; sooner where outputs are simple", async () => {
  const of = async (rows: readonly number[], width: number): Promise<number> =>
    (await run(rows, { draws: width === 1 ? 2_000_000 : 200_000, width })).sampler.spent;
  const rich = [await of([3], 3), await of([1, 9], 3)], simple = [await of([3], 1)];
  assertAboutEqual(rich);
  assert(Math.max(...rich) < 0.95 && Math.max(...simple) < 0.6, `${rich} ${simple}`);
  assert(Math.max(...simple) < Math.min(...rich), `${rich} ${simple}`);
});

/** The last batch is a fourth of what went before, or less. */
function assertAboutEqual(shares: readonly number[]): void {
  assert(Math.max(...shares) <= 1.25 * Math.min(...shares), `${shares}`);
}

// Mutants: the last of two chosen by the pessimistic bound; the optimistic one alone before that.
Deno.test("selectFinalist() ends with the optimistic bound: of two, one with a possible leak in rare outputs is left", async () => {
  // Row 1 is negative a little less often; larger ones are far out now and then.
  const leak: Leak = (row, source) => {
    if (row > 1 && source.uniform() < 1e-3) return 5;
    const x = source.uniform();
    return source.uniform() < (row === 1 ? 0.45 : 0.5) ? -x : x;
  };
  for (const rows of [[1, 2], [2, 1]]) {
    const { winner } = await run(rows, { draws: 200_000, width: 3, leak });
    assertEquals(winner.pair.right[0], 2);
  }
  // Of four, one that is certain goes on for a round beside one that is not.
  const { winner, candidates } = await run([2, 1, 3, 4], { draws: 400_000, width: 3, leak });
  assert(winner.pair.right[0] !== 1);
  const [, sure] = sharesOf(candidates, 400_000);
  assert(sure! >= 15, `${sharesOf(candidates, 400_000)}`);
});

Deno.test("selectFinalist() ends when the audit is over", async () => {
  const { winner, sampler } = await run([1, 9], { draws: 200_000, width: 3, overAt: 0.1 });
  assert(sampler.spent < 0.15);
  assert([1, 9].includes(winner.pair.right[0] as number));
});
