import { PURE_POINTS } from "../../../../lib/audit/prediction/expected_log_wealth.ts";
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { ONE_STANDARD_ERROR, STANDARD_ERRORS } from "../../../../lib/audit/betting/shares.ts";
import {
  type CandidatePair,
  candidatePairOf,
  expectedLogWealth,
  refutableEpsilon,
} from "../../../../lib/audit/prediction/candidate_pair.ts";
import type { Predictor } from "../../../../lib/audit/prediction/predictor.ts";
import { RareOutputs } from "../../../../lib/audit/prediction/rare_outputs.ts";
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { addRemoveOne, pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { floatLaplace } from "../../../../lib/random/float_laplace.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const pair = pairOf(replaceOne, { left: [3, 0.5], right: [3, 2] });

interface Leaf {
  readonly left: number;
  readonly right: number;
  readonly odds: number;
}

/** The odds as shares of the point estimates, for each place in STANDARD_ERRORS. */
const SHARES = [1, 0.75, 0.5, 0.4, 0.2];

/** A candidate that has learned these leaves; less one standard error its odds are half of the point estimates. */
function candidateWith(leaves: readonly Leaf[]): CandidatePair {
  const counts = Float64Array.from(leaves.flatMap(({ left, right }) => [left, right]));
  const logOdds = SHARES.map((share) => Float64Array.from(leaves, ({ odds }) => share * odds));
  const predictor: Pick<
    Predictor,
    "counts" | "draws" | "keptShare" | "leaves" | "logOdds" | "rare"
  > = {
    counts,
    rare: new RareOutputs(),
    keptShare: 1,
    draws: counts.reduce((a, b) => a + b, 0),
    leaves: Int32Array.from(leaves.keys()),
    logOdds,
  };
  return {
    pair,
    predictor: predictor as Predictor,
    standardErrors: STANDARD_ERRORS[ONE_STANDARD_ERROR]!,
    points: PURE_POINTS,
  };
}

const someLeaves = fc.array(
  fc.record({
    left: fc.nat(500),
    right: fc.nat(500),
    odds: fc.double({ min: -5, max: 5, noNaN: true }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** Relative entropy of two coins in nats. */
function divergence(p: number, q: number): number {
  return p * Math.log(p / q) + (1 - p) * Math.log((1 - p) / (1 - q));
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

// Mutants: odds below ε that lose money, negative odds left out, point estimates for the shrunk ones,
// a mean over leaves instead of draws.
Deno.test("expectedLogWealth() is the relative entropy in each leaf times its draws", () => {
  fc.assert(
    fc.property(
      someLeaves,
      fc.double({ min: 0, max: 3, noNaN: true }),
      fc.constantFrom(...STANDARD_ERRORS.keys()),
      (leaves, epsilon, errors) => {
        const candidate = candidateWith(leaves);
        const total = leaves.reduce((sum, { left, right }) => sum + left + right, 0);
        let rate = 0;
        for (const { left, right, odds } of leaves) {
          const own = Math.abs(odds) * SHARES[errors]!;
          if (own > epsilon) rate += (left + right) * divergence(sigmoid(own), sigmoid(epsilon));
        }
        const expected = total === 0 ? 0 : 1000 * rate / total;
        const options = { draws: 1000, epsilon, errors };
        assertAlmostEquals(expectedLogWealth(candidate, options), expected, 1e-9 * (1 + expected));
        if (errors === ONE_STANDARD_ERROR) {
          assertEquals(
            expectedLogWealth(candidate, { draws: 1000, epsilon }),
            expectedLogWealth(candidate, options),
          );
        }
      },
    ),
    { seed: 81, numRuns: 300 },
  );
});

// Mutants: the smallest ε, one with less wealth than asked for, one that ignores the draws; standard errors that
// are ignored, or subtracted at the first of the two evaluations only.
Deno.test("refutableEpsilon() is the largest epsilon against which the expected log wealth is the nats asked for", () => {
  fc.assert(
    fc.property(
      someLeaves,
      fc.constantFrom(100, 1e4, 1e6),
      fc.option(fc.constantFrom(...STANDARD_ERRORS.keys())),
      (leaves, draws, asked) => {
        const candidate = candidateWith(leaves), nats = 6;
        const own = asked === null ? {} : { errors: asked };
        const found = refutableEpsilon(candidate, { draws, nats, ...own });
        const share = SHARES[asked ?? ONE_STANDARD_ERROR]!;
        const most = Math.max(...leaves.map(({ odds }) => Math.abs(odds) * share));
        assert(found >= 0 && found <= most);
        if (expectedLogWealth(candidate, { draws, epsilon: 0, ...own }) < nats) {
          assertEquals(found, 0);
        } else {
          assert(expectedLogWealth(candidate, { draws, epsilon: found, ...own }) >= nats);
          assert(expectedLogWealth(candidate, { draws, epsilon: found + 1e-6, ...own }) < nats);
        }
        assert(refutableEpsilon(candidate, { draws: 2 * draws, nats, ...own }) >= found);
        assert(refutableEpsilon(candidate, { draws, nats: 2 * nats, ...own }) <= found);
      },
    ),
    { seed: 82, numRuns: 300 },
  );
});

// Mutants: wealth above 0, or NaN, before anything is known; more than one standard error for a new candidate.
Deno.test("expectedLogWealth() and refutableEpsilon() of a new candidate are 0", () => {
  const candidate = candidatePairOf(pair, { bits: false });
  assertEquals(candidate.standardErrors, 1);
  assertEquals(expectedLogWealth(candidate, { draws: 1e6, epsilon: 0 }), 0);
  assertEquals(refutableEpsilon(candidate, { draws: 1e6, nats: 6 }), 0);
});

// Mutants: numbers of one side only, sums left out (naive noise is added to them), bits looked at unasked.
Deno.test("candidatePairOf() looks at the bits around the numbers of both datasets, if asked to", () => {
  assertEquals(candidatePairOf(pair, { bits: false }).predictor.centres, undefined);
  const { predictor } = candidatePairOf(pair, { bits: true, effort: "sparing" });
  assertEquals(new Set(predictor.centres), new Set([3, 0.5, 3.5, 2, 5]));
  assertEquals(predictor.effort, "sparing");
  const nested = pairOf(addRemoveOne, {
    left: [{ age: 40, marks: [1, 2] }, "x", NaN],
    right: [{ age: 40, marks: [1, 2] }, "x"],
  });
  assertEquals(candidatePairOf(nested, { bits: true }).predictor.centres, [40, 1, 2, 3]);
});

// Mutants: standard errors that are ignored, taken for a place in STANDARD_ERRORS, or used where a place is given.
Deno.test("expectedLogWealth() and refutableEpsilon() fall when a candidate's standard errors rise", () => {
  const side = (ones: number): Outputs => ({
    kind: "block",
    width: 1,
    values: new Float64Array(500).fill(1, 0, ones),
  });
  const candidates = [0, 0.7, 1, 2.5, 40].map((standardErrors) => {
    const candidate = candidatePairOf(pair, { bits: false, standardErrors });
    for (let k = 0; k < 4; k++) candidate.predictor.observe(side(200), side(300));
    return candidate;
  });
  const options = { draws: 4000, epsilon: 0.1 };
  const wealths = candidates.map((candidate) => expectedLogWealth(candidate, options));
  const epsilons = candidates.map((candidate) =>
    refutableEpsilon(candidate, { draws: 4000, nats: 6 })
  );
  for (let k = 1; k < candidates.length; k++) {
    assert(wealths[k]! < wealths[k - 1]! && epsilons[k]! < epsilons[k - 1]!, `${epsilons}`);
    assertEquals(
      expectedLogWealth(candidates[k]!, { ...options, errors: 1 }),
      expectedLogWealth(candidates[0]!, { ...options, errors: 1 }),
    );
    assertEquals(
      refutableEpsilon(candidates[k]!, { draws: 4000, nats: 6, errors: 0 }),
      epsilons[0],
    );
  }
  assertEquals(wealths.at(-1), 0);
  assertEquals(epsilons.at(-1), 0);
});

// Mutants: the location shift left out of the wealth or of the epsilon, its odds drawn to 0 by no standard error.
Deno.test("expectedLogWealth() and refutableEpsilon() use the location shift", () => {
  const source = new SeededSource(9), n = 20_000;
  const side = (middle: number): Outputs => ({
    kind: "block",
    width: 1,
    values: floatLaplace(source, new Float64Array(n)).map((x) => x + middle),
  });
  const candidates = [0, 0.5].map((middle) => {
    const candidate = candidatePairOf(pairOf(replaceOne, { left: [0], right: [1] }), {
      bits: false,
    });
    for (let k = 0; k < 2; k++) candidate.predictor.observe(side(0), side(middle));
    return candidate;
  });
  const [still, moved] = candidates as [CandidatePair, CandidatePair];
  const { predictor } = moved;
  const without = (candidate: CandidatePair): CandidatePair => ({
    ...candidate,
    predictor: {
      keptShare: 1,
      rare: new RareOutputs(),
      counts: predictor.counts,
      leaves: predictor.leaves,
      logOdds: predictor.logOdds,
      partition: predictor.partition,
    } as Predictor,
  });
  const asked = { draws: 40_000, nats: 6 };
  const best = refutableEpsilon(moved, asked);
  assert(best > refutableEpsilon(without(moved), asked) && best > 0.4 && best < 0.5, `${best}`);
  const likely = { draws: 40_000, epsilon: 0.3 };
  assert(expectedLogWealth(moved, likely) > expectedLogWealth(without(moved), likely));
  assert(refutableEpsilon(moved, { ...asked, errors: 0 }) > best);
  assert(refutableEpsilon({ ...moved, standardErrors: 10 }, asked) < best);
  assertEquals(refutableEpsilon(still, asked), 0);
});

Deno.test("expectedLogWealth() and refutableEpsilon() count the draws that satisfy no excepted event alone", () => {
  const candidate = candidateWith([{ left: 30, right: 70, odds: 1 }, {
    left: 50,
    right: 40,
    odds: 0,
  }]);
  const half = {
    ...candidate,
    predictor: { ...candidate.predictor, keptShare: 0.5 } as Predictor,
  };
  const of = (one: CandidatePair, draws: number): number[] => [
    expectedLogWealth(one, { draws, epsilon: 0.1, errors: 0 }),
    refutableEpsilon(one, { draws, nats: 5, errors: 0 }),
  ];
  assertEquals(of(half, 2000), of(candidate, 1000));
  assert(of(half, 1000).every((x, i) => x > 0 && x < of(candidate, 1000)[i]!));
});
