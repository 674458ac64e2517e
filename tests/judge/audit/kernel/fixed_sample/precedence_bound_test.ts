import { assert, assertEquals } from "@std/assert";
import {
  type CandidatePair,
  candidatePairOf,
} from "../../../../../lib/judge/audit/model/prediction/candidate_pair.ts";
import type { PredictionBatch } from "../../../../../lib/judge/audit/kernel/betting/prediction_batch.ts";
import { PrecedenceBound } from "../../../../../lib/judge/audit/kernel/fixed_sample/precedence_bound.ts";
import { approximate, type Claim, gaussian, pure } from "../../../../../lib/core/mod.ts";
import { pairOf, replaceOne as relation } from "../../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

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

function finalOf(
  candidate: CandidatePair,
  claim: Claim,
  draws: number,
  { alpha = 0.05, seed = 5 }: { alpha?: number; seed?: number } = {},
): PrecedenceBound {
  return new PrecedenceBound(candidate.predictor.logOdds[0]!, {
    claim,
    alpha,
    draws,
    source: new SeededSource(seed),
  });
}

/** Counts just these outputs, given by how many of each side say 0 and 1. */
function boundOn(
  { left, right, epsilon, ...level }: {
    left: readonly [zeros: number, ones: number];
    right: readonly [zeros: number, ones: number];
    epsilon: number;
    alpha: number;
    seed?: number;
  },
): number {
  const block = ([zeros, ones]: readonly [number, number]): ReturnType<typeof outputs> => {
    const values = Float64Array.from({ length: zeros + ones }, (_, i) => i < zeros ? 0 : 1);
    return { kind: "block", width: 1, values };
  };
  const candidate = learned({ epsilon: 1 }), draws = [...left, ...right].reduce((a, b) => a + b);
  const final = finalOf(candidate, pure({ epsilon, relation }), draws, level);
  final.add(candidate.predictor.observe(block(left), block(right)));
  return final.lowerBound();
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

// Mutants: one output less or more of each side in each leaf; none where there is but one of a side; a coarse calibration.
Deno.test("PrecedenceBound counts each output once, as exact permutation probabilities show", () => {
  const small = { epsilon: 0.1, alpha: 0.05 };
  const refutedOf = (options: Omit<Parameters<typeof boundOn>[0], "seed">): number =>
    Array.from({ length: 4 }, (_, seed) => boundOn({ ...options, seed }))
      .filter((bound) => bound > 0).length;
  // The chance of the one wrong output of 61 may be .088 (Clopper, Pearson 1934): ε is at least 2.34. Without it, it would be 3.39.
  const near = boundOn({ left: [60, 1], right: [1, 60], epsilon: 1, alpha: 0.05 });
  assert(near > 2 && near < 2.34, `${near}`);
  // 1 of 252, and half the level 0.02 for each direction. With one more in each leaf it would depend on what is drawn.
  assertEquals(refutedOf({ left: [5, 0], right: [0, 5], ...small, alpha: 0.02 }), 4);
  // 1 of 4.
  for (const [left, right] of [[[1, 0], [0, 3]], [[3, 0], [0, 1]]] as const) {
    assertEquals(refutedOf({ left, right, ...small, alpha: 0.6 }), 4);
    assertEquals(refutedOf({ left, right, ...small, alpha: 0.4 }), 0);
  }
});

// Mutants: a calibration whose least p-value is above the level; one that no level makes longer.
Deno.test("PrecedenceBound draws enough for small levels", () => {
  // 1 of 184,756: level 0.0005 needs far more than 2,000 draws of the calibration.
  assert(boundOn({ left: [10, 0], right: [0, 10], epsilon: 3.5, alpha: 5e-4 }) > 0);
});
