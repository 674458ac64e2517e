import { assert, assertEquals } from "@std/assert";
import type { Evidence } from "../../../../lib/audit/betting/evidence.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import { Play } from "../../../../lib/audit/play/play.ts";
import {
  type CandidatePair,
  candidatePairOf,
} from "../../../../lib/audit/prediction/candidate_pair.ts";
import {
  narrow,
  narrowQuickly,
  narrowThoroughly,
} from "../../../../lib/audit/search/narrow_finalists.ts";
import {
  byExpectedBound,
  byRefutableEpsilon,
} from "../../../../lib/audit/search/rank_candidates.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import type { Subject } from "../../../../lib/audit/subjects/subject.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { candidateTo, growing, rowOf } from "./growing_subject.ts";

/** Evidence that is not read. */
const unread: Evidence = {
  add: () => {},
  restart: () => {},
  lowerBound: 0,
  logEValue: 0,
  refuted: false,
  rareCells: [],
};

/** Narrows candidates with so many draws a round for each that is left. */
async function run(
  candidates: readonly CandidatePair[],
  { drawsEach, rank = byRefutableEpsilon }: {
    drawsEach: number;
    rank?: (candidates: readonly CandidatePair[], sampler: Sampler) => CandidatePair[];
  },
): Promise<
  {
    winner: CandidatePair;
    rounds: number[];
    drawn: Map<number, number>;
    bets: number;
    draws: number;
  }
> {
  const subject = growing();
  const sampler = new Sampler(subject, {
    labels: new SeededSource(1),
    maxDraws: 1e9,
    maxSeconds: Infinity,
  });
  let bets = 0;
  const evidence: Evidence = {
    add: ({ draws }) => void (bets += draws),
    restart: () => {},
    lowerBound: 0,
    logEValue: 0,
    refuted: false,
    rareCells: [],
  };
  const rounds: number[] = [];
  let end = 0;
  const [winner] = await narrow(candidates, {
    play: new Play(sampler, evidence),
    rank,
    rounds: [0, 1, 2, 3],
    places: 1,
    within(round): boolean {
      if (rounds.at(-1) !== round) {
        rounds.push(round);
        end = sampler.draws + drawsEach * Math.floor(candidates.length / 2 ** round);
      }
      return sampler.draws >= end;
    },
  });
  return { winner: winner!, rounds, drawn: subject.drawn, bets, draws: sampler.draws };
}

// Mutants: the first finalist, the one with most draws, or the worse half goes on.
Deno.test("narrow() finds the best finalist, wherever it stands", async () => {
  const rows = [1, 2, 10, 3, 4];
  for (let turn = 0; turn < rows.length; turn++) {
    const turned = [...rows.slice(turn), ...rows.slice(0, turn)];
    const { winner } = await run(turned.map(candidateTo), { drawsEach: 2000 });
    assertEquals(rowOf(winner), 10, `${turned}`);
  }
});

// Mutants: all candidates in every round, half of them rounded up so that it never ends, draws by rank
// instead of equal ones, draws that are not bet on.
Deno.test("narrow() draws equally for those that are left, half as many each round", async () => {
  const candidates = [2, 4, 6, 8, 10, 12, 3].map(candidateTo);
  const { rounds, drawn, bets, draws } = await run(candidates, { drawsEach: 3000 });
  assertEquals(rounds, [0, 1]);
  const shares = candidates.map((candidate) => candidate.predictor.draws).toSorted((a, b) => a - b);
  // Out after 3000 draws, four of them; the other three have 3000 more. A batch is a 16th or less.
  shares.forEach((share, k) => {
    const expected = k < 4 ? 3000 : 6000;
    assert(Math.abs(share - expected) <= expected / 16 + 32, `${shares}`);
  });
  assertEquals([...drawn.values()].reduce((a, b) => a + b, 0), draws);
  assertEquals(candidates.reduce((sum, candidate) => sum + candidate.predictor.draws, 0), draws);
  assertEquals(bets, draws);
});

// Mutant: a budget spent without need, or a loop that does not end.
Deno.test("narrow() draws nothing for a single finalist, nor when there is no time", async () => {
  const one = await run([candidateTo(3)], { drawsEach: 1000 });
  assertEquals([rowOf(one.winner), one.draws, one.rounds.length], [3, 0, 0]);
  // By what was learned before.
  const candidates = [1, 9, 2].map(candidateTo);
  await run(candidates, { drawsEach: 3000 });
  const none = await run(candidates, { drawsEach: 0 });
  assertEquals([rowOf(none.winner), none.draws], [9, 0]);
});

