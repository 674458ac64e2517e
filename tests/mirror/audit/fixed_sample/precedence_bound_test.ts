import { assert, assertEquals } from "@std/assert";
import {
  type CandidatePair,
  candidatePairOf,
} from "../../../../lib/audit/prediction/candidate_pair.ts";
import type { PredictionBatch } from "../../../../lib/audit/betting/prediction_batch.ts";
import { PrecedenceBound } from "../../../../lib/audit/fixed_sample/precedence_bound.ts";
import { approximate, type Claim, gaussian, pure } from "../../../../lib/core/claim.ts";
import { pairOf, replaceOne as relation } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const pair = pairOf(relation, { left: [0], right: [1] });

/** Randomised response at log odds `epsilon`: each side says its own number more often. */
function outputs(row: 0 | 1, { n, epsilon, seed }: { n: number; epsilon: number; seed: number }): {
  kind: "block";
  width: 1;
  values: Float64Array;
} {
  const source = new SeededSource("final").split(seed).split(row);
  const truth = 1 / (1 + Math.exp(-epsilon));
  const say = (): number => source.uniform() < truth ? row : 1 - row;
  return { kind: "block", width: 1, values: Float64Array.from({ length: n }, say) };
}

/** A candidate that has learned from randomised response, its partition fixed; `flipped` learned the sides exchanged. */
function learned(
  { epsilon, flipped = false }: { epsilon: number; flipped?: boolean },
): CandidatePair {
  const candidate = candidatePairOf(pair, { bits: false });
  const [left, right] = [0, 1].map((row) => outputs(row as 0 | 1, { n: 2000, epsilon, seed: 1 }));
  if (flipped) candidate.predictor.observe(right!, left!);
  else candidate.predictor.observe(left!, right!);
  candidate.predictor.freeze({ alpha: 0.05, draws: 4000 });
  return candidate;
}

function observe(
  candidate: CandidatePair,
  { n, epsilon, seed }: { n: number; epsilon: number; seed: number },
): PredictionBatch {
  return candidate.predictor.observe(
    outputs(0, { n, epsilon, seed }),
    outputs(1, { n, epsilon, seed }),
  );
}

function finalOf(candidate: CandidatePair, claim: Claim, draws: number): PrecedenceBound {
  return new PrecedenceBound(candidate, { claim, alpha: 0.05, draws, source: new SeededSource(5) });
}

// Mutants: scores of the other direction, counts of one side twice, a bound above the truth. Each of the
// three bounds is above the truth with chance at most 0.05.
Deno.test("PrecedenceBound.lowerBound() comes close to the truth from below, for every kind of claim", () => {
  // Claims far above the truth: the grid begins a seventh of the way, and the test has little to do.
  for (
    const [claim, least, most] of [
      [pure({ epsilon: 5.5, relation }), 0.65, 1.1],
      [approximate({ epsilon: 5.5, delta: 1e-3, relation }), 0.65, 1.1],
      // Where Φ(μ/2) is the chance of the truth, 0.7503.
      [gaussian({ mu: 7, relation }), 0.85, 1.351],
    ] as const
  ) {
    const candidate = learned({ epsilon: 1.1 });
    const final = finalOf(candidate, claim, 1200);
    for (let k = 0; k < 3; k++) {
      final.add(observe(candidate, { n: 200, epsilon: 1.1, seed: 10 + k }));
    }
    const bound = final.lowerBound();
    assert(bound > least && bound <= most, `${claim.kind}: ${bound}`);
    assert(!final.refutes());
  }
});

// Mutant: the sign of the log odds lost, so that either order of the sides will do.
Deno.test("PrecedenceBound shows nothing by scores that were learned with the sides exchanged", () => {
  const candidate = learned({ epsilon: 1, flipped: true });
  const final = finalOf(candidate, pure({ epsilon: 0.1, relation }), 1200);
  final.add(observe(candidate, { n: 600, epsilon: 1, seed: 20 }));
  assertEquals(final.lowerBound(), 0);
  assert(!final.refutes());
});

// Mutants: `>` for `>=`, a grid without the claim. The true claim is refuted with chance at most 0.05.
Deno.test("PrecedenceBound.refutes() exactly if the bound reaches the claim, not where it holds", () => {
  const candidate = learned({ epsilon: 1 });
  const batch = observe(candidate, { n: 300, epsilon: 1, seed: 35 });
  const finalAt = (epsilon: number): PrecedenceBound => {
    const final = finalOf(candidate, pure({ epsilon, relation }), 600);
    final.add(batch);
    assertEquals(final.detectable(), null);
    return final;
  };
  const above = finalAt(3), bound = above.lowerBound();
  assert(bound > 0 && bound < 3 && !above.refutes());
  assertEquals(above.lowerBound(), bound);
  assert(!finalAt(1).refutes());
  const equal = finalAt(bound);
  assertEquals(equal.lowerBound(), bound);
  assert(equal.refutes());
});

// Mutants: the last batch for all of them, scores that follow what the predictor learns later.
Deno.test("PrecedenceBound counts every batch, by the scores at its beginning", () => {
  const whole = learned({ epsilon: 1 }), split = learned({ epsilon: 1 });
  const claim = pure({ epsilon: 5, relation });
  const [one, many] = [finalOf(whole, claim, 1800), finalOf(split, claim, 1800)];
  const [left, right] = [0, 1].map((row) =>
    outputs(row as 0 | 1, { n: 900, epsilon: 1, seed: 40 })
  );
  one.add(whole.predictor.observe(left!, right!));
  for (let from = 0; from < 900; from += 300) {
    const [a, b] = [left!, right!].map(({ values }) => ({
      kind: "block" as const,
      width: 1,
      values: values.subarray(from, from + 300),
    }));
    many.add(split.predictor.observe(a!, b!));
  }
  // What comes afterwards and is not added changes nothing.
  for (let k = 0; k < 3; k++) observe(split, { n: 5000, epsilon: -3, seed: 50 + k });
  assert(one.lowerBound() > 0.5);
  assertEquals(many.lowerBound(), one.lowerBound());
});

// Mutant: a bound from one side alone, or an error.
Deno.test("PrecedenceBound shows nothing without outputs of both sides", () => {
  const candidate = learned({ epsilon: 1 });
  const claim = pure({ epsilon: 0.1, relation });
  assertEquals(finalOf(candidate, claim, 500).lowerBound(), 0);
  for (const row of [0, 1] as const) {
    const final = finalOf(candidate, claim, 500);
    const own = outputs(row, { n: 500, epsilon: 1, seed: 60 });
    const none = { kind: "block" as const, width: 1, values: new Float64Array(0) };
    final.add(candidate.predictor.observe(row === 0 ? own : none, row === 1 ? own : none));
    assertEquals(final.lowerBound(), 0);
    assert(!final.refutes());
  }
});

// Mutants: a bound from the counts so far, whenever it is read; batches beyond the last one.
Deno.test("PrecedenceBound shows nothing before all of its draws are counted, and counts no more", () => {
  const candidate = learned({ epsilon: 1 });
  const final = finalOf(candidate, pure({ epsilon: 5, relation }), 1800);
  final.add(observe(candidate, { n: 600, epsilon: 1, seed: 80 }));
  assertEquals([final.lowerBound(), final.refutes(), final.mostDraws], [0, false, 600]);
  final.add(observe(candidate, { n: 300, epsilon: 1, seed: 81 }));
  const bound = final.lowerBound();
  assert(bound > 0.5 && final.mostDraws === Infinity);
  final.add(observe(candidate, { n: 3000, epsilon: -3, seed: 82 }));
  assertEquals(final.lowerBound(), bound);
});
