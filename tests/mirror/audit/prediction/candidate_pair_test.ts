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
import type { Outputs } from "../../../../lib/audit/subjects/outputs.ts";
import { addRemoveOne, pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { floatLaplace } from "../../../../lib/random/float_laplace.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const pair = pairOf(replaceOne, { left: [3, 0.5], right: [3, 2] });

interface Cell {
  readonly left: number;
  readonly right: number;
  readonly odds: number;
}

/** Of the boldest odds, by caution. */
const SHARES = [1, 0.75, 0.5, 0.4, 0.2];

/** A candidate that has learned these bins; its likely odds are half of the boldest. */
function armWith(bins: readonly Cell[]): CandidatePair {
  const counts = Float64Array.from(bins.flatMap(({ left, right }) => [left, right]));
  const logOdds = SHARES.map((share) => Float64Array.from(bins, ({ odds }) => share * odds));
  const predictor: Pick<Predictor, "counts" | "draws" | "leaves" | "logOdds"> = {
    counts,
    draws: counts.reduce((a, b) => a + b, 0),
    leaves: Int32Array.from(bins.keys()),
    logOdds,
  };
  return {
    pair,
    predictor: predictor as Predictor,
    standardErrors: STANDARD_ERRORS[ONE_STANDARD_ERROR]!,
  };
}

const someCells = fc.array(
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

// Mutants: odds below ε that lose money, negative odds left out, the boldest odds for the cautious ones,
// a mean over bins instead of draws.
Deno.test("expectedLogWealth() is the growth of the wealth: a relative entropy in each bin, by its draws", () => {
  fc.assert(
    fc.property(
      someCells,
      fc.double({ min: 0, max: 3, noNaN: true }),
      fc.constantFrom(...STANDARD_ERRORS.keys()),
      (bins, epsilon, caution) => {
        const candidate = armWith(bins);
        const total = bins.reduce((sum, { left, right }) => sum + left + right, 0);
        let rate = 0;
        for (const { left, right, odds } of bins) {
          const own = Math.abs(odds) * SHARES[caution]!;
          if (own > epsilon) rate += (left + right) * divergence(sigmoid(own), sigmoid(epsilon));
        }
        const expected = total === 0 ? 0 : 1000 * rate / total;
        const options = { draws: 1000, epsilon, caution };
        assertAlmostEquals(expectedLogWealth(candidate, options), expected, 1e-9 * (1 + expected));
        if (caution === ONE_STANDARD_ERROR) {
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

// Mutants: the smallest ε, one that promises less than asked for, one that ignores the draws; a caution
// that is ignored where a merit is asked for, or at the first of its two looks only.
Deno.test("refutableEpsilon() is the largest epsilon against which the candidate promises the nats asked for", () => {
  fc.assert(
    fc.property(
      someCells,
      fc.constantFrom(100, 1e4, 1e6),
      fc.option(fc.constantFrom(...STANDARD_ERRORS.keys())),
      (
        bins,
        draws,
        asked,
      ) => {
        const candidate = armWith(bins), nats = 6;
        const own = asked === null ? {} : { caution: asked };
        const found = refutableEpsilon(candidate, { draws, nats, ...own });
        const share = SHARES[asked ?? ONE_STANDARD_ERROR]!;
        const most = Math.max(...bins.map(({ odds }) => Math.abs(odds) * share));
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

// Mutants: a promise by luck, or NaN, before anything is known; a new candidate doubted by more than what is likely.
Deno.test("expectedLogWealth() and refutableEpsilon() of a new candidate are 0", () => {
  const candidate = candidatePairOf(pair, { bits: false });
  assertEquals(candidate.standardErrors, 1);
  assertEquals(expectedLogWealth(candidate, { draws: 1e6, epsilon: 0 }), 0);
  assertEquals(refutableEpsilon(candidate, { draws: 1e6, nats: 6 }), 0);
});

// Mutants: numbers of one side only, sums left out (naive noise is added to them), bits looked at unasked.
Deno.test("candidatePairOf() looks at the bits around the numbers of both datasets, if asked to", () => {
  assertEquals(candidatePairOf(pair, { bits: false }).predictor.centres, undefined);
  const { predictor: predictor } = candidatePairOf(pair, { bits: true, effort: "sparing" });
  assertEquals(new Set(predictor.centres), new Set([3, 0.5, 3.5, 2, 5]));
  assertEquals(predictor.effort, "sparing");
  const nested = pairOf(addRemoveOne, {
    left: [{ age: 40, marks: [1, 2] }, "x", NaN],
    right: [{ age: 40, marks: [1, 2] }, "x"],
  });
  assertEquals(candidatePairOf(nested, { bits: true }).predictor.centres, [40, 1, 2, 3]);
});

// Mutants: a doubt that is ignored, taken for a caution's place, or applied where a caution is asked for.
Deno.test("expectedLogWealth() and refutableEpsilon() believe a candidate the less the more it is doubted", () => {
  const side = (ones: number): Outputs => ({
    kind: "block",
    width: 1,
    values: new Float64Array(500).fill(1, 0, ones),
  });
  const candidates = [0, 0.7, 1, 2.5, 40].map((doubt) => {
    const candidate = candidatePairOf(pair, { bits: false, doubt });
    for (let k = 0; k < 4; k++) candidate.predictor.observe(side(200), side(300));
    return candidate;
  });
  const options = { draws: 4000, epsilon: 0.1 };
  const promises = candidates.map((candidate) => expectedLogWealth(candidate, options));
  const merits = candidates.map((candidate) =>
    refutableEpsilon(candidate, { draws: 4000, nats: 6 })
  );
  for (let k = 1; k < candidates.length; k++) {
    assert(promises[k]! < promises[k - 1]! && merits[k]! < merits[k - 1]!, `${merits}`);
    assertEquals(
      expectedLogWealth(candidates[k]!, { ...options, caution: 1 }),
      expectedLogWealth(candidates[0]!, { ...options, caution: 1 }),
    );
    assertEquals(refutableEpsilon(candidates[k]!, { draws: 4000, nats: 6, caution: 0 }), merits[0]);
  }
  assertEquals(promises.at(-1), 0);
  assertEquals(merits.at(-1), 0);
});

// Mutants: what follows the data left out of the promise or of the merit, its odds drawn to 0 by no caution.
Deno.test("expectedLogWealth() and refutableEpsilon() of a candidate whose outputs follow the data need few draws", () => {
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
  const { predictor: predictor } = moved;
  const without = (candidate: CandidatePair): CandidatePair => ({
    ...candidate,
    predictor: {
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
  assert(refutableEpsilon(moved, { ...asked, caution: 0 }) > best);
  assert(refutableEpsilon({ ...moved, standardErrors: 10 }, asked) < best);
  assertEquals(refutableEpsilon(still, asked), 0);
});