// Mutants: a round that never ends, or has no draws; the first finalist without a round.
Deno.test("narrowQuickly() ends within a tenth of the budget, in rounds, and leaves the best", async () => {
  const sampler = samplerOf(2, 200_000);
  const shares: number[] = [];
  const best = await narrowQuickly([1, 2, 10, 3, 4, 5, 6, 7].map(candidateTo), {
    play: new Play(sampler, unread),
    within(share): boolean {
      shares.push(share);
      return sampler.spent >= share;
    },
  });
  assertEquals(rowOf(best), 10);
  const rounds = [...new Set(shares)], last = rounds.at(-1)!;
  assert(rounds.length > 1 && isAscending(shares), `${rounds}`);
  // The last batch may be a half more.
  assert(last <= 0.1 && sampler.spent >= last && sampler.spent < 1.5 * last, `${sampler.spent}`);
});

// Mutants: a rank that is ignored, or looked at in the first round only, or read from its other end.
Deno.test("narrow() keeps the candidates that the ranking puts first", async () => {
  const rows = [1, 10, 2, 5, 3, 4, 6, 0];
  const asked: number[] = [];
  const { winner, rounds } = await run(rows.map(candidateTo), {
    drawsEach: 1000,
    rank(candidates): CandidatePair[] {
      asked.push(candidates.length);
      return candidates.toSorted((a, b) => Number(rowOf(a)) - Number(rowOf(b)));
    },
  });
  assertEquals(rowOf(winner), 0);
  assertEquals(asked, [8, 4, 2]);
  assertEquals(rounds, [0, 1, 2]);
  // By expected bound the candidate that is told apart best is left.
  for (const order of [rows, rows.toReversed()]) {
    const { winner } = await run(order.map(candidateTo), {
      drawsEach: 3000,
      rank: byExpectedBound,
    });
    assertEquals(rowOf(winner), 10);
  }
});

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, k) => k === 0 || number >= numbers[k - 1]!);
}

function samplerOf(seed: number, maxDraws: number): Sampler {
  return new Sampler(growing(), { labels: new SeededSource(seed), maxDraws, maxSeconds: Infinity });
}

/** A subject of rows of three numbers, whole ones or not: the first is larger for larger rows. */
function vectors(isWhole: boolean): Subject {
  const source = new SeededSource("vectors");
  return {
    name: "vectors",
    draw(data, count): Outputs {
      const row = (data as number[])[0]!;
      const values = Float64Array.from({ length: 3 * count }, (_, i) => {
        const x = source.uniform() + (i % 3 === 0 ? 0.04 * row : 0);
        return isWhole ? Math.round(x) : x;
      });
      return { kind: "block", width: 3, values };
    },
    independent: true,
    close: () => Promise.resolve(),
  };
}

// Mutants: no counts reset, or all; pairs learned anew where rows are few, or not where they are many; all of them; a
// round more or less.
Deno.test("narrowThoroughly() resets the counts of candidates that are shrunk more, and leaves pairs to be learned anew", async () => {
  // With a candidate of too few draws to know that rows are few, and without.
  for (const [isWhole, youngest] of [[true, 60_000], [true, 500], [false, 60_000]] as const) {
    const sampler = new Sampler(vectors(isWhole), {
      labels: new SeededSource(5),
      maxDraws: 1e9,
      maxSeconds: Infinity,
    });
    const play = new Play(sampler, unread);
    const candidates = [1, 10, 2, 3, 4, 5].map((row, k) =>
      candidatePairOf(pairOf(replaceOne, { left: [0], right: [row] }), {
        bits: false,
        effort: "sparing",
        ...(k < 2 ? { standardErrors: 2 } : {}),
      })
    );
    for (const [k, candidate] of candidates.entries()) {
      while (candidate.predictor.draws < (k === 3 ? youngest : 60_000)) {
        await play.step(candidate, "search");
      }
    }
    const before = new Map(candidates.map((candidate) => [candidate, candidate.predictor.draws]));
    const first = new Map<CandidatePair, number>();
    const rounds: number[] = [];
    let end = 0;
    // The first is told apart least.
    const left = await narrowThoroughly({
      finalists: candidates,
      firstCandidates: [candidates[0]!],
    }, {
      play,
      bits: false,
      within(share): boolean {
        if (first.size === 0) {
          candidates.forEach((candidate) => first.set(candidate, candidate.predictor.draws));
        }
        if (rounds.at(-1) !== share) {
          rounds.push(share);
          end = sampler.draws + 200_000;
        }
        return sampler.draws >= end;
      },
    });
    assert(isAscending(rounds) && rounds.at(-1)! < 0.5, `${rounds}`);
    candidates.forEach((candidate, k) =>
      assertEquals(first.get(candidate), k < 2 ? 0 : before.get(candidate))
    );
    if (isWhole) {
      // Of six three are left, then one; a round before these shows that rows are few.
      assertEquals(rounds.length, youngest === 500 ? 3 : 2);
      assertEquals(left.map(rowOf), [10]);
      assert(candidates.includes(left[0]!));
    } else {
      assertEquals(rounds.length, 1);
      assert(left.length > 1 && left.length < candidates.length, `${left.length}`);
      assert(left.map(rowOf).includes(10) && left.map(rowOf).includes(1));
      assert(
        left.every((candidate) =>
          candidate.predictor.draws === 0 && candidate.predictor.effort === "thorough"
        ),
      );
    }
  }
});
