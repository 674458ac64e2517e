import { assert, assertEquals } from "@std/assert";
import { STANDARD_ERRORS } from "../../../../lib/audit/betting/shares.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import {
  type CandidatePair,
  candidatePairOf,
} from "../../../../lib/audit/prediction/candidate_pair.ts";
import type { Predictor } from "../../../../lib/audit/prediction/predictor.ts";
import {
  byExpectedBound,
  byInformation,
  byPessimisticAndOptimisticBound,
  byRefutableEpsilon,
  rankCandidates,
} from "../../../../lib/audit/search/rank_candidates.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import type { Subject } from "../../../../lib/audit/subjects/subject.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { floatNormal } from "../../../../lib/random/float_normal.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";
import { candidateTo, growing, rowOf } from "./growing_subject.ts";

/** Outputs of eight parts: the row is how many of them depend on it; from 100 on one does, clearly but rarely. */
function parts(): Subject {
  const source = new SeededSource("parts");
  return {
    name: "parts",
    draw(data, count): Outputs {
      const row = (data as number[])[0]!;
      const values = floatNormal(source, new Float64Array(8 * count));
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < row && row < 100; j++) values[8 * i + j]! += 0.2;
        if (row >= 100 && source.uniform() < 1 / row) values[8 * i] = 9;
      }
      return { kind: "block", width: 8, values };
    },
    independent: true,
    close: () => Promise.resolve(),
  };
}

/** One number of few: the larger the row, the likelier 1 is than 0; from 100 on there is a 9 instead, clear but rare. */
function few(): Subject {
  const source = new SeededSource("few");
  return {
    name: "few",
    draw(data, count): Outputs {
      const row = (data as number[])[0]!;
      const values = Float64Array.from({ length: count }, () => {
        if (row >= 100 && source.uniform() < 1 / row) return 9;
        return Number(source.uniform() < 0.5 + (row < 100 ? row / 40 : 0));
      });
      return { kind: "block", width: 1, values };
    },
    independent: true,
    close: () => Promise.resolve(),
  };
}

/** A sampler of a subject, and candidates of the pairs of 0 and these rows, with many draws each. */
async function learned(
  subject: Subject,
  rows: readonly number[],
): Promise<{ sampler: Sampler; candidates: CandidatePair[] }> {
  const sampler = new Sampler(subject, {
    labels: new SeededSource(1),
    maxDraws: 1e6,
    maxSeconds: Infinity,
  });
  const candidates: CandidatePair[] = [];
  for (const row of rows) {
    const pair = pairOf(replaceOne, { left: [0], right: [row] });
    const candidate = candidatePairOf(pair, { bits: false, effort: "sparing" });
    while (candidate.predictor.draws < 60_000) {
      const { left, right } = await sampler.draw(pair, 4000);
      candidate.predictor.observe(left, right);
    }
    candidates.push(candidate);
  }
  return { sampler, candidates };
}

// Mutants: one ranking for both efforts; the rankings of a thorough search exchanged, or read from the end.
Deno.test("rankCandidates() ranks by refutable ε, and in a thorough search by turns by information", async () => {
  const { sampler, candidates } = await learned(parts(), [2, 100, 150, 4, 8]);
  const [two, rare, rarer, four, eight] = candidates;
  assertEquals(byInformation(candidates)[0], eight);
  assertEquals(
    byInformation(candidates).filter((candidate) => candidate !== rare && candidate !== rarer),
    [
      eight,
      four,
      two,
    ],
  );
  assertEquals(
    new Set(byRefutableEpsilon(candidates, sampler).slice(0, 2)),
    new Set([rare, rarer]),
  );
  assertEquals(
    rankCandidates(candidates, sampler, "quick"),
    byRefutableEpsilon(candidates, sampler),
  );
  const [first, second] = rankCandidates(candidates, sampler, "thorough");
  assert(first === rare || first === rarer);
  assert(second === eight);
});

// Mutant: those of few different outputs ranked by information too.
Deno.test("rankCandidates() ranks by refutable ε alone where different outputs are few", async () => {
  const { sampler, candidates } = await learned(few(), [4, 100, 150, 2]);
  const [likelier, rare, rarer] = candidates;
  assert(candidates.every(({ predictor }) => predictor.seesFewRows));
  assertEquals(byInformation(candidates)[0], likelier);
  const ranking = rankCandidates(candidates, sampler, "thorough");
  assertEquals(new Set(ranking.slice(0, 2)), new Set([rare, rarer]));
});

