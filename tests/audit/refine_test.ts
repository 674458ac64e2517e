import { assert, assertEquals } from "@std/assert";
import { type Arm, armOf } from "../../lib/audit/arm.ts";
import { evidenceFor } from "../../lib/audit/evidence.ts";
import { refine } from "../../lib/audit/refine.ts";
import { Session } from "../../lib/audit/session.ts";
import type { Outputs } from "../../lib/audit/subject.ts";
import { pure } from "../../lib/core/claim.ts";
import { pairOf, replaceOne } from "../../lib/core/relation.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";

/** Pairs of 0 and larger rows, the larger the easier told apart, refined with so many draws. */
async function run(
  rows: readonly number[],
  { draws, width, overAt = 1 }: { draws: number; width: number; overAt?: number },
): Promise<{ winner: Arm; arms: readonly Arm[]; session: Session }> {
  const source = new SeededSource("refine");
  const session = new Session({
    name: "shifted",
    draw(data, count): Outputs {
      const shift = 0.02 * (data as number[])[0]!;
      const values = Float64Array.from(
        { length: width * count },
        (_, i) => source.uniform() + (i % width === 0 ? shift : 0),
      );
      return { kind: "block", width, values };
    },
    close: () => Promise.resolve(),
  }, { labels: new SeededSource(1), maxDraws: draws, maxSeconds: Infinity });
  const arms = rows.map((row) =>
    armOf(pairOf(replaceOne, { left: [0], right: [row] }), { bits: false, pace: "patient" })
  );
  const evidence = evidenceFor(pure({ epsilon: 1, relation: replaceOne }), 0.05);
  const isOver = (): boolean => session.spent >= overAt;
  return { winner: await refine(arms, { session, evidence, isOver }), arms, session };
}

const sharesOf = (arms: readonly Arm[], draws: number): number[] =>
  arms.map(({ learner }) => Math.round(100 * learner.draws / draws));

// Mutants: all go on, or the worse half; the first one wins; draws for the best of a round only; rounds of the same
// length, or the first ones left out where arms are few.
Deno.test("refine() goes on with the better half after each round", async () => {
  for (const rows of [[9, 1, 2, 3], [1, 2, 9, 3], [1, 2, 3, 9]]) {
    const { winner, arms, session } = await run(rows, { draws: 200_000, width: 3 });
    assertEquals(winner.pair.right[0], 9);
    // 72% of the draws, 55% of them for four, 23% for two, 22% for one.
    const [least, less, second, most] = sharesOf(arms, 200_000).sort((a, b) => a - b);
    assert(Math.abs(least! - 10) <= 2 && Math.abs(less! - 10) <= 2, `${least} ${less}`);
    assert(Math.abs(second! - 18) <= 3 && Math.abs(most! - 34) <= 4, `${second} ${most}`);
    assert(Math.abs(session.spent - 0.72) < 0.05, `${session.spent}`);
  }
  // 78% of them for two: 28 each, and a batch that is a fourth of it.
  const { arms } = await run([1, 9], { draws: 200_000, width: 3 });
  const [worse, better] = sharesOf(arms, 200_000);
  assert(worse! >= 27 && worse! <= 36 && better! >= worse! + 4, `${worse} ${better}`);
});

Deno.test("refine() gives a single pair all of the draws, fewer where outputs are simple", async () => {
  // The last batch is a fourth of what went before, or less.
  const rich = (await run([3], { draws: 200_000, width: 3 })).session.spent;
  assert(rich >= 0.72 && rich <= 0.72 * 1.25, `${rich}`);
  const simple = (await run([3], { draws: 2_000_000, width: 1 })).session.spent;
  assert(simple >= 0.42 && simple <= 0.42 * 1.25, `${simple}`);
});

Deno.test("refine() ends when the audit is over", async () => {
  const { winner, session } = await run([1, 9], { draws: 200_000, width: 3, overAt: 0.1 });
  assert(session.spent < 0.15);
  assert([1, 9].includes(winner.pair.right[0] as number));
});
