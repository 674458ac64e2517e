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
import { replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const seconds = (count: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * count));

// Mutants: a pair that is slow beside no other, or by microseconds; a speed of another pair.
Deno.test("PairCosts calls a pair slow that is slower than another, and slow for the audit", async () => {
  const [quick, slow] = [{ left: 0, right: 0 }, { left: 1, right: 1 }];
  const measured = async (maxSeconds: number): Promise<PairCosts> => {
    const costs = new PairCosts(maxSeconds);
    assertEquals([costs.perSecond(slow), costs.isSlow(slow)], [0, false]);
    let begun = performance.now();
    await seconds(0.03);
    costs.note(slow, begun, 1);
    // Alone it is the quickest.
    assertEquals([costs.isSlow(slow), costs.relativeSpeed(slow)], [false, 1]);
    begun = performance.now();
    await seconds(0.005);
    costs.note(quick, begun, 10_000);
    assert(costs.perSecond(slow) < 34 && costs.perSecond(quick) > 500);
    assertEquals([costs.isSlow(quick), costs.relativeSpeed(quick)], [false, 1]);
    return costs;
  };
  const short = await measured(20);
  assert(short.isSlow(slow));
  assertEquals(short.relativeSpeed(slow), short.perSecond(slow) / short.perSecond(quick));
  // 64 outputs in two seconds are less than a hundredth of 1,000 seconds.
  assert(!(await measured(1000)).isSlow(slow));
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

// Mutants: slow pairs that get their first draws before all others, that stay on trial, or among the finalists.
Deno.test("searchPairs() looks at a slow pair once, and draws on the others", async () => {
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
    target: 1,
    effort: "quick",
    until: () => play.evidence.refuted || sampler.spent >= 1,
  });
  assert(play.evidence.refuted);
  assert(tried >= 5 && slow.slowDraws <= 2 * tried, `${slow.slowDraws} slow draws, ${tried} pairs`);
  for (const { pair } of finalists) assertEquals((pair.left as number[]).length, 1);
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
