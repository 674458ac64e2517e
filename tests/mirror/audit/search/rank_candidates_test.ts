import { assert, assertEquals } from "@std/assert";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import {
  type CandidatePair,
  candidatePairOf,
} from "../../../../lib/audit/prediction/candidate_pair.ts";
import {
  byInformation,
  byRefutableEpsilon,
  rankCandidates,
} from "../../../../lib/audit/search/rank_candidates.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import type { Subject } from "../../../../lib/audit/subjects/subject.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { floatNormal } from "../../../../lib/random/float_normal.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** Outputs of eight parts: the row says how many of them tell; from 100 on one does, clearly but rarely. */
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

/** One number of few: the row says how much likelier 1 is than 0; from 100 on there is a 9 instead, clear but rare. */
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

/** A sampler of a subject, and candidates of the pairs of 0 and these rows, all well known. */
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

// Mutants: one ranking for both styles; the rankings of a thorough search exchanged, or read from the end.
Deno.test("rankCandidates() goes by promise, and in a thorough search by turns by what candidates tell", async () => {
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

// Mutant: those of few different outputs ranked by what they tell too, which says nothing that promises do not.
Deno.test("rankCandidates() goes by promise alone where outputs are few different ones", async () => {
  const { sampler, candidates } = await learned(few(), [4, 100, 150, 2]);
  const [likelier, rare, rarer] = candidates;
  assert(candidates.every(({ predictor: predictor }) => predictor.seesFewRows));
  assertEquals(byInformation(candidates)[0], likelier);
  const ranking = rankCandidates(candidates, sampler, "thorough");
  assertEquals(new Set(ranking.slice(0, 2)), new Set([rare, rarer]));
});
