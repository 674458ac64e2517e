import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { evidenceFor } from "../../../lib/audit/betting/evidence_for.ts";
import { Sampler } from "../../../lib/audit/drawing/sampler.ts";
import { drawsToCome } from "../../../lib/audit/draws_to_come.ts";
import { Play } from "../../../lib/audit/play/play.ts";
import { candidatePairOf } from "../../../lib/audit/prediction/candidate_pair.ts";
import type { Outputs } from "../../../lib/audit/subjects/outputs.ts";
import type { Subject } from "../../../lib/audit/subjects/subject.ts";
import { pure } from "../../../lib/core/claim.ts";
import { pairOf, replaceOne } from "../../../lib/core/relation.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";

const pair = pairOf(replaceOne, { left: [0], right: [1] });

/** A sampler of a subject whose outputs take so many milliseconds each, by a clock that stands still otherwise. */
async function withSampler(
  { milliseconds, ...budget }: { milliseconds: number; maxDraws: number; maxSeconds: number },
  use: (
    sampler: Sampler,
    run: { wait(milliseconds: number): void; come(): Promise<number> },
  ) => Promise<void>,
): Promise<void> {
  const { now } = performance;
  let time = 1000;
  performance.now = () => time;
  try {
    const subject: Subject = {
      name: "timed",
      draw(_, count): Outputs {
        time += milliseconds * count;
        return { kind: "block", width: 1, values: new Float64Array(count) };
      },
      close: () => Promise.resolve(),
    };
    const sampler = new Sampler(subject, { labels: new SeededSource(2), ...budget });
    const candidate = candidatePairOf(pair, { bits: false });
    const evidence = evidenceFor(pure({ epsilon: 1, relation: replaceOne }), 0.05);
    const play = new Play(sampler, evidence);
    while (sampler.draws < 1000) await play.step(candidate, "search");
    candidate.predictor.freeze({ alpha: 0.05, draws: 1000 });
    await use(sampler, {
      wait: (milliseconds) => time += milliseconds,
      come: () => drawsToCome(candidate, { play, isOver: () => false }),
    });
  } finally {
    performance.now = now;
  }
}

// Mutants: the rate since the beginning of the audit, learning and all; the seconds of the whole audit; no end of draws.
Deno.test("drawsToCome() measures how fast draws come now, and no further than maxDraws", async () => {
  await withSampler(
    { milliseconds: 0.05, maxDraws: 1e6, maxSeconds: 1 },
    async (sampler, { wait, come }) => {
      const { draws } = sampler;
      // "Learning."
      wait(300);
      const { seconds } = sampler;
      const expected = await come();
      assert(sampler.draws > draws && sampler.seconds < seconds + 0.06, `${sampler.seconds} s`);
      assertAlmostEquals(expected, 20_000 * (1 - sampler.seconds), 1);
    },
  );
  await withSampler(
    { milliseconds: 0.01, maxDraws: 3000, maxSeconds: 10 },
    async (sampler, { come }) => assertEquals(await come(), 3000 - sampler.draws),
  );
});

// Without a deadline the clock has no say: equal seeds then give equal audits.
// Mutant: seconds alone end the measuring, and a subject that is fast has spent its draws by then.
Deno.test("drawsToCome() leaves nearly all draws where these end long before the deadline", async () => {
  await withSampler(
    { milliseconds: 0.001, maxDraws: 50_000, maxSeconds: 60 },
    async (sampler, { come }) => {
      const before = sampler.draws;
      const expected = await come();
      assert(sampler.draws > before && sampler.draws < before + 0.05 * 50_000, `${sampler.draws}`);
      assertEquals(expected, 50_000 - sampler.draws);
    },
  );
});

// Mutant: a batch may be larger than what is left of the share.
Deno.test("drawsToCome() measures by a 25th of the draws left, to the draw", async () => {
  for (const maxDraws of [3000, 10_000, 50_000]) {
    await withSampler(
      { milliseconds: 1e-6, maxDraws, maxSeconds: 60 },
      async (sampler, { come }) => {
        const before = sampler.draws;
        await come();
        assertEquals(sampler.draws - before, Math.ceil(0.04 * (maxDraws - before)));
      },
    );
  }
});

Deno.test("drawsToCome() draws nothing where there is no deadline", async () => {
  await withSampler(
    { milliseconds: 1, maxDraws: 5000, maxSeconds: Infinity },
    async (sampler, { come }) => {
      const { draws } = sampler;
      assertEquals(await come(), 5000 - draws);
      assertEquals(sampler.draws, draws);
    },
  );
});
