import { Play } from "../../../../lib/audit/play/play.ts";
import { assert, assertEquals } from "@std/assert";
import { evidenceFor } from "../../../../lib/audit/betting/evidence_for.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import { screenAndSearch } from "../../../../lib/audit/search/screened_search.ts";
import type { SearchResult } from "../../../../lib/audit/search/search_pairs.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const claim = pure({ epsilon: 0.5, relation: replaceOne });

interface Log {
  readonly found: SearchResult;
  readonly log: readonly { row: number; count: number }[];
  readonly refuted: boolean;
}

/** A search among ten rows, each with a coin of its own bias. */
async function search(
  chance: (row: number) => number,
  { effort, draws, max = 9 }: { effort: "quick" | "thorough"; draws: number; max?: number },
): Promise<Log> {
  const coin = new SeededSource(7);
  const log: { row: number; count: number }[] = [];
  const sampler = new Sampler({
    name: "coins",
    draw(data, count): Outputs {
      const row = (data as number[])[0]!;
      log.push({ row, count });
      const values = Float64Array.from(
        { length: count },
        () => Number(coin.uniform() < chance(row)),
      );
      return { kind: "block", width: 1, values };
    },
    independent: true,
    close: () => Promise.resolve(),
  }, { labels: new SeededSource(1), maxDraws: draws, maxSeconds: Infinity });
  const evidence = evidenceFor(claim, 0.05);
  const domain = { rows: { type: "integer", min: 0, max }, size: { min: 1, max: 1 } } as const;
  const found = await screenAndSearch({ domain, relation: replaceOne }, {
    play: new Play(sampler, evidence),
    source: new SeededSource(2),
    bits: false,
    target: 0.5,
    effort,
    until: () => sampler.spent >= 1 || (evidence.refuted && effort === "quick"),
  });
  return { found, log, refuted: evidence.refuted };
}

/** The rows that were drawn on. */
const rowsDrawn = (log: Log["log"]): Set<number> => new Set(log.map(({ row }) => row));

const pairOfRows = ({ finalists }: SearchResult): unknown[] =>
  [finalists[0]!.pair.left[0], finalists[0]!.pair.right[0]].sort();

// Mutants: screening before all else; no draws in which to end.
Deno.test("screenAndSearch() ends without screening where a violation is gross, or about to show", async () => {
  const drawn = [];
  for (const low of [0.1, 0.34]) {
    const { log, refuted } = await search((row) => row === 0 ? low : 1 - low, {
      effort: "quick",
      draws: 20_000,
    });
    assert(refuted);
    assert(rowsDrawn(log).size < 10, `${low}`);
    drawn.push(log.reduce((sum, { count }) => sum + count, 0));
  }
  // Screening is due at 1500 draws.
  assert(drawn[0]! < 1500 && drawn[1]! > 1500, `${drawn}`);
});

// Mutants: no screening; the first pairs tried again; screening bet on.
Deno.test("screenAndSearch() finds the one pair that breaks the claim by screening", async () => {
  const chance = (row: number): number => row === 3 ? 0.34 : row === 7 ? 0.66 : 0.5;
  const { found, log, refuted } = await search(chance, { effort: "quick", draws: 100_000 });
  assert(refuted);
  assertEquals(pairOfRows(found), [3, 7]);
  const draws = log.reduce((sum, { count }) => sum + count, 0);
  assert(draws < 20_000, `${draws}`);
  // Outputs drawn to screen it were learned from, not bet on.
  assert(found.finalists[0]!.predictor.draws > 4000);
  assert(found.tried < 15);
});

Deno.test("screenAndSearch() screens first in a thorough audit, and begins with the five best", async () => {
  const chance = (row: number): number => row === 3 ? 0.34 : row === 7 ? 0.66 : 0.5;
  const { found, log } = await search(chance, { effort: "thorough", draws: 200_000 });
  const begin = log.slice(0, 20);
  assertEquals(begin.map(({ row }) => row), Array.from({ length: 20 }, (_, k) => k % 10));
  // The five it begins with stay to the end.
  assertEquals(found.firstCandidates.length, 5);
  assert(found.firstCandidates.every((candidate) => found.finalists.includes(candidate)));
  const rows = found.firstCandidates.map(({ pair }) => [pair.left[0], pair.right[0]]);
  assert(rows.every((sides) => sides.includes(3) || sides.includes(7)), JSON.stringify(rows));
});

Deno.test("screenAndSearch() does not screen where datasets are many", async () => {
  const { found, log } = await search((row) => row > 500 ? 0.9 : 0.1, {
    effort: "quick",
    draws: 20_000,
    max: 1000,
  });
  assert(log[0]!.count < 64);
  assert(found.finalists.length >= 2);
});