// Mutants: the smallest expected bound first, or candidates in the order in which they came.
Deno.test("byExpectedBound() puts candidates that differ before those that do not", async () => {
  const sampler = new Sampler(growing(), {
    labels: new SeededSource(2),
    maxDraws: 1e6,
    maxSeconds: Infinity,
  });
  const candidates = [0, 4, 0, 10, 0].map(candidateTo);
  for (const { predictor, pair } of candidates) {
    while (predictor.draws < 20_000) {
      const { left, right } = await sampler.draw(pair, 1000);
      predictor.observe(left, right);
    }
  }
  for (const order of [candidates, candidates.toReversed()]) {
    const ranked = byExpectedBound(order, sampler);
    assertEquals(ranked.slice(0, 2).map(rowOf), [10, 4]);
    assertEquals(new Set(ranked), new Set(order));
  }
});

/** A candidate with these counts in its leaves, and their point estimates for all standard errors. */
function learnedCandidate(
  cells: readonly (readonly [left: number, right: number])[],
  seesFewRows = false,
): CandidatePair {
  const odds = Float64Array.from(cells, ([left, right]) => Math.log((right + 0.5) / (left + 0.5)));
  const predictor: Pick<Predictor, "counts" | "leaves" | "logOdds" | "seesFewRows"> = {
    seesFewRows,
    counts: Float64Array.from(cells.flat()),
    leaves: Int32Array.from(cells.keys()),
    logOdds: STANDARD_ERRORS.map(() => odds),
  };
  return { ...candidateTo(1), predictor: predictor as Predictor };
}

// Mutants: draws without end, or a number of them that does not depend on the sampler.
Deno.test("byExpectedBound() depends on the draws that remain", async () => {
  const rare = learnedCandidate([[2, 80], [10_000, 10_000]]);
  const common = learnedCandidate([[2000, 8000], [8000, 2000]]);
  for (const [maxDraws, best] of [[3000, common], [1e7, rare]] as const) {
    const sampler = new Sampler(growing(), {
      labels: new SeededSource(3),
      maxDraws,
      maxSeconds: Infinity,
    });
    await sampler.draw(rare.pair, 100);
    assert(byExpectedBound([rare, common], sampler)[0] === best);
    assert(byExpectedBound([common, rare], sampler)[0] === best);
  }
});

// Mutants: many or few standard errors in either case, or the two exchanged.
Deno.test("byExpectedBound() subtracts three standard errors where rows are many, and hardly any where they are few", async () => {
  for (const seesFewRows of [false, true]) {
    const rare = learnedCandidate([[15, 40], [100_000, 100_000]], seesFewRows);
    const sure = learnedCandidate([[20_000, 40_000], [40_000, 20_000]], seesFewRows);
    const sampler = new Sampler(growing(), {
      labels: new SeededSource(4),
      maxDraws: 1e8,
      maxSeconds: Infinity,
    });
    await sampler.draw(sure.pair, 100);
    assert(byExpectedBound([rare, sure], sampler)[0] === (seesFewRows ? rare : sure));
  }
});

function samplerOf(seed: number, maxDraws: number): Sampler {
  return new Sampler(growing(), { labels: new SeededSource(seed), maxDraws, maxSeconds: Infinity });
}

// Mutants: one number of standard errors for all, the optimistic one where rows are few.
Deno.test("byExpectedBound() puts a rare leaf first when optimistic, last when pessimistic", () => {
  const sure = [[20_000, 22_000], [22_000, 20_000]] as const;
  // Eight in a thousand: odds of 0.6, standard error 0.22.
  const rare = [[20_000, 20_000], [30, 55]] as const;
  for (const few of [false, true]) {
    const candidates = [learnedCandidate(sure, few), learnedCandidate(rare, few)];
    const rank = (estimate?: "optimistic" | "pessimistic"): number[] =>
      byExpectedBound(candidates, samplerOf(6, 1e8), estimate).map((candidate) =>
        candidates.indexOf(candidate)
      );
    assertEquals(rank("optimistic"), [1, 0]);
    assertEquals(rank("pessimistic"), few ? [1, 0] : [0, 1]);
    assertEquals(rank(), rank("pessimistic"));
    const [sureCandidate, rareCandidate] = candidates as [CandidatePair, CandidatePair];
    const weak = learnedCandidate([[20_000, 20_400], [20_400, 20_000]], few);
    assertEquals(
      byPessimisticAndOptimisticBound([weak, sureCandidate, rareCandidate], samplerOf(6, 1e8)),
      few ? [rareCandidate, sureCandidate, weak] : [sureCandidate, rareCandidate, weak],
    );
  }
});
