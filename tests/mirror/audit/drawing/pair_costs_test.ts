import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../../lib/audit/audit.ts";
import { processSubject } from "../../../../lib/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../../../lib/audit/subjects/process/split_command.ts";
import { evidenceFor } from "../../../../lib/audit/betting/evidence_for.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import { PairCosts } from "../../../../lib/audit/drawing/pair_costs.ts";
import { Play } from "../../../../lib/audit/play/play.ts";
import { searchPairs } from "../../../../lib/audit/search/search_pairs.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import type { Subject } from "../../../../lib/audit/subjects/subject.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { pointsOf } from "../../../../lib/core/claim_curve.ts";
import { replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const seconds = (count: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * count));

const [quick, slow] = [{ left: 0, right: 0 }, { left: 1, right: 1 }];

/** Notes batches of so many draws and seconds. */
async function noted(
  costs: PairCosts,
  pair: typeof quick,
  batches: readonly (readonly [number, number])[],
): Promise<PairCosts> {
  for (const [count, time] of batches) {
    const begun = performance.now();
    await seconds(time);
    costs.note(pair, begun, count);
  }
  return costs;
}

// Mutants: a pair that is slow beside no other, or by microseconds; a speed of another pair.
Deno.test("PairCosts calls a pair slow that is slower than another, and slow for the audit", async () => {
  const measured = async (maxSeconds: number): Promise<PairCosts> => {
    const costs = new PairCosts(maxSeconds);
    assertEquals([costs.perSecond(slow), costs.isSlow(slow)], [0, false]);
    await noted(costs, slow, [[1, 0.03], [2, 0.06], [2, 0.06]]);
    // Alone it is the quickest.
    assertEquals([costs.isSlow(slow), costs.relativeSpeed(slow)], [false, 1]);
    await noted(costs, quick, [[10_000, 0.005], [10_000, 0.005], [10_000, 0.005]]);
    assertEquals([costs.isSlow(quick), costs.relativeSpeed(quick)], [false, 1]);
    return costs;
  };
  const short = await measured(20);
  assert(short.isSlow(slow) && short.relativeSpeed(slow) < 0.01);
  // 64 outputs in two seconds are less than a hundredth of 1,000 seconds.
  assert(!(await measured(1000)).isSlow(slow));
});

// Mutants: judged by the first batch; by the last one; by the mean of all.
Deno.test("PairCosts judges a pair by the quickest of its last batches", async () => {
  const costs = new PairCosts(1);
  await noted(costs, quick, [[100, 0.005], [100, 0.005], [100, 0.005]]);
  await noted(costs, slow, [[1, 0.1]]);
  assert(!costs.isSlow(slow));
  await noted(costs, slow, [[1, 0.1], [100, 0.005], [1, 0.1]]);
  assert(!costs.isSlow(slow));
  // What is always slow is so from the third batch on, and a pair that became slow is slow in the end.
  await noted(costs, slow, [[1, 0.1], [1, 0.1], [1, 0.1], [1, 0.1], [1, 0.1], [1, 0.1], [1, 0.1]]);
  assert(costs.isSlow(slow));
});

// Mutant: the time of a request counts as that of its outputs.
Deno.test("PairCosts does not call a pair slow whose batches were small where each request takes its time", async () => {
  const costs = new PairCosts(20);
  await noted(costs, quick, [[1, 0.05], [1000, 0.05], [1000, 0.05]]);
  await noted(costs, slow, [[1, 0.05], [2, 0.05], [4, 0.05]]);
  assert(!costs.isSlow(slow));
});

/** Rows of 0 and 1: outputs tell a single row; two rows and more take a twentieth of a second each. */
function subject(): Subject & { slowDraws: number } {
  const source = new SeededSource(3);
  const it: Subject & { slowDraws: number } = {
    name: "slow on two rows",
    drawsElsewhere: true,
    slowDraws: 0,
    async draw(data, count): Promise<Outputs> {
      const rows = data as number[];
      if (rows.length > 1) {
        it.slowDraws += count;
        await seconds(0.05 * count);
      }
      const values = Array.from(
        { length: count },
        () =>
          rows.length > 1
            ? source.uint32() % 2
            : Number(source.uniform() < (rows[0] === 0 ? 0.1 : 0.9)),
      );
      return { kind: "values", values } as unknown as Outputs;
    },
    close: () => Promise.resolve(),
  };
  return it;
}

// Mutants: slow pairs that get as many draws as others, or that are among the finalists.
Deno.test("searchPairs() draws on the others while a slow pair waits", async () => {
  const slow = subject();
  const sampler = new Sampler(slow, {
    labels: new SeededSource(4),
    maxDraws: Infinity,
    maxSeconds: 4,
  });
  const claim = pure({ epsilon: 1, relation: replaceOne });
  const play = new Play(sampler, evidenceFor(claim, 0.01));
  const space = {
    domain: { rows: { type: "integer", min: 0, max: 1 }, size: { min: 1, max: 3 } },
    relation: replaceOne,
  } as const;
  const { finalists, tried } = await searchPairs(space, {
    play,
    source: new SeededSource(5),
    bits: false,
    points: pointsOf(claim),
    effort: "quick",
    until: () => play.evidence.refuted || sampler.spent >= 1,
  });
  assert(play.evidence.refuted);
  assert(slow.slowDraws <= 12 * tried, `${slow.slowDraws} slow draws, ${tried} pairs`);
  for (const { pair } of finalists) assertEquals((pair.left as number[]).length, 1);
});

/** Single rows keep the claim; with two rows outputs tell a 0 from a 1, and each takes a fiftieth of a second. */
function slowWhereItLeaks(): Subject {
  const source = new SeededSource(8);
  return {
    name: "slow where it leaks",
    drawsElsewhere: true,
    async draw(data, count): Promise<Outputs> {
      const rows = data as number[];
      if (rows.length > 1) await seconds(0.02 * count);
      const values = Array.from(
        { length: count },
        () => rows.length > 1 ? rows[0] : source.uint32() % 2,
      );
      return { kind: "values", values } as unknown as Outputs;
    },
    close: () => Promise.resolve(),
  };
}

// Mutants: slow pairs given up; ranked by the draws that the quickest pair has in the same time.
Deno.test("an audit refutes a program that leaks where it is slow, and soon", async () => {
  const report = await audit(slowWhereItLeaks(), {
    claim: pure({ epsilon: 1, relation: replaceOne }),
    domain: { rows: { type: "integer", min: 0, max: 9 }, size: { min: 1, max: 2 } },
    maxSeconds: 10,
    shrink: false,
    seed: 9,
  });
  assertEquals(report.verdict, "refuted");
  assert(report.draws <= 20_000, `${report.draws}`);
});

// Mutants: as above; each leaves no time for the pair that leaks.
Deno.test("an audit of a program that is slow on most pairs refutes it on another", async () => {
  const program = new URL("../../../../fixtures/subjects/slow_on_two_rows.js", import.meta.url);
  const slow = processSubject(`${quoteWord(Deno.execPath())} run ${quoteWord(program.pathname)}`);
  try {
    const report = await audit(slow, {
      claim: pure({ epsilon: 1, relation: replaceOne }),
      domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 3 } },
      maxSeconds: 5,
      shrink: false,
      seed: 6,
    });
    assertEquals(report.verdict, "refuted");
    assertEquals((report.pair!.left as number[]).length, 1);
  } finally {
    await slow.close();
  }
});
